#include "view.h"

#include <fmt/format.h>
#include <sinew/error.h>

#include <algorithm>
#include <limits>

namespace sinew {
namespace {

// rows: three of rotation and translation, then the bottom one.
Mat4 from_rows(const Vec3d (&row)[4], const double (&shift)[4]) {
  Mat4 m{};
  for (int r = 0; r < 4; ++r) {
    for (int c = 0; c < 3; ++c) m[4 * c + r] = float(row[r][c]);
    m[12 + r] = float(shift[r]);
  }
  return m;
}

}  // namespace

ViewFrame ViewFrame::looking(const Vec3d& back, const Vec3d& up) {
  ViewFrame frame;
  frame.back = normalized(back);
  frame.right = normalized(cross(up, frame.back));
  frame.up = cross(frame.back, frame.right);
  return frame;
}

View camera_view(const PictureCamera& camera) {
  const auto fail = [](const char* field, const char* mend) {
    throw Error(fmt::format("picture camera: {} is not usable; {}", field, mend));
  };
  if (!drawable(camera.eye)) fail("eye", "give a finite position");
  if (!drawable(camera.target)) fail("target", "give a finite position");
  if (!(camera.fov > Real(0.01) && camera.fov < Real(3.1)))
    fail("fov", "give the vertical angle of view in radians, between 0.01 and 3.1");
  const Vec3d back = to_double(camera.eye) - to_double(camera.target);
  if (!(length(back) > 0)) fail("target", "it must not be at the eye");
  if (!drawable(camera.up) || !(length(to_double(camera.up)) > 0))
    fail("up", "give a direction that is not zero");
  Vec3d up = normalized(to_double(camera.up));
  // Looking straight up or down: any direction serves as up.
  if (length(cross(up, normalized(back))) < 1e-4)
    up = std::fabs(up.y) > 0.5 ? Vec3d{0, 0, -1} : Vec3d{0, 1, 0};
  return {ViewFrame::looking(back, up), to_double(camera.eye), double(camera.fov)};
}

// With x right, y up and z towards the viewer, a point p is inside the frustum of slopes s at eye e
// when ±(p.x - e.x) ≤ s.x (e.z - p.z), and likewise in y. The largest p.x + s.x p.z and
// -p.x + s.x p.z over all points therefore give the nearest eye that sees them all.
View framing_view(std::span<const Vec3d> points, double aspect) {
  constexpr double kAzimuth = 0.55, kElevation = 0.36, kFov = 0.5, kFill = 0.66;
  const Vec3d back{std::cos(kElevation) * std::sin(kAzimuth), std::sin(kElevation),
                   std::cos(kElevation) * std::cos(kAzimuth)};
  View view{ViewFrame::looking(back, {0, 1, 0}), {}, kFov};
  const double slope_y = std::tan(kFov / 2) * kFill;
  const double slope_x = slope_y * aspect;

  constexpr double kLowest = std::numeric_limits<double>::lowest();
  double right = kLowest, left = kLowest, top = kLowest, bottom = kLowest;
  for (const Vec3d& point : points) {
    const Vec3d p = view.frame.to_view(point);
    right = std::max(right, p.x + slope_x * p.z);
    left = std::max(left, -p.x + slope_x * p.z);
    top = std::max(top, p.y + slope_y * p.z);
    bottom = std::max(bottom, -p.y + slope_y * p.z);
  }
  const double distance = std::max((right + left) / (2 * slope_x), (top + bottom) / (2 * slope_y));
  view.eye = view.frame.to_world({(right - left) / 2, (top - bottom) / 2, distance});
  return view;
}

Mat4 perspective(const View& view, const Vec3d& origin, double aspect, double near, double far) {
  const ViewFrame& f = view.frame;
  const Vec3d eye = f.to_view(view.eye - origin);
  const double sy = 1 / std::tan(view.fov / 2), sx = sy / aspect;
  const double a = (far + near) / (near - far), b = 2 * far * near / (near - far);
  return from_rows({f.right * sx, f.up * sy, f.back * a, -f.back},
                   {-eye.x * sx, -eye.y * sy, -eye.z * a + b, eye.z});
}

Mat4 orthographic(const ViewFrame& frame, const Box3d& box, const Vec3d& origin) {
  const Vec3d middle = box.center() - frame.to_view(origin);
  const Vec3d half = (box.upper - box.lower) * 0.5;
  return from_rows({frame.right / half.x, frame.up / half.y, -frame.back / half.z, {}},
                   {-middle.x / half.x, -middle.y / half.y, middle.z / half.z, 1});
}

Box3d box_of(std::span<const Vec3d> points, const ViewFrame& frame) {
  if (points.empty()) return {};
  const Vec3d first = frame.to_view(points.front());
  Box3d box{first, first};
  for (const Vec3d& point : points) {
    const Vec3d p = frame.to_view(point);
    for (int i = 0; i < 3; ++i) {
      box.lower[i] = std::min(box.lower[i], p[i]);
      box.upper[i] = std::max(box.upper[i], p[i]);
    }
  }
  return box;
}

}  // namespace sinew
