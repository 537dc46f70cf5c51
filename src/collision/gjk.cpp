// E. G. Gilbert, D. W. Johnson, S. S. Keerthi, A fast procedure for computing the distance between
// complex objects in three-dimensional space, 1988, on the difference D of the cores; the radii of
// rounding are added afterwards. With v the point nearest to the origin of a simplex in D, and w the
// support point of D against v,
//   v·w/|v| ≤ distance ≤ |v|,
// and the search ends when the two are the same but for rounding (G. van den Bergen, A fast and
// robust GJK implementation for collision detection of convex objects, 1999), or when a step comes
// no nearer. Each step is kept only if |v| falls, so there is no cycle.
#include "collision/gjk.h"

#include <cmath>

#include "collision/epa.h"
#include "collision/minkowski.h"
#include "collision/point_distance.h"
#include "collision/simplex.h"

namespace sinew {
namespace {

using Vec = Vec3T<double>;
using Vertex = Minkowski::Vertex;

constexpr double kGap = sizeof(Real) == 4 ? 1e-6 : 1e-13;  // relative, of the bounds at the end
constexpr double kRounding = 1e-14;                         // relative to the points of D
constexpr double kTouch = 1e-10;  // nearer than this, relative to the points of D, cores touch
constexpr int kMostSteps = 64;

struct Search {
  Vertex vertex[4];
  double weight[4];
  int count = 0;
  Vec v;                // nearest point so far
  double distance2 = 0;  // |v|²
  double least = 0;      // the distance, from below, if it was found to be more than `enough`
  bool touching = false;

  // Goes on until it has the distance; or knows whether it is more than `enough`; or, if `any`,
  // whether it is not.
  void run(const Minkowski& d, double enough, bool any);

 private:
  void keep(const NearestInSimplex& nearest, const Vec* w);
};

void Search::keep(const NearestInSimplex& nearest, const Vec* w) {
  int kept = 0;
  for (int i = 0; i < count; ++i) {
    if (!(nearest.weight[i] > 0)) continue;
    vertex[kept] = {w[i], vertex[i].x};
    weight[kept++] = nearest.weight[i];
  }
  count = kept;
  v = nearest.point;
  distance2 = nearest.distance2;
}

void Search::run(const Minkowski& d, double enough, bool any) {
  Vec first = d.shift + d.turn * to_double(middle(d.b)) - to_double(middle(d.a));
  if (!(dot(first, first) > 0)) first = {1, 0, 0};
  vertex[0] = d.support(-first);
  weight[0] = 1;
  count = 1;
  v = vertex[0].w;
  distance2 = dot(v, v);
  double size2 = distance2;

  for (int step = 0; step < kMostSteps; ++step) {
    touching = !(distance2 > kTouch * kTouch * size2);
    if (touching || (any && distance2 <= enough * enough)) return;
    const Vertex next = d.support(-v);
    const double along = dot(v, next.w);
    if (along > 0 && along * along > enough * enough * distance2) {
      least = along / std::sqrt(distance2);
      return;
    }
    size2 = max(size2, dot(next.w, next.w));
    const double gap = (1 - kGap) * distance2 - along;
    if (gap <= 0 || gap * gap <= kRounding * kRounding * distance2 * size2) return;

    Vec w[4];
    for (int i = 0; i < count; ++i) w[i] = vertex[i].w;
    w[count] = next.w;
    const NearestInSimplex nearest = nearest_in_simplex(w, count + 1);
    if (!(nearest.distance2 < distance2)) return;
    vertex[count++] = next;
    keep(nearest, w);
  }
}

Vec3 to_real(const Vec& v) {
  return {static_cast<Real>(v.x), static_cast<Real>(v.y), static_cast<Real>(v.z)};
}

Closest with_rounding(const Minkowski& d, double distance, const Vec& normal, const Vec& on_a,
                      const Vec& on_b) {
  return {.distance = static_cast<Real>(distance - d.a.radius - d.b.radius),
          .normal = to_real(normal),
          .on_a = to_real(on_a + normal * double(d.a.radius)),
          .on_b = to_real(on_b - normal * double(d.b.radius))};
}

// A point and anything but a hull: by formula.
bool has_formula(const Convex& point, const Convex& other) {
  return point.kind == ConvexKind::kSphere && other.kind != ConvexKind::kHull;
}

}  // namespace

Closest closest(const Convex& a, const Convex& b, const Pose& b_in_a, Real enough) {
  const double rounding = double(a.radius) + double(b.radius);
  const Minkowski d(a, b, b_in_a);
  if (has_formula(b, a)) {
    const CoreDistance c = core_distance(a, d.shift);
    return with_rounding(d, c.distance, c.normal, c.on_core, d.shift);
  }
  if (has_formula(a, b)) {
    const CoreDistance c = core_distance(b, transpose(d.turn) * -d.shift);
    return with_rounding(d, c.distance, -(d.turn * c.normal), {}, d.shift + d.turn * c.on_core);
  }
  Search search;
  search.run(d, max(0.0, enough + rounding), false);
  if (search.touching) {
    const Penetration p = penetration(d, {search.vertex, std::size_t(search.count)});
    return with_rounding(d, -p.depth, p.normal, p.on_a, p.on_b);
  }
  Vec on_a{};
  for (int i = 0; i < search.count; ++i) on_a += search.vertex[i].x * search.weight[i];
  const double distance = std::sqrt(search.distance2);
  return with_rounding(d, search.least > 0 ? search.least : distance,
                       search.v * (1 / distance), on_a, on_a + search.v);
}

bool overlap(const Convex& a, const Convex& b, const Pose& b_in_a) {
  if (has_formula(b, a) || has_formula(a, b)) return closest(a, b, b_in_a).distance <= 0;
  const double rounding = double(a.radius) + double(b.radius);
  const Minkowski d(a, b, b_in_a);
  Search search;
  search.run(d, rounding, true);
  return search.touching || search.distance2 <= rounding * rounding;
}

Closest closest_to_point(const Convex& a, const Vec3& p) { return closest(a, {}, {p, {}}); }

}  // namespace sinew
