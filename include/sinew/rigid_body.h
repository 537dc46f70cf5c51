// Rigid bodies: what moves without deforming. Plain structs with defaults, to be filled with
// designated initialisers. SI units; y is up.
//
// A shape's margin is a skin around it, at which it meets other rigid bodies: the gap of a contact
// is the distance of the shapes less the margins of both, and they come to rest as far apart.
// Contacts, events and sensors count it; mass, queries (rays, casts, overlaps, nearest points) and
// soft bodies, which have a thickness of their own, see the bare shape.
#pragma once

#include <sinew/shapes.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace sinew {

// How a shape meets others, alike wherever one is given.
template <class Visitor>
void describe_surface(Visitor& v, Real& friction, Real& restitution, Real& margin) {
  v.field("friction", friction, {.doc = "Coulomb's μ; a pair slides by √(μ₁μ₂)", .min = 0});
  v.field(
      "restitution", restitution,
      {.doc = "Speed after an impact by that before; of a pair: the larger", .min = 0, .max = 1});
  v.field("margin", margin,
          {.doc = "Skin around the shape: bodies rest apart by the margins of both",
           .unit = "m",
           .min = 0});
}

// Something that never moves: a floor, a wall, an obstacle.
struct StaticBody {
  static constexpr const char* kName = "static";
  static constexpr const char* kDoc = "Something that never moves: a floor, a wall, an obstacle.";

  std::string name = {};  // for messages, metrics and recordings
  Shape shape = Plane{};
  Pose pose = {};
  Real friction = Real(0.5);  // Coulomb's μ; a pair slides by √(μ₁μ₂)
  Real restitution = 0;       // speed after an impact by that before; of a pair: the larger
  Real margin = 0;            // skin around the shape, see above [m]
  bool sensor = false;        // tells what touches it, and is passed through
  int group = 0;              // of collision; 0 to 31
  int mask = -1;              // bit i: meets bodies of group i; of a pair, both must

  template <class Visitor>
  void describe(Visitor& v) {
    v.field("name", name, {.doc = "Name in messages, metrics and recordings"});
    v.field("shape", shape, {.doc = "Collision shape", .required = true});
    v.field("pose", pose, {.doc = "Where it is"});
    describe_surface(v, friction, restitution, margin);
    v.field("sensor", sensor, {.doc = "Tells what touches it, and is passed through"});
    v.field("group", group, {.doc = "Group of collision", .min = 0, .max = 31});
    v.field("mask", mask, {.doc = "Bit i: meets bodies of group i; of a pair, both must. −1: all"});
  }
};

// How a rigid body moves.
enum class Motion {
  kDynamic,    // by its mass and what acts on it
  kKinematic,  // as it is told, by its velocity; nothing pushes it
};
template <>
struct EnumWords<Motion> {
  static constexpr const char* kWords[] = {"dynamic", "kinematic"};
};

// What resists motion, where shape and density do not say it.
struct Mass {
  static constexpr const char* kName = "mass";
  static constexpr const char* kDoc = "Mass, centre and moments of inertia of a rigid body.";

  Real mass = 1;          // [kg]
  Vec3 center = {};       // of mass, in the body's frame [m]
  Vec3 inertia{1, 1, 1};  // moments about the centre, along the axes below [kg m²]
  Quat axes = {};         // principal axes of inertia in the body's frame

  template <class Visitor>
  void describe(Visitor& v) {
    v.field("mass", mass, {.doc = "Mass", .unit = "kg", .min = 0, .exclusive_min = true});
    v.field("center", center, {.doc = "Centre of mass in the body's frame", .unit = "m"});
    v.field("inertia", inertia,
            {.doc = "Moments of inertia about the centre, along `axes`",
             .unit = "kg m²",
             .min = 0,
             .exclusive_min = true});
    v.field("axes", axes, {.doc = "Principal axes in the body's frame, as a unit quaternion"});
  }
};

// A piece of a body made of several shapes.
struct Part {
  static constexpr const char* kName = "part";
  static constexpr const char* kDoc = "A piece of a rigid body made of several shapes.";

  Shape shape = Box{};
  Pose pose = {};  // in the body's frame
  Real density = 1000;
  Real friction = Real(0.5);
  Real restitution = 0;
  Real margin = 0;  // skin around the shape, see above [m]

  template <class Visitor>
  void describe(Visitor& v) {
    v.field("shape", shape, {.doc = "Collision shape", .required = true});
    v.field("pose", pose, {.doc = "Where it is in the body's frame"});
    v.field("density", density,
            {.doc = "Mass per volume", .unit = "kg/m³", .min = 0, .exclusive_min = true});
    describe_surface(v, friction, restitution, margin);
  }
};

struct RigidBody {
  static constexpr const char* kName = "rigid";
  static constexpr const char* kDoc = "A body that moves without deforming.";

  std::string name = {};
  Shape shape = Box{};
  std::vector<Part> parts = {};  // instead of `shape`: a compound
  Pose pose = {};
  Motion motion = Motion::kDynamic;
  Real density = 1000;            // [kg/m³]
  std::optional<Mass> mass = {};  // instead of what shape and density say
  bool point_mass = false;        // never turns
  Vec3 velocity = {};             // of the centre of mass [m/s]
  Vec3 angular_velocity = {};     // [rad/s]
  Real friction = Real(0.5);      // Coulomb's μ
  Real restitution = 0;           // speed after an impact by that before
  Real margin = 0;                // skin around the shape, see above [m]
  Real drag = 0;                  // velocity decays as exp(-drag·t) [1/s]
  Real angular_drag = 0;          // [1/s]
  Real gravity_scale = 1;
  Vec3 free_axes{1, 1, 1};   // 0: cannot move along that axis of the world
  Vec3 free_turns{1, 1, 1};  // 0: cannot turn about that axis of the world
  bool can_sleep = true;
  bool bullet = false;  // never passes through anything in a step, however fast
  bool sensor = false;  // tells what touches it, and is passed through
  int group = 0;        // of collision; 0 to 31
  int mask = -1;        // bit i: meets bodies of group i; of a pair, both must

  template <class Visitor>
  void describe(Visitor& v) {
    v.field("name", name, {.doc = "Name in messages, metrics and recordings"});
    v.field("shape", shape, {.doc = "Collision shape"});
    v.field("parts", parts, {.doc = "A compound of these, instead of `shape`"});
    v.field("pose", pose, {.doc = "Where it starts"});
    v.field("motion", motion, {.doc = "How it moves"});
    v.field("density", density,
            {.doc = "Mass per volume", .unit = "kg/m³", .min = 0, .exclusive_min = true});
    v.field("mass", mass, {.doc = "Mass and inertia, instead of what shape and density say"});
    v.field("point_mass", point_mass, {.doc = "Never turns: only the place of its centre moves"});
    v.field("velocity", velocity, {.doc = "Initial velocity of the centre of mass", .unit = "m/s"});
    v.field("angular_velocity", angular_velocity,
            {.doc = "Initial angular velocity", .unit = "rad/s"});
    describe_surface(v, friction, restitution, margin);
    v.field("drag", drag, {.doc = "Velocity decays as exp(−drag·t)", .unit = "1/s", .min = 0});
    v.field("angular_drag", angular_drag,
            {.doc = "Angular velocity decays as exp(−angular_drag·t)", .unit = "1/s", .min = 0});
    v.field("gravity_scale", gravity_scale, {.doc = "Share of gravity that acts on it"});
    v.field("free_axes", free_axes,
            {.doc = "0: cannot move along that axis of the world; 1: can", .min = 0, .max = 1});
    v.field("free_turns", free_turns,
            {.doc = "0: cannot turn about that axis of the world; 1: can", .min = 0, .max = 1});
    v.field("can_sleep", can_sleep, {.doc = "Is put to sleep when it has come to rest"});
    v.field("bullet", bullet,
            {.doc = "Never passes through anything in a step, however fast: its way is followed"});
    v.field("sensor", sensor, {.doc = "Tells what touches it, and is passed through"});
    v.field("group", group, {.doc = "Group of collision", .min = 0, .max = 31});
    v.field("mask", mask, {.doc = "Bit i: meets bodies of group i; of a pair, both must. −1: all"});
  }
};

}  // namespace sinew
