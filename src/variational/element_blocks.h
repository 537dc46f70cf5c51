// The Hessian of one pack of elements, in blocks of 3×3 for every pair of their nodes, on its way
// into the matrix of the body.
#pragma once

#include <sinew/mesh.h>

#include "core/pack.h"
#include "math/block_matrix.h"

namespace sinew {

// Of the lower triangle: [i][j] with j ≤ i.
template <int N, class W>
struct ElementBlocks {
  Mat3T<W> block[N][N] = {};

  // value g gᵀ, g what a mode does to the nodes.
  void add_mode(const W& value, const Vec3T<W> (&g)[N]) {
    for (int i = 0; i < N; ++i) {
      const Vec3T<W> scaled = g[i] * value;
      for (int j = 0; j <= i; ++j)
        for (int c = 0; c < 3; ++c) block[i][j].c[c] += scaled * g[j][c];
    }
  }
  // The same in all directions.
  void add_isotropic(int i, int j, const W& value) {
    for (int c = 0; c < 3; ++c) block[i][j](c, c) += value;
  }

  // Of the first `count` lanes.
  void add_to(BlockSymmetric& hessian, const Index (&node)[N][kWidth<W>], int count) const {
    for (int i = 0; i < N; ++i)
      for (int j = 0; j <= i; ++j)
        for (int k = 0; k < count; ++k) {
          Mat3 one;
          for (int c = 0; c < 9; ++c) one(c % 3, c / 3) = lane(block[i][j](c % 3, c / 3), k);
          hessian.add(static_cast<int>(node[i][k]), static_cast<int>(node[j][k]), one);
        }
  }
};

}  // namespace sinew
