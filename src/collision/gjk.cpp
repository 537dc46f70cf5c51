// E. G. Gilbert, D. W. Johnson, S. S. Keerthi, A fast procedure for computing the distance between
// complex objects in three-dimensional space, 1988, on the difference D of the cores; the radii of
// rounding are added afterwards. With v the point nearest to the origin of a simplex in D, and w
// the support point of D against v,
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
#include "geometry/cells.h"

namespace sinew {
namespace {

using Vec = Vec3T<double>;
using Vertex = Minkowski::Vertex;

constexpr double kGjkGap = sizeof(Real) == 4 ? 1e-6 : 1e-13;  // relative, of the bounds at the end
constexpr double kGjkRounding = 1e-14;                        // relative to the points of D
constexpr double kTouch = 1e-10;  // nearer than this, relative to the points of D, cores touch
// Nearer than this, progress may end in rounding before v has its final direction.
constexpr double kNear = 1e-7;
constexpr int kMostGjkSteps = 64;

// Goes on until it has the distance; or finds that it is more than `enough`; or, if `any`, that it
// is not.
struct Search {
  Vec w[4], x[4];  // of the simplex in D, and their points of A
  double weight[4];
  int count = 0;
  Vec v;                 // nearest point so far
  double distance2 = 0;  // |v|²
  double least = 0;      // the distance, from below, if it was found to be more than `enough`
  bool touching = false;

  Search(const Minkowski& d, double enough, bool any);

 private:
  void keep(const NearestInSimplex& nearest);
};

// Drops what is not needed. Without branches: which points those are is hard to guess for a CPU.
void Search::keep(const NearestInSimplex& nearest) {
  int kept = 0;
  for (int i = 0; i < count; ++i) {
    w[kept] = w[i];
    x[kept] = x[i];
    weight[kept] = nearest.weight[i];
    kept += nearest.weight[i] > 0;
  }
  count = kept;
  v = nearest.point;
  distance2 = nearest.distance2;
}

Search::Search(const Minkowski& d, double enough, bool any) {
  Vec first = d.shift + d.turn * to_double(middle(d.b)) - to_double(middle(d.a));
  if (!(dot(first, first) > 0)) first = {1, 0, 0};
  const Vertex start = d.support(-first);
  w[0] = v = start.w;
  x[0] = start.x;
  weight[0] = 1;
  count = 1;
  distance2 = dot(v, v);
  double size2 = distance2;

  for (int step = 0; step < kMostGjkSteps; ++step) {
    touching = !(distance2 > kTouch * kTouch * size2);
    if (touching || (any && distance2 <= enough * enough)) return;
    const Vertex next = d.support(-v);
    const double along = dot(v, next.w);
    if (along > 0 && along * along > enough * enough * distance2) {
      least = along / std::sqrt(distance2);
      return;
    }
    size2 = max(size2, dot(next.w, next.w));
    const double gap = (1 - kGjkGap) * distance2 - along;
    if (gap <= 0 || gap * gap <= kGjkRounding * kGjkRounding * distance2 * size2) return;

    w[count] = next.w;
    x[count] = next.x;
    const NearestInSimplex nearest = nearest_in_simplex(w, count + 1);
    if (!(nearest.distance2 < distance2)) break;
    ++count;
    keep(nearest);
  }
  touching = !(distance2 > kNear * kNear * size2);
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
  const Search search(d, max(0.0, enough + rounding), false);
  if (search.touching) {
    Vertex start[4];
    for (int i = 0; i < search.count; ++i) start[i] = {search.w[i], search.x[i]};
    const Penetration p = penetration(d, {start, std::size_t(search.count)});
    return with_rounding(d, -p.depth, p.normal, p.on_a, p.on_b);
  }
  Vec on_a{};
  for (int i = 0; i < search.count; ++i) on_a += search.x[i] * search.weight[i];
  const double distance = std::sqrt(search.distance2);
  return with_rounding(d, search.least > 0 ? search.least : distance, search.v * (1 / distance),
                       on_a, on_a + search.v);
}

bool overlap(const Convex& a, const Convex& b, const Pose& b_in_a) {
  if (has_formula(b, a) || has_formula(a, b)) return closest(a, b, b_in_a).distance <= 0;
  const double rounding = double(a.radius) + double(b.radius);
  const Minkowski d(a, b, b_in_a);
  const Search search(d, rounding, true);
  return search.touching || search.distance2 <= rounding * rounding;
}

Closest closest_to_point(const Convex& a, const Vec3& p) { return closest(a, {}, {p, {}}); }

}  // namespace sinew
