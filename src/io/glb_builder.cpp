#include "io/glb_builder.h"

#include <fmt/format.h>
#include <sinew/error.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>

namespace sinew {

static_assert(std::endian::native == std::endian::little, "GLB files are little-endian");

namespace {

// Numbers of the specification.
constexpr int kUnsignedShort = 5123, kUnsignedInt = 5125, kFloat = 5126;
constexpr int kNoTarget = 0, kVertexTarget = 34962, kIndexTarget = 34963;
constexpr std::uint32_t kMagic = 0x46546C67, kVersion = 2, kJsonChunk = 0x4E4F534A,
                        kBinaryChunk = 0x004E4942;

template <class T>
std::string bytes_of(std::span<const T> values) {
  std::string bytes(values.size_bytes(), '\0');
  if (!bytes.empty()) std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

std::size_t padded(std::size_t bytes) { return (bytes + 3) & ~std::size_t{3}; }

void write_padded(std::ostream& out, const std::string& bytes, char padding) {
  out.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  for (std::size_t n = bytes.size(); n < padded(bytes.size()); ++n) out.put(padding);
}

}  // namespace

struct GlbBuilder::Layout {
  const char* type;
  int component_count;
  int component_type;
  int target;
  bool has_bounds;

  std::size_t element_bytes() const {
    return static_cast<std::size_t>(component_count) * (component_type == kUnsignedShort ? 2 : 4);
  }
  // "min" or "max" of every component.
  Json bound(std::string_view bytes, bool upper) const {
    std::vector<float> values(bytes.size() / sizeof(float));
    std::memcpy(values.data(), bytes.data(), bytes.size());
    Json result = Json::array();
    for (int c = 0; c < component_count; ++c) {
      float best = values[static_cast<std::size_t>(c)];
      for (std::size_t i = static_cast<std::size_t>(c); i < values.size();
           i += static_cast<std::size_t>(component_count))
        best = upper ? std::max(best, values[i]) : std::min(best, values[i]);
      result.push_back(best);
    }
    return result;
  }
};

GlbBuilder::GlbBuilder() {
  json_["asset"] = {{"version", "2.0"}, {"generator", "Sinew " SINEW_VERSION}};
  json_["scene"] = 0;
  json_["scenes"] = Json::array({Json::object()});
}

GlbBuilder::Id GlbBuilder::append(const char* list, Json object) {
  json_[list].push_back(std::move(object));
  return json_[list].size() - 1;
}

GlbBuilder::Id GlbBuilder::add_once(const char* list, Json object) {
  const auto [found, is_new] =
      objects_.try_emplace(fmt::format("{} {}", list, object.dump()), json_[list].size());
  if (is_new) append(list, std::move(object));
  return found->second;
}

GlbBuilder::Id GlbBuilder::add_accessor(const Layout& layout, std::string bytes) {
  Json accessor{{"componentType", layout.component_type},
                {"count", bytes.size() / layout.element_bytes()},
                {"type", layout.type}};
  Json view{{"buffer", 0}};
  if (layout.target != kNoTarget) view["target"] = layout.target;

  // A view with the same purpose and the same bytes serves again: seven hundred equal boxes in a
  // tower share one mesh.
  const std::size_t hash = std::hash<std::string_view>()(bytes);
  const auto [first, last] = accessors_by_hash_.equal_range(hash);
  for (auto it = first; it != last; ++it) {
    const Json& other = json_["accessors"][it->second];
    if (blobs_[it->second] == bytes && other["type"] == layout.type &&
        other["componentType"] == layout.component_type &&
        other.contains("max") == layout.has_bounds &&
        json_["bufferViews"][it->second].value("target", kNoTarget) == layout.target)
      return it->second;
  }

  if (layout.has_bounds) {
    accessor["min"] = layout.bound(bytes, false);
    accessor["max"] = layout.bound(bytes, true);
  }
  view["byteOffset"] = total_bytes_;
  view["byteLength"] = bytes.size();
  accessor["bufferView"] = append("bufferViews", std::move(view));
  total_bytes_ += padded(bytes.size());
  blobs_.push_back(std::move(bytes));
  const Id id = append("accessors", std::move(accessor));
  accessors_by_hash_.emplace(hash, id);
  return id;
}

GlbBuilder::Id GlbBuilder::add_positions(std::span<const Vec3f> values) {
  return add_accessor({"VEC3", 3, kFloat, kVertexTarget, true}, bytes_of(values));
}
GlbBuilder::Id GlbBuilder::add_normals(std::span<const Vec3f> values) {
  return add_accessor({"VEC3", 3, kFloat, kVertexTarget, false}, bytes_of(values));
}
GlbBuilder::Id GlbBuilder::add_times(std::span<const float> seconds) {
  return add_accessor({"SCALAR", 1, kFloat, kNoTarget, true}, bytes_of(seconds));
}
GlbBuilder::Id GlbBuilder::add_translations(std::span<const Vec3f> values) {
  return add_accessor({"VEC3", 3, kFloat, kNoTarget, false}, bytes_of(values));
}
GlbBuilder::Id GlbBuilder::add_rotations(std::span<const Quatf> values) {
  return add_accessor({"VEC4", 4, kFloat, kNoTarget, false}, bytes_of(values));
}
GlbBuilder::Id GlbBuilder::add_weights(std::span<const float> values) {
  return add_accessor({"SCALAR", 1, kFloat, kNoTarget, false}, bytes_of(values));
}

GlbBuilder::Id GlbBuilder::add_indices(std::span<const Triangle> triangles,
                                       std::size_t vertex_count) {
  // The largest number of each type means "restart" to some hardware and may not be used.
  if (vertex_count > std::numeric_limits<std::uint16_t>::max())
    return add_accessor({"SCALAR", 1, kUnsignedInt, kIndexTarget, false}, bytes_of(triangles));
  std::vector<std::uint16_t> narrow;
  narrow.reserve(3 * triangles.size());
  for (const Triangle& t : triangles)
    for (const Index i : t) narrow.push_back(static_cast<std::uint16_t>(i));
  return add_accessor({"SCALAR", 1, kUnsignedShort, kIndexTarget, false},
                      bytes_of(std::span<const std::uint16_t>(narrow)));
}

GlbBuilder::Id GlbBuilder::add_material(const Material& material) {
  const Vec3& c = material.colour;
  return add_once("materials", {{"pbrMetallicRoughness",
                                 {{"baseColorFactor", {c.x, c.y, c.z, 1}},
                                  {"metallicFactor", 0},
                                  {"roughnessFactor", material.roughness}}},
                                {"doubleSided", true}});
}

GlbBuilder::Id GlbBuilder::add_mesh(Attributes base, Id indices, Id material,
                                    std::span<const Attributes> targets) {
  const auto attributes = [](const Attributes& a) {
    return Json{{"POSITION", a.positions}, {"NORMAL", a.normals}};
  };
  Json primitive{{"attributes", attributes(base)}, {"indices", indices}, {"material", material}};
  for (const Attributes& target : targets) primitive["targets"].push_back(attributes(target));
  Json mesh;
  mesh["primitives"].push_back(std::move(primitive));
  return add_once("meshes", std::move(mesh));
}

GlbBuilder::Id GlbBuilder::add_node(const std::string& name, Id mesh, const Vec3f& translation,
                                    const Quatf& rotation) {
  Json node;
  if (!name.empty()) node["name"] = name;
  node["mesh"] = mesh;
  if (translation != Vec3f{}) node["translation"] = {translation.x, translation.y, translation.z};
  if (rotation != Quatf{}) node["rotation"] = {rotation.x, rotation.y, rotation.z, rotation.w};
  const Id id = append("nodes", std::move(node));
  json_["scenes"][0]["nodes"].push_back(id);
  return id;
}

void GlbBuilder::add_channel(Id node, const char* path, Id times, Id values) {
  Json& animation = json_["animations"][0];
  animation["samplers"].push_back({{"input", times}, {"output", values}});
  animation["channels"].push_back({{"sampler", animation["samplers"].size() - 1},
                                   {"target", {{"node", node}, {"path", path}}}});
}

void GlbBuilder::write(std::ostream& out) const {
  Json json = json_;
  if (total_bytes_ > 0) json["buffers"].push_back({{"byteLength", total_bytes_}});
  // Names come from the user: what is not UTF-8 in them is replaced, not an error.
  const std::string text = json.dump(-1, ' ', false, Json::error_handler_t::replace);
  const std::size_t binary_chunk = total_bytes_ > 0 ? 8 + total_bytes_ : 0;
  const std::size_t length = 12 + 8 + padded(text.size()) + binary_chunk;
  if (length > std::numeric_limits<std::uint32_t>::max())
    throw Error(
        fmt::format("a GLB file of {} bytes was asked for, but the format ends at 4 GiB; record "
                    "fewer frames or coarser surfaces",
                    length));

  const auto put = [&out](std::initializer_list<std::size_t> words) {
    for (const std::size_t word : words) {
      const auto number = static_cast<std::uint32_t>(word);
      out.write(reinterpret_cast<const char*>(&number), sizeof number);
    }
  };
  put({kMagic, kVersion, length, padded(text.size()), kJsonChunk});
  write_padded(out, text, ' ');
  if (total_bytes_ == 0) return;
  put({total_bytes_, kBinaryChunk});
  for (const std::string& blob : blobs_) write_padded(out, blob, '\0');
}

}  // namespace sinew
