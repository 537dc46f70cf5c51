// Mass, centre and inertia of the solid inside a closed surface, exactly for the polyhedron.
// By the divergence theorem each integral is a sum over the triangles (a, b, c) of its value in the
// tetrahedron (o, a, b, c), signed by the side on which o lies. With o as origin, d = a×b·c and
// s = a + b + c:
//   ∫ 1 = d/6,   ∫ x = d/24 s,   ∫ x xᵀ = d/120 (s sᵀ + a aᵀ + b bᵀ + c cᵀ).
// B. Mirtich, Fast and accurate computation of polyhedral mass properties, 1996; D. Eberly,
// Polyhedral mass properties (revisited), 2002.
#include "core/format.h"
#include "geometry/keyed.h"

namespace sinew {
namespace {

using Vec = Vec3T<double>;
using Mat = Mat3T<double>;

struct Integrals {
  double volume = 0;
  double magnitude = 0;  // Σ |terms| of the volume: the scale of its rounding error
  Vec first;             // ∫ x
  Mat second;            // ∫ x xᵀ
};

Mat outer(const Vec& a) { return {{a * a.x, a * a.y, a * a.z}}; }

// Every edge must be walked as often up as down: then the surface has no border and one side.
void check_closed(const TriMesh& surface) {
  for_each_group(sorted_edges(surface), [&](std::span<const Keyed<2>> same) {
    std::ptrdiff_t up = 0;
    for (const Keyed<2>& edge : same) up += runs_upwards(surface, edge) ? 1 : -1;
    if (up == 0) return;
    const auto [a, b] = same[0].key;
    if (same.size() % 2 == 1)
      throw Error(
          formatted("mass_properties: the surface is not closed: the edge from vertex {} to {} "
                    "belongs to {} triangle{} (triangle {}); fill the hole, or weld the vertices",
                    a, b, same.size(), same.size() == 1 ? "" : "s", same[0].owner / 3));
    throw Error(
        formatted("mass_properties: triangles {} and {} at the edge from vertex {} to {} face "
                  "opposite sides; orient them alike, as mend() does",
                  same[0].owner / 3, same[1].owner / 3, a, b));
  });
}

Integrals integrate(const TriMesh& surface, const Vec& origin) {
  Integrals sum;
  for (const Triangle& t : surface.cells) {
    const Vec a = to_double(surface.vertices[t[0]]) - origin;
    const Vec b = to_double(surface.vertices[t[1]]) - origin;
    const Vec c = to_double(surface.vertices[t[2]]) - origin;
    const Vec s = a + b + c;
    const double d = dot(cross(a, b), c);
    sum.volume += d / 6;
    sum.magnitude += std::abs(d) / 6;
    sum.first += s * (d / 24);
    sum.second = sum.second + (outer(s) + outer(a) + outer(b) + outer(c)) * (d / 120);
  }
  return sum;
}

}  // namespace

MassProperties mass_properties(const TriMesh& closed_surface, double density) {
  check_positive("mass_properties", "density", density);
  check_finite(closed_surface.vertices);
  check_indices(closed_surface);
  check_closed(closed_surface);

  // An origin inside the bounds keeps the digits of a small body far from the world's origin.
  const Bounds box = bounds(closed_surface.vertices);
  const Vec origin = (to_double(box.lower) + to_double(box.upper)) * 0.5;
  const Integrals sum = integrate(closed_surface, origin);
  constexpr double kRounding = 1e-13;
  if (!(std::abs(sum.volume) > kRounding * sum.magnitude))
    throw Error("mass_properties: the surface encloses no volume; give the body some thickness");
  if (sum.volume < 0)
    throw Error(
        "mass_properties: the surface is inside out; reverse its triangles, as mend() does");

  const Vec center = sum.first / sum.volume;
  const Mat about_center = sum.second - outer(center) * sum.volume;
  const double t = trace(about_center);
  return {.volume = sum.volume,
          .mass = density * sum.volume,
          .center = origin + center,
          .inertia = (Mat::diagonal({t, t, t}) - about_center) * density};
}

}  // namespace sinew
