// Checks the JSON of a scene against the format (scene_type.h). What passes can be read without
// looking again for missing, unknown or mistyped values.
#pragma once

#include "io/scene_json.h"
#include "io/scene_type.h"

namespace sinew {

// A key that starts with // is a comment, wherever it stands.
inline bool is_comment(std::string_view key) { return key.substr(0, 2) == "//"; }

// Throws SceneProblem.
void check_scene(const nlohmann::json& scene);

// The keys an object of that type may have.
std::vector<std::string> known_keys(const SceneType& object);

}  // namespace sinew
