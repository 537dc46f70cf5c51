// Skins: detailed surfaces that ride in the mesh of a soft body.
#include <sinew/generators.h>
#include <sinew/log.h>
#include <sinew/mesh_io.h>
#include <sinew/world.h>

#include <cmath>

#include "scene_testing.h"
#include "support.h"
#include "temp_dir.h"

namespace sinew {
namespace {

constexpr double kTolerance = sizeof(Real) == 4 ? 1e-5 : 1e-12;  // [m], of a body of 1 m

// A ball that is inside the block nearly everywhere, and a little outside at its poles.
TriMesh ball() { return sphere_surface(Real(0.51), 3); }
HexMesh hexes() { return box_hexes({1, 1, 1}, {4, 3, 2}); }
TetMesh tets() { return box_tets({1, 1, 1}, {4, 4, 4}); }

SoftBody dressed(BodyMesh mesh) {
  return {.name = "block", .mesh = std::move(mesh), .skin = ball()};
}

double farthest(std::span<const Vec3> a, std::span<const Vec3> b) {
  double most = a.size() == b.size() ? 0 : INFINITY;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i)
    most = std::max(most, double(length(a[i] - b[i])));
  return most;
}

template <class Map>
std::vector<Vec3> mapped(std::span<const Vec3> points, const Map& map) {
  std::vector<Vec3> out;
  for (const Vec3& p : points) out.push_back(map(p));
  return out;
}

class Messages {
 public:
  Messages() {
    set_log_sink([this](LogLevel level, std::string_view text) {
      all.push_back((level == LogLevel::kWarning ? "warning: " : "") + std::string(text));
    });
  }
  ~Messages() { set_log_sink({}); }
  std::vector<std::string> all;
};

class Skins : public testing::TestWithParam<bool> {
 protected:
  static BodyMesh mesh() { return GetParam() ? BodyMesh(hexes()) : BodyMesh(tets()); }
};
INSTANTIATE_TEST_SUITE_P(Meshes, Skins, testing::Bool(),
                         [](const auto& kind) { return kind.param ? "hexahedra" : "tetrahedra"; });

TEST_P(Skins, AreWhereTheyWereGivenAtRest) {
  World world;
  const Messages messages;
  const Pose pose{{1, 2, 3}, Quat::from_axis_angle({0, 0, 1}, Real(0.7))};
  SoftBody body = dressed(mesh());
  body.pose = pose;
  const SoftId id = world.add(body);
  EXPECT_EQ(world.skin(id).cells, ball().cells);
  EXPECT_EQ(world.skin(id).vertices, ball().vertices);
  const auto to_world = [&](const Vec3& p) { return pose.to_world(p); };
  EXPECT_LT(farthest(world.skin_positions(id), mapped(ball().vertices, to_world)), kTolerance);
  EXPECT_TRUE(messages.all.empty()) << messages.all[0];
}

TEST_P(Skins, FollowAffineDeformation) {
  World world;
  const SoftId id = world.add(dressed(mesh()));
  const auto map = [](const Vec3& p) {
    return Vec3{Real(1.3) * p.x + Real(0.4) * p.y + 7, Real(0.6) * p.y - Real(0.3) * p.z,
                Real(0.2) * p.x + Real(1.1) * p.z - 2};
  };
  world.set_positions(id, mapped(vertices_of(world.rest_mesh(id)), map));
  EXPECT_LT(farthest(world.skin_positions(id), mapped(ball().vertices, map)), kTolerance);
}

TEST_P(Skins, FollowRigidMotion) {
  {
    World still;
    const SoftId id = still.add(dressed(mesh()));
    const Pose pose{{-3, 1, 2}, Quat::from_axis_angle({0, 1, 0}, Real(2.5))};
    const auto to_world = [&](const Vec3& p) { return pose.to_world(p); };
    still.set_positions(id, mapped(vertices_of(still.rest_mesh(id)), to_world));
    EXPECT_LT(farthest(still.skin_positions(id), mapped(ball().vertices, to_world)), kTolerance);
  }
  World world({.gravity = {}});
  // Another one before it, so that its particles are not the first.
  const SoftId other = world.add(SoftBody{.mesh = tets(), .pose = {{9, 0, 0}}});
  SoftBody body = dressed(mesh());
  body.velocity = {1, 2, 0};
  body.angular_velocity = {0, 2, 0};
  const SoftId id = world.add(body);
  for (int i = 0; i < 60; ++i) world.step(Real(1.0 / 60));
  const Pose pose{{1, 2, 0}, Quat::from_axis_angle({0, 1, 0}, 2)};
  const auto to_world = [&](const Vec3& p) { return pose.to_world(p); };
  // The body itself turns a little late.
  EXPECT_LT(farthest(world.skin_positions(id), mapped(ball().vertices, to_world)), 1e-2);
  world.remove(other);
  EXPECT_LT(farthest(world.skin_positions(id), mapped(ball().vertices, to_world)), 1e-2);
}

TEST_P(Skins, ChangeNothing) {
  World with, without;
  SoftBody body = dressed(mesh());
  with.add(body);
  body.skin.reset();
  without.add(body);
  for (int i = 0; i < 5; ++i) with.step(Real(0.01)), without.step(Real(0.01));
  EXPECT_EQ(with.state_hash(), without.state_hash());
}

TEST(Skin, GoesBackWithASnapshot) {
  World world;
  const SoftId id = world.add(dressed(hexes()));
  const Snapshot start = world.snapshot();
  const std::vector<Vec3> before = world.skin_positions(id);
  for (int i = 0; i < 5; ++i) world.step(Real(0.01));
  EXPECT_GT(farthest(world.skin_positions(id), before), 1e-3);
  world.remove(id);
  world.restore(start);
  EXPECT_EQ(world.skin_positions(id), before);
}

TEST(Skin, IsEmptyWhereThereIsNone) {
  World world;
  const SoftId id = world.add(SoftBody{.mesh = tets()});
  EXPECT_TRUE(world.skin(id).vertices.empty());
  EXPECT_TRUE(world.skin(id).cells.empty());
  EXPECT_TRUE(world.skin_positions(id).empty());
}

TEST(Skin, RefusesWhatCannotRide) {
  World world;
  const auto refused = [&](auto&& change) {
    SoftBody body = dressed(hexes());
    change(body);
    const std::string message = error_of([&] { world.add(std::move(body)); });
    EXPECT_TRUE(world.soft_bodies().empty());
    EXPECT_EQ(message.rfind("soft body \"block\".skin", 0), 0u) << message;
    return message;
  };
  const auto expect = [&](auto&& change, const char* part) {
    const std::string message = refused(change);
    EXPECT_NE(message.find(part), std::string::npos) << message;
  };
  expect([](SoftBody& b) { b.mesh = cloth(1, 1, 2, 2); }, "leave it out for sheets and lines");
  expect([](SoftBody& b) { b.mesh = rope(1, 2); }, "leave it out for sheets and lines");
  expect([](SoftBody& b) { b.skin = TriMesh{}; }, "has no triangle");
  expect([](SoftBody& b) { b.skin->cells.clear(); }, "has no triangle");
  expect([](SoftBody& b) { b.skin->cells[2][1] = 12345; }, "triangle 2 names vertex 12345");
  expect([](SoftBody& b) { b.skin->vertices[3].z = NAN; }, "vertex 3 is not finite");
}

TEST(Skin, TellsOfPointsThatDoNotRideWell) {
  const auto told = [](double scale) {
    World world;
    const Messages messages;
    SoftBody body = dressed(hexes());
    for (Vec3& v : body.skin->vertices) v *= Real(scale);
    world.add(body);
    return messages.all;
  };
  EXPECT_TRUE(told(0.9).empty());
  const std::vector<std::string> beyond = told(1.75);  // half of it and more is a little outside
  ASSERT_EQ(beyond.size(), 1u);
  EXPECT_NE(beyond[0].find("are outside the mesh and follow its nearest cells"), std::string::npos)
      << beyond[0];
  const std::vector<std::string> millimetres = told(1000);
  ASSERT_EQ(millimetres.size(), 1u);
  EXPECT_EQ(millimetres[0].rfind("warning: soft body \"block\".skin: 642 of 642 points", 0), 0u)
      << millimetres[0];
  EXPECT_NE(millimetres[0].find("1.02e+03"), std::string::npos) << millimetres[0];
}

TEST(SceneSkin, ComesFromAFileOrAGenerator) {
  const TempDir folder;
  write_mesh(folder.path() / "ball.obj", ball());
  const auto scene = [&](const std::string& skin, const std::vector<std::string>& overrides = {}) {
    const std::string text = R"({"bodies":[{"type":"soft","name":"s","mesh":{"type":"box",
        "cells":[2,2,2],"elements":"hexahedra"},"skin":)" +
                             skin + "}]}";
    return parse_scene(text, folder.path() / "scene.json", overrides);
  };
  const auto vertices = [](const Scene& loaded) {
    World world = make_world(loaded);
    const std::vector<Vec3> now = world.skin_positions(world.soft_bodies()[0]);
    EXPECT_LT(farthest(now, world.skin(world.soft_bodies()[0]).vertices), 1e-5);
    return now.size();
  };
  EXPECT_EQ(vertices(scene(R"({"type":"file","path":"ball.obj"})")), ball().vertices.size());
  EXPECT_EQ(vertices(scene(R"({"type":"file","path":"ball.obj","scale":0.9})")),
            ball().vertices.size());
  // The mesh may be sized from outside; the skin rides in whatever it has become.
  EXPECT_EQ(vertices(scene(R"({"type":"file","path":"ball.obj"})",
                           {"/bodies/0/mesh/cells=[5,4,3]", "/bodies/0/mesh/size=[2,2,2]"})),
            ball().vertices.size());
  EXPECT_EQ(vertices(scene(R"({"type":"box","size":[0.5,0.5,0.5],"cells":[3,3,3]})")), 56u);
  EXPECT_EQ(vertices(scene(R"({"type":"sphere"})", {"/bodies/0/skin/radius=0.2"})),
            vertices(scene(R"({"type":"sphere","radius":0.3})")));

  const auto problem = [&](const std::string& skin) {
    return error_of([&] { make_world(scene(skin)); });
  };
  const auto expect = [&](const std::string& skin, const std::string& place, const char* part) {
    const std::string message = problem(skin);
    EXPECT_NE(message.find("scene.json: " + place), std::string::npos) << message;
    EXPECT_NE(message.find(part), std::string::npos) << message;
  };
  expect(R"({"type":"file","path":"none.obj"})", "/bodies/0/skin", "none.obj");
  expect(R"({"type":"rope"})", "/bodies/0/skin", "has no surface");
  expect(R"({"type":"bear"})", "/bodies/0/skin/type", "unknown");
  expect(R"({"type":"sphere","radius":-1})", "/bodies/0/skin/radius", "greater than 0");
  EXPECT_NE(error_of([&] {
              make_world(scene(R"({"type":"sphere"})", {R"(/bodies/0/mesh={"type":"cloth"})"}));
            }).find("scene.json: /bodies/0: soft body \"s\".skin is for solids"),
            std::string::npos);
}

}  // namespace
}  // namespace sinew
