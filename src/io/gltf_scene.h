// The triangles of a glTF 2.0 file, .gltf or .glb: those of the default scene, placed by its nodes;
// of all meshes where there is no scene. Materials, skins, morph targets and animations are left
// out.
#pragma once

#include "io/mesh_format.h"

namespace sinew {

MeshFile read_gltf_scene(const MeshSource& source);

}  // namespace sinew
