// Overrides of a scene from outside: "/bodies/0/material/young=2e5".
#pragma once

#include <nlohmann/json.hpp>
#include <span>
#include <string>

namespace sinew {

// Puts the values into the scene, in order. Throws Error that names the override.
void apply_overrides(nlohmann::json& scene, std::span<const std::string> overrides);

// ` (set by "/bodies/0/density=-3")` when the place was reached by an override, else nothing.
std::string blame_override(std::string_view pointer, std::span<const std::string> overrides);

}  // namespace sinew
