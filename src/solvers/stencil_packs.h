// Packs of points whose stencils differ in size (elements/nodal_points.h), sorted by colour: the
// stencils of a colour share no particle, so its packs may run side by side. Within a colour they
// are sorted by size, and a pack has as many nodes as its largest stencil: the first is the point's
// own vertex, and lanes with fewer name that once more, with b = 0. Whoever writes particles must
// write the first node last.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "core/parallel.h"
#include "core/row_packs.h"
#include "elements/nodal_points.h"
#include "geometry/cells.h"
#include "solvers/batch.h"

namespace sinew {

// `Point` is what each pack holds beside its nodes.
template <class W, class Point>
class StencilPacks {
 public:
  static constexpr int kLanesHere = kWidth<W>;
  struct Node {
    Index vertex[kLanesHere];
    Vec3T<W> b;  // F = Σ xₘ bₘᵀ [1/m]
  };
  struct Pack {
    int begin, end;  // its nodes
    int count;       // lanes in use
    Point point;
  };

  StencilPacks() = default;

  // `set(point, lane, of)` fills in one lane from NodalPoint `of`.
  template <class Set>
  StencilPacks(const NodalPoints& all, std::size_t vertex_count, Set&& set)
      : count_(static_cast<int>(all.points.size())) {
    std::vector<Index> vertices;
    std::vector<std::span<const Index>> stencils(all.points.size());
    vertices.reserve(all.points.size() + all.nodes.size());
    for (std::size_t p = 0; p < stencils.size(); ++p) {
      const NodalPoint& point = all.points[p];
      const std::size_t first = vertices.size();
      vertices.push_back(point.vertex);
      for (int k = point.begin; k < point.end; ++k) vertices.push_back(all.nodes[k].vertex);
      stencils[p] = std::span(vertices).subspan(first);
    }
    const std::vector<int> colour =
        colour_cells<std::span<const Index>>(std::span(stencils), vertex_count);
    std::vector<std::size_t> order(stencils.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
      return colour[a] != colour[b] ? colour[a] < colour[b]
                                    : stencils[a].size() > stencils[b].size();
    });
    for (std::size_t i = 0; i < order.size();) {
      const int c = colour[order[i]];
      colour_begin_.push_back(static_cast<int>(packs_.size()));
      while (i < order.size() && colour[order[i]] == c) {
        std::size_t end = i;
        while (end < order.size() && end < i + kLanesHere && colour[order[end]] == c) ++end;
        add_pack(all, std::span(order).subspan(i, end - i), set);
        i = end;
      }
    }
    colour_begin_.push_back(static_cast<int>(packs_.size()));
  }

  int count() const { return count_; }  // points
  std::vector<Pack>& packs() { return packs_; }
  const std::vector<Pack>& packs() const { return packs_; }
  std::span<const Node> nodes(const Pack& pack) const {
    return {nodes_.data() + pack.begin, nodes_.data() + pack.end};
  }

  // f(point, nodes, shared) for every pack, colour after colour. What is shared (a material, say)
  // is copied into each block's loop.
  template <class Shared, class F>
  void for_each_with(Executor& executor, const Shared& shared, F&& f, bool reversed = false) {
    constexpr int kBlock = std::max(128 / kLanesHere, 1);  // some 10 µs of work
    const int colours = static_cast<int>(colour_begin_.size()) - 1;
    for (int c = 0; c < colours; ++c) {
      const int colour = reversed ? colours - 1 - c : c;
      Pack* const first = packs_.data() + colour_begin_[colour];
      parallel_for(executor, colour_begin_[colour + 1] - colour_begin_[colour], kBlock,
                   [&](int begin, int end) SINEW_FLATTEN {
                     const Shared s = shared;
                     for (int i = begin; i < end; ++i) f(first[i].point, nodes(first[i]), s);
                   });
    }
  }

 private:
  template <class Set>
  void add_pack(const NodalPoints& all, std::span<const std::size_t> points, Set& set) {
    Pack& pack = packs_.emplace_back();
    pack.count = static_cast<int>(points.size());
    pack.begin = static_cast<int>(nodes_.size());
    const NodalPoint& largest = all.points[points[0]];
    pack.end = pack.begin + 1 + (largest.end - largest.begin);
    nodes_.resize(pack.end);
    Node* const nodes = nodes_.data() + pack.begin;
    for (int lane = 0; lane < kLanesHere; ++lane) {
      const NodalPoint& point = all.points[points[lane < pack.count ? lane : 0]];
      Vec3T<double> own;
      for (int k = 0; k < pack.end - pack.begin; ++k) {
        const int of = point.begin + k - 1;
        const bool used = k > 0 && of < point.end;
        nodes[k].vertex[lane] = used ? all.nodes[of].vertex : point.vertex;
        const Vec3T<double> b = used ? all.nodes[of].gradient : Vec3T<double>{};
        set_lane(nodes[k].b, lane, b);
        own -= b;
      }
      set_lane(nodes[0].b, lane, own);
      set(pack.point, lane, point);
    }
  }

  std::vector<Pack> packs_;
  std::vector<Node> nodes_;
  std::vector<int> colour_begin_;  // first pack of each colour, and the end
  int count_ = 0;
};

}  // namespace sinew
