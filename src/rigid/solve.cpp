// The solver of contacts and joints: a box LCP by projected Gauss–Seidel over packs, zone by zone
// and colour by colour, in substeps (Kenwright and Morgan; notes in docs/architecture.md). Zones
// share no body that moves, nor do packs of a colour, so that they run in parallel with the same
// result. Every other sweep goes backwards: always in one order, it would turn a round tower a
// little in every step. Joints come before the contacts in one sweep and after them in the next:
// two sweeps are then a symmetric operator, whose eigenvalues are real and positive, and impulses
// that are done again in the next substep do not grow (docs/architecture.md, "Order of sweeps"). A
// single sweep in a substep goes back in every other step: what it leaves comes again in the next,
// where one that goes the other way would make it grow.
#include <algorithm>
#include <atomic>

#include "rigid/contact_loops.h"
#include "rigid/contact_memory.h"
#include "rigid/contact_solve.h"
#include "rigid/joint_memory.h"
#include "rigid/squeezed.h"
#include "rigid/tumblers.h"

namespace sinew {
namespace {

constexpr Real kSlop = Real(1e-4);  // overlap that is left, so that contacts stay [m]
constexpr Real kShare = Real(0.4);  // of the overlap beyond it that a sweep undoes
constexpr ScratchRows kScratch{1, kScratchRows};
constexpr int kBounces = 24;  // sweeps over impacts in a substep, at most

void prepare(const RigidStep& s) {
  for_each_contact_pack(s, [&](int i, ContactColour& colour, BodyRow scratch) {
    ContactPack<Wide>& pack = colour.packs[i];
    prepare_contacts<Wide>(s.world.rows, colour.geometry[i], pack);
    choose_written(pack, scratch);
    pack.total = pack.bounced = Wide(Real(0));
    note_depth(s, colour.geometry[i], pack);
    if (is_uneven(pack)) s.scratch.any_uneven.store(true, std::memory_order_relaxed);
  });
}

// Once more where light bodies carry heavy ones.
void prepare_all(const RigidStep& s) {
  s.scratch.any_deep = s.scratch.any_uneven = false;
  prepare(s);
  if (s.scratch.any_uneven && add_inertia(s)) prepare(s);
}

template <bool kPyramid>
void bounce(const RigidStep& s, Real h) {
  const Wide step(h), speed(s.settings.bounce_speed);
  for (int sweep = 0; sweep < kBounces; ++sweep) {
    std::atomic<bool> any_bounced = false;
    for_each_contact_pack(s, [&](int i, ContactColour& colour, BodyRow) {
      if (bounce_contacts<kPyramid, Wide>(s.world.rows, colour.geometry[i].restitution,
                                          colour.packs[i], step, speed))
        any_bounced.store(true, std::memory_order_relaxed);
    });
    if (!any_bounced) return;
  }
}

template <bool kPyramid, bool kFirst>
void sweep(const RigidStep& s, Real h, bool backwards) {
  const Wide inverse_h(1 / h);
  for_each_contact_pack(
      s,
      [&](int i, ContactColour& colour, BodyRow) {
        solve_contacts<kPyramid, kFirst, Wide>(s.world.rows, colour.packs[i], inverse_h);
      },
      backwards);
}

// New joints do not know their load yet. In the few sweeps of a substep, what hangs on several of
// them would begin to fall and then be caught, with half as much again as it weighs: enough to
// break what should bear it. In their first substep, joints are gone over until they hold. Each new
// one pays for a bounded share of that, so that a crowd in which joints come and go is not much
// slower.
void settle_joints(const RigidStep& s, int fresh) {
  constexpr double kMost = 256, kWork = 32768;  // sweeps; joints and bodies gone over
  constexpr Real kSettled = Real(1e-4);
  const double whole = double(s.world.joints.size()) + double(s.world.awake.size());
  const int sweeps = static_cast<int>(std::min(kMost, kWork * fresh / whole));
  remember_velocities(s);
  for (int i = 0; i < sweeps; ++i) {
    s.world.joints.solve(s.world.rows, s.executor);
    s.world.direct.solve(s.world.joints, s.world.rows, s.executor);
    keep_on_rails(s.world, s.world.rows.velocity);
    if (has_settled(s, kSettled)) return;
  }
}

template <bool kPyramid>
void substeps(const RigidStep& s) {
  const Real h = s.dt / Real(s.settings.substeps);
  JointSet& joints = s.world.joints;
  DirectJoints& direct = s.world.direct;
  if (joints.size() == 0 && !direct.empty()) direct.clear();  // the last of them is gone
  for (int k = 0; k < s.settings.substeps; ++k) {
    const auto turn = s.settings.iterations > 1 ? k : s.number;
    // What joints did is done again along their new rows, not the old ones: a force that stays
    // behind the bodies that it holds would feed their swinging.
    if (k > 0) joints.add_motion(s.world.held_velocity, s.executor);
    {
      const Profiler::Scope stage(s.profiler, "rigid prepare");
      follow_tumblers(s, k == 0 ? Before::kFirstSubstep : Before::kSubstep, h);
    }
    if (joints.in_use()) {
      const Profiler::Scope stage(s.profiler, "rigid joints");
      direct.stiffen(joints, s.world.rows, h, s.dt, DirectJoints::Use::kSolve);
      joints.prepare(s.world.rows, h, kScratch, s.executor);
      direct.prepare(joints, s.world.rows, h, DirectJoints::Use::kSolve, s.settings.joint_solver,
                     s.executor);
      direct.relax(s.world.rows);
    }
    const Repeat repeat = k > 0 ? Repeat::kNow : Repeat::kNot;
    {
      const Profiler::Scope stage(s.profiler, "rigid motion");
      const bool impacts = s.world.bouncing > 0;
      accelerate(s, h, impacts ? Repeat::kLater : repeat);
      if (impacts) {
        bounce<kPyramid>(s, h);
        repeat_constraints(s, repeat);
      }
    }
    {
      const Profiler::Scope stage(s.profiler, "rigid solve");
      joints.warm_start(s.world.rows, s.executor);
      if (k == 0) {
        for_each_contact_pack(s, [&](int i, ContactColour& colour, BodyRow) {
          warm_start_contacts<Wide>(s.world.rows, colour.packs[i]);
        });
      }
      keep_on_rails(s.world, s.world.rows.velocity);
      if (const int fresh = joints.take_fresh(); fresh > 0) settle_joints(s, fresh);
      if (s.scratch.any_uneven) direct.hold(s.world, h);
      const bool stops = s.settings.tolerance > 0;
      if (stops) remember_velocities(s);
      for (int i = 0; i < s.settings.iterations; ++i) {
        const bool backwards = (turn + i) % 2 == 1, joints_last = i % 2 == 1;
        if (!joints_last) joints.solve(s.world.rows, s.executor);
        i == 0 ? sweep<kPyramid, true>(s, h, backwards) : sweep<kPyramid, false>(s, h, backwards);
        if (joints_last) joints.solve(s.world.rows, s.executor);
        direct.solve(joints, s.world.rows, s.executor);
        keep_on_rails(s.world, s.world.rows.velocity);
        ++s.scratch.sweeps;
        if (stops && has_settled(s, s.settings.tolerance)) break;
      }
      joints.add_loads(h);
    }
    const Profiler::Scope stage(s.profiler, "rigid motion");
    move(s, h);
    weigh_memory(s, h);
  }
  joints.take_breaking(s.dt, s.scratch.broken);
}

void correct(const RigidStep& s) {
  const Profiler::Scope stage(s.profiler, "rigid positions");
  follow_tumblers(s, Before::kCorrection, s.dt / Real(s.settings.substeps));
  hold_way(s);
  const int sweeps = s.settings.position_iterations;
  const Wide slop(kSlop), share(kShare);
  const Wide most(s.settings.recovery_speed * s.dt / Real(std::max(sweeps, 1)));
  JointSet& joints = s.world.joints;
  DirectJoints& direct = s.world.direct;
  if (joints.size() > 0) {
    const Real h = s.dt / Real(s.settings.substeps);
    direct.stiffen(joints, s.world.rows, h, s.dt, DirectJoints::Use::kCorrect);
    joints.prepare(s.world.rows, h, kScratch, s.executor);
    direct.prepare(joints, s.world.rows, h, DirectJoints::Use::kCorrect, s.settings.joint_solver,
                   s.executor);
    direct.relax(s.world.rows);
    if (s.scratch.any_uneven) direct.hold(s.world, h);
  }
  for (int i = 0; i < sweeps; ++i) {
    joints.correct(s.world.rows, s.executor);
    for_each_contact_pack(
        s,
        [&](int k, ContactColour& colour, BodyRow) {
          correct_contacts<Wide>(s.world.rows, colour.packs[k], slop, share, most);
        },
        i % 2 == 1);
    direct.correct(s.world.rows, kSlop, kShare,
                   s.settings.recovery_speed * s.dt / Real(std::max(sweeps, 1)), s.executor);
    keep_on_rails(s.world, s.world.rows.way);
  }
}

}  // namespace

void list_zones(const RigidWorld& world, RigidScratch& scratch) {
  scratch.zones.clear();
  for (std::uint32_t z = 0; z < world.zones.size(); ++z)
    if (z != kBetween && world.zones[z].used != 0) scratch.zones.push_back(z);
}

void solve_rigid(const RigidStep& s) {
  s.scratch.broken.clear();
  s.scratch.sweeps = 0;
  list_zones(s.world, s.scratch);
  begin_motion(s, s.dt / Real(s.settings.substeps));
  {
    const Profiler::Scope stage(s.profiler, "rigid prepare");
    prepare_all(s);
  }
  if (s.settings.friction == FrictionModel::kPyramid)
    substeps<true>(s);
  else
    substeps<false>(s);
  correct(s);
  finish_motion(s);
  take_inertia(s);
}

}  // namespace sinew
