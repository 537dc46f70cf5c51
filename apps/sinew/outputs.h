// Files written while a world runs: recordings and pictures. An output is opened before the first
// step, so that a path that cannot be written is known before the work is done.
#pragma once

#include <sinew/scene.h>
#include <sinew/world.h>

#include <filesystem>
#include <memory>

namespace sinew {

class Output {
 public:
  virtual ~Output() = default;
  // Called before the first step, and after every step.
  virtual void observe(const World& world) = 0;
  // Called once at the end; only then the file appears.
  virtual void finish(const World& world) = 0;
};

// By extension: .glb (animated glTF), .pvd (ParaView) or .snr (`sinew view`). `frames_per_second`
// samples the run.
std::unique_ptr<Output> make_recording(const std::filesystem::path& path, const Scene& scene,
                                       const World& world, double frames_per_second);

struct PictureRequest {
  std::filesystem::path path;  // with `every_s`, _0000, _0001, … is put before the extension
  double every_s = 0;          // 0: the last frame only
  int width = 1280, height = 720;
};
std::unique_ptr<Output> make_picture(const PictureRequest& request, const Scene& scene);

}  // namespace sinew
