// Cameras as matrices: what the picture's camera and its light see.
#pragma once

#include <array>
#include <span>

#include "surface.h"

namespace sinew {

using Vec3d = Vec3T<double>;

inline Vec3d to_double(const Vec3& v) { return {double(v.x), double(v.y), double(v.z)}; }

// A 4×4 matrix by columns, as OpenGL takes it.
using Mat4 = std::array<float, 16>;

struct Box3d {
  Vec3d lower, upper;

  Vec3d center() const { return (lower + upper) * 0.5; }
  double radius() const { return length(upper - lower) * 0.5; }
};

// A right-handed frame: it looks along -back.
struct ViewFrame {
  Vec3d right, up, back;

  // `back` and `up` must not be parallel, nor zero.
  static ViewFrame looking(const Vec3d& back, const Vec3d& up);
  Vec3d to_view(const Vec3d& world) const {
    return {dot(right, world), dot(up, world), dot(back, world)};
  }
  Vec3d to_world(const Vec3d& view) const { return right * view.x + up * view.y + back * view.z; }
};

struct View {
  ViewFrame frame;
  Vec3d eye;
  double fov;  // vertical [rad]
};

// Throws Error when the camera looks nowhere.
View camera_view(const PictureCamera& camera);

// A three-quarter view from above that fits the points tightly but for a margin.
View framing_view(std::span<const Vec3d> points, double aspect);

// Both take positions relative to `origin`, to keep precision far from the world's origin.
Mat4 perspective(const View& view, const Vec3d& origin, double aspect, double near, double far);
// Maps `box`, given in the frame, to -1..1; nearest to the viewer is -1 in depth.
Mat4 orthographic(const ViewFrame& frame, const Box3d& box, const Vec3d& origin);

// Of points in a frame; none give an empty box at zero.
Box3d box_of(std::span<const Vec3d> points, const ViewFrame& frame);

}  // namespace sinew
