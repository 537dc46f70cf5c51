// The stages of a step of rigid bodies.
#pragma once

#include <sinew/executor.h>

#include <atomic>

#include "core/profiler.h"
#include "rigid/rigid_world.h"

namespace sinew {

// What narrow phase found for a pair.
struct Found {
  int count = 0;
  Manifold manifold[kSurfaceManifolds];
  Real distance = 0;  // of a pair without a manifold, from below [m]
  Pose relative;      // B in A
};

// Memory for the length of a step that is kept from step to step, and is no part of the state.
struct RigidScratch {
  std::vector<std::uint32_t> todo;
  std::vector<Found> found;
  std::vector<BodyRow> awake;     // filled up to whole packs with the world's row
  std::vector<Row8<Real>> drive;  // acceleration, angular acceleration, what drag leaves
  std::vector<Row8<Real>>
      gyro;  // moments, inverses, how far it may turn (0: alike), whether it tumbles
  std::vector<std::uint32_t> zones;   // that threads share out
  std::vector<Row8<Real>> last;       // velocities before a sweep
  std::vector<Real> changes, totals;  // of the packs of bodies
  int sweeps = 0;                     // done in the last step
  std::vector<std::uint8_t> turned;   // packs of bodies that spin freely in this substep
  std::vector<Row8<Real>> free_spin;  // with which velocity; at the end, what has become of the way
  std::vector<Row8<Real>> start;      // poses at the start of the step
  std::vector<Row8<Real>> start_velocity;
  std::vector<std::uint8_t> pushed;      // 1: a force or torque was applied for this step
  std::vector<std::uint32_t> turns_far;  // bits of packs of bodies: turn out of their inertia
  std::vector<BodyRow> tumblers;         // those of them that touch something (tumblers.h)
  std::vector<std::uint8_t> tumbling;    // 1: the body of this row is one
  std::atomic<bool> any_deep = false;    // some contacts overlap deeply
  std::vector<Real> jolt, recall;        // of the last substep (contact_memory.h)
  std::vector<std::uint8_t> jolted;      // packs of bodies, some of which were
  std::vector<std::uint32_t> hung;       // roots of islands, by rows (joint_memory.h)
  std::vector<IslandSums> sums;          // of islands, by their roots
  std::vector<Real> kept;                // by rows: share of impulses that is done again
  std::vector<Real> forgotten;           // of what joints did, with contacts (contact_memory.h)
  bool any_forgotten = false;            // some share is less than 1
  std::vector<Real> weight;              // of the island of each row [N]
  bool weighed = false;                  // in this step
  struct Squeezed {
    BodyRow row;
    Row8<Real> mass;  // its own inverse
  };
  struct Height {
    Real height;
    BodyRow row;
    int at;  // in the list of those that are awake
  };
  std::vector<Squeezed> squeezed;  // bodies with more inertia in this step (squeezed.h)
  std::vector<Height> by_height;   // from the highest on
  struct Carried {
    Real mass = 0;  // [kg]
    Vec3 momentum = {};
  };
  std::vector<Carried> carried;              // by each row
  std::atomic<bool> any_uneven = false;      // some bodies touch much lighter ones
  std::vector<JointSlot> broken;             // joints that were pulled too hard in this step
  std::vector<std::uint32_t> island, stack;  // of rows
  std::vector<SavedContact> contents;        // of contacts that change their zones
};

struct RigidStep {
  RigidWorld& world;
  RigidScratch& scratch;
  const RigidSettings& settings;
  Executor& executor;
  Profiler& profiler;
  Vec3 gravity;
  Real dt;
  std::int64_t number;  // of the step
};

void step_rigid(const RigidStep& step);

void make_manifolds(RigidWorld& world, RigidScratch& scratch, Executor& executor, Real dt);
// Of tumblers, within a step: those that there are may move, and more may come, but none goes.
// Returns whether any came.
bool remake_manifolds(RigidWorld& world, RigidScratch& scratch, Executor& executor, Real h);

// --- motion (motion.cpp) -------------------------------------------------------------------------
void begin_motion(const RigidStep& s, Real h);
// Velocities at the end of a substep without constraints, which are remembered; and then what
// constraints did to them in the last substep is done again, or not. Later: by another call, when
// impacts have come between.
enum class Repeat { kNot, kNow, kLater };
void accelerate(const RigidStep& s, Real h, Repeat repeat);
void repeat_constraints(const RigidStep& s, Repeat repeat);
// Takes away what bodies must not move along axes that are locked, after every sweep: sweeps do not
// know of it, and find by and by what holds in spite of it.
void keep_on_rails(const RigidWorld& world, std::vector<Row8<Real>>& motion);
void move(const RigidStep& s, Real h);
// Whether every island has settled: the error that its last sweep left is less than a tolerance, as
// a share of what constraints have changed its velocities by in all. Both are the largest change of
// the velocity of any point of its bodies [m/s]; the error that is left is found from the change of
// the last sweep and how fast changes decay. After Kenwright and Morgan (2012), eq. 4, on M⁻¹Jᵀλ
// instead of λ, so that impulses that act against each other do not count.
void remember_velocities(const RigidStep& s);
bool has_settled(const RigidStep& s, Real tolerance);
// Remembers the way before position sweeps.
void hold_way(const RigidStep& s);
// Takes over what position sweeps changed, and makes ready for the next step.
void finish_motion(const RigidStep& s);

// --- the gate (gate.cpp) -------------------------------------------------------------------------
// A body that is not finite any more goes back to where the step found it, and stays there. It runs
// after the solver, for the stages that follow, and once more after all of them: nothing is
// published that has not passed it.
void freeze_broken(const RigidStep& s);
// Bodies that were given such a velocity, before the step.
void freeze_thrown(RigidWorld& world);

// --- what is fast (stop_fast.cpp) ----------------------------------------------------------------
// Follows the way of what is fast through the step, and stops it at what it would have passed.
void stop_fast(const RigidStep& s);

// --- contacts (solve.cpp) ------------------------------------------------------------------------
void solve_rigid(const RigidStep& s);
// Zones that have contacts, but for that between them.
void list_zones(const RigidWorld& world, RigidScratch& scratch);

// --- sleep (sleep.cpp) ---------------------------------------------------------------------------
void fall_asleep(const RigidStep& s);
// Wakes a body and all that it touches.
void wake_island(RigidWorld& world, BodyRow row);
void wake_neighbours(RigidWorld& world, BodyRow row);

}  // namespace sinew
