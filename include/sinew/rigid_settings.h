// How rigid bodies are solved.
#pragma once

#include <sinew/describe.h>
#include <sinew/real.h>

namespace sinew {

enum class FrictionModel {
  kCone,     // Coulomb's: no more than μ times the normal force, whatever the direction
  kPyramid,  // no more than that along each of two directions: up to √2 more between them
};
template <>
struct EnumWords<FrictionModel> {
  static constexpr const char* kWords[] = {"cone", "pyramid"};
};

enum class JointSolver {
  kAutomatic,  // directly where iterations would not hold: chains and frames that bear much
  kIterative,  // all joints in sweeps
  kDirect,     // all joints that hang together at once
};
template <>
struct EnumWords<JointSolver> {
  static constexpr const char* kWords[] = {"automatic", "iterative", "direct"};
};

struct RigidSettings {
  static constexpr const char* kName = "rigid_settings";
  static constexpr const char* kDoc = "How rigid bodies are solved.";

  int substeps = 8;             // of a step
  int iterations = 2;           // sweeps over joints and contacts in a substep
  int position_iterations = 4;  // sweeps at the end of a step that undo what overlaps
  Real tolerance = 0;  // iterations end when impulses change by less than this share; 0: never
  FrictionModel friction = FrictionModel::kCone;
  JointSolver joint_solver = JointSolver::kAutomatic;
  Real bounce_speed = Real(0.2);  // slower impacts do not bounce [m/s]
  Real recovery_speed = 4;        // at which what overlaps is moved apart [m/s]
  bool sleeping = true;           // what has come to rest is put to sleep
  Real sleep_speed = Real(0.02);  // slower is at rest [m/s]
  Real sleep_after = Real(0.5);   // at rest for that long, it sleeps [s]
  bool persist_events = false;    // what goes on touching is told in every step

  template <class Visitor>
  void describe(Visitor& v) {
    v.field("substeps", substeps, {.doc = "Substeps of a step", .min = 1, .max = 1000});
    v.field("iterations", iterations,
            {.doc = "Sweeps over joints and contacts in a substep", .min = 1, .max = 10000});
    v.field("position_iterations", position_iterations,
            {.doc = "Sweeps at the end of a step that undo what overlaps", .min = 0, .max = 10000});
    v.field("tolerance", tolerance,
            {.doc = "Iterations end when impulses change by less than this share; 0: never",
             .min = 0,
             .max = 1});
    v.field("friction", friction,
            {.doc = "Coulomb's cone, or a pyramid in two directions, for comparison"});
    v.field("joint_solver", joint_solver,
            {.doc = "Joints one after the other in sweeps, all that hang together at once by a "
                    "sparse factorisation, or that only where much hangs on little"});
    v.field("bounce_speed", bounce_speed,
            {.doc = "Slower impacts do not bounce", .unit = "m/s", .min = 0});
    v.field("recovery_speed", recovery_speed,
            {.doc = "Speed at which what overlaps is moved apart", .unit = "m/s", .min = 0});
    v.field("sleeping", sleeping, {.doc = "What has come to rest is put to sleep"});
    v.field("sleep_speed", sleep_speed,
            {.doc = "What moves more slowly is at rest", .unit = "m/s", .min = 0});
    v.field("sleep_after", sleep_after,
            {.doc = "What is at rest for that long is put to sleep", .unit = "s", .min = 0});
    v.field(
        "persist_events", persist_events,
        {.doc = "Contacts that go on are told in every step, not only when they begin and end"});
  }
};

}  // namespace sinew
