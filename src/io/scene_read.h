// Turns the JSON of a scene into definitions, once it is known to follow the format
// (scene_check.h).
#pragma once

#include "io/scene_json.h"
#include "io/scene_type.h"

namespace sinew {

// Throws SceneProblem for what only shows while reading: a mesh that cannot be made, a number that
// Real cannot hold. `context` takes what there is to tell about the meshes.
SceneFile read_scene(const nlohmann::json& scene, MeshContext& context);

}  // namespace sinew
