// Packs of constraints, sorted by colour: the constraints of a colour share no particle, so its
// packs may run side by side. Lanes that are left over in a colour's last pack repeat its first
// constraint, and so write the same values.
#pragma once

#include <sinew/mesh.h>

#include <algorithm>
#include <span>
#include <vector>

#include "core/parallel.h"
#include "solvers/batch.h"
#include "solvers/pack_order.h"

namespace sinew {

// P has `Index node[kNodes][kLanesHere]` and `int count`, the lanes in use.
template <class P>
class ColouredPacks {
 public:
  static constexpr int kNodes = std::extent_v<decltype(P::node), 0>;
  static constexpr int kLanesHere = std::extent_v<decltype(P::node), 1>;
  using Cell = std::array<Index, kNodes>;

  ColouredPacks() = default;

  // `set(pack, lane, cell)` fills in one lane from the constraint of that number.
  template <class Set>
  ColouredPacks(std::span<const Cell> cells, std::size_t vertex_count, Set&& set) {
    PackOrder order = order_by_colour(colour_cells<Cell>(cells, vertex_count), kLanesHere);
    packs_.resize(order.packs());
    for (std::size_t p = 0; p < packs_.size(); ++p) {
      P& pack = packs_[p];
      pack.count = order.used[p];
      for (int lane = 0; lane < kLanesHere; ++lane) {
        const Index cell = order.cell[p * kLanesHere + lane];
        for (int n = 0; n < kNodes; ++n) pack.node[n][lane] = cells[cell][n];
        set(pack, lane, cell);
      }
    }
    colour_begin_ = std::move(order.colour_begin);
    count_ = static_cast<int>(cells.size());
    crowding_ = most_at_node(cells, vertex_count);
  }

  int count() const { return count_; }        // constraints
  int crowding() const { return crowding_; }  // the most of them that share a vertex
  std::vector<P>& packs() { return packs_; }
  const std::vector<P>& packs() const { return packs_; }

  // f(pack, shared, substep) for every pack, colour after colour.
  template <class Shared, class F>
  void for_each(const Substep& substep, const Shared& shared, F&& f) {
    struct Both {
      Shared shared;
      Substep substep;
    };
    for_each_with(
        substep.executor, Both{shared, substep},
        [&](P& pack, const Both& both) SINEW_FLATTEN { f(pack, both.shared, both.substep); },
        substep.reversed);
  }
  // f(pack, shared). What is shared (a material, say) is copied into each block's loop: the
  // compiler then knows that stores to particles do not change it, and computes coefficients once
  // per block.
  template <class Shared, class F>
  void for_each_with(Executor& executor, const Shared& shared, F&& f, bool reversed = false) {
    constexpr int kBlock = std::max(512 / kLanesHere, 1);  // some 10 µs of work
    const int colours = static_cast<int>(colour_begin_.size()) - 1;
    for (int c = 0; c < colours; ++c) {
      const int colour = reversed ? colours - 1 - c : c;
      P* first = packs_.data() + colour_begin_[colour];
      parallel_for(executor, colour_begin_[colour + 1] - colour_begin_[colour], kBlock,
                   [&](int begin, int end) SINEW_FLATTEN {
                     const Shared s = shared;
                     for (int i = begin; i < end; ++i) f(first[i], s);
                   });
    }
  }

 private:
  std::vector<P> packs_;
  std::vector<int> colour_begin_;  // first pack of each colour, and the end
  int count_ = 0;
  int crowding_ = 1;
};

// Moves particle i, of which p holds the displacement, by move(i): at once, or into the sum of
// corrections.
template <class W, int N, class Move>
SINEW_INLINE void move_nodes_by(const Substep& s, const Index (&node)[N][kWidth<W>],
                                Rows4<W> (&p)[N], Move&& move) {
  if (s.correction) {
    for (int i = 0; i < N; ++i) {
      Rows4<W> sum = gather<W>(s.correction, node[i]);
      sum.xyz += move(i);
      scatter<W>(s.correction, node[i], sum);
    }
  } else {
    for (int i = 0; i < N; ++i) {
      p[i].xyz += move(i);
      scatter<W>(s.displacement, node[i], p[i]);
    }
  }
}

// … by push[i]·w.
template <class W, int N>
SINEW_INLINE void move_nodes(const Substep& s, const Index (&node)[N][kWidth<W>], Rows4<W> (&p)[N],
                             const Vec3T<W> (&push)[N]) {
  move_nodes_by<W>(s, node, p, [&](int i) { return push[i] * p[i].w; });
}
// … by along[i]·λ·w.
template <class W, int N>
SINEW_INLINE void move_nodes(const Substep& s, const Index (&node)[N][kWidth<W>], Rows4<W> (&p)[N],
                             const Vec3T<W> (&along)[N], const W& lambda) {
  move_nodes_by<W>(s, node, p, [&](int i) { return along[i] * (lambda * p[i].w); });
}

// What the Chebyshev method remembers of the multipliers of a batch.
template <class Multiplier>
class MultiplierMemory {
 public:
  // `visit(f)` calls f(multiplier&) for each, always in the same order; `blend(λ, before, ω)`
  // returns before + ω (λ − before).
  template <class Visit, class Blend>
  void extrapolate(Real omega, bool first, Visit&& visit, Blend&& blend) {
    std::size_t i = 0;
    visit([&](Multiplier& lambda) {
      if (i == last_.size()) last_.push_back(lambda), before_.push_back(lambda);
      if (!first) lambda = blend(lambda, before_[i], omega);
      before_[i] = first ? lambda : last_[i];
      last_[i] = lambda;
      ++i;
    });
  }

 private:
  std::vector<Multiplier> last_, before_;
};

}  // namespace sinew
