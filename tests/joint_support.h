// Bodies by hand for tests of joints: rows, random poses, and samples of every joint.
#pragma once

#include <sinew/joints.h>

#include <memory>
#include <random>

#include "rigid/joint_kinds.h"
#include "rigid/joint_set.h"

namespace sinew::joint_testing {

inline Quat turned(const Quat& q, const Vec3& way) {
  const Real angle = length(way);
  return angle > 0 ? normalized(Quat::from_axis_angle(way, angle) * q) : q;
}

// Row 0 is the world, the next ones are scratch.
class Bodies {
 public:
  static constexpr BodyRow kWorld = 0;
  static constexpr ScratchRows kScratch{1, 16};

  Bodies() {
    for (int i = 0; i < 1 + kScratch.count; ++i) add({{}, {}}, 0, {});
  }
  // Inverse mass and inverse moments along the body's axes; zero: cannot move.
  BodyRow add(const BodyPose<Real>& pose, Real inverse_mass, const Vec3& inverse_inertia) {
    rows.velocity.push_back({});
    rows.way.push_back({});
    rows.pose.push_back({});
    rows.mass.push_back({});
    moments_.push_back(inverse_inertia);
    const auto row = static_cast<BodyRow>(rows.pose.size() - 1);
    rows.mass[row].c[6] = inverse_mass;
    set_pose(row, pose);
    return row;
  }
  BodyPose<Real> pose(BodyRow row) const { return gather_pose<Real>(rows.pose, &row); }
  void set_pose(BodyRow row, const BodyPose<Real>& p) {
    const Real c[8] = {p.center.x, p.center.y, p.center.z, 0,
                       p.turn.x,   p.turn.y,   p.turn.z,   p.turn.w};
    std::copy(c, c + 8, rows.pose[row].c);
    const Mat3 r = p.turn.matrix();
    const Mat3 m = r * Mat3::diagonal(moments_[row]) * transpose(r);
    const Real i[6] = {m(0, 0), m(0, 1), m(0, 2), m(1, 1), m(1, 2), m(2, 2)};
    std::copy(i, i + 6, rows.mass[row].c);
  }
  Twist<Real> velocity(BodyRow row) const { return gather_twist<Real>(rows.velocity, &row); }
  void set_velocity(BodyRow row, const Twist<Real>& v) {
    scatter_twist<Real>(rows.velocity, &row, v);
  }
  Vec3 moments(BodyRow row) const { return moments_[row]; }
  BodyRow first() const { return 1 + kScratch.count; }
  BodyRow end() const { return static_cast<BodyRow>(rows.pose.size()); }

  // Moves everything by the velocities; of the way only what corrections add is taken over.
  void advance(Real h) {
    for (BodyRow i = first(); i < end(); ++i) {
      const Twist<Real> v = velocity(i);
      const BodyPose<Real> p = pose(i);
      set_pose(i, {p.center + v.linear * h, turned(p.turn, v.angular * h)});
    }
  }
  void take_way() {
    for (BodyRow i = first(); i < end(); ++i) {
      const Twist<Real> w = gather_twist<Real>(rows.way, &i);
      const BodyPose<Real> p = pose(i);
      set_pose(i, {p.center + w.linear, turned(p.turn, w.angular)});
      rows.way[i] = {};
    }
  }

  BodyRows rows;

 private:
  std::vector<Vec3> moments_;
};

// A substep as the world does it, with impulses carried over by warm starts.
inline void substep(Bodies& bodies, JointSet& joints, Real h, const Vec3& gravity, int iterations,
                    Executor& executor) {
  for (BodyRow i = bodies.first(); i < bodies.end(); ++i)
    if (bodies.rows.mass[i].c[6] > 0) {
      Twist<Real> v = bodies.velocity(i);
      v.linear += gravity * h;
      bodies.set_velocity(i, v);
    }
  joints.prepare(bodies.rows, h, Bodies::kScratch, executor);
  joints.warm_start(bodies.rows, executor);
  for (int i = 0; i < iterations; ++i) joints.solve(bodies.rows, executor);
  bodies.advance(h);
  joints.prepare(bodies.rows, h, Bodies::kScratch, executor);
  joints.correct(bodies.rows, executor);
  bodies.take_way();
}

class Random {
 public:
  explicit Random(unsigned seed) : generator_(seed) {}
  Real number(Real low, Real high) {
    return std::uniform_real_distribution<Real>(low, high)(generator_);
  }
  Vec3 vector(Real size) { return {number(-size, size), number(-size, size), number(-size, size)}; }
  BodyPose<Real> pose() { return {vector(1), turned({}, vector(2))}; }
  BodyPose<Real> beside(const BodyPose<Real>& p, Real size) {
    return {p.center + vector(size), turned(p.turn, vector(size))};
  }
  BodyRow body(Bodies& bodies) {
    return bodies.add(pose(), number(Real(0.3), 2), {number(1, 4), number(2, 6), number(3, 5)});
  }

 private:
  std::mt19937 generator_;
};

// Some of every joint, with and without what is optional.
template <class J>
std::vector<J> samples() {
  return {J{}};
}
template <>
inline std::vector<BallJoint> samples() {
  return {{.anchor = {Real(0.3), Real(0.2), Real(-0.4)}}};
}
template <>
inline std::vector<FixedJoint> samples() {
  return {{.anchor = {Real(0.3), Real(0.2), Real(-0.4)}}};
}
template <>
inline std::vector<NailJoint> samples() {
  return {{.anchor = {Real(0.3), Real(0.2), Real(-0.4)}}};
}
template <>
inline std::vector<DistanceJoint> samples() {
  const Vec3 a{Real(0.3), 1, 0}, b{Real(-0.2), Real(0.1), Real(0.7)};
  return {{.anchor_a = a, .anchor_b = b},
          {.anchor_a = a, .anchor_b = b, .range = Range{0, 2}},
          {.anchor_a = a, .anchor_b = b, .spring = Spring{2, Real(0.3)}}};
}
template <>
inline std::vector<HingeJoint> samples() {
  const Vec3 anchor{Real(0.1), Real(0.2), Real(0.3)}, axis{1, 2, Real(-0.5)};
  return {
      {.anchor = anchor, .axis = axis},
      {.anchor = anchor,
       .axis = {-2, Real(0.01), 0},
       .range = Range{Real(-0.4), Real(0.6)},
       .motor = Motor{.target = 3, .max_force = 20}},
      {.anchor = anchor, .axis = axis, .motor = Motor{.kind = MotorKind::kPosition, .target = 1}},
      {.anchor = anchor,
       .axis = axis,
       .range = Range{Real(-0.1), Real(0.2)},
       .spring = Spring{4, Real(0.5)}}};
}
template <>
inline std::vector<SliderJoint> samples() {
  const Vec3 anchor{Real(0.1), Real(0.2), Real(0.3)}, axis{1, 2, Real(-0.5)};
  return {{.anchor = anchor, .axis = axis},
          {.anchor = anchor,
           .axis = axis,
           .range = Range{Real(-0.1), Real(0.2)},
           .motor = Motor{.target = -1, .max_force = 20}}};
}
template <>
inline std::vector<UniversalJoint> samples() {
  const Vec3 anchor{Real(0.1), 0, Real(0.3)}, axis_a{1, 2, 0}, axis_b{1, 0, 3};
  return {{.anchor = anchor, .axis_a = axis_a, .axis_b = axis_b},
          {.anchor = anchor,
           .axis_a = axis_a,
           .axis_b = axis_b,
           .range_a = Range{Real(-0.3), Real(0.4)},
           .motor_a = Motor{.target = 2, .max_force = 20},
           .motor_b = Motor{.kind = MotorKind::kPosition, .target = Real(0.2)}},
          {.anchor = anchor,
           .axis_a = axis_a,
           .axis_b = axis_b,
           .range_b = Range{Real(-0.1), Real(0.1)},
           .spring = Spring{4, Real(0.5)}}};
}
template <>
inline std::vector<ConeJoint> samples() {
  const Vec3 anchor{Real(0.1), 0, Real(0.3)};
  return {{.anchor = anchor, .axis = {1, 2, 0}, .twist = Range{Real(-0.2), Real(0.3)}},
          {.anchor = anchor, .axis = {-1, 0, 0}, .swing = Real(0.1)},
          {.anchor = anchor,
           .axis = {1, 2, 0},
           .swing = Real(0.4),
           .swing_across = Real(0.9),
           .across = {0, 1, 1},
           .spring = Spring{4, Real(0.5)}}};
}
template <>
inline std::vector<SixDofJoint> samples() {
  const Quat axes = turned({}, {Real(0.3), 1, Real(-0.6)});
  const Range range{Real(-0.2), Real(0.3)};
  return {{.anchor = {Real(0.1), 0, Real(0.3)}},
          {.axes = axes, .x = JointAxis{}, .turn_y = JointAxis{}},
          {.axes = axes,
           .y = JointAxis{.range = range},
           .turn_x = JointAxis{.range = range, .spring = Spring{4, Real(0.5)}}},
          {.axes = axes,
           .z = JointAxis{.range = range, .motor = Motor{.target = 1, .max_force = 5}},
           .turn_z = JointAxis{.motor = Motor{.kind = MotorKind::kPosition, .target = 1}}}};
}
template <>
inline std::vector<GearJoint> samples() {
  return {{.axis_a = {1, 2, 0}, .axis_b = {0, 1, -1}, .ratio = Real(-2.5)}};
}
template <>
inline std::vector<PulleyJoint> samples() {
  return {{.anchor_a = {1, 0, 0},
           .anchor_b = {-1, 0, Real(0.2)},
           .wheel_a = {1, 3, 0},
           .wheel_b = {-1, 2, 0},
           .ratio = 2,
           .rope = false}};
}
template <>
inline std::vector<RotationLockJoint> samples() {
  return {{}, {.axes = turned({}, {1, 0, 1}), .lock = {0, 1, 0}}};
}
template <>
inline std::vector<TranslationLockJoint> samples() {
  return {{}, {.axes = turned({}, {1, 0, 1}), .lock = {0, 1, 1}}};
}

// f.operator()<E>(joint) for every sample of every joint, with its rows.
template <class F>
void for_each_sample(F&& f) {
  JointList::for_each([&]<class J>() {
    for (const J& joint : samples<J>())
      with_rows(joint, [&]<class E>() { f.template operator()<E>(joint); });
  });
}

}  // namespace sinew::joint_testing
