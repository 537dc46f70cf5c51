// Pictures of a scene without a window: bodies on a floor, lit and shadowed, drawn off screen by
// OpenGL ES 3 over EGL (no display server, a software driver is enough) and written as PNG.
#pragma once

#include <sinew/mesh.h>

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <vector>

namespace sinew {

enum class Look {
  kMatte,  // rigid bodies, cloth, ropes: dry, crisp
  kJelly,  // soft solids: glossy, light seeps through, bright rim
  kFloor,  // static ground: checkered in metres; takes shadows but casts none, and is not framed
};

struct PictureBody {
  TriMesh surface{};              // either side may be seen; triangles that are not finite or index
                                  // past the vertices are left out
  Vec3 colour{0.8f, 0.8f, 0.8f};  // sRGB, 0..1; not used by Look::kFloor
  Look look = Look::kMatte;
  bool wire = false;  // the mesh as thin lines, which make deformation visible
  Pose pose{};
};

// An infinite ground or wall. Seen from its front only, so that a wall never hides the scene.
struct PicturePlane {
  Vec3 point{};  // [m]
  Vec3 normal{0, 1, 0};
};

struct PictureCamera {
  Vec3 eye, target;  // [m]
  Vec3 up{0, 1, 0};
  Real fov = Real(0.6);  // vertical [rad]
};

struct PictureScene {
  std::vector<PictureBody> bodies{};
  std::vector<PicturePlane> floors{};
  std::optional<PictureCamera> camera{};  // none: a three-quarter view that frames the bodies
};

struct PictureOptions {
  int width = 1280, height = 720;  // [pixels]
  int samples = 4;                 // per pixel, against jagged edges; at most what the driver has
};

struct Image {
  int width = 0, height = 0;
  std::vector<std::uint8_t> rgb;  // sRGB, three bytes a pixel, rows from the top

  const std::uint8_t* pixel(int x, int y) const {
    return &rgb[(std::size_t(y) * std::size_t(width) + std::size_t(x)) * 3];
  }
};

// Draws any number of pictures of one size. The same scene gives the same pixels on the same
// driver. It may be used from any thread, by one at a time.
class PictureRenderer {
 public:
  // Throws Error when there is no usable EGL driver (it names the packages) or a size is
  // impossible.
  explicit PictureRenderer(const PictureOptions& options = {});
  ~PictureRenderer();
  PictureRenderer(PictureRenderer&&) noexcept;
  PictureRenderer& operator=(PictureRenderer&&) noexcept;

  // Throws Error when the camera or a floor has no direction.
  Image render(const PictureScene& scene);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

// A palette of colours (sRGB) that are easy to tell apart; it repeats.
Vec3 body_colour(std::size_t index);

// Whole or not at all. Throws Error when it cannot be written.
void write_png(const std::filesystem::path& path, const Image& image);

}  // namespace sinew
