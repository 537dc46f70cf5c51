// The point of a simplex of up to four points that is nearest to the origin. As in the signed
// volumes method of M. Montanari, N. Petrinic, E. Barbieri, Improving the GJK algorithm for faster
// and more reliable distance queries between convex objects, 2017: the weights of the origin are
// ratios of signed areas or volumes; where all are positive, it projects into the simplex, else the
// nearest point lies on one of the sides opposite to the points of negative weight. All of those
// are tried, and where the simplex has collapsed, every side, so that slivers do no harm.
#pragma once

#include <sinew/math.h>

#include <cmath>
#include <limits>

namespace sinew {

struct NearestInSimplex {
  Vec3T<double> point = {};
  double distance2 = 0;
  double weight[4] = {};  // 0: the point is not needed
};

// Some unit vector across v, which must not be zero.
inline Vec3T<double> across(const Vec3T<double>& v) {
  using Vec = Vec3T<double>;
  const Vec size{abs(v.x), abs(v.y), abs(v.z)};
  const Vec axis = size.x <= size.y && size.x <= size.z ? Vec{1, 0, 0}
                   : size.y <= size.z                   ? Vec{0, 1, 0}
                                                        : Vec{0, 0, 1};
  const Vec n = cross(v, axis);
  return n * (1 / std::sqrt(dot(n, n)));
}

namespace simplex {

using Vec = Vec3T<double>;

inline NearestInSimplex nearest_in_segment(const Vec* w, int i, int j) {
  const Vec edge = w[j] - w[i];
  const double along = -dot(w[i], edge), length2 = dot(edge, edge);
  NearestInSimplex out;
  if (!(along > 0)) {
    out.weight[i] = 1;
    out.point = w[i];
  } else if (along >= length2) {
    out.weight[j] = 1;
    out.point = w[j];
  } else {
    const double t = along / length2;
    out.weight[i] = 1 - t;
    out.weight[j] = t;
    out.point = w[i] + edge * t;
  }
  out.distance2 = dot(out.point, out.point);
  return out;
}

inline void keep_nearer(NearestInSimplex& best, const NearestInSimplex& other) {
  if (other.distance2 < best.distance2) best = other;
}

// What remains of a triangle's area, relative to its sides, when it is a segment but for rounding.
inline constexpr double kFlat = 1e-13;

inline NearestInSimplex nearest_in_triangle(const Vec* w, int i, int j, int k) {
  const Vec &a = w[i], &b = w[j], &c = w[k];
  const Vec ab = b - a, ac = c - a, n = cross(ab, ac);
  const double n2 = dot(n, n);
  const bool flat = !(n2 > kFlat * kFlat * dot(ab, ab) * dot(ac, ac));
  // Twice the area times |n|, of the triangles of the origin's projection and two corners.
  const Vec n_a = cross(n, a);
  const double of_c = dot(n_a, ab), of_b = -dot(n_a, ac), of_a = n2 - of_b - of_c;
  NearestInSimplex out;
  if (!flat && of_a > 0 && of_b > 0 && of_c > 0) {
    out.weight[i] = of_a / n2;
    out.weight[j] = of_b / n2;
    out.weight[k] = of_c / n2;
    out.point = n * (dot(n, a) / n2);
    out.distance2 = dot(out.point, out.point);
    return out;
  }
  out.distance2 = std::numeric_limits<double>::infinity();
  if (flat || !(of_a > 0)) keep_nearer(out, nearest_in_segment(w, j, k));
  if (flat || !(of_b > 0)) keep_nearer(out, nearest_in_segment(w, i, k));
  if (flat || !(of_c > 0)) keep_nearer(out, nearest_in_segment(w, i, j));
  return out;
}

inline NearestInSimplex nearest_in_tetrahedron(const Vec* w) {
  const Vec &d = w[3], da = w[0] - d, db = w[1] - d, dc = w[2] - d;
  const Vec bc = cross(db, dc), ca = cross(dc, da), ab = cross(da, db);
  double volume = dot(da, bc);
  const bool flat = !(volume * volume > kFlat * kFlat * dot(da, da) * dot(db, db) * dot(dc, dc));
  const double sign = volume < 0 ? -1 : 1;
  volume *= sign;
  const double of_a = -dot(d, bc) * sign, of_b = -dot(d, ca) * sign, of_c = -dot(d, ab) * sign;
  const double of_d = volume - of_a - of_b - of_c;
  NearestInSimplex out;
  if (!flat && of_a > 0 && of_b > 0 && of_c > 0 && of_d > 0) {
    const double inverse = 1 / volume;
    out.weight[0] = of_a * inverse;
    out.weight[1] = of_b * inverse;
    out.weight[2] = of_c * inverse;
    out.weight[3] = of_d * inverse;
    return out;
  }
  out.distance2 = std::numeric_limits<double>::infinity();
  if (flat || !(of_a > 0)) keep_nearer(out, nearest_in_triangle(w, 1, 2, 3));
  if (flat || !(of_b > 0)) keep_nearer(out, nearest_in_triangle(w, 0, 2, 3));
  if (flat || !(of_c > 0)) keep_nearer(out, nearest_in_triangle(w, 0, 1, 3));
  if (flat || !(of_d > 0)) keep_nearer(out, nearest_in_triangle(w, 0, 1, 2));
  return out;
}

}  // namespace simplex

inline NearestInSimplex nearest_in_simplex(const Vec3T<double>* w, int count) {
  using namespace simplex;
  switch (count) {
    case 1:
      return {w[0], dot(w[0], w[0]), {1}};
    case 2:
      return nearest_in_segment(w, 0, 1);
    case 3:
      return nearest_in_triangle(w, 0, 1, 2);
    default:
      return nearest_in_tetrahedron(w);
  }
}

}  // namespace sinew
