// From a scene to what the graphics driver is given: triangles in a few runs, and the numbers that
// the shaders share. No OpenGL here.
#pragma once

#include "view.h"

namespace sinew {

struct Vec4f {
  float x = 0, y = 0, z = 0, w = 0;
};

// The uniform block "Frame" of shaders.h, by the std140 rules.
struct FrameBlock {
  Mat4 clip{}, shadow{}, contact{};
  Vec4f eye, to_light, up, checker, shadow_metres, contact_metres, extent;
};

// Relative to the middle of the scene, where floats are precise.
struct Vertex {
  float position[3], normal[3];
};

// A run of vertices that are drawn alike.
struct Batch {
  Look look;
  Vec3 colour;
  bool wire;
  bool endless;   // a floor plane, which fades into the backdrop
  bool contacts;  // the floor that the contact map lies on
  int first, count;
};

struct PicturePlan {
  std::vector<Vertex> vertices;
  std::vector<Batch> batches;  // near things first: what they hide need not be shaded
  FrameBlock frame;
  Mat4 shadow_clip{};                // what the light sees
  std::optional<Mat4> contact_clip;  // what the first floor sees, if there is one
};

inline constexpr int kShadowMapSize = 1024;
inline constexpr int kContactMapSize = 256;

// Throws Error when the camera or a floor has no direction.
PicturePlan make_plan(const PictureScene& scene, int width, int height);

}  // namespace sinew
