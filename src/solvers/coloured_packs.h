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
    const std::vector<int> colour = colour_cells<Cell>(cells, vertex_count);
    std::vector<Index> order(cells.size());
    for (Index i = 0; i < order.size(); ++i) order[i] = i;
    std::stable_sort(order.begin(), order.end(),
                     [&](Index a, Index b) { return colour[a] < colour[b]; });
    for (std::size_t i = 0; i < order.size();) {
      const int c = colour[order[i]];
      colour_begin_.push_back(static_cast<int>(packs_.size()));
      while (i < order.size() && colour[order[i]] == c) {
        std::size_t end = i;
        while (end < order.size() && end < i + kLanesHere && colour[order[end]] == c) ++end;
        P& pack = packs_.emplace_back();
        pack.count = static_cast<int>(end - i);
        for (int lane = 0; lane < kLanesHere; ++lane) {
          const Index cell = order[lane < pack.count ? i + lane : i];
          for (int n = 0; n < kNodes; ++n) pack.node[n][lane] = cells[cell][n];
          set(pack, lane, cell);
        }
        i = end;
      }
    }
    colour_begin_.push_back(static_cast<int>(packs_.size()));
    count_ = static_cast<int>(order.size());
    std::vector<int> at_vertex(vertex_count, 0);
    for (const Cell& cell : cells)
      for (Index v : cell) crowding_ = std::max(crowding_, ++at_vertex[v]);
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
