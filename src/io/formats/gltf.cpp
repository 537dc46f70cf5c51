// glTF 2.0 as text: .gltf, with its buffers inside or beside it. Written only in one piece:
// glb.cpp.
#include "io/gltf_scene.h"

namespace sinew {

namespace gltf {

bool recognises(std::string_view bytes) {
  const std::size_t first = bytes.find_first_not_of(" \t\r\n");
  return first != std::string_view::npos && bytes[first] == '{' &&
         bytes.find("\"asset\"") != std::string_view::npos;
}

constexpr const char* kExtensions[] = {".gltf"};

}  // namespace gltf

extern const MeshFormat k_gltf;
const MeshFormat k_gltf{"glTF",  gltf::kExtensions, gltf::recognises, read_gltf_scene,
                        nullptr, nullptr,           nullptr};

}  // namespace sinew
