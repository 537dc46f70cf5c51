#include "collision/clip.h"

namespace sinew {
namespace {

Real distance2(const ClipPoint& a, const ClipPoint& b) {
  return (a.u - b.u) * (a.u - b.u) + (a.v - b.v) * (a.v - b.v);
}

// Twice the area, positive if p is to the left of a → b.
Real area(const ClipPoint& a, const ClipPoint& b, const ClipPoint& p) {
  return (b.u - a.u) * (p.v - a.v) - (b.v - a.v) * (p.u - a.u);
}

// The index with the largest value; later ones must beat earlier ones by more than rounding.
template <class Value>
int best(int count, const Value& value) {
  constexpr Real kClearly = Real(1.0001);
  int at = 0;
  Real most = value(0);
  for (int i = 1; i < count; ++i) {
    const Real v = value(i);
    if (v > (most > 0 ? most * kClearly : most)) {
      most = v;
      at = i;
    }
  }
  return at;
}

}  // namespace

int clip_segment(ClipPoint (&points)[2], std::span<const ClipSide> sides) {
  for (const ClipSide& side : sides) {
    Real past[2];
    for (int i = 0; i < 2; ++i) past[i] = side.u * points[i].u + side.v * points[i].v - side.offset;
    if (past[0] > 0 && past[1] > 0) return 0;
    if (past[0] <= 0 && past[1] <= 0) continue;
    const int outside = past[0] > 0 ? 0 : 1;
    const std::uint32_t edge = points[outside].edge;
    points[outside] =
        cut(points[outside], points[1 - outside], past[outside], past[1 - outside], side);
    points[outside].edge = edge;
  }
  return 2;
}

int choose_four(const ClipPoint* points, int count, int (&chosen)[4]) {
  if (count <= 4) {
    for (int i = 0; i < count; ++i) chosen[i] = i;
    return count;
  }
  // The first is the farthest in a direction that is not along the sides of common faces, so that
  // the choice does not hang on rounding; then those that add most.
  const auto at = [&](int i) -> const ClipPoint& { return points[i]; };
  int first = 0, deepest = 0;
  for (int i = 1; i < count; ++i) {
    const auto reach = [&](int k) { return at(k).u + Real(0.37) * at(k).v; };
    if (reach(i) > reach(first)) first = i;
    if (at(i).height < at(deepest).height) deepest = i;
  }
  const int second = best(count, [&](int i) { return distance2(at(first), at(i)); });
  const int left = best(count, [&](int i) { return area(at(first), at(second), at(i)); });
  const int right = best(count, [&](int i) { return -area(at(first), at(second), at(i)); });
  const Real extent2 = distance2(at(first), at(second));
  const Real least = Real(1e-5) * extent2;
  int n = 0;
  chosen[n++] = first;
  if (extent2 > 0) chosen[n++] = second;
  if (area(at(first), at(second), at(left)) > least) chosen[n++] = left;
  if (-area(at(first), at(second), at(right)) > least) chosen[n++] = right;

  // The deepest one takes the place of its neighbour, unless that is as deep.
  int nearest = 0, lowest = 0;
  for (int i = 1; i < n; ++i) {
    if (distance2(at(chosen[i]), at(deepest)) < distance2(at(chosen[nearest]), at(deepest)))
      nearest = i;
    if (at(chosen[i]).height < at(chosen[lowest]).height) lowest = i;
  }
  const Real slack = Real(5e-5) * sqrt(extent2);
  if (at(deepest).height < at(chosen[lowest]).height - slack) {
    if (n < 4)
      chosen[n++] = deepest;
    else
      chosen[nearest] = deepest;
  }
  return n;
}

}  // namespace sinew
