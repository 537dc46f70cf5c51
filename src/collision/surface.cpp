// See the header.
#include "collision/surface.h"

namespace sinew {

Vec3 nearest_on_triangle(const Vec3 (&corner)[3], const Vec3& p) {
  const Vec3 ab = corner[1] - corner[0], ac = corner[2] - corner[0];
  const Vec3 ap = p - corner[0], bp = p - corner[1], cp = p - corner[2];
  const Real d1 = dot(ab, ap), d2 = dot(ac, ap);
  if (d1 <= 0 && d2 <= 0) return corner[0];
  const Real d3 = dot(ab, bp), d4 = dot(ac, bp);
  if (d3 >= 0 && d4 <= d3) return corner[1];
  const Real vc = d1 * d4 - d3 * d2;
  if (vc <= 0 && d1 >= 0 && d3 <= 0) return corner[0] + ab * (d1 / (d1 - d3));
  const Real d5 = dot(ab, cp), d6 = dot(ac, cp);
  if (d6 >= 0 && d5 <= d6) return corner[2];
  const Real vb = d5 * d2 - d1 * d6;
  if (vb <= 0 && d2 >= 0 && d6 <= 0) return corner[0] + ac * (d2 / (d2 - d6));
  const Real va = d3 * d6 - d5 * d4;
  if (va <= 0 && d4 >= d3 && d5 >= d6) {
    const Real along = (d4 - d3) / ((d4 - d3) + (d5 - d6));
    return corner[1] + (corner[2] - corner[1]) * along;
  }
  const Real sum = va + vb + vc;
  if (!(sum > 0)) return corner[0];  // so thin that rounding decides
  const Real scale = 1 / sum;
  return corner[0] + ab * (vb * scale) + ac * (vc * scale);
}

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
