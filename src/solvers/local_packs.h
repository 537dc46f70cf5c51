// Packs of elements that lie close together, for sums over elements into the rows of particles
// (forces). Unlike Gauss–Seidel sweeps, such sums need no colours: packs are filled from elements
// that follow each other on a curve through space, and what one pack reads and writes is still in
// the nearest cache for the next. Lanes of a pack share no particle where that can be helped, so
// that none waits for another. Blocks of packs that share a particle have different colours; those
// of a colour run side by side.
#pragma once

#include <sinew/mesh.h>

#include <algorithm>
#include <span>
#include <vector>

#include "core/parallel.h"
#include "geometry/morton.h"

namespace sinew {

// P has `Index node[kNodes][kLanesHere]` and `int count`, the lanes in use. Lanes that are left
// over repeat the first element of the pack.
template <class P>
class LocalPacks {
 public:
  static constexpr int kNodes = std::extent_v<decltype(P::node), 0>;
  static constexpr int kLanesHere = std::extent_v<decltype(P::node), 1>;
  using Cell = std::array<Index, kNodes>;

  LocalPacks() = default;

  // `set(pack, lane, cell)` fills in one lane from the element of that number. One that is not in
  // use (lane ≥ pack.count) must weigh nothing in sums.
  template <class Set>
  LocalPacks(std::span<const Cell> cells, std::span<const Vec3> vertices, Set&& set)
      : count_(static_cast<int>(cells.size())) {
    const std::vector<Index> order = along_curve(cells, vertices);
    std::vector<P> packs;
    std::vector<int> used(vertices.size(), -1);  // the last pack that has the vertex
    std::vector<Index> window;                   // elements that wait for a pack, in order
    std::size_t next = 0;
    while (next < order.size() || !window.empty()) {
      while (window.size() < kWindow && next < order.size()) window.push_back(order[next++]);
      P& pack = packs.emplace_back();
      const int id = static_cast<int>(packs.size()) - 1;
      pack.count = 0;
      std::size_t kept = 0;
      const Index first = window.front();  // always fits
      for (std::size_t i = 0; i < window.size(); ++i) {
        const Cell& cell = cells[window[i]];
        const bool fits =
            pack.count < kLanesHere &&
            std::none_of(cell.begin(), cell.end(), [&](Index v) { return used[v] == id; });
        if (!fits) {
          window[kept++] = window[i];
          continue;
        }
        for (Index v : cell) used[v] = id;
        put(pack, pack.count++, cell, window[i], set);
      }
      window.resize(kept);
      for (int lane = pack.count; lane < kLanesHere; ++lane)
        put(pack, lane, cells[first], first, set);
    }
    sort_blocks(packs, vertices.size());
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
  static constexpr std::size_t kWindow = 16 * kLanesHere;
  static constexpr int kBlock = std::max(256 / kLanesHere, 1);  // packs

  template <class Set>
  static void put(P& pack, int lane, const Cell& cell, Index number, Set& set) {
    for (int n = 0; n < kNodes; ++n) pack.node[n][lane] = cell[n];
    set(pack, lane, number);
  }

  static std::vector<Index> along_curve(std::span<const Cell> cells,
                                        std::span<const Vec3> vertices) {
    std::vector<Vec3> middle(cells.size());
    for (std::size_t i = 0; i < cells.size(); ++i)
      for (Index v : cells[i]) middle[i] += vertices[v] * (1 / Real(kNodes));
    return morton_order(middle);
  }

  // Blocks of one colour share no vertex. Sorted by colour, in order within it.
  void sort_blocks(const std::vector<P>& packs, std::size_t vertex_count) {
    const int count = static_cast<int>(packs.size());
    const int blocks = (count + kBlock - 1) / kBlock;
    std::vector<std::vector<int>> at_vertex(vertex_count);  // colours that are taken there
    std::vector<int> colour(blocks);
    std::vector<char> taken;
    int colours = 0;
    for (int b = 0; b < blocks; ++b) {
      const std::span<const P> here(packs.data() + b * kBlock,
                                    std::min(kBlock, count - b * kBlock));
      const auto for_each_vertex = [&](auto&& f) {
        for (const P& pack : here)
          for (int lane = 0; lane < pack.count; ++lane)
            for (int n = 0; n < kNodes; ++n) f(at_vertex[pack.node[n][lane]]);
      };
      taken.assign(colours + 1, 0);
      for_each_vertex([&](const std::vector<int>& colours_there) {
        for (int c : colours_there) taken[c] = 1;
      });
      colour[b] = static_cast<int>(std::find(taken.begin(), taken.end(), 0) - taken.begin());
      colours = std::max(colours, colour[b] + 1);
      for_each_vertex([&](std::vector<int>& colours_there) {
        if (colours_there.empty() || colours_there.back() != colour[b])
          colours_there.push_back(colour[b]);
      });
    }
    packs_.reserve(packs.size());
    for (int c = 0; c < colours; ++c) {
      colour_begin_.push_back(static_cast<int>(block_begin_.size()));
      for (int b = 0; b < blocks; ++b) {
        if (colour[b] != c) continue;
        block_begin_.push_back(static_cast<int>(packs_.size()));
        packs_.insert(packs_.end(), packs.begin() + b * kBlock,
                      packs.begin() + std::min(count, (b + 1) * kBlock));
      }
    }
    colour_begin_.push_back(static_cast<int>(block_begin_.size()));
    block_begin_.push_back(count);
  }

  std::vector<P> packs_;
  std::vector<int> block_begin_;   // first pack of each block, and the end
  std::vector<int> colour_begin_;  // first block of each colour, and the end
  int count_ = 0;
};

}  // namespace sinew
