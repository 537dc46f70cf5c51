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
    const std::vector<Group> groups =
        sorted(groups_of_neighbours(cells, vertices), cells, vertices.size());
    packs_.resize(groups.size());
    for (std::size_t g = 0; g < groups.size(); ++g)
      for (int lane = 0; lane < kLanesHere; ++lane) {
        const bool used = lane < groups[g].count;
        const Index cell = groups[g].cell[used ? lane : 0];
        for (int n = 0; n < kNodes; ++n) packs_[g].node[n][lane] = cells[cell][n];
        set(packs_[g], static_cast<int>(g), lane, cell, used);
      }
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

  // The elements of a pack.
  struct Group {
    std::array<Index, kLanesHere> cell;
    int count = 0;
  };

  static std::vector<Group> groups_of_neighbours(std::span<const Cell> cells,
                                                 std::span<const Vec3> vertices) {
    const std::vector<Index> order = along_curve(cells, vertices);
    std::vector<Group> groups;
    std::vector<int> used(vertices.size(), -1);  // the last group that has the vertex
    std::vector<Index> window;                   // elements that wait for a group, in order
    std::size_t next = 0;
    while (next < order.size() || !window.empty()) {
      while (window.size() < kWindow && next < order.size()) window.push_back(order[next++]);
      Group& group = groups.emplace_back();
      const int id = static_cast<int>(groups.size()) - 1;
      std::size_t kept = 0;
      for (std::size_t i = 0; i < window.size(); ++i) {
        const Cell& cell = cells[window[i]];
        const bool fits =
            group.count < kLanesHere &&
            std::none_of(cell.begin(), cell.end(), [&](Index v) { return used[v] == id; });
        if (!fits) {
          window[kept++] = window[i];
          continue;
        }
        for (Index v : cell) used[v] = id;
        group.cell[group.count++] = window[i];
      }
      window.resize(kept);
    }
    return groups;
  }

  static std::vector<Index> along_curve(std::span<const Cell> cells,
                                        std::span<const Vec3> vertices) {
    std::vector<Vec3> middle(cells.size());
    for (std::size_t i = 0; i < cells.size(); ++i)
      for (Index v : cells[i]) middle[i] += vertices[v] * (1 / Real(kNodes));
    return morton_order(middle);
  }

  // Blocks of one colour share no vertex. By colour, and in order within it.
  std::vector<Group> sorted(const std::vector<Group>& groups, std::span<const Cell> cells,
                            std::size_t vertex_count) {
    const int count = static_cast<int>(groups.size());
    const int blocks = (count + kBlock - 1) / kBlock;
    std::vector<std::vector<int>> at_vertex(vertex_count);  // colours that are taken there
    std::vector<int> colour(blocks);
    std::vector<char> taken;
    int colours = 0;
    for (int b = 0; b < blocks; ++b) {
      const std::span<const Group> here(groups.data() + b * kBlock,
                                        std::min(kBlock, count - b * kBlock));
      const auto for_each_vertex = [&](auto&& f) {
        for (const Group& group : here)
          for (int lane = 0; lane < group.count; ++lane)
            for (const Index v : cells[group.cell[lane]]) f(at_vertex[v]);
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
    std::vector<Group> by_colour;
    by_colour.reserve(groups.size());
    for (int c = 0; c < colours; ++c) {
      colour_begin_.push_back(static_cast<int>(block_begin_.size()));
      for (int b = 0; b < blocks; ++b) {
        if (colour[b] != c) continue;
        block_begin_.push_back(static_cast<int>(by_colour.size()));
        by_colour.insert(by_colour.end(), groups.begin() + b * kBlock,
                         groups.begin() + std::min(count, (b + 1) * kBlock));
      }
    }
    colour_begin_.push_back(static_cast<int>(block_begin_.size()));
    block_begin_.push_back(count);
    return by_colour;
  }

  std::vector<P> packs_;
  std::vector<int> block_begin_;   // first pack of each block, and the end
  std::vector<int> colour_begin_;  // first block of each colour, and the end
  int count_ = 0;
};

}  // namespace sinew
