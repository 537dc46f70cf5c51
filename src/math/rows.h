// Vectors of particles, row by row: sums in double, in an order that depends on nothing but their
// length. The fourth number of a row does not count and is left alone.
#pragma once

#include <span>

#include "core/pack.h"

namespace sinew {

using Rows = std::span<Row4<Real>>;
using ConstRows = std::span<const Row4<Real>>;

// Σ a·b
inline double dot(ConstRows a, ConstRows b) {
  double sum[3] = {};
  for (std::size_t i = 0; i < a.size(); ++i) {
    sum[0] += double(a[i].x) * b[i].x;
    sum[1] += double(a[i].y) * b[i].y;
    sum[2] += double(a[i].z) * b[i].z;
  }
  return sum[0] + sum[1] + sum[2];
}

// y ← y + s x
inline void add(Real s, ConstRows x, Rows y) {
  for (std::size_t i = 0; i < y.size(); ++i) {
    y[i].x += s * x[i].x;
    y[i].y += s * x[i].y;
    y[i].z += s * x[i].z;
  }
}

// out ← a + s b
inline void sum_of(ConstRows a, Real s, ConstRows b, Rows out) {
  for (std::size_t i = 0; i < out.size(); ++i)
    out[i] = {a[i].x + s * b[i].x, a[i].y + s * b[i].y, a[i].z + s * b[i].z, out[i].w};
}

}  // namespace sinew
