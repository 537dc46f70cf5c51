// Rigid bodies and joints in scenes.
#include <sinew/world.h>

#include "scene_testing.h"

namespace sinew {
namespace {

// A scene of a floor, a crate with these keys besides, a ball, and joints.
std::string crates(const std::string& joints, const std::string& keys = "") {
  return R"({"bodies":[{"type":"static","name":"floor","shape":{"type":"plane"}},
      {"type":"rigid","name":"crate","shape":{"type":"box"},"pose":{"position":[0,2,0]})" +
         std::string(keys.empty() ? "" : ",") + keys + R"(},
      {"type":"rigid","name":"ball","shape":{"type":"sphere"},"pose":{"position":[2,2,0]}}],
      "joints":[)" +
         joints + "]}";
}

// The message for a scene that can be read but not made into a world.
std::string world_error_of(const std::string& text) {
  const Scene scene = parse(text);
  try {
    make_world(scene);
  } catch (const Error& error) {
    const std::string what = error.what();
    EXPECT_EQ(what.rfind(kFile, 0), 0u) << what;
    EXPECT_EQ(what.find('\n'), std::string::npos) << what;
    return what.substr(std::string(kFile).size());
  }
  ADD_FAILURE() << "accepted: " << text;
  return "";
}

TEST(SceneRigid, EveryKeyArrives) {
  const Scene scene = parse(R"({
    "world": {"rigid": {"substeps": 3, "iterations": 9, "friction": "pyramid", "sleeping": false}},
    "bodies": [{"type": "rigid", "name": "wheel",
      "parts": [{"shape": {"type": "cylinder", "radius": 0.25}, "density": 20},
                {"shape": {"type": "convex_hull",
                           "points": [[0,0,0],[1,0,0],[0,1,0],[0,0,1]]},
                 "pose": {"position": [0, 1, 0]}, "friction": 0.75, "margin": 0.125}],
      "pose": {"position": [1, 2, 3]}, "motion": "kinematic",
      "mass": {"mass": 3, "center": [0, 0.5, 0], "inertia": [1, 2, 2.5], "axes": [0, 0.6, 0, 0.8]},
      "velocity": [1, 0, 0], "angular_velocity": [0, 2, 0], "restitution": 0.5, "margin": 0.25,
      "drag": 0.25, "angular_drag": 0.125, "gravity_scale": 2, "free_axes": [1, 1, 0],
      "free_turns": [0, 0, 1], "can_sleep": false, "bullet": true, "sensor": true, "group": 4,
      "mask": 3, "point_mass": true}]})");
  EXPECT_EQ(scene.world.rigid.substeps, 3);
  EXPECT_EQ(scene.world.rigid.iterations, 9);
  EXPECT_EQ(scene.world.rigid.friction, FrictionModel::kPyramid);
  EXPECT_FALSE(scene.world.rigid.sleeping);
  const auto& wheel = std::get<RigidBody>(scene.bodies.at(0));
  EXPECT_EQ(wheel.name, "wheel");
  ASSERT_EQ(wheel.parts.size(), 2u);
  EXPECT_EQ(std::get<Cylinder>(wheel.parts[0].shape).radius, Real(0.25));
  EXPECT_EQ(wheel.parts[0].density, 20);
  EXPECT_EQ(std::get<ConvexHull>(wheel.parts[1].shape).points.size(), 4u);
  EXPECT_EQ(wheel.parts[1].pose.position.y, 1);
  EXPECT_EQ(wheel.parts[1].friction, Real(0.75));
  EXPECT_EQ(wheel.parts[1].margin, Real(0.125));
  EXPECT_EQ(wheel.pose.position, (Vec3{1, 2, 3}));
  EXPECT_EQ(wheel.motion, Motion::kKinematic);
  ASSERT_TRUE(wheel.mass);
  EXPECT_EQ(wheel.mass->mass, 3);
  EXPECT_EQ(wheel.mass->center.y, Real(0.5));
  EXPECT_EQ(wheel.mass->inertia, (Vec3{1, 2, Real(2.5)}));
  EXPECT_EQ(wheel.mass->axes.y, Real(0.6));
  EXPECT_EQ(wheel.velocity, (Vec3{1, 0, 0}));
  EXPECT_EQ(wheel.angular_velocity, (Vec3{0, 2, 0}));
  EXPECT_EQ(wheel.restitution, Real(0.5));
  EXPECT_EQ(wheel.margin, Real(0.25));
  EXPECT_EQ(wheel.drag, Real(0.25));
  EXPECT_EQ(wheel.angular_drag, Real(0.125));
  EXPECT_EQ(wheel.gravity_scale, 2);
  EXPECT_EQ(wheel.free_axes, (Vec3{1, 1, 0}));
  EXPECT_EQ(wheel.free_turns, (Vec3{0, 0, 1}));
  EXPECT_FALSE(wheel.can_sleep);
  EXPECT_TRUE(wheel.bullet && wheel.sensor && wheel.point_mass);
  EXPECT_EQ(wheel.group, 4);
  EXPECT_EQ(wheel.mask, 3);
}

TEST(SceneRigid, JointsNameTheirBodies) {
  const Scene scene = parse(crates(
      R"({"type":"hinge","a":"crate","b":"ball","anchor":[1,2,0],"axis":[0,0,1],
          "range":{"lower":-0.5,"upper":2},"motor":{"kind":"position","target":1},"collide":true},
         {"type":"nail","a":"ball","offset":[0,1,0],"break_force":7},
         {"type":"six_dof","a":"crate","b":"floor","x":{},"turn_y":{"range":{"upper":1}}})"));
  ASSERT_EQ(scene.joints.size(), 3u);
  EXPECT_EQ(scene.joints[0].a, "crate");
  EXPECT_EQ(scene.joints[0].b, "ball");
  const auto& hinge = std::get<HingeJoint>(scene.joints[0].joint);
  EXPECT_EQ(hinge.anchor, (Vec3{1, 2, 0}));
  EXPECT_EQ(hinge.axis, (Vec3{0, 0, 1}));
  ASSERT_TRUE(hinge.range && hinge.motor);
  EXPECT_EQ(hinge.range->lower, Real(-0.5));
  EXPECT_EQ(hinge.range->upper, 2);
  EXPECT_EQ(hinge.motor->kind, MotorKind::kPosition);
  EXPECT_TRUE(hinge.collide);
  EXPECT_EQ(scene.joints[1].a, "ball");
  EXPECT_EQ(scene.joints[1].b, "");
  EXPECT_EQ(std::get<NailJoint>(scene.joints[1].joint).break_force, 7);
  const auto& free = std::get<SixDofJoint>(scene.joints[2].joint);
  EXPECT_TRUE(free.x && !free.x->range && !free.y);
  ASSERT_TRUE(free.turn_y && free.turn_y->range);
  EXPECT_EQ(free.turn_y->range->upper, 1);

  const World world = make_world(scene);
  EXPECT_EQ(world.joints().size(), 3u);
  ASSERT_EQ(world.rigid_bodies().size(), 3u);
  EXPECT_EQ(world.name(world.rigid_bodies()[1]), "crate");
  EXPECT_FALSE(world.state(world.rigid_bodies()[1]).is_static);
}

TEST(SceneRigid, JointsWithoutTheirBodiesAreRefused) {
  EXPECT_EQ(world_error_of(crates(R"({"type":"ball","a":"crate"},
                                     {"type":"hinge","a":"crate","b":"bal"})")),
            ": /joints/1/b: there is no rigid body named \"bal\"; did you mean \"ball\"?");
  EXPECT_EQ(world_error_of(crates(R"({"type":"nail","a":"zzzzzzzz"})")),
            ": /joints/0/a: there is no rigid body named \"zzzzzzzz\"; known are ball, crate, "
            "floor");
  EXPECT_EQ(world_error_of(crates(R"({"type":"nail","a":""})")),
            ": /joints/0/a: is empty; name a rigid body");
  EXPECT_EQ(error_of(crates(R"({"type":"nail"})")),
            ": /joints/0/a: is missing (Body that is held)");
  EXPECT_EQ(error_of(crates(R"({"type":"nail","a":"crate","b":"ball"})")).substr(0, 28),
            ": /joints/0/b: unknown key; ");
  EXPECT_EQ(error_of(crates(R"({"type":"hing","a":"crate"})")),
            ": /joints/0/type: is \"hing\", which is unknown; did you mean \"hinge\"?");
  // Two of a name are fine until a joint has to choose.
  Scene twins = parse(crates(R"({"type":"nail","a":"ball"})"));
  std::get<RigidBody>(twins.bodies[1]).name = "ball";
  try {
    make_world(twins);
    FAIL() << "accepted";
  } catch (const Error& error) {
    EXPECT_EQ(std::string(error.what()), std::string(kFile) +
                                             ": /joints/0/a: 2 rigid bodies are named \"ball\"; "
                                             "give the one that is meant a name of its own");
  }
  twins.joints.clear();
  EXPECT_NO_THROW(make_world(twins));
}

TEST(SceneRigid, WhatTheWorldRefusesIsToldByPlace) {
  const auto starts = [](const std::string& message, const std::string& start) {
    EXPECT_EQ(message.substr(0, start.size()), start);
  };
  const auto mentions = [](const std::string& message, const char* word) {
    EXPECT_NE(message.find(word), std::string::npos) << message;
  };
  std::string message =
      world_error_of(crates(R"({"type":"hinge","a":"crate","range":{"lower":1,"upper":0.5}})"));
  starts(message, ": /joints/0: hinge joint.range: lower is greater than upper");
  message = world_error_of(crates(R"({"type":"ball","a":"crate","b":"crate"})"));
  starts(message, ": /joints/0: ");
  mentions(message, "same body");
  message = world_error_of(crates(R"({"type":"ball","a":"floor"})"));
  mentions(message, "dynamic");

  EXPECT_EQ(error_of(crates("", R"("mass":{"mass":0})")),
            ": /bodies/1/mass/mass: is 0 kg; it must be greater than 0");
  message = world_error_of(crates("", R"("mass":{"mass":1,"inertia":[1,1,3]})"));
  starts(message, ": /bodies/1: rigid body \"crate\"");
  mentions(message, "no body has such moments");
  message = world_error_of(
      R"({"bodies":[{"type":"rigid","name":"flat","shape":{"type":"convex_hull",
          "points":[[0,0,0],[1,0,0],[0,1,0],[1,1,0]]}}]})");
  starts(message, ": /bodies/0: rigid body \"flat\"");
  mentions(message, "plane");
  message = world_error_of(R"({"bodies":[{"type":"rigid","shape":{"type":"plane"}}]})");
  starts(message, ": /bodies/0: rigid body");
}

}  // namespace
}  // namespace sinew
