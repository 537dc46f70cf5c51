// Builds a glTF 2.0 file in one piece (.glb): a JSON description followed by the numbers it speaks
// of. Things are added in the order in which they refer to each other; what is equal to something
// added before (an accessor, a material, a mesh) is stored once and shared.
// https://registry.khronos.org/glTF/specs/2.0/glTF-2.0.html
#pragma once

#include <sinew/mesh.h>

#include <map>
#include <nlohmann/json.hpp>
#include <ostream>
#include <string>
#include <unordered_map>

namespace sinew {

using Vec3f = Vec3T<float>;
using Quatf = QuatT<float>;

// GLB files hold 32-bit floats whatever Real is.
inline Vec3f to_float(const Vec3& v) { return {float(v.x), float(v.y), float(v.z)}; }
inline bool is_finite_as_float(const Vec3& v) {
  const Vec3f f = to_float(v);
  return std::isfinite(f.x) && std::isfinite(f.y) && std::isfinite(f.z);
}

class GlbBuilder {
 public:
  using Json = nlohmann::ordered_json;
  using Id = std::size_t;  // place in one of the file's lists

  struct Material {
    Vec3 colour{Real(0.8), Real(0.8), Real(0.8)};  // linear red, green, blue, 0 to 1
    Real roughness = Real(0.6);                    // 0 mirror, 1 chalk
  };
  struct Attributes {
    Id positions, normals;
  };

  GlbBuilder();

  // Numbers. The values must be finite.
  Id add_positions(std::span<const Vec3f> values);
  Id add_normals(std::span<const Vec3f> values);
  Id add_indices(std::span<const Triangle> triangles, std::size_t vertex_count);
  Id add_times(std::span<const float> seconds);  // strictly increasing
  Id add_translations(std::span<const Vec3f> values);
  Id add_rotations(std::span<const Quatf> values);
  Id add_weights(std::span<const float> values);

  Id add_material(const Material& material);  // seen from both sides
  // Each target moves the base mesh: its positions and normals are differences.
  Id add_mesh(Attributes base, Id indices, Id material, std::span<const Attributes> targets = {});
  // A node at the root of the scene.
  Id add_node(const std::string& name, Id mesh, const Vec3f& translation = {},
              const Quatf& rotation = {});
  // path: "translation", "rotation" or "weights"; linear between the keys.
  void add_channel(Id node, const char* path, Id times, Id values);

  // Throws Error when the file would be larger than the 4 GiB that the format allows.
  void write(std::ostream& out) const;

 private:
  struct Layout;  // how the numbers of one accessor are to be read
  Id add_accessor(const Layout& layout, std::string bytes);
  Id add_once(const char* list, Json object);
  Id append(const char* list, Json object);

  Json json_;
  std::vector<std::string> blobs_;  // one per accessor and buffer view
  std::size_t total_bytes_ = 0;
  std::unordered_multimap<std::size_t, Id> accessors_by_hash_;
  std::map<std::string, Id> objects_;  // "<list> <text>" of what add_once() holds
};

}  // namespace sinew
