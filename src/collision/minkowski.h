// The difference D = {y − x : x in A, y in B} of the cores of two convex shapes, in the frame of A.
// Its point nearest to the origin is the shortest way from A to B; it holds the origin if and only
// if the cores overlap. In double whatever Real is: near contact, what counts is the small
// difference of large numbers.
#pragma once

#include "collision/convex.h"

namespace sinew {

struct Minkowski {
  using Vec = Vec3T<double>;

  struct Vertex {
    Vec w;  // y − x
    Vec x;  // of A
  };

  const Convex& a;
  const Convex& b;
  Mat3T<double> turn;  // of B in A
  Vec shift;

  Minkowski(const Convex& a_, const Convex& b_, const Pose& b_in_a)
      : a(a_), b(b_), turn(rotation(b_in_a.orientation)), shift(to_double(b_in_a.position)) {}

  // The point farthest in a direction of any length but zero.
  Vertex support(const Vec& direction) const {
    const Vec in_b{dot(turn.c[0], direction), dot(turn.c[1], direction), dot(turn.c[2], direction)};
    const Vec x = core_support(a, -direction);
    return {shift + turn * core_support(b, in_b) - x, x};
  }

  // From a quaternion that is of unit length only to within rounding.
  static Mat3T<double> rotation(const Quat& q) {
    const QuatT<double> d{q.x, q.y, q.z, q.w};
    const double s = 2 / (d.x * d.x + d.y * d.y + d.z * d.z + d.w * d.w);
    const double x2 = d.x * s, y2 = d.y * s, z2 = d.z * s;
    const double xx = d.x * x2, yy = d.y * y2, zz = d.z * z2;
    const double xy = d.x * y2, xz = d.x * z2, yz = d.y * z2;
    const double wx = d.w * x2, wy = d.w * y2, wz = d.w * z2;
    return {{{1 - yy - zz, xy + wz, xz - wy},
             {xy - wz, 1 - xx - zz, yz + wx},
             {xz + wy, yz - wx, 1 - xx - yy}}};
  }
};

}  // namespace sinew
