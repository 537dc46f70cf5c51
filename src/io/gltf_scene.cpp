#include "io/gltf_scene.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <numeric>

#include "io/gltf_document.h"

namespace sinew {

namespace {

using Vec3d = Vec3T<double>;
using Mat3d = Mat3T<double>;

enum Mode : std::uint64_t { kTriangles = 4, kTriangleStrip = 5, kTriangleFan = 6 };

// x -> linear x + offset
struct Affine {
  Mat3d linear = Mat3d::identity();
  Vec3d offset;

  Vec3d operator*(const Vec3d& x) const { return linear * x + offset; }
  Affine operator*(const Affine& inner) const {
    return {linear * inner.linear, *this * inner.offset};
  }
};

template <std::size_t kCount>
std::array<double, kCount> numbers(const JsonView& view) {
  if (view.size() != kCount)
    view.fail(fmt::format("has {} numbers; it must have {}", view.size(), kCount));
  std::array<double, kCount> result;
  for (std::size_t i = 0; i < kCount; ++i) result[i] = view.at(i).number();
  return result;
}

// Of a node, relative to its parent: a matrix (by columns), or scale, rotation and translation.
Affine local_transform(const JsonView& node) {
  if (node.has("matrix")) {
    const auto m = numbers<16>(node.at("matrix"));
    if (m[3] != 0 || m[7] != 0 || m[11] != 0 || m[15] != 1)
      node.at("matrix").fail("its last row must be 0 0 0 1");
    return {{{{m[0], m[1], m[2]}, {m[4], m[5], m[6]}, {m[8], m[9], m[10]}}}, {m[12], m[13], m[14]}};
  }
  Affine result;
  if (node.has("rotation")) {
    const auto q = numbers<4>(node.at("rotation"));
    const double norm = std::sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
    if (!(norm > 1e-6 && norm < 1e6)) node.at("rotation").fail("is not a unit quaternion");
    result.linear = QuatT<double>{q[0] / norm, q[1] / norm, q[2] / norm, q[3] / norm}.matrix();
  }
  if (node.has("scale")) {
    const auto s = numbers<3>(node.at("scale"));
    result.linear = result.linear * Mat3d::diagonal({s[0], s[1], s[2]});
  }
  if (node.has("translation")) {
    const auto t = numbers<3>(node.at("translation"));
    result.offset = {t[0], t[1], t[2]};
  }
  return result;
}

class SceneReader {
 public:
  explicit SceneReader(const MeshSource& source) : document_(source), root_(document_.root()) {
    file_.format = source.bytes.starts_with(kGlbMagic) ? "glTF (binary)" : "glTF";
  }
  MeshFile read();

 private:
  struct Visit {
    std::size_t node;
    Affine parent;
  };
  // Where vertices went in the result.
  struct Placed {
    Index first;
    std::size_t count;
  };

  void check_extensions();
  void visit(const JsonView& reference, const Affine& parent);
  void visit_roots();
  void read_node(const Visit& visit);
  void read_mesh(const JsonView& mesh, const Affine& to_world);
  void read_primitive(const JsonView& primitive, const Affine& to_world);
  Placed add_vertices(const JsonView& accessor, const Affine& to_world);
  void add_triangles(std::uint64_t mode, const std::vector<Index>& corners, bool mirrored);
  void warn(const std::string& what) { ++warnings_[what]; }

  GltfDocument document_;
  JsonView root_;
  MeshFile file_;
  std::vector<Visit> to_visit_;  // a stack: files may nest deeper than ours
  std::vector<bool> seen_;
  std::map<std::uint64_t, Placed> placed_;  // by accessor: primitives of one mesh may share them
  std::map<std::string, std::size_t> warnings_;  // and how often
};

MeshFile SceneReader::read() {
  check_extensions();
  seen_.resize(root_.size_of("nodes"));
  visit_roots();
  if (to_visit_.empty())  // a library of meshes without a scene
    for (std::size_t i = 0; i < root_.size_of("meshes"); ++i)
      read_mesh(root_.at("meshes").at(i), {});
  while (!to_visit_.empty()) {
    const Visit next = to_visit_.back();
    to_visit_.pop_back();
    read_node(next);
  }
  for (const auto& [what, count] : warnings_)
    file_.warnings.push_back(count == 1 ? what : fmt::format("{} ({} times)", what, count));
  return std::move(file_);
}

void SceneReader::check_extensions() {
  for (std::size_t i = 0; i < root_.size_of("extensionsRequired"); ++i) {
    const JsonView extension = root_.at("extensionsRequired").at(i);
    const std::string& name = extension.text();
    if (name == "KHR_draco_mesh_compression" || name.ends_with("_meshopt_compression"))
      extension.fail(
          fmt::format("the file is compressed with {}, which is not read: save the model without "
                      "compression",
                      name));
    const bool about_looks =
        name.starts_with("KHR_materials_") || name.find("_texture_") != name.npos;
    if (name != "KHR_mesh_quantization" && !about_looks)
      warn(fmt::format("the file requires {}, which is ignored", name));
  }
}

// Nodes form trees, so that a node that is met again is in a cycle or has two parents.
void SceneReader::visit(const JsonView& reference, const Affine& parent) {
  document_.resolve(reference, "nodes");
  const std::size_t node = reference.count();
  if (seen_[node])
    reference.fail(
        fmt::format("leads to node {} again: nodes must form a tree, without cycles", node));
  seen_[node] = true;
  to_visit_.push_back({node, parent});
}

// The nodes of the default scene; without scenes, the nodes that are no other's child.
void SceneReader::visit_roots() {
  if (const std::size_t scenes = root_.size_of("scenes"); scenes > 0) {
    const JsonView scene = root_.has("scene") ? document_.resolve(root_.at("scene"), "scenes")
                                              : root_.at("scenes").at(std::size_t{0});
    if (scenes > 1) warn(fmt::format("one of {} scenes read: {}", scenes, scene.pointer()));
    for (std::size_t i = scene.size_of("nodes"); i-- > 0;) visit(scene.at("nodes").at(i), {});
    return;
  }
  std::vector<bool> is_child(seen_.size());
  for (std::size_t n = 0; n < seen_.size(); ++n) {
    const JsonView node = root_.at("nodes").at(n);
    for (std::size_t i = 0; i < node.size_of("children"); ++i) {
      const JsonView child = node.at("children").at(i);
      document_.resolve(child, "nodes");
      is_child[child.count()] = true;
    }
  }
  for (std::size_t n = seen_.size(); n-- > 0;)
    if (!is_child[n]) {
      seen_[n] = true;
      to_visit_.push_back({n, {}});
    }
  if (to_visit_.empty() && !seen_.empty())
    root_.at("nodes").fail("every node is another's child: nodes must form trees, without cycles");
}

void SceneReader::read_node(const Visit& visited) {
  const JsonView node = root_.at("nodes").at(visited.node);
  const Affine to_world = visited.parent * local_transform(node);
  for (std::size_t i = node.size_of("children"); i-- > 0;)
    visit(node.at("children").at(i), to_world);
  if (!node.has("mesh")) return;
  if (node.has("extensions") && node.at("extensions").has("EXT_mesh_gpu_instancing"))
    warn("a mesh with EXT_mesh_gpu_instancing read once");
  const bool is_skinned = node.has("skin");
  if (is_skinned) warn("a skin ignored: its mesh is read in the pose it was bound in");
  // The specification places a skinned mesh by its skeleton alone.
  read_mesh(document_.resolve(node.at("mesh"), "meshes"), is_skinned ? Affine{} : to_world);
}

void SceneReader::read_mesh(const JsonView& mesh, const Affine& to_world) {
  placed_.clear();
  const JsonView primitives = mesh.at("primitives");
  for (std::size_t i = 0; i < primitives.size(); ++i) read_primitive(primitives.at(i), to_world);
}

void SceneReader::read_primitive(const JsonView& primitive, const Affine& to_world) {
  constexpr std::uint64_t kShortest = 28;  // {"attributes":{"POSITION":0}}
  document_.spend(kShortest, primitive);
  const std::uint64_t mode = primitive.count_or("mode", kTriangles);
  if (mode > kTriangleFan) primitive.at("mode").fail(fmt::format("is {}; it must be 0 to 6", mode));
  if (mode < kTriangles) return warn("a primitive of points or lines skipped");
  if (!primitive.at("attributes").has("POSITION"))
    return warn("a primitive without POSITION skipped");
  if (primitive.has("targets")) warn("morph targets ignored: the base shape is read");

  const JsonView position = primitive.at("attributes").at("POSITION");
  const auto [first, vertex_count] = add_vertices(position, to_world);
  std::vector<Index> corners;
  if (primitive.has("indices")) {
    corners = document_.read_indices(primitive.at("indices"));
    for (std::size_t i = 0; i < corners.size(); ++i) {
      if (corners[i] >= vertex_count)
        primitive.at("indices").fail(
            fmt::format("index {} of the accessor is {}, but there are {} "
                        "vertices",
                        i, corners[i], vertex_count));
      corners[i] += first;
    }
  } else {
    document_.spend(vertex_count, primitive);
    corners.resize(vertex_count);
    std::iota(corners.begin(), corners.end(), first);
  }
  if (mode == kTriangles && corners.size() % 3 != 0)
    warn("corners left over that make no triangle skipped");
  add_triangles(mode, corners, determinant(to_world.linear) < 0);
}

SceneReader::Placed SceneReader::add_vertices(const JsonView& accessor, const Affine& to_world) {
  const auto [entry, is_new] = placed_.try_emplace(accessor.count());
  if (!is_new) return entry->second;
  const std::vector<Vec3T<float>> positions = document_.read_positions(accessor);
  const std::size_t count = positions.size();
  if (count > std::numeric_limits<Index>::max() - file_.vertices.size())
    accessor.fail("the file has more vertices than 32-bit indices can tell apart");
  entry->second = {static_cast<Index>(file_.vertices.size()), count};
  for (std::size_t i = 0; i < count; ++i) {
    const Vec3T<float>& p = positions[i];
    const Vec3d x = to_world * Vec3d{p.x, p.y, p.z};
    const Vec3 placed{Real(x.x), Real(x.y), Real(x.z)};
    if (!std::isfinite(placed.x) || !std::isfinite(placed.y) || !std::isfinite(placed.z))
      accessor.fail(fmt::format("vertex {} is not finite", i));
    file_.vertices.push_back(placed);
  }
  return entry->second;
}

// The corners of triangle i, as the specification orders them (3.7.2.1); a mirroring transform
// turns triangles inside out, which is undone.
void SceneReader::add_triangles(std::uint64_t mode, const std::vector<Index>& v, bool mirrored) {
  const std::size_t count =
      mode == kTriangles ? v.size() / 3 : std::max<std::size_t>(v.size(), 2) - 2;
  for (std::size_t i = 0; i < count; ++i) {
    Triangle t;
    if (mode == kTriangles)
      t = {v[3 * i], v[3 * i + 1], v[3 * i + 2]};
    else if (mode == kTriangleStrip)
      t = {v[i], v[i + 1 + i % 2], v[i + 2 - i % 2]};
    else
      t = {v[i + 1], v[i + 2], v[0]};
    if (mirrored) std::swap(t[1], t[2]);
    file_.triangles.push_back(t);
  }
}

}  // namespace

MeshFile read_gltf_scene(const MeshSource& source) { return SceneReader(source).read(); }

}  // namespace sinew
