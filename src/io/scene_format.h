// What a scene file says, as described structs: the whole, and the parts of it that C++ programs
// write otherwise. Bodies, shapes and materials describe themselves (include/sinew).
#pragma once

#include <sinew/scene.h>

#include "io/scene_meshes.h"
#include "io/scene_pins.h"

namespace sinew {

struct SceneRotation {
  static constexpr const char* kName = "rotation";
  static constexpr const char* kDoc = "A turn about an axis.";

  Vec3 axis{0, 1, 0};
  Real angle_deg = 0;

  template <class Visitor>
  void describe(Visitor& v) {
    v.field("axis", axis, {.doc = "Axis of any length but zero", .required = true});
    v.field("angle_deg", angle_deg,
            {.doc = "Angle, counter-clockwise seen from the axis's tip",
             .unit = "°",
             .required = true});
  }
};

struct ScenePose {
  static constexpr const char* kName = "pose";
  static constexpr const char* kDoc =
      "Where a body is: first turned, then moved. The turn is either an `orientation` or a "
      "`rotation`.";
  // Keys that say the same in different ways.
  static constexpr const char* kAtMostOne[] = {"orientation", "rotation"};

  Vec3 position = {};
  Quat orientation = {};
  std::optional<SceneRotation> rotation = {};

  template <class Visitor>
  void describe(Visitor& v) {
    v.field("position", position, {.doc = "Where its origin is", .unit = "m"});
    v.field("orientation", orientation, {.doc = "Unit quaternion x, y, z, w"});
    v.field("rotation", rotation, {.doc = "A turn about an axis, instead of a quaternion"});
  }
};

struct SceneWorld {
  static constexpr const char* kName = "world";
  static constexpr const char* kDoc = "Settings of the whole world, and how long to run it.";

  WorldSettings settings = {};
  Real dt = Scene{}.dt, seconds = Scene{}.seconds;

  template <class Visitor>
  void describe(Visitor& v) {
    settings.describe(v);
    v.field("dt", dt,
            {.doc = "Length of a step; 1/60 if not given",
             .unit = "s",
             .min = 0,
             .exclusive_min = true});
    v.field("seconds", seconds,
            {.doc = "How long to run", .unit = "s", .min = 0, .exclusive_min = true});
  }
};

struct SceneFile {
  static constexpr const char* kName = "scene";
  static constexpr const char* kDoc = "The whole file.";

  std::string schema = {}, name = {}, description = {};
  SceneWorld world = {};
  std::optional<Camera> camera = {};
  std::vector<SceneBody> bodies = {};
  std::vector<SceneJoint> joints = {};

  template <class Visitor>
  void describe(Visitor& v) {
    v.field("$schema", schema, {.doc = "Where the JSON Schema is, for editors"});
    v.field("name", name, {.doc = "Name of the scene"});
    v.field("description", description, {.doc = "What there is to see"});
    v.field("world", world, {.doc = "Settings of the whole world, and how long to run it"});
    v.field("camera", camera, {.doc = "From where pictures are taken; without it, all is shown"});
    v.field("bodies", bodies, {.doc = "What is in the world", .required = true});
    v.field("joints", joints, {.doc = "What holds rigid bodies together"});
  }
};

// How a scene file calls the kinds that come in several types.
inline const char* kind_name(const SceneBody*) { return "body"; }
inline const char* kind_name(const Joint*) { return "joint"; }
inline const char* kind_name(const Shape*) { return "shape"; }
inline const char* kind_name(const Material*) { return "material"; }
inline const char* kind_name(const Constraint*) { return "constraint"; }
inline const char* kind_name(const Solver*) { return "solver"; }
inline const char* kind_name(const SceneMesh*) { return "mesh"; }
inline const char* kind_name(const PinSelector*) { return "pin"; }

}  // namespace sinew
