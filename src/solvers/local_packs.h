// Packs of elements that lie close together, for sums over elements into the rows of particles
// (forces). Unlike Gauss–Seidel sweeps, such sums need no colours: packs are filled from elements
// that follow each other on a curve through space, and what one pack reads and writes is still in
// the nearest cache for the next. Lanes of a pack share no particle where that can be helped, so
// that none waits for another. Blocks of packs that share a particle have different colours; those
// of a colour run side by side.
#pragma once

#include <sinew/mesh.h>

#include <span>
#include <vector>

#include "core/parallel.h"
#include "solvers/pack_order.h"

namespace sinew {

// P has `Index node[kNodes][kLanesHere]`. Lanes that are left over repeat the first element of the
// pack.
template <class P>
class LocalPacks {
 public:
  static constexpr int kNodes = std::extent_v<decltype(P::node), 0>;
  static constexpr int kLanesHere = std::extent_v<decltype(P::node), 1>;
  using Cell = std::array<Index, kNodes>;

  LocalPacks() = default;

  // `set(pack, number of the pack, lane, cell, used)` fills in one lane from the element of that
  // number, pack after pack. One that is not in use must weigh nothing in sums.
  template <class Set>
  LocalPacks(std::span<const Cell> cells, std::span<const Vec3> vertices, Set&& set)
      : count_(static_cast<int>(cells.size())) {
    PackOrder order = order_by_place(cells, vertices, kLanesHere);
    packs_.resize(order.packs());
    for (std::size_t p = 0; p < packs_.size(); ++p)
      for (int lane = 0; lane < kLanesHere; ++lane) {
        const Index cell = order.cell[p * kLanesHere + lane];
        for (int n = 0; n < kNodes; ++n) packs_[p].node[n][lane] = cells[cell][n];
        set(packs_[p], static_cast<int>(p), lane, cell, lane < order.used[p]);
      }
    block_begin_ = std::move(order.block_begin);
    colour_begin_ = std::move(order.colour_begin);
  }

  int count() const { return count_; }  // elements
  std::vector<P>& packs() { return packs_; }
  const std::vector<P>& packs() const { return packs_; }

  // f(pack, shared) for every pack, colour after colour. What is shared (a material, say) is copied
  // into each block's loop: the compiler then knows that stores to particles do not change it.
  template <class Shared, class F>
  void for_each_with(Executor& executor, const Shared& shared, F&& f) {
    for (std::size_t c = 0; c + 1 < colour_begin_.size(); ++c) {
      const int begin = colour_begin_[c], blocks = colour_begin_[c + 1] - begin;
      parallel_for(executor, blocks, 1, [&](int block, int) SINEW_FLATTEN {
        const Shared s = shared;
        P* const first = packs_.data() + block_begin_[begin + block];
        P* const end = packs_.data() + block_begin_[begin + block + 1];
        for (P* pack = first; pack != end; ++pack) f(*pack, s);
      });
    }
  }

 private:
  std::vector<P> packs_;
  std::vector<int> block_begin_;   // first pack of each block, and the end
  std::vector<int> colour_begin_;  // first block of each colour, and the end
  int count_ = 0;
};

}  // namespace sinew
