// A glTF 2.0 file as it lies there: its JSON and its buffers, from a .gltf file with buffers inside
// (data URIs) or beside it, or from a .glb file. Nothing in the file is trusted: every index, range
// and length is checked before it is used.
// https://registry.khronos.org/glTF/specs/2.0/glTF-2.0.html
#pragma once

#include <sinew/mesh.h>

#include <map>

#include "io/json_view.h"
#include "io/mesh_format.h"

namespace sinew {

constexpr std::string_view kGlbMagic = "glTF";

class GltfDocument {
 public:
  // The source must outlive the document.
  explicit GltfDocument(const MeshSource& source);
  GltfDocument(const GltfDocument&) = delete;
  GltfDocument& operator=(const GltfDocument&) = delete;

  JsonView root() const { return {source_.path, json_}; }
  // The member of a list at the root that `reference` (a number) stands for.
  JsonView resolve(const JsonView& reference, const char* list) const;

  // What an accessor holds: positions of vertices, or vertex numbers. `reference` stands for it.
  std::vector<Vec3T<float>> read_positions(const JsonView& reference);
  std::vector<Index> read_indices(const JsonView& reference);

  // Meshes may be used again and again, so a small file can ask for more than any memory holds:
  // reading `work` more elements is an Error once the sum is far beyond what the bytes can hold.
  void spend(std::uint64_t work, const JsonView& where);

 private:
  struct View {
    std::string_view bytes;
    std::size_t stride;  // 0: one after the other
  };

  void read_container();
  std::string_view buffer(const JsonView& reference);
  View buffer_view(const JsonView& reference);
  template <class T, std::size_t kWidth>
  std::vector<std::array<T, kWidth>> read_accessor(const JsonView& reference);
  template <class T, std::size_t kWidth>
  void apply_sparse(const JsonView& accessor, std::vector<std::array<T, kWidth>>& elements);

  const MeshSource& source_;
  nlohmann::json json_;
  std::string_view glb_chunk_;
  std::map<std::string_view, std::string> resources_;  // what URIs (in json_) stand for
  std::uint64_t spent_ = 0, byte_count_ = 0;
};

}  // namespace sinew
