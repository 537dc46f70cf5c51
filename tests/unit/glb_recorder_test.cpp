// Recordings, played back by a small viewer of our own: what it shows must be what was recorded.
#include <gtest/gtest.h>
#include <sinew/error.h>
#include <sinew/recording.h>

#include <functional>
#include <limits>
#include <set>

#include "core/atomic_file.h"
#include "io/gltf_scene.h"
#include "support.h"
#include "unit/glb_file.h"
#include "unit/temp_dir.h"

namespace sinew {
namespace {

using Json = nlohmann::json;
using Vec3d = Vec3T<double>;

TriMesh box(Real half) {
  TriMesh mesh;
  for (int i = 0; i < 8; ++i)
    mesh.vertices.push_back({i & 1 ? half : -half, i & 2 ? half : -half, i & 4 ? half : -half});
  mesh.cells = {{0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}, {0, 1, 5}, {0, 5, 4},
                {2, 6, 7}, {2, 7, 3}, {0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}};
  return mesh;
}

// A jelly that sways and comes to rest after a second, a box that flies and tumbles, a floor.
struct Take {
  TriMesh jelly = box(1);
  std::vector<double> times;
  std::vector<std::vector<Vec3>> shapes;
  std::vector<Pose> poses;
  Pose floor{{0, -2, 0}, {}};
  GlbRecorder recorder{
      {{.name = "jelly", .surface = jelly, .deformable = true, .colour = {1, 0, 0}},
       {.name = "box", .surface = box(Real(0.5))},
       {.name = "floor", .surface = box(2)}}};

  explicit Take(int frames = 20) {
    for (int f = 0; f < frames; ++f) {
      const double t = 100 + f / 10.0;
      const Real sway = Real(std::min(f, 10)) / 10;
      std::vector<Vec3> shape = jelly.vertices;
      for (Vec3& v : shape) v += Vec3{sway * v.y * v.y, sway * v.x, 3};
      const Pose pose{{0, Real(f), 0}, Quat::from_axis_angle({1, 2, 3}, Real(f))};
      const FrameBody bodies[] = {{.vertices = shape}, {.pose = pose}, {.pose = floor}};
      recorder.add_frame(t, bodies);
      times.push_back(t - 100), shapes.push_back(shape), poses.push_back(pose);
    }
  }
  GlbFile written() const {
    const TempDir dir;
    recorder.write(dir.path() / "take.glb");
    return GlbFile::parse(read_file(dir.path() / "take.glb"));
  }
};

// The value of a node's animation at a time, linearly interpolated; empty when it has none.
std::vector<double> sample(const GlbFile& glb, std::size_t node, const char* path, double time) {
  if (!glb.json.contains("animations")) return {};
  const Json& animation = glb.json["animations"][0];
  for (const Json& channel : animation["channels"]) {
    if (channel["target"]["node"] != node || channel["target"]["path"] != path) continue;
    const Json& sampler = animation["samplers"][channel["sampler"].get<std::size_t>()];
    const std::vector<double> keys = glb.numbers(sampler["input"]);
    const std::vector<double> values = glb.numbers(sampler["output"]);
    const std::size_t width = values.size() / keys.size();
    std::size_t k = 0;
    while (k + 2 < keys.size() && keys[k + 1] < time) ++k;
    const double s = std::clamp((time - keys[k]) / (keys[k + 1] - keys[k]), 0.0, 1.0);
    std::vector<double> result(width);
    for (std::size_t i = 0; i < width; ++i)
      result[i] = (1 - s) * values[k * width + i] + s * values[(k + 1) * width + i];
    return result;
  }
  return {};
}

const Json& primitive_of(const GlbFile& glb, std::size_t node) {
  const std::size_t mesh = glb.json["nodes"][node]["mesh"];
  return glb.json["meshes"][mesh]["primitives"][0];
}

// An attribute of a node's mesh at a time: base plus weighted targets.
std::vector<Vec3d> attribute(const GlbFile& glb, std::size_t node, const char* name, double time) {
  const Json& primitive = primitive_of(glb, node);
  std::vector<double> values = glb.numbers(primitive["attributes"][name]);
  const std::vector<double> weights = sample(glb, node, "weights", time);
  for (std::size_t t = 0; t < weights.size(); ++t) {
    const std::vector<double> moved = glb.numbers(primitive["targets"][t][name]);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] += weights[t] * moved[i];
  }
  std::vector<Vec3d> result;
  for (std::size_t i = 0; i < values.size(); i += 3)
    result.push_back({values[i], values[i + 1], values[i + 2]});
  return result;
}

// Corner by corner, because vertices are doubled at edges.
void expect_shape(const GlbFile& glb, std::size_t node, double time, const TriMesh& expected) {
  const std::vector<Vec3d> shown = attribute(glb, node, "POSITION", time);
  const std::vector<double> corners = glb.numbers(primitive_of(glb, node)["indices"]);
  ASSERT_EQ(corners.size(), 3 * expected.cells.size());
  for (std::size_t c = 0; c < corners.size(); ++c) {
    const Vec3 e = expected.vertices[expected.cells[c / 3][c % 3]];
    const Vec3d x = shown.at(static_cast<std::size_t>(corners[c]));
    EXPECT_LT(length(x - Vec3d{e.x, e.y, e.z}), 1e-5) << "corner " << c << " at " << time << " s";
  }
}

TEST(GlbRecorder, PlaysBackDeformableBodies) {
  const Take take;
  const GlbFile glb = take.written();
  for (std::size_t f = 0; f < take.times.size(); ++f)
    expect_shape(glb, 0, take.times[f], {take.shapes[f], take.jelly.cells});
  std::vector<Vec3> between = take.shapes[4];
  for (std::size_t i = 0; i < between.size(); ++i)
    between[i] = (between[i] + take.shapes[5][i]) * Real(0.5);
  expect_shape(glb, 0, 0.45, {between, take.jelly.cells});
}

TEST(GlbRecorder, PlaysBackRigidBodies) {
  const Take take;
  const GlbFile glb = take.written();
  for (std::size_t f = 0; f < take.times.size(); ++f) {
    const std::vector<double> t = sample(glb, 1, "translation", take.times[f]);
    const std::vector<double> q = sample(glb, 1, "rotation", take.times[f]);
    ASSERT_EQ(t.size(), 3u);
    ASSERT_EQ(q.size(), 4u);
    EXPECT_NEAR(t[1], double(f), 1e-5);
    EXPECT_NEAR(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3], 1, 1e-5);
    const Quat& e = take.poses[f].orientation;
    EXPECT_NEAR(std::fabs(q[0] * e.x + q[1] * e.y + q[2] * e.z + q[3] * e.w), 1, 1e-5);
  }
  expect_shape(glb, 1, 0, box(Real(0.5)));
}

TEST(GlbRecorder, RotationsTakeTheShortWay) {
  const Take take;
  const GlbFile glb = take.written();
  for (const Json& sampler : glb.json["animations"][0]["samplers"]) {
    const std::size_t output = sampler["output"];
    if (glb.json["accessors"][output]["type"] != "VEC4") continue;
    const std::vector<double> q = glb.numbers(output);
    for (std::size_t i = 4; i < q.size(); i += 4) {
      double side = 0;
      for (std::size_t c = i; c < i + 4; ++c) side += q[c - 4] * q[c];
      EXPECT_GE(side, 0);
    }
  }
}

TEST(GlbRecorder, RestCostsNothing) {
  const GlbFile glb = Take(200).written();
  EXPECT_EQ(primitive_of(glb, 0)["targets"].size(), 10u);  // rests from frame 10 on
  EXPECT_EQ(sample(glb, 0, "weights", 0).size(), 10u);
  EXPECT_TRUE(sample(glb, 2, "translation", 0).empty());
  EXPECT_TRUE(sample(glb, 2, "rotation", 0).empty());
  EXPECT_EQ(glb.json["nodes"][2]["translation"], Json({0.0, -2.0, 0.0}));
  EXPECT_FALSE(glb.json["nodes"][2].contains("rotation"));
  const std::size_t weights_channel = 0;
  const Json& sampler = glb.json["animations"][0]["samplers"][weights_channel];
  EXPECT_EQ(glb.numbers(sampler["input"]).size(), 12u);  // 0 to 10 and the last
}

TEST(GlbRecorder, TinyMotionCountsAsRestButDriftDoesNot) {
  const TriMesh mesh = box(1);
  GlbRecorder recorder({{.name = "a", .surface = mesh, .deformable = true}},
                       {.still_distance = Real(1e-3)});
  std::vector<Vec3> shape = mesh.vertices;
  for (int f = 0; f < 100; ++f) {
    shape[3].x = 1 + Real(f) * Real(1e-4);
    recorder.add_frame(f, {{FrameBody{.vertices = shape}}});
  }
  const TempDir dir;
  recorder.write(dir.path() / "a.glb");
  const GlbFile glb = GlbFile::parse(read_file(dir.path() / "a.glb"));
  const std::size_t targets = primitive_of(glb, 0)["targets"].size();
  EXPECT_GE(targets, 8u);
  EXPECT_LE(targets, 10u);
}

TEST(GlbRecorder, NormalsAreUnitAndEdgesStaySharp) {
  const Take take;
  const GlbFile glb = take.written();
  for (const double time : {0.0, 0.5, 1.9})
    for (std::size_t node = 0; node < 3; ++node)
      for (const Vec3d& n : attribute(glb, node, "NORMAL", time)) EXPECT_NEAR(length(n), 1, 1e-5);
  const std::vector<Vec3d> normals = attribute(glb, 2, "NORMAL", 0);
  EXPECT_EQ(normals.size(), 24u);
  for (const Vec3d& n : normals)
    EXPECT_NEAR(std::max({std::fabs(n.x), std::fabs(n.y), std::fabs(n.z)}), 1, 1e-6);

  GlbRecorder smooth({{.name = "a", .surface = box(1), .crease_angle = 4}});
  smooth.add_frame(0, {{FrameBody{}}});
  const TempDir dir;
  smooth.write(dir.path() / "a.glb");
  const GlbFile round = GlbFile::parse(read_file(dir.path() / "a.glb"));
  EXPECT_EQ(attribute(round, 0, "NORMAL", 0).size(), 8u);
}

TEST(GlbRecorder, FileIsWellFormed) {
  const GlbFile glb = Take().written();
  EXPECT_EQ(glb.json["asset"]["generator"], "Sinew " SINEW_VERSION);
  EXPECT_EQ(glb.json["nodes"][0]["name"], "jelly");
  for (const Json& material : glb.json["materials"]) EXPECT_EQ(material["doubleSided"], true);
  std::size_t end = 0;
  for (const Json& view : glb.json["bufferViews"]) {
    EXPECT_EQ(view["byteOffset"].get<std::size_t>() % 4, 0u);
    end = std::max(end,
                   view["byteOffset"].get<std::size_t>() + view["byteLength"].get<std::size_t>());
  }
  EXPECT_LE(end, glb.json["buffers"][0]["byteLength"].get<std::size_t>());
  EXPECT_EQ(glb.json["buffers"][0]["byteLength"], glb.binary.size());
  for (std::size_t a = 0; a < glb.json["accessors"].size(); ++a) {
    const Json& accessor = glb.json["accessors"][a];
    if (!accessor.contains("min")) continue;
    const std::vector<double> values = glb.numbers(a);
    const std::size_t width = accessor["min"].size();
    for (std::size_t c = 0; c < width; ++c) {
      double lower = values[c], upper = values[c];
      for (std::size_t i = c; i < values.size(); i += width)
        lower = std::min(lower, values[i]), upper = std::max(upper, values[i]);
      EXPECT_EQ(accessor["min"][c].get<double>(), lower);
      EXPECT_EQ(accessor["max"][c].get<double>(), upper);
    }
  }
  for (const Json& sampler : glb.json["animations"][0]["samplers"]) {
    const std::vector<double> times = glb.numbers(sampler["input"]);
    EXPECT_EQ(times.front(), 0);
    for (std::size_t i = 1; i < times.size(); ++i) EXPECT_GT(times[i], times[i - 1]);
  }
}

TEST(GlbRecorder, OneFrameIsAStillPicture) {
  const Take take(1);
  const GlbFile glb = take.written();
  EXPECT_FALSE(glb.json.contains("animations"));
  EXPECT_FALSE(primitive_of(glb, 0).contains("targets"));
  expect_shape(glb, 0, 0, {take.shapes[0], take.jelly.cells});
}

TEST(GlbRecorder, EqualBodiesShareTheirMesh) {
  std::vector<RecordedBody> bodies;
  std::vector<FrameBody> frame;
  for (int i = 0; i < 100; ++i) {
    bodies.push_back({.name = std::to_string(i), .surface = box(1)});
    frame.push_back({.pose = {{Real(i), 0, 0}, {}}});
  }
  GlbRecorder recorder(std::move(bodies));
  recorder.add_frame(0, frame);
  const TempDir dir;
  recorder.write(dir.path() / "a.glb");
  const GlbFile glb = GlbFile::parse(read_file(dir.path() / "a.glb"));
  EXPECT_EQ(glb.json["nodes"].size(), 100u);
  EXPECT_EQ(glb.json["meshes"].size(), 1u);
  EXPECT_EQ(glb.json["materials"].size(), 1u);
  EXPECT_EQ(glb.json["accessors"].size(), 3u);
}

TEST(GlbRecorder, VerticesInNoTriangleAreLeftOut) {
  TriMesh mesh = box(1);
  mesh.vertices.insert(mesh.vertices.begin(), {0, 0, 0});
  for (Triangle& t : mesh.cells)
    for (Index& v : t) ++v;
  GlbRecorder recorder({{.name = "a", .surface = mesh, .deformable = true, .crease_angle = 4}});
  mesh.vertices[0].x = std::numeric_limits<Real>::quiet_NaN();  // nobody sees it
  recorder.add_frame(0, {{FrameBody{.vertices = mesh.vertices}}});
  const TempDir dir;
  recorder.write(dir.path() / "a.glb");
  const GlbFile glb = GlbFile::parse(read_file(dir.path() / "a.glb"));
  EXPECT_EQ(attribute(glb, 0, "POSITION", 0).size(), 8u);
  expect_shape(glb, 0, 0, mesh);
}

TEST(GlbRecorder, TheReaderSeesTheFirstFrame) {
  const Take take;
  const TempDir dir;
  take.recorder.write(dir.path() / "take.glb");
  const std::string bytes = read_file(dir.path() / "take.glb");
  const MeshFile file = read_gltf_scene({dir.path() / "take.glb", bytes});
  EXPECT_EQ(file.triangles.size(), 36u);
  Real lowest = 0;
  for (const Vec3& v : file.vertices) lowest = std::min(lowest, v.y);
  EXPECT_NEAR(lowest, -4, 1e-5);
}

TEST(GlbRecorder, NamesOfAnyBytes) {
  GlbRecorder recorder({{.name = "b\xff\"\n", .surface = box(1)}});
  recorder.add_frame(0, {{FrameBody{}}});
  const TempDir dir;
  recorder.write(dir.path() / "a.glb");
  const GlbFile glb = GlbFile::parse(read_file(dir.path() / "a.glb"));
  EXPECT_EQ(glb.json["nodes"][0]["name"], "b\xEF\xBF\xBD\"\n");
}

TEST(GlbRecorder, BadFramesAreNamedAndNotKept) {
  const TriMesh mesh = box(1);
  GlbRecorder recorder(
      {{.name = "crate", .surface = mesh}, {.name = "blob", .surface = mesh, .deformable = true}});
  const Real nan = std::numeric_limits<Real>::quiet_NaN();
  const FrameBody crate, blob{.vertices = mesh.vertices};
  recorder.add_frame(1, {{crate, blob}});

  std::vector<Vec3> bad = mesh.vertices;
  bad[5].z = nan;
  expect_error(
      [&] {
        recorder.add_frame(2.5, {{crate, FrameBody{.vertices = bad}}});
      },
      {"'blob'", "2.5 s", "vertex 5", "finite"});
  bad.pop_back();
  expect_error(
      [&] {
        recorder.add_frame(2.5, {{crate, FrameBody{.vertices = bad}}});
      },
      {"'blob'", "2.5 s", "7 vertices", "8"});
  expect_error(
      [&] {
        recorder.add_frame(2.5, {{FrameBody{.pose = {{0, nan, 0}, {}}}, blob}});
      },
      {"'crate'", "2.5 s", "position"});
  for (const Real w : {Real(0), nan, std::numeric_limits<Real>::infinity()})
    expect_error(
        [&] {
          recorder.add_frame(2.5, {{FrameBody{.pose = {{}, {0, 0, 0, w}}}, blob}});
        },
        {"'crate'", "2.5 s", "orientation"});
  expect_error([&] { recorder.add_frame(2.5, {{crate}}); }, {"2.5 s", "1 bodies", "2"});
  for (const double time : {1.0, 0.5, double(NAN), double(INFINITY), 1e300})
    EXPECT_THROW(recorder.add_frame(time, {{crate, blob}}), Error) << time;
  EXPECT_EQ(recorder.frame_count(), 1u);
  recorder.add_frame(2.5, {{crate, blob}});
  EXPECT_EQ(recorder.frame_count(), 2u);
  EXPECT_EQ(recorder.duration_s(), 1.5);
}

TEST(GlbRecorder, BadBodiesAreNamed) {
  const auto with = [](auto change) {
    RecordedBody body{.name = "thing", .surface = box(1)};
    change(body);
    return [body] { GlbRecorder recorder({body}); };
  };
  expect_error(with([](auto& b) { b.surface.cells.clear(); }), {"'thing'", "no triangle"});
  expect_error(with([](auto& b) { b.surface.cells[0][1] = 8; }), {"'thing'", "vertex 8 of 8"});
  expect_error(with([](auto& b) { b.surface.vertices[0].x = Real(INFINITY); }),
               {"'thing'", "finite"});
  expect_error(with([](auto& b) { b.colour.y = 2; }), {"'thing'", "colour"});
  expect_error(with([](auto& b) { b.roughness = Real(NAN); }), {"'thing'", "roughness"});
  expect_error(with([](auto& b) { b.crease_angle = -1; }), {"'thing'", "crease_angle"});
  expect_error([] { GlbRecorder recorder({}); }, {"no body"});
}

TEST(GlbRecorder, NothingIsLeftOfAWriteThatFails) {
  GlbRecorder recorder({{.name = "a", .surface = box(1)}});
  const TempDir dir;
  expect_error([&] { recorder.write(dir.path() / "a.glb"); }, {"a.glb", "no frame"});
  EXPECT_TRUE(std::filesystem::is_empty(dir.path()));
  recorder.add_frame(0, {{FrameBody{}}});
  expect_error([&] { recorder.write(dir.path() / "none/a.glb"); }, {"none/a.glb"});
}

}  // namespace
}  // namespace sinew
