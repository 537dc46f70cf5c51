// Vectors of particles, row by row: sums in double, in an order that depends on nothing but their
// length. The fourth number of a row goes along, but does not count.
#pragma once

#include <span>

#include "core/row_packs.h"

namespace sinew {

using Rows = std::span<Row4<Real>>;
using ConstRows = std::span<const Row4<Real>>;

// Σ a·b, in four running sums of every column, so that none waits for the last. The fourth column
// is summed, too, and dropped.
inline double dot(ConstRows a, ConstRows b) {
  double sum[4][4] = {};
  const std::size_t whole = a.size() / 4 * 4;
  const auto add = [](const Row4<Real>& p, const Row4<Real>& q, double(&to)[4]) {
    to[0] += double(p.x) * q.x;
    to[1] += double(p.y) * q.y;
    to[2] += double(p.z) * q.z;
    to[3] += double(p.w) * q.w;
  };
  for (std::size_t i = 0; i < whole; i += 4)
    for (int k = 0; k < 4; ++k) add(a[i + k], b[i + k], sum[k]);
  for (std::size_t i = whole; i < a.size(); ++i) add(a[i], b[i], sum[0]);
  double total = 0;
  for (int c = 0; c < 3; ++c) total += (sum[0][c] + sum[1][c]) + (sum[2][c] + sum[3][c]);
  return total;
}

// The same to the accuracy of Real and in its range, in running sums of whole packs, however wide
// they are. For vectors of some hundred rows.
inline double quick_dot(ConstRows a, ConstRows b) {
  if constexpr (kLanes == 1) {
    return dot(a, b);
  } else {
    constexpr std::size_t kSums = 4, kRun = kSums * kLanes;  // numbers
    const Real *p = &a.data()->x, *q = &b.data()->x;
    const std::size_t whole = a.size() * 4 / kRun * kRun;
    Wide sum[kSums];
    for (Wide& s : sum) s = Wide(0);
    for (std::size_t i = 0; i < whole; i += kRun)
      for (std::size_t k = 0; k < kSums; ++k)
        sum[k] += load_lanes<Wide>(p + i + k * kLanes) * load_lanes<Wide>(q + i + k * kLanes);
    const Wide all = (sum[0] + sum[1]) + (sum[2] + sum[3]);
    double total = dot(a.subspan(whole / 4), b.subspan(whole / 4));
    for (int i = 0; i < kLanes; ++i) total += i % 4 < 3 ? double(lane(all, i)) : 0;
    return total;
  }
}

// y ← y + s x
inline void add(Real s, ConstRows x, Rows y) {
  for (std::size_t i = 0; i < y.size(); ++i) {
    y[i].x += s * x[i].x;
    y[i].y += s * x[i].y;
    y[i].z += s * x[i].z;
    y[i].w += s * x[i].w;
  }
}

// out ← a + s b
inline void sum_of(ConstRows a, Real s, ConstRows b, Rows out) {
  for (std::size_t i = 0; i < out.size(); ++i)
    out[i] = {a[i].x + s * b[i].x, a[i].y + s * b[i].y, a[i].z + s * b[i].z, a[i].w + s * b[i].w};
}

}  // namespace sinew
