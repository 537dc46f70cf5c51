// sinew fit SCENE: plain constraints for a body of a scene, in its mesh and with the scene's
// substeps and iterations, that are to be like its material.
#pragma once

#include <optional>
#include <string>

namespace sinew {

struct SceneFitOptions {
  std::optional<std::string> scene, body, output;
  bool json = false;
};

void fit_scene(const SceneFitOptions& options);

}  // namespace sinew
