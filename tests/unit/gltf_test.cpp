// Reading glTF files, sound and hostile ones, and writing a mesh as .glb.
#include <gtest/gtest.h>
#include <sinew/error.h>

#include <functional>
#include <random>
#include <sstream>

#include "io/mesh_format.h"
#include "support.h"
#include "unit/glb_file.h"
#include "unit/temp_dir.h"

namespace sinew {

extern const MeshFormat k_glb, k_gltf;

namespace {

using Json = nlohmann::json;

MeshFile read_bytes(std::string_view bytes, const std::filesystem::path& path = "model.glb") {
  return k_glb.read(MeshSource{path, bytes});
}
MeshFile read_json(const Json& json, const std::filesystem::path& path = "model.gltf") {
  return k_gltf.read(MeshSource{path, json.dump()});
}
// Four corners of a square, (0,0,0) (1,0,0) (0,1,0) (1,1,0), as floats from byte 0 to 48; then
// what a test appends.
const std::string kSquare = bytes_of<float>({0, 0, 0, 1, 0, 0, 0, 1, 0, 1, 1, 0});
const char* const kTriangleUri =
    "data:application/octet-stream;base64,AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAA";

// One mesh of one primitive, without indices, over kSquare; no nodes.
GlbFile square(int mode = 5) {
  return {{{"asset", {{"version", "2.0"}}},
           {"buffers", {{{"byteLength", 48}}}},
           {"bufferViews", {{{"buffer", 0}, {"byteLength", 48}}}},
           {"accessors",
            {{{"bufferView", 0}, {"componentType", 5126}, {"count", 4}, {"type", "VEC3"}}}},
           {"meshes", {{{"primitives", {{{"attributes", {{"POSITION", 0}}}, {"mode", mode}}}}}}}},
          kSquare};
}
// Adds bytes with a view of their own; returns the view.
std::size_t add_view(GlbFile& glb, const std::string& bytes) {
  glb.json["bufferViews"].push_back(
      {{"buffer", 0}, {"byteOffset", glb.binary.size()}, {"byteLength", bytes.size()}});
  glb.binary += bytes;
  glb.json["buffers"][0]["byteLength"] = glb.binary.size();
  return glb.json["bufferViews"].size() - 1;
}
template <class T>
void add_indices(GlbFile& glb, int component_type, std::initializer_list<T> indices) {
  const std::size_t view = add_view(glb, bytes_of(indices));
  glb.json["accessors"].push_back({{"bufferView", view},
                                   {"componentType", component_type},
                                   {"count", indices.size()},
                                   {"type", "SCALAR"}});
  glb.json["meshes"][0]["primitives"][0]["indices"] = glb.json["accessors"].size() - 1;
}
void add_scene(GlbFile& glb, const Json& nodes, const Json& roots) {
  glb.json["nodes"] = nodes;
  glb.json["scenes"] = Json::array({{{"nodes", roots}}});
  glb.json["scene"] = 0;
}
// Everything the reader knows: hierarchy, stride, sparse values, indices.
GlbFile rich() {
  GlbFile glb = square(4);
  add_indices<std::uint16_t>(glb, 5123, {0, 1, 2, 2, 1, 3});
  while (glb.binary.size() % 4 != 0) glb.binary += '\0';
  const std::size_t places = add_view(glb, bytes_of<std::uint32_t>({1, 3}));
  const std::size_t values = add_view(glb, bytes_of<float>({2, 0, 0, 2, 2, 0}));
  glb.json["bufferViews"][0]["byteStride"] = 12;
  glb.json["accessors"][0]["sparse"] = {
      {"count", 2},
      {"indices", {{"bufferView", places}, {"componentType", 5125}}},
      {"values", {{"bufferView", values}}}};
  add_scene(glb,
            {{{"children", {1, 2}}, {"translation", {0, 1, 0}}},
             {{"mesh", 0}, {"rotation", {0, 0, 0, 1}}, {"scale", {1, 2, 1}}},
             {{"mesh", 0}, {"matrix", {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 5, 0, 0, 1}}}},
            {0});
  return glb;
}

void expect_near(const Vec3& a, const Vec3& b) {
  EXPECT_LT(length(a - b), 1e-5) << a.x << ' ' << a.y << ' ' << a.z << " instead of " << b.x << ' '
                                 << b.y << ' ' << b.z;
}

TEST(Gltf, StripsFansAndListsAreWoundAlike) {
  const MeshFile strip = read_bytes(square(5).bytes());
  EXPECT_EQ(strip.format, "glTF (binary)");
  EXPECT_EQ(strip.vertices.size(), 4u);
  EXPECT_EQ(strip.triangles, (std::vector<Triangle>{{0, 1, 2}, {1, 3, 2}}));

  GlbFile fan = square(6);
  add_indices<std::uint8_t>(fan, 5121, {0, 1, 3, 2});
  EXPECT_EQ(read_bytes(fan.bytes()).triangles, (std::vector<Triangle>{{1, 3, 0}, {3, 2, 0}}));

  GlbFile list = square(4);
  list.json["meshes"][0]["primitives"][0].erase("mode");
  const MeshFile file = read_bytes(list.bytes());
  EXPECT_EQ(file.triangles, (std::vector<Triangle>{{0, 1, 2}}));
  ASSERT_EQ(file.warnings.size(), 1u);  // the fourth vertex makes no triangle
}

TEST(Gltf, IndicesOfEveryType) {
  const std::vector<Triangle> expected{{3, 1, 0}};
  GlbFile bytes = square(4), shorts = square(4), words = square(4);
  add_indices<std::uint8_t>(bytes, 5121, {3, 1, 0});
  add_indices<std::uint16_t>(shorts, 5123, {3, 1, 0});
  add_indices<std::uint32_t>(words, 5125, {3, 1, 0});
  for (const GlbFile* glb : {&bytes, &shorts, &words})
    EXPECT_EQ(read_bytes(glb->bytes()).triangles, expected);
  GlbFile floats = square(4);
  add_indices<float>(floats, 5126, {3, 1, 0});
  expect_error([&] { read_bytes(floats.bytes()); }, {"model.glb", "/accessors/1/componentType"});
}

TEST(Gltf, PointsAndLinesAreSkippedWithAWarning) {
  GlbFile glb = square(5);
  Json& primitives = glb.json["meshes"][0]["primitives"];
  for (const int mode : {0, 1, 2, 3})
    primitives.push_back({{"attributes", {{"POSITION", 0}}}, {"mode", mode}});
  const MeshFile file = read_bytes(glb.bytes());
  EXPECT_EQ(file.triangles.size(), 2u);
  ASSERT_EQ(file.warnings.size(), 1u);
  EXPECT_EQ(file.warnings[0], "a primitive of points or lines skipped (4 times)");
}

TEST(Gltf, NodesPlaceMeshes) {
  GlbFile glb = square(5);
  const double half = std::sqrt(0.5);  // a quarter turn about z
  add_scene(glb,
            {{{"children", {1}}, {"translation", {10, 0, 0}}, {"rotation", {0, 0, half, half}}},
             {{"mesh", 0}, {"scale", {2, 3, 1}}, {"translation", {0, 0, 7}}},
             {{"mesh", 0}}},  // not in the scene
            {0});
  const MeshFile file = read_bytes(glb.bytes());
  ASSERT_EQ(file.vertices.size(), 4u);
  expect_near(file.vertices[0], {10, 0, 7});
  expect_near(file.vertices[1], {10, 2, 7});
  expect_near(file.vertices[2], {7, 0, 7});
}

TEST(Gltf, MatricesAreByColumnsAndMirrorsKeepTheOutside) {
  GlbFile glb = square(5);
  add_scene(glb, {{{"mesh", 0}, {"matrix", {-1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 4, 5, 6, 1}}}},
            {0});
  const MeshFile file = read_bytes(glb.bytes());
  expect_near(file.vertices[1], {3, 5, 6});
  const auto& [a, b, c] = file.triangles[0];
  const Vec3 normal =
      cross(file.vertices[b] - file.vertices[a], file.vertices[c] - file.vertices[a]);
  EXPECT_GT(normal.z, 0);  // as before the reflection
}

TEST(Gltf, SceneIsChosen) {
  GlbFile glb = square(5);
  add_scene(glb, {{{"mesh", 0}}, {{"mesh", 0}, {"translation", {0, 0, 5}}}}, {0});
  glb.json["scenes"].push_back({{"nodes", {1}}});
  EXPECT_EQ(read_bytes(glb.bytes()).vertices[0].z, 0);
  glb.json["scene"] = 1;
  const MeshFile file = read_bytes(glb.bytes());
  EXPECT_EQ(file.vertices.size(), 4u);
  EXPECT_EQ(file.vertices[0].z, 5);
  EXPECT_EQ(file.warnings.size(), 1u);
  glb.json.erase("scene"), glb.json.erase("scenes");  // both nodes are roots
  EXPECT_EQ(read_bytes(glb.bytes()).vertices.size(), 8u);
  glb.json.erase("nodes");  // the mesh alone
  EXPECT_EQ(read_bytes(glb.bytes()).vertices.size(), 4u);
}

TEST(Gltf, NodesMustFormATree) {
  GlbFile cycle = square(5);
  add_scene(cycle, {{{"children", {1}}}, {{"children", {0}}, {"mesh", 0}}}, {0});
  expect_error([&] { read_bytes(cycle.bytes()); }, {"/nodes/1/children/0", "node 0", "tree"});
  cycle.json.erase("scenes"), cycle.json.erase("scene");
  expect_error([&] { read_bytes(cycle.bytes()); }, {"/nodes", "cycles"});
  GlbFile diamond = square(5);  // thirty of these would be 2³⁰ meshes
  add_scene(diamond, {{{"children", {1, 1}}}, {{"mesh", 0}}}, {0});
  expect_error([&] { read_bytes(diamond.bytes()); }, {"/nodes/0/children/0", "node 1"});
}

TEST(Gltf, DeepHierarchiesDoNotOverflow) {
  GlbFile glb = square(5);
  constexpr int kDepth = 20000;
  Json nodes = Json::array();
  for (int i = 0; i < kDepth; ++i) nodes.push_back({{"children", {i + 1}}});
  nodes.push_back({{"mesh", 0}});
  add_scene(glb, nodes, {0});
  EXPECT_EQ(read_bytes(glb.bytes()).triangles.size(), 2u);
  std::string brackets = R"({"asset":{"version":"2.0"},"extras":)" + std::string(100000, '[') +
                         std::string(100000, ']') + "}";
  EXPECT_TRUE(read_bytes(brackets).triangles.empty());
}

TEST(Gltf, StrideAndSparseValues) {
  const MeshFile file = read_bytes(rich().bytes());
  ASSERT_EQ(file.vertices.size(), 8u);
  EXPECT_EQ(file.triangles.size(), 4u);
  expect_near(file.vertices[0], {0, 1, 0});
  expect_near(file.vertices[1], {2, 1, 0});
  expect_near(file.vertices[3], {2, 5, 0});
  expect_near(file.vertices[7], {7, 3, 0});

  GlbFile strided = square(5);
  strided.json["bufferViews"][0]["byteStride"] = 16;
  strided.json["accessors"][0]["count"] = 3;
  const MeshFile apart = read_bytes(strided.bytes());
  expect_near(apart.vertices[1], {0, 0, 0});  // floats 4, 5 and 6
  expect_near(apart.vertices[2], {0, 1, 1});  // floats 8, 9 and 10
}

TEST(Gltf, SparseOverZeros) {
  GlbFile glb = rich();
  glb.json["accessors"][0].erase("bufferView");
  const MeshFile file = read_bytes(glb.bytes());
  expect_near(file.vertices[2], {0, 1, 0});
  expect_near(file.vertices[3], {2, 5, 0});
  glb.json["accessors"][0]["count"] = 4000000000u;
  expect_error([&] { read_bytes(glb.bytes()); }, {"/accessors/0"});
}

TEST(Gltf, QuantisedPositions) {
  GlbFile glb = square(4);
  const auto use = [&](int type, bool normalized, const std::string& bytes) {
    glb.json["accessors"][0] = {{"bufferView", add_view(glb, bytes)},
                                {"componentType", type},
                                {"normalized", normalized},
                                {"count", 3},
                                {"type", "VEC3"}};
    return read_bytes(glb.bytes()).vertices[1];
  };
  glb.json["extensionsRequired"] = {"KHR_mesh_quantization"};
  expect_near(use(5120, true, bytes_of<std::int8_t>({0, 0, 0, 127, -127, -128, 0, 0, 0})),
              {1, -1, -1});
  expect_near(use(5121, true, bytes_of<std::uint8_t>({0, 0, 0, 255, 51, 0, 0, 0, 0})),
              {1, Real(0.2), 0});
  expect_near(use(5122, false, bytes_of<std::int16_t>({0, 0, 0, 300, -300, 5, 0, 0, 0})),
              {300, -300, 5});
  expect_near(use(5123, true, bytes_of<std::uint16_t>({0, 0, 0, 65535, 13107, 0, 0, 0, 0})),
              {1, Real(0.2), 0});
  EXPECT_TRUE(read_bytes(glb.bytes()).warnings.empty());
}

TEST(Gltf, PrimitivesThatShareVerticesShareThemStill) {
  GlbFile glb = square(4);
  add_indices<std::uint8_t>(glb, 5121, {0, 1, 2});
  Json& primitives = glb.json["meshes"][0]["primitives"];
  primitives.push_back(primitives[0]);
  EXPECT_EQ(read_bytes(glb.bytes()).vertices.size(), 4u);
}

TEST(Gltf, BuffersInsideAndBeside) {
  Json json = square(4).json;
  json["accessors"][0]["count"] = 3;
  json["bufferViews"][0]["byteLength"] = 36;
  json["buffers"][0] = {{"byteLength", 36}, {"uri", kTriangleUri}};
  const MeshFile inside = read_json(json);
  EXPECT_EQ(inside.format, "glTF");
  ASSERT_EQ(inside.vertices.size(), 3u);
  expect_near(inside.vertices[2], {0, 1, 0});

  const TempDir dir;
  dir.file("my data.bin", kSquare);
  json["buffers"][0]["uri"] = "my%20data.bin";
  EXPECT_EQ(read_json(json, dir.path() / "model.gltf").vertices, inside.vertices);
  expect_error([&] { read_json(json, dir.path() / "elsewhere/model.gltf"); },
               {"/buffers/0/uri", "my data.bin"});
  for (const char* uri : {"/etc/passwd", "../my data.bin", "a/../../b", "http://x.org/a.bin",
                          "file:///etc/passwd", "", "data:,x", "data:;base64,$$$$", "a%00b"}) {
    json["buffers"][0]["uri"] = uri;
    expect_error([&] { read_json(json, dir.path() / "model.gltf"); }, {"/buffers/0/uri"});
  }
  json["buffers"][0].erase("uri");
  expect_error([&] { read_json(json); }, {"/buffers/0", "uri"});
}

TEST(Gltf, CompressedFilesAreRefused) {
  for (const char* extension : {"KHR_draco_mesh_compression", "EXT_meshopt_compression"}) {
    GlbFile glb = square();
    glb.json["extensionsRequired"] = {extension};
    expect_error([&] { read_bytes(glb.bytes()); },
                 {"/extensionsRequired/0", extension, "without compression"});
  }
  GlbFile no_data = square();
  no_data.json["accessors"][0].erase("bufferView");
  expect_error([&] { read_bytes(no_data.bytes()); }, {"/accessors/0", "compress"});
  GlbFile view = square();
  view.json["bufferViews"][0]["extensions"] = {{"EXT_meshopt_compression", Json::object()}};
  expect_error([&] { read_bytes(view.bytes()); }, {"/bufferViews/0", "EXT_meshopt_compression"});
  GlbFile unknown = square();
  unknown.json["extensionsRequired"] = {"KHR_materials_unlit", "ACME_shapes"};
  const MeshFile file = read_bytes(unknown.bytes());
  ASSERT_EQ(file.warnings.size(), 1u);
  EXPECT_NE(file.warnings[0].find("ACME_shapes"), std::string::npos);
}

TEST(Gltf, MistakesAreNamed) {
  struct Case {
    const char *pointer, *value, *where;
  };
  for (const Case& c : {Case{"/asset/version", "\"1.0\"", "/asset/version"},
                        {"/accessors/0/count", "5", "/accessors/0"},
                        {"/accessors/0/count", "4000000000", "/accessors/0"},
                        {"/accessors/0/count", "-1", "/accessors/0/count"},
                        {"/accessors/0/count", "\"4\"", "/accessors/0/count"},
                        {"/accessors/0/byteOffset", "9007199254740992", "/accessors/0"},
                        {"/accessors/0/componentType", "5124", "/accessors/0/componentType"},
                        {"/accessors/0/type", "\"VEC4\"", "/accessors/0/type"},
                        {"/accessors/0/bufferView", "3", "/accessors/0/bufferView"},
                        {"/bufferViews/0/byteLength", "49", "/bufferViews/0"},
                        {"/bufferViews/0/byteOffset", "1", "/bufferViews/0"},
                        {"/bufferViews/0/byteStride", "8", "/accessors/0"},
                        {"/buffers/0/byteLength", "100000", "/buffers/0"},
                        {"/meshes/0/primitives/0/mode", "7", "/meshes/0/primitives/0/mode"},
                        {"/meshes/0/primitives", "{}", "/meshes/0/primitives"}}) {
    GlbFile glb = square();
    glb.json[Json::json_pointer(c.pointer)] = Json::parse(c.value);
    expect_error([&] { read_bytes(glb.bytes()); }, {"model.glb: ", c.where});
  }
  GlbFile far = square(4);
  add_indices<std::uint8_t>(far, 5121, {0, 1, 4});
  expect_error([&] { read_bytes(far.bytes()); }, {"/meshes/0/primitives/0/indices", "4 vertices"});
  GlbFile nan = square();
  nan.binary = bytes_of<float>({0, 0, 0, NAN, 0, 0, 0, 1, 0, 1, 1, 0});
  expect_error([&] { read_bytes(nan.bytes()); }, {"POSITION", "vertex 1 is not finite"});
  expect_error([&] { read_bytes("{\"asset\": 1,}"); }, {"model.glb", "line 1"});
}

TEST(Gltf, InstancesAreBounded) {
  GlbFile glb = square(5);  // 40,000 nodes of a mesh of 1,000 primitives: 40 million
  Json& primitives = glb.json["meshes"][0]["primitives"];
  const Json primitive = primitives[0];
  for (int i = 0; i < 1000; ++i) primitives.push_back(primitive);
  Json nodes = Json::array(), roots = Json::array();
  for (int i = 0; i < 40000; ++i) nodes.push_back({{"mesh", 0}}), roots.push_back(i);
  add_scene(glb, nodes, roots);
  expect_error([&] { read_bytes(glb.bytes()); }, {"elements or more"});
}

// Whatever the bytes: a mesh with all indices in range, or an Error.
void read_hostile(std::string_view bytes) {
  try {
    const MeshFile file = read_bytes(bytes);
    for (const Triangle& t : file.triangles)
      for (const Index v : t) ASSERT_LT(v, file.vertices.size());
    for (const Vec3& v : file.vertices) ASSERT_TRUE(std::isfinite(v.x + v.y + v.z));
  } catch (const Error&) {
  }
}

TEST(GltfHostile, TruncatedAnywhere) {
  const std::string bytes = rich().bytes();
  for (std::size_t n = 0; n < bytes.size(); ++n)
    EXPECT_THROW(read_bytes(bytes.substr(0, n)), Error) << n;
  std::string text = rich().json.dump();
  for (std::size_t n = 0; n < text.size(); ++n)
    EXPECT_THROW(read_bytes(text.substr(0, n)), Error) << n;
}

TEST(GltfHostile, LyingLengths) {
  const std::string bytes = rich().bytes();
  const std::size_t json_length = number_at<std::uint32_t>(bytes, 12);
  for (const std::size_t field : {std::size_t{8}, std::size_t{12}, 20 + json_length})
    for (const std::uint32_t length : {0u, 1u, 19u, 21u, 4096u, 0x7fffffffu, 0xffffffffu}) {
      std::string lying = bytes;
      std::memcpy(lying.data() + field, &length, sizeof length);
      EXPECT_THROW(read_bytes(lying), Error) << field << ' ' << length;
    }
}

TEST(GltfHostile, RandomBytes) {
  const std::string bytes = rich().bytes();
  std::mt19937 random(7);
  for (int round = 0; round < 4000; ++round) {
    std::string mutated = bytes;
    for (unsigned n = 1 + random() % 3; n > 0; --n)
      mutated[random() % mutated.size()] = static_cast<char>(random());
    read_hostile(mutated);
  }
}

TEST(GltfHostile, EveryJsonValueReplaced) {
  const GlbFile good = rich();
  const Json values = Json::parse(
      R"([null, true, -1, 0, 1, 3, 0.5, 255, 4294967295, 9007199254740992, 18446744073709551615,
          1e308, "", "x", [], [0], [[]], {}, {"uri": 1}])");
  int rounds = 0;
  std::vector<std::string> pointers;
  const std::function<void(const Json&, const std::string&)> walk = [&](const Json& value,
                                                                        const std::string& at) {
    pointers.push_back(at);
    if (value.is_structured())
      for (const auto& [key, child] : value.items()) walk(child, at + "/" + key);
  };
  walk(good.json, "");
  for (const std::string& pointer : pointers)
    for (const Json& value : values) {
      GlbFile bad = good;
      bad.json[Json::json_pointer(pointer)] = value;
      read_hostile(bad.bytes());
      ++rounds;
    }
  EXPECT_GT(rounds, 1000);
}

TEST(Glb, WrittenMeshesReadBack) {
  const TriMesh mesh{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, Real(0.1)}},
                     {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}}};
  std::ostringstream out;
  k_glb.write_triangles(out, mesh);
  const MeshFile file = read_bytes(out.str());
  ASSERT_EQ(file.vertices.size(), mesh.vertices.size());
  for (std::size_t i = 0; i < 4; ++i) expect_near(file.vertices[i], mesh.vertices[i]);
  EXPECT_EQ(file.triangles, mesh.cells);
  EXPECT_TRUE(file.warnings.empty());
  EXPECT_TRUE(k_glb.recognises(out.str()));
  EXPECT_FALSE(k_gltf.recognises(out.str()));
}

TEST(Glb, LargeMeshesGetWideIndices) {
  TriMesh mesh;
  for (Index i = 0; i < 70000; ++i) mesh.vertices.push_back({Real(i), Real(i % 7), Real(i % 3)});
  mesh.cells = {{0, 1, 2}, {69999, 69998, 69997}};
  std::ostringstream out;
  k_glb.write_triangles(out, mesh);
  EXPECT_EQ(read_bytes(out.str()).triangles, mesh.cells);
}

}  // namespace
}  // namespace sinew
