// The point of a triangle that is nearest to a given one, and what part of the triangle it is on.
// Flat triangles are the segments that they are made of. (C. Ericson, Real-Time Collision
// Detection, 2005, §5.1.5, by edges instead of by regions.)
#pragma once

#include <sinew/math.h>

namespace sinew {

struct NearestOnTriangle {
  Vec3T<double> point;
  double distance2;  // [m²]
  int feature;       // 0: inside, 1 + i: edge from corner i to i + 1, 4 + i: corner i
};

inline NearestOnTriangle nearest_on_triangle(const Vec3T<double>& p, const Vec3T<double> (&x)[3]) {
  using Vec = Vec3T<double>;
  const Vec edge[3] = {x[1] - x[0], x[2] - x[1], x[0] - x[2]};
  const Vec n = cross(edge[0], edge[1]);
  const double size = dot(n, n);
  bool inside = size > 0;
  for (int i = 0; i < 3 && inside; ++i) inside = dot(cross(edge[i], p - x[i]), n) >= 0;
  if (inside) {
    const double height = dot(p - x[0], n) / size;
    return {p - n * height, height * height * size, 0};
  }
  NearestOnTriangle best{x[0], dot(p - x[0], p - x[0]), 4};
  for (int i = 0; i < 3; ++i) {
    const double along = dot(p - x[i], edge[i]), whole = dot(edge[i], edge[i]);
    const bool at_end = along >= whole;
    const Vec point = along <= 0 ? x[i]
                      : at_end   ? x[(i + 1) % 3]
                                 : x[i] + edge[i] * (along / whole);
    const double distance2 = dot(p - point, p - point);
    if (distance2 < best.distance2)
      best = {point, distance2, along <= 0 ? 4 + i : at_end ? 4 + (i + 1) % 3 : 1 + i};
  }
  return best;
}

}  // namespace sinew
