// How bodies move by themselves: gravity, forces, drag, the torque of their own spin, and the way
// of a substep. Packs of bodies that are awake.
//
// A body that turns freely keeps its angular momentum L = R I Rᵀ ω, while ω does not keep still. In
// its own frame L is turned about one principal axis after the other, by the angle that the part of
// the energy Lᵢ²/2Iᵢ turns it, and the body the other way: x, y, z, y, x, half of the time each but
// for z. Every part is exact, so |L| never changes and the energy does not drift (R. McLachlan,
// Explicit Lie–Poisson integration and the Euler equations, 1993; S. Reich, 1994).
#include <algorithm>
#include <cmath>

#include "core/parallel.h"
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

// A unit quaternion without a bias: scaled by a number near one, which has more neighbours below
// than above, quaternions would be a little too long on the average, and so would everything they
// turn; in an hour that adds up. What is missing is added instead.
template <class W>
SINEW_INLINE QuatT<W> unit(const QuatT<W>& rough) {
  const QuatT<W> q = normalized(rough);
  const W missing = (W(Real(1)) - (q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w)) * W(Real(0.5));
  return {q.x + q.x * missing, q.y + q.y * missing, q.z + q.z * missing, q.w + q.w * missing};
}

// exp(θ/2) as a quaternion, to the fourth order, to be made unit by the caller.
template <class W>
SINEW_INLINE QuatT<W> turn_by(const Vec3T<W>& angle) {
  const W quarter = dot(angle, angle) * W(Real(0.25));
  const W sine =
      W(Real(0.5)) * (W(Real(1)) - quarter * (W(Real(1.0 / 6)) - quarter * W(Real(1.0 / 120))));
  const W cosine = W(Real(1)) - quarter * (W(Real(0.5)) - quarter * W(Real(1.0 / 24)));
  return {angle.x * sine, angle.y * sine, angle.z * sine, cosine};
}

// Turns the momentum in the body's frame and the body about one of its axes, by Cayley's map with a
// tangent good to the fifth order: exactly a rotation whatever the angle. Told by the angular
// velocity and by what is added to it: products with moments and inverse moments, and with a
// rounded cosine, are the same in every substep, and would add up.
template <int Axis, class W>
SINEW_INLINE void turn_about(const Vec3T<W>& moments, const Vec3T<W>& inverse, const W& h,
                             Vec3T<W>& w, QuatT<W>& turn) {
  constexpr int kNext = (Axis + 1) % 3, kLast = (Axis + 2) % 3;
  const W one(Real(1)), angle = w[Axis] * h, a2 = angle * angle;
  const W t = angle * (W(Real(0.5)) + a2 * (W(Real(1.0 / 24)) + a2 * W(Real(1.0 / 240))));
  const W scale = one / (one + t * t);
  const W sine = (t + t) * scale, versine = sine * t;  // 1 − cos
  const W y = w[kNext], z = w[kLast];
  w[kNext] = y + (sine * (moments[kLast] * inverse[kNext]) * z - versine * y);
  w[kLast] = z - (sine * (moments[kNext] * inverse[kLast]) * y + versine * z);
  const W c = sqrt(scale), s = t * c, v = s * t * c / (one + c);  // of half the angle; 1 − c
  const Vec3T<W> u{turn.x, turn.y, turn.z};
  Vec3T<W> axis{W(Real(0)), W(Real(0)), W(Real(0))};
  axis[Axis] = one;
  const Vec3T<W> change = axis * (turn.w * s) + cross(u, axis) * s - u * v;
  turn = {u.x + change.x, u.y + change.y, u.z + change.z, turn.w - (u[Axis] * s + turn.w * v)};
}

// Free rotation over h: new orientation and angular velocity.
template <class W>
SINEW_INLINE void spin_freely(const Vec3T<W>& moments, const Vec3T<W>& inverse, const W& h,
                              QuatT<W>& turn, Vec3T<W>& w) {
  Vec3T<W> local = turn.conjugate().rotate(w);
  const W half = h * W(Real(0.5));
  turn_about<0>(moments, inverse, half, local, turn);
  turn_about<1>(moments, inverse, half, local, turn);
  turn_about<2>(moments, inverse, h, local, turn);
  turn_about<1>(moments, inverse, half, local, turn);
  turn_about<0>(moments, inverse, half, local, turn);
  turn = unit(turn);
  w = turn.rotate(local);
}

// Contacts see the inertia at the start of the step. A body that turns out of it within the step,
// by more than a share of the smallest of its inverse moments J, must not also be turned by its own
// momentum while it has contacts: a thin rod that hits the ground would gain energy by the ratio of
// its moments, to kilometres a second. dJ/dt has the entries (Jᵢ − Jⱼ)ωₖ; a top that spins about
// its axis has none of them.
template <class W>
SINEW_INLINE auto keeps_its_inertia(const Vec3T<W>& j, const QuatT<W>& turn, const Vec3T<W>& spin,
                                    const W& dt) {
  const W share(Real(0.5));
  const Vec3T<W> w = turn.conjugate().rotate(spin);
  const W change = max(max(abs((j.x - j.y) * w.z), abs((j.y - j.z) * w.x)), abs((j.z - j.x) * w.y));
  return change * dt <= share * min(min(j.x, j.y), j.z);
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
  scratch.free_spin.resize(padded);
  scratch.start.resize(count);
  for (std::size_t i = 0; i < count; ++i) scratch.start[i] = world.rows.pose[world.awake[i]];
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
    info.force = info.torque = {};
    if (info.round) continue;
    const Vec3 &m = info.inertia, &inv = info.inverse_inertia;
    const BodyTrack& track = world.track[row];
    const Real free = (track.colours[0] | track.colours[1]) == 0 ? Real(1) : Real(0);
    scratch.gyro[i] = {{m.x, m.y, m.z, inv.x, inv.y, inv.z, 1, free}};
  }
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
    const auto fast = (dot(v.angular, v.angular) > Wide(kSpinning * kSpinning)) & (gyro[6] > zero);
    s.scratch.turned[first / kLanes] = any(fast);
    if (any(fast)) {
      gather8<Wide>(world.rows.pose.data(), rows, pose);
      QuatT<Wide> turn{pose[4], pose[5], pose[6], pose[7]};
      const auto spins = fast & ((gyro[7] > zero) | keeps_its_inertia({gyro[3], gyro[4], gyro[5]},
                                                                      turn, v.angular, Wide(s.dt)));
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

void remember_velocities(const RigidStep& s) {
  RigidScratch& scratch = s.scratch;
  scratch.last.resize(scratch.awake.size());
  for_each_pack(s, [&](int first, const BodyRow* rows) {
    Wide v[8];
    gather8<Wide>(s.world.rows.velocity.data(), rows, v);
    store8(&scratch.last[first], v);
  });
}

bool has_settled(const RigidStep& s) {
  RigidScratch& scratch = s.scratch;
  const std::size_t packs = scratch.awake.size() / kLanes;
  scratch.changes.assign(packs, 0);
  scratch.totals.assign(packs, 0);
  for_each_pack(s, [&](int first, const BodyRow* rows) {
    Wide v[8], last[8], held[8], change(Real(0)), total(Real(0));
    gather8<Wide>(s.world.rows.velocity.data(), rows, v);
    gather8<Wide>(s.world.held_velocity.data(), rows, held);
    load8(&scratch.last[first], last);
    for (int k = 0; k < 6; ++k) {
      change = max(change, abs(v[k] - last[k]));
      total = max(total, abs(v[k] - held[k]));
    }
    store8(&scratch.last[first], v);
    Real &most_change = scratch.changes[first / kLanes], &most = scratch.totals[first / kLanes];
    for (int l = 0; l < kLanes; ++l) {
      most_change = std::max(most_change, lane(change, l));
      most = std::max(most, lane(total, l));
    }
  });
  const auto largest = [](const std::vector<Real>& v) {
    return v.empty() ? Real(0) : *std::max_element(v.begin(), v.end());
  };
  return largest(scratch.changes) <= s.settings.tolerance * largest(scratch.totals);
}

void keep_on_rails(const RigidWorld& world, std::vector<Row8<Real>>& motion) {
  for (BodyRow row : world.railed)
    for (int k = 0; k < 3; ++k) motion[row].c[k] *= world.info[row].free_axes[k];
}

void move(const RigidStep& s, Real h_) {
  RigidWorld& world = s.world;
  for_each_pack(s, [&](int first, const BodyRow* rows) {
    const Wide h(h_);
    const Twist<Wide> v = gather_twist<Wide>(world.rows.velocity, rows);
    Twist<Wide> way = gather_twist<Wide>(world.rows.way, rows);
    way.linear += v.linear * h;
    way.angular += v.angular * h;
    scatter_twist(world.rows.way, rows, way);
    Wide pose[8];
    gather8<Wide>(world.rows.pose.data(), rows, pose);
    Vec3T<Wide> spin = v.angular;
    if (s.scratch.turned[first / kLanes]) {
      Wide free[8];
      load8(&s.scratch.free_spin[first], free);
      spin -= Vec3T<Wide>{free[0], free[1], free[2]};
    }
    const QuatT<Wide> turn =
        unit(turn_by(spin * h) * QuatT<Wide>{pose[4], pose[5], pose[6], pose[7]});
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
    Wide pose[8], mass[8], gyro[8];
    gather8<Wide>(world.rows.pose.data(), rows, pose);
    const Vec3T<Wide> moved = way.linear - before.linear, spun = way.angular - before.angular;
    const QuatT<Wide> turn = unit(turn_by(spun) * QuatT<Wide>{pose[4], pose[5], pose[6], pose[7]});
    pose[0] += moved.x, pose[1] += moved.y, pose[2] += moved.z;
    pose[4] = turn.x, pose[5] = turn.y, pose[6] = turn.z, pose[7] = turn.w;
    scatter8<Wide>(world.rows.pose.data(), rows, pose);
    const Wide zero(Real(0));
    scatter_twist(world.rows.way, rows, Twist<Wide>{{zero, zero, zero}, {zero, zero, zero}});
    // Lengths of the whole way, for the bounds on travel, in place of what is not needed any more.
    const Wide lengths[8] = {
        length(way.linear), length(way.angular), zero, zero, zero, zero, zero, zero};
    store8(&s.scratch.free_spin[first], lengths);
    load8(&s.scratch.gyro[first], gyro);
    gather8<Wide>(world.rows.mass.data(), rows, mass);
    // R diag(d) Rᵀ; round bodies keep what they have.
    const Mat3T<Wide> r = turn.matrix();
    const auto entry = [&](int i, int j) {
      return r(i, 0) * gyro[3] * r(j, 0) + r(i, 1) * gyro[4] * r(j, 1) +
             r(i, 2) * gyro[5] * r(j, 2);
    };
    const auto uneven = gyro[6] > zero;
    mass[0] = select(uneven, entry(0, 0), mass[0]), mass[1] = select(uneven, entry(0, 1), mass[1]);
    mass[2] = select(uneven, entry(0, 2), mass[2]), mass[3] = select(uneven, entry(1, 1), mass[3]);
    mass[4] = select(uneven, entry(1, 2), mass[4]), mass[5] = select(uneven, entry(2, 2), mass[5]);
    scatter8<Wide>(world.rows.mass.data(), rows, mass);
  });
  for (std::size_t i = 0; i < world.awake.size(); ++i) {
    BodyTrack& track = world.track[world.awake[i]];
    const auto& lengths = s.scratch.free_spin[i].c;
    track.travel += lengths[0] + lengths[1] * track.radius;
  }
  for (BodyRow row : world.locked)
    if (!world.track[row].asleep) update_world_inertia(world, row);
}

namespace {

// Faster than light: whatever did that, squares of it are next to overflow.
bool is_broken(const Row8<Real>& pose, const Row8<Real>& velocity) {
  constexpr Real kMost = Real(3e8);
  Real sum = 0,
       fastest = 0;  // the sum is not finite if any of its terms is not: 0·∞, 0·NaN are NaN
  for (int k = 0; k < 8; ++k) {
    sum += Real(0) * (pose.c[k] + velocity.c[k]);
    fastest = std::max(fastest, std::abs(velocity.c[k]));
  }
  return !(sum == 0) || fastest > kMost;
}

void freeze(RigidWorld& world, BodyRow row, const Row8<Real>& pose) {
  world.rows.pose[row] = pose;
  world.rows.velocity[row] = world.rows.mass[row] = {};
  BodyTrack& track = world.track[row];
  track.kind = BodyKind::kKinematic;
  track.travel = 0, track.travel_boxed = -1e30;
  // Impulses that are not finite, either, must not come back.
  while (track.first_pair != kNone) erase_pair(world, track.first_pair);
  world.frozen.push_back(row);
}

}  // namespace

void freeze_thrown(RigidWorld& world) {
  for (const BodyRow row : world.awake)
    if (is_broken(world.rows.pose[row], world.rows.velocity[row]))
      freeze(world, row, world.rows.pose[row]);
}

void freeze_broken(const RigidStep& s) {
  RigidWorld& world = s.world;
  for (std::size_t i = 0; i < world.awake.size(); ++i) {
    const BodyRow row = world.awake[i];
    if (is_broken(world.rows.pose[row], world.rows.velocity[row]))
      freeze(world, row, s.scratch.start[i]);
  }
}

}  // namespace sinew
