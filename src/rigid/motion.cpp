// How bodies move by themselves: gravity, forces, drag, the torque of their own spin, and the way
// of a substep. Packs of bodies that are awake.
#include <algorithm>
#include <cmath>
#include <limits>

#include "core/parallel.h"
#include "rigid/contact_memory.h"
#include "rigid/free_spin.h"
#include "rigid/islands.h"
#include "rigid/joint_memory.h"
#include "rigid/rigid_step.h"

namespace sinew {
namespace {

constexpr int kBlock = 32;              // packs
constexpr Real kSpinning = Real(0.05);  // slower spin has no torque of its own [rad/s]

// f(first place in the list, rows) for every pack of bodies that are awake.
template <class F>
void for_each_pack(const RigidStep& s, F&& f) {
  const int packs = static_cast<int>(s.scratch.awake.size()) / kLanes;
  parallel_for(s.executor, packs, kBlock, [&](int begin, int end) {
    for (int i = begin; i < end; ++i) f(i * kLanes, &s.scratch.awake[i * kLanes]);
  });
}

template <class W>
SINEW_INLINE void load8(const Row8<Real>* rows, W (&c)[8]) {
  gather8<W>(rows, kConsecutive<W>.data(), c);
}
template <class W>
SINEW_INLINE void store8(Row8<Real>* rows, const W (&c)[8]) {
  scatter8<W>(rows, kConsecutive<W>.data(), c);
}

// By how much of the smallest of its entries a body's inverse inertia may change within a step
// (tumblers.h); less where impacts give back what they take, and with it every error.
constexpr Real kMostChange = Real(0.25), kMostChangeLively = Real(0.01);

// Whether it does so by more. Seen from where it started, its inverse inertia J gets the entries
// (Jᵢ − Jⱼ) sin²θₖ where there were the smaller ones; a top that spins about its axis has none.
template <class W>
SINEW_INLINE auto turns_out_of_inertia(const Vec3T<W>& j, const W& most, const QuatT<W>& turn,
                                       const Vec3T<W>& spin, const W& dt) {
  const Vec3T<W> angle = turn.conjugate().rotate(spin) * dt;
  const W change = max(max(abs(j.x - j.y) * angle.z * angle.z, abs(j.y - j.z) * angle.x * angle.x),
                       abs(j.z - j.x) * angle.y * angle.y);
  return change > most * min(min(j.x, j.y), j.z);
}

// Notes which bodies of a pack do.
void note_turns(const RigidStep& s, int first, const Vec3T<Wide>& spin, const QuatT<Wide>& turn) {
  constexpr Real kLeast = Real(0.01);  // nobody does by less [rad]
  std::uint32_t& bits = s.scratch.turns_far[first / kLanes];
  bits = 0;
  if (!any(dot(spin, spin) > Wide(kLeast * kLeast / (s.dt * s.dt)))) return;
  Wide gyro[8];
  load8(&s.scratch.gyro[first], gyro);
  const auto far =
      turns_out_of_inertia<Wide>({gyro[3], gyro[4], gyro[5]}, gyro[6], turn, spin, Wide(s.dt));
  const Wide flag = select(far, Wide(Real(1)), Wide(Real(0)));
  for (int l = 0; l < kLanes; ++l) bits |= std::uint32_t(lane(flag, l) > 0) << l;
}

// Inverse inertia as bodies lie now, R diag(d) Rᵀ, where they are uneven.
template <class Mask>
SINEW_INLINE void turn_inertia(BodyRows& bodies, const BodyRow* rows, const Vec3T<Wide>& inverse,
                               const QuatT<Wide>& turn, const Mask& uneven) {
  Wide mass[8];
  gather8<Wide>(bodies.mass.data(), rows, mass);
  const Mat3T<Wide> r = turn.matrix();
  const auto entry = [&](int i, int j) {
    return r(i, 0) * inverse.x * r(j, 0) + r(i, 1) * inverse.y * r(j, 1) +
           r(i, 2) * inverse.z * r(j, 2);
  };
  mass[0] = select(uneven, entry(0, 0), mass[0]), mass[1] = select(uneven, entry(0, 1), mass[1]);
  mass[2] = select(uneven, entry(0, 2), mass[2]), mass[3] = select(uneven, entry(1, 1), mass[3]);
  mass[4] = select(uneven, entry(1, 2), mass[4]), mass[5] = select(uneven, entry(2, 2), mass[5]);
  scatter8<Wide>(bodies.mass.data(), rows, mass);
}

}  // namespace

void begin_motion(const RigidStep& s, Real h) {
  RigidWorld& world = s.world;
  RigidScratch& scratch = s.scratch;
  const std::size_t count = world.awake.size();
  const std::size_t padded = (count + kLanes - 1) / kLanes * kLanes;
  scratch.awake.assign(world.awake.begin(), world.awake.end());
  scratch.awake.resize(padded, kWorldRow);
  scratch.drive.assign(padded, Row8<Real>{});
  scratch.gyro.assign(padded, Row8<Real>{});
  scratch.turned.assign(padded / kLanes, 0);
  scratch.turns_far.assign(padded / kLanes, 0);
  scratch.tumbling.resize(world.track.size(), 0);
  for (BodyRow row : scratch.tumblers) scratch.tumbling[row] = 0;
  scratch.tumblers.clear();
  scratch.free_spin.resize(padded);
  scratch.start.resize(count);
  scratch.start_velocity.resize(count);
  scratch.pushed.assign(count, 0);
  for (std::size_t i = 0; i < count; ++i) {
    scratch.start[i] = world.rows.pose[world.awake[i]];
    scratch.start_velocity[i] = world.rows.velocity[world.awake[i]];
  }
  for (std::size_t i = 0; i < count; ++i) {
    const BodyRow row = world.awake[i];
    BodyInfo& info = world.info[row];
    Row8<Real>& drive = scratch.drive[i];
    drive.c[6] = drive.c[7] = 1;
    if (world.track[row].kind != BodyKind::kDynamic) continue;
    const Vec3 a = s.gravity * info.gravity_scale + info.force * world.rows.mass[row].c[6];
    for (int k = 0; k < 3; ++k) drive.c[k] = a[k] * info.free_axes[k];
    if (info.torque != Vec3{}) {
      const auto& m = world.rows.mass[row].c;
      const Vec3 alpha = Sym3T<Real>{m[0], m[1], m[2], m[3], m[4], m[5]} * info.torque;
      drive.c[3] = alpha.x, drive.c[4] = alpha.y, drive.c[5] = alpha.z;
    }
    if (info.drag > 0) drive.c[6] = std::exp(-info.drag * h);
    if (info.angular_drag > 0) drive.c[7] = std::exp(-info.angular_drag * h);
    scratch.pushed[i] = info.force != Vec3{} || info.torque != Vec3{};
    info.force = info.torque = {};
    if (info.round) continue;
    const Vec3 &m = info.inertia, &inv = info.inverse_inertia;
    const Real most = info.lively ? kMostChangeLively : kMostChange;
    scratch.gyro[i] = {{m.x, m.y, m.z, inv.x, inv.y, inv.z, most, 0}};
  }
  begin_jolts(s);
  begin_memory(s);
  for_each_pack(s, [&](int first, const BodyRow* rows) {
    note_turns(s, first, gather_twist<Wide>(world.rows.velocity, rows).angular,
               gather_pose<Wide>(world.rows.pose, rows).turn);
  });
}

void accelerate(const RigidStep& s, Real h_, Repeat repeat) {
  RigidWorld& world = s.world;
  const Wide share(repeat == Repeat::kNow ? Real(1) : Real(0));
  for_each_pack(s, [&](int first, const BodyRow* rows) {
    const Wide h(h_), zero(Real(0));
    Wide drive[8], gyro[8], pose[8];
    load8(&s.scratch.drive[first], drive);
    load8(&s.scratch.gyro[first], gyro);
    Twist<Wide> v = gather_twist<Wide>(world.rows.velocity, rows);
    // What constraints changed last time, to be added again.
    const Twist<Wide> held = gather_twist<Wide>(world.held_velocity, rows);
    const Twist<Wide> change{v.linear - held.linear, v.angular - held.angular};
    v.linear = (v.linear + Vec3T<Wide>{drive[0], drive[1], drive[2]} * h) * drive[6];
    v.angular = (v.angular + Vec3T<Wide>{drive[3], drive[4], drive[5]} * h) * drive[7];
    const auto spins = (dot(v.angular, v.angular) > Wide(kSpinning * kSpinning)) &
                       (gyro[6] > zero) & (gyro[7] <= zero);
    s.scratch.turned[first / kLanes] = any(spins);
    if (any(spins)) {
      gather8<Wide>(world.rows.pose.data(), rows, pose);
      QuatT<Wide> turn{pose[4], pose[5], pose[6], pose[7]};
      Vec3T<Wide> w = v.angular;
      spin_freely({gyro[0], gyro[1], gyro[2]}, {gyro[3], gyro[4], gyro[5]}, h, turn, w);
      v.angular = select(spins, w, v.angular);
      pose[4] = select(spins, turn.x, pose[4]), pose[5] = select(spins, turn.y, pose[5]);
      pose[6] = select(spins, turn.z, pose[6]), pose[7] = select(spins, turn.w, pose[7]);
      scatter8<Wide>(world.rows.pose.data(), rows, pose);
      const Vec3T<Wide> none{zero, zero, zero};
      const Vec3T<Wide> done = select(spins, v.angular, none);
      const Wide free[8] = {done.x, done.y, done.z, zero, zero, zero, zero, zero};
      store8(&s.scratch.free_spin[first], free);
    }
    scatter_twist(world.held_velocity, rows, repeat == Repeat::kLater ? change : v);
    v.linear += change.linear * share;
    v.angular += change.angular * share;
    scatter_twist(world.rows.velocity, rows, v);
  });
}

void repeat_constraints(const RigidStep& s, Repeat repeat) {
  RigidWorld& world = s.world;
  const Wide share(repeat == Repeat::kNow ? Real(1) : Real(0));
  for_each_pack(s, [&](int, const BodyRow* rows) {
    Twist<Wide> v = gather_twist<Wide>(world.rows.velocity, rows);
    const Twist<Wide> change = gather_twist<Wide>(world.held_velocity, rows);
    scatter_twist(world.held_velocity, rows, v);
    v.linear += change.linear * share;
    v.angular += change.angular * share;
    scatter_twist(world.rows.velocity, rows, v);
  });
}

// With the island of each body, in `stack` by rows: those on common joints or near each other.
void remember_velocities(const RigidStep& s) {
  const RigidWorld& world = s.world;
  RigidScratch& scratch = s.scratch;
  Islands islands(scratch.island, world.track.size());
  const auto join = [&](BodyRow a, BodyRow b) {
    if (is_movable(world, a) && is_movable(world, b)) islands.join(a, b);
  };
  for_each_bond(world, std::numeric_limits<Real>::max(), join);
  world.joints.for_each_pair([&](BodyRow a, BodyRow b, JointSlot) { join(a, b); });
  scratch.stack.resize(world.track.size());
  scratch.last.resize(scratch.awake.size());
  for (std::size_t i = 0; i < world.awake.size(); ++i) {
    const BodyRow row = world.awake[i];
    scratch.stack[row] = islands.find(row);
    scratch.last[i] = world.rows.velocity[row];
    scratch.last[i].c[7] = 0;  // of the island of this root: what its last sweep changed
  }
}

bool has_settled(const RigidStep& s, Real tolerance) {
  constexpr Real kSlowest = Real(0.99);  // decay of errors that is believed
  const RigidWorld& world = s.world;
  RigidScratch& scratch = s.scratch;
  scratch.changes.assign(world.track.size(), 0);
  scratch.totals.assign(world.track.size(), 0);
  for (std::size_t i = 0; i < world.awake.size(); ++i) {
    const BodyRow row = world.awake[i], root = scratch.stack[row];
    const auto &v = world.rows.velocity[row].c, &held = world.held_velocity[row].c;
    auto& last = scratch.last[i].c;
    const auto fastest = [&](const auto& from) {
      return length(Vec3{v[0] - from[0], v[1] - from[1], v[2] - from[2]}) +
             length(Vec3{v[3] - from[3], v[4] - from[4], v[5] - from[5]}) * world.track[row].radius;
    };
    scratch.changes[root] = std::max(scratch.changes[root], fastest(last));
    scratch.totals[root] = std::max(scratch.totals[root], fastest(held));
    std::copy(v, v + 6, last);
  }
  bool settled = true;
  for (std::size_t i = 0; i < world.awake.size(); ++i) {
    const BodyRow row = world.awake[i];
    if (scratch.stack[row] != row) continue;
    const Real change = scratch.changes[row];
    Real& before = scratch.last[i].c[7];
    const Real decay = before > 0 ? std::min(change / before, kSlowest) : Real(0);
    const Real left = std::max(change, change * decay / (1 - decay));
    settled = settled && left <= tolerance * scratch.totals[row];
    before = change;
  }
  return settled;
}

void keep_on_rails(const RigidWorld& world, std::vector<Row8<Real>>& motion) {
  for (BodyRow row : world.railed)
    for (int k = 0; k < 3; ++k) motion[row].c[k] *= world.info[row].free_axes[k];
}

void move(const RigidStep& s, Real h_) {
  RigidWorld& world = s.world;
  for_each_pack(s, [&](int first, const BodyRow* rows) {
    const Wide h(h_);
    Twist<Wide> v = gather_twist<Wide>(world.rows.velocity, rows);
    Twist<Wide> way = gather_twist<Wide>(world.rows.way, rows);
    way.linear += v.linear * h;
    way.angular += v.angular * h;
    scatter_twist(world.rows.way, rows, way);
    Twist<Wide> held = gather_twist<Wide>(world.held_velocity, rows);
    note_jolts(s, first, rows, v.linear - held.linear, h_);
    Wide pose[8];
    gather8<Wide>(world.rows.pose.data(), rows, pose);
    Vec3T<Wide> spin = v.angular;
    if (s.scratch.turned[first / kLanes]) {
      Wide free[8];
      load8(&s.scratch.free_spin[first], free);
      spin -= Vec3T<Wide>{free[0], free[1], free[2]};
    }
    const QuatT<Wide> before{pose[4], pose[5], pose[6], pose[7]};
    QuatT<Wide> turn = unit(turn_by(spin * h) * before);
    if (s.scratch.turned[first / kLanes]) {
      Wide gyro[8];
      load8(&s.scratch.gyro[first], gyro);
      const Vec3T<Wide> turned = turned_spin<Wide>(
          {gyro[0], gyro[1], gyro[2]}, {gyro[3], gyro[4], gyro[5]}, before, turn, v.angular);
      const Wide zero(Real(0));
      const auto uneven = (gyro[6] > zero) & (gyro[7] <= zero) & (dot(spin, spin) > zero);
      const Vec3T<Wide> change = select(uneven, turned, v.angular) - v.angular;
      held.angular += change;  // so that it does not count as what constraints did
      scatter_twist(world.held_velocity, rows, held);
      v.angular += change;
      scatter_twist(world.rows.velocity, rows, v);
      // Joints are made anew in every substep, and turn bodies by the inertia that they have then.
      turn_inertia(world.rows, rows, {gyro[3], gyro[4], gyro[5]}, turn, uneven);
    }
    if (!s.scratch.tumblers.empty()) {
      Wide gyro[8];
      load8(&s.scratch.gyro[first], gyro);
      const auto tumbles = gyro[7] > Wide(Real(0));
      QuatT<Wide> free = before;
      Vec3T<Wide> w = v.angular;
      spin_freely({gyro[0], gyro[1], gyro[2]}, {gyro[3], gyro[4], gyro[5]}, h, free, w);
      turn = {select(tumbles, free.x, turn.x), select(tumbles, free.y, turn.y),
              select(tumbles, free.z, turn.z), select(tumbles, free.w, turn.w)};
      v.angular = select(tumbles, w, v.angular);
      scatter_twist(world.rows.velocity, rows, v);
    }
    note_turns(s, first, v.angular, turn);
    pose[0] += v.linear.x * h, pose[1] += v.linear.y * h, pose[2] += v.linear.z * h;
    pose[4] = turn.x, pose[5] = turn.y, pose[6] = turn.z, pose[7] = turn.w;
    scatter8<Wide>(world.rows.pose.data(), rows, pose);
  });
}

void hold_way(const RigidStep& s) {
  for_each_pack(s, [&](int, const BodyRow* rows) {
    scatter_twist(s.world.held_velocity, rows, gather_twist<Wide>(s.world.rows.way, rows));
  });
}

void finish_motion(const RigidStep& s) {
  RigidWorld& world = s.world;
  for_each_pack(s, [&](int first, const BodyRow* rows) {
    const Twist<Wide> way = gather_twist<Wide>(world.rows.way, rows);
    const Twist<Wide> before = gather_twist<Wide>(world.held_velocity, rows);
    Wide pose[8], gyro[8];
    gather8<Wide>(world.rows.pose.data(), rows, pose);
    const Vec3T<Wide> moved = way.linear - before.linear, spun = way.angular - before.angular;
    const QuatT<Wide> old{pose[4], pose[5], pose[6], pose[7]}, turn = unit(turn_by(spun) * old);
    pose[0] += moved.x, pose[1] += moved.y, pose[2] += moved.z;
    pose[4] = turn.x, pose[5] = turn.y, pose[6] = turn.z, pose[7] = turn.w;
    scatter8<Wide>(world.rows.pose.data(), rows, pose);
    const Wide zero(Real(0));
    scatter_twist(world.rows.way, rows, Twist<Wide>{{zero, zero, zero}, {zero, zero, zero}});
    // Lengths of the whole way, for the bounds on travel, and what was corrected of it, in place of
    // what is not needed any more.
    const Wide lengths[8] = {
        length(way.linear), length(way.angular), moved.x, moved.y, moved.z, zero, zero, zero};
    store8(&s.scratch.free_spin[first], lengths);
    load8(&s.scratch.gyro[first], gyro);
    Twist<Wide> v = gather_twist<Wide>(world.rows.velocity, rows);
    const auto uneven = gyro[6] > zero;
    const auto spins = uneven & (gyro[7] <= zero) & (dot(spun, spun) > zero);
    const Vec3T<Wide> turned = turned_spin<Wide>({gyro[0], gyro[1], gyro[2]},
                                                 {gyro[3], gyro[4], gyro[5]}, old, turn, v.angular);
    v.angular =
        select(spins, turned,
               v.angular * kept_spin<Wide>({gyro[0], gyro[1], gyro[2]}, old, turn, v.angular));
    scatter_twist(world.rows.velocity, rows, v);
    turn_inertia(world.rows, rows, {gyro[3], gyro[4], gyro[5]}, turn, uneven);
  });
  for (std::size_t i = 0; i < world.awake.size(); ++i) {
    BodyTrack& track = world.track[world.awake[i]];
    const auto& lengths = s.scratch.free_spin[i].c;
    track.travel += lengths[0] + lengths[1] * track.radius;
  }
  end_jolts(s);
  end_memory(s);
  for (BodyRow row : world.locked)
    if (!world.track[row].asleep) update_world_inertia(world, row);
}

}  // namespace sinew
