// See the header.
#include "collision/surface.h"

namespace sinew {

std::optional<Real> cut_triangle(const Vec3 (&corner)[3], const Vec3& origin, const Vec3& way) {
  constexpr Real kBeside = 16 * std::numeric_limits<Real>::epsilon();
  const Vec3 ab = corner[1] - corner[0], ac = corner[2] - corner[0];
  const Vec3 across = cross(way, ac);
  const Real det = dot(ab, across);
  if (det == 0) return {};
  const Real scale = 1 / det;
  const Vec3 from = origin - corner[0];
  const Vec3 turned = cross(from, ab);
  const Real u = dot(from, across) * scale, v = dot(way, turned) * scale;
  // Not finite where the triangle is edge-on: then nothing below holds.
  if (!(u >= -kBeside && v >= -kBeside && u + v <= 1 + kBeside)) return {};
  const Real t = dot(ac, turned) * scale;
  return t >= 0 ? std::optional(t) : std::nullopt;
}

}  // namespace sinew
