// What joints between rigid bodies have in common: ranges, motors, springs, and the checks of a
// definition that its fields cannot say one by one.
//
// A joint is told in the world's coordinates at the time it is added. It holds body `a` against
// body `b`, which is the world when not given: angles and ways are those of a, seen from b.
#pragma once

#include <sinew/describe.h>
#include <sinew/handles.h>
#include <sinew/math.h>

#include <initializer_list>
#include <optional>
#include <string>

namespace sinew {

// Where a coordinate of a joint may be.
struct Range {
  static constexpr const char* kName = "range";
  static constexpr const char* kDoc = "Where a coordinate of a joint may be.";

  Real lower = 0;  // [m] or [rad]
  Real upper = 0;

  template <class Visitor>
  void describe(Visitor& v) {
    v.field("lower", lower, {.doc = "Least value", .unit = "m or rad"});
    v.field("upper", upper, {.doc = "Greatest value", .unit = "m or rad"});
  }
};

enum class MotorKind {
  kVelocity,  // reaches a speed; with the target 0 it is friction, or a brake
  kPosition,  // reaches a place, as a damped spring would
};
template <>
struct EnumWords<MotorKind> {
  static constexpr const char* kWords[] = {"velocity", "position"};
};

// Drives a coordinate of a joint.
struct Motor {
  static constexpr const char* kName = "motor";
  static constexpr const char* kDoc = "Drives a coordinate of a joint to a speed or to a place.";

  MotorKind kind = MotorKind::kVelocity;
  Real target = 0;         // [m/s], [rad/s], [m] or [rad]
  Real max_force = 0;      // [N] or [N m]; 0: any
  Real frequency = 5;      // of a motor to a place [Hz]
  Real damping_ratio = 1;  // and its damping; 1: critical

  template <class Visitor>
  void describe(Visitor& v) {
    v.field("kind", kind, {.doc = "What is reached: a speed or a place"});
    v.field("target", target, {.doc = "That speed or place", .unit = "m/s, rad/s, m or rad"});
    v.field("max_force", max_force,
            {.doc = "Greatest force or torque; 0: any", .unit = "N or N m", .min = 0});
    v.field("frequency", frequency,
            {.doc = "How stiffly a place is reached: the frequency of swinging about it",
             .unit = "Hz",
             .min = 0,
             .exclusive_min = true});
    v.field("damping_ratio", damping_ratio,
            {.doc = "Damping of that swinging; 1: critical", .min = 0});
  }
};

// A spring, told by how what it holds swings, so that it fits any mass.
struct Spring {
  static constexpr const char* kName = "spring";
  static constexpr const char* kDoc = "A damped spring, told by how what it holds swings.";

  Real frequency = 5;      // [Hz]
  Real damping_ratio = 0;  // 1: critical

  template <class Visitor>
  void describe(Visitor& v) {
    v.field("frequency", frequency,
            {.doc = "Frequency of swinging", .unit = "Hz", .min = 0, .exclusive_min = true});
    v.field("damping_ratio", damping_ratio, {.doc = "1: critical damping", .min = 0});
  }
};

namespace joint_parts {

// The fields of every joint.
template <class J, class Visitor>
void describe_bodies(J& joint, Visitor& v) {
  v.field("a", joint.a, {.doc = "Body that is held", .required = true});
  if constexpr (requires { joint.b; })
    v.field("b", joint.b, {.doc = "Body it is held by; none: the world"});
}
template <class J, class Visitor>
void describe_strength(J& joint, Visitor& v) {
  v.field("break_force", joint.break_force,
          {.doc = "Breaks at a greater force; 0: never", .unit = "N", .min = 0});
  v.field("break_torque", joint.break_torque,
          {.doc = "Breaks at a greater torque; 0: never", .unit = "N m", .min = 0});
  v.field("collide", joint.collide, {.doc = "Whether the two bodies collide"});
}

// "" or what is wrong, to be put behind the name of the joint.
inline std::string axis_problem(const char* field, const Vec3& axis) {
  if (dot(axis, axis) > 0) return "";
  return std::string(".") + field + " is zero; give a direction";
}
inline std::string range_problem(const std::string& field, const std::optional<Range>& range) {
  if (!range || range->lower <= range->upper) return "";
  return "." + field + ": lower is greater than upper; swap them";
}
// A spring makes the ends of ranges soft: without any, it does nothing.
inline std::string spring_problem(const std::string& field, const std::optional<Spring>& spring,
                                  bool any_range) {
  if (!spring || any_range) return "";
  return "." + field + " pulls into a range, and there is none; give one";
}
// The first that is one.
inline std::string first_problem(std::initializer_list<std::string> problems) {
  for (const std::string& one : problems)
    if (!one.empty()) return one;
  return "";
}
inline std::string unit_problem(const char* field, const Quat& q) {
  const Real norm = q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w;
  if (norm > Real(0.99) && norm < Real(1.01)) return "";
  return std::string(".") + field + " is not a unit quaternion; scale it to length 1";
}

}  // namespace joint_parts

// The body that a joint holds on to; that of the world if it has none.
template <class J>
RigidId held_by(const J& joint) {
  if constexpr (requires { joint.b; })
    return joint.b;
  else
    return {};
}

}  // namespace sinew
