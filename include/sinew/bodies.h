// What can be put into a World: plain structs with defaults, to be filled with designated
// initialisers. SI units; y is up.
#pragma once

#include <sinew/materials.h>
#include <sinew/mesh.h>
#include <sinew/shapes.h>

#include <string>
#include <vector>

namespace sinew {

// Something that never moves: a floor, a wall, an obstacle.
struct StaticBody {
  static constexpr const char* kName = "static";
  static constexpr const char* kDoc = "Something that never moves: a floor, a wall, an obstacle.";

  std::string name = {};  // for messages, metrics and recordings
  Shape shape = Plane{};
  Pose pose = {};
  Real friction = Real(0.5);  // Coulomb's μ; a pair slides by √(μ₁μ₂)

  template <class Visitor>
  void describe(Visitor& v) {
    v.field("name", name, {.doc = "Name in messages, metrics and recordings"});
    v.field("shape", shape, {.doc = "Collision shape", .required = true});
    v.field("pose", pose, {.doc = "Where it is"});
    v.field("friction", friction, {.doc = "Coulomb's μ; a pair slides by √(μ₁μ₂)", .min = 0});
  }
};

// A deformable solid of tetrahedra.
struct SoftBody {
  static constexpr const char* kName = "soft";
  static constexpr const char* kDoc = "A deformable solid.";

  std::string name = {};
  TetMesh mesh = {};  // rest shape; every tetrahedron positive (see mend())
  Material material = StableNeoHookean{};
  Real density = 1000;           // [kg/m³]
  Pose pose = {};                // where the rest shape starts
  Vec3 velocity = {};            // [m/s]
  Vec3 angular_velocity = {};    // about the centre of mass [rad/s]
  Real friction = Real(0.5);     // Coulomb's μ
  Real damping = 0;              // viscosity by shear modulus: resists deforming, not moving [s]
  Real drag = 0;                 // velocities decay as exp(-drag·t) [1/s]
  std::vector<Index> pins = {};  // vertices held in place

  template <class Visitor>
  void describe(Visitor& v) {
    v.field("name", name, {.doc = "Name in messages, metrics and recordings"});
    v.field("mesh", mesh, {.doc = "Rest shape", .required = true});
    v.field("material", material, {.doc = "What it is made of"});
    v.field("density", density,
            {.doc = "Mass per volume", .unit = "kg/m³", .min = 0, .exclusive_min = true});
    v.field("pose", pose, {.doc = "Where the rest shape starts"});
    v.field("velocity", velocity, {.doc = "Initial velocity", .unit = "m/s"});
    v.field("angular_velocity", angular_velocity,
            {.doc = "Initial angular velocity about the centre of mass", .unit = "rad/s"});
    v.field("friction", friction, {.doc = "Coulomb's μ; a pair slides by √(μ₁μ₂)", .min = 0});
    v.field("damping", damping,
            {.doc = "Viscosity by shear modulus: resists deforming but not moving; try 0.01",
             .unit = "s",
             .min = 0});
    v.field("drag", drag, {.doc = "Velocities decay as exp(−drag·t)", .unit = "1/s", .min = 0});
    v.field("pins", pins, {.doc = "Vertices held in place"});
  }
};

struct WorldSettings {
  Vec3 gravity{0, Real(-9.81), 0};  // [m/s²]
  int substeps = 10;                // per step; more is stiffer and livelier
  int iterations = 1;               // solver sweeps per substep

  template <class Visitor>
  void describe(Visitor& v) {
    v.field("gravity", gravity, {.doc = "Acceleration of free fall", .unit = "m/s²"});
    v.field("substeps", substeps, {.doc = "Substeps in a step", .min = 1, .max = 10000});
    v.field("iterations", iterations,
            {.doc = "Solver sweeps in a substep", .min = 1, .max = 10000});
  }
};

}  // namespace sinew
