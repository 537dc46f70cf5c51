// The volume inside a closed surface, and how it changes with its vertices:
//   V = ⅙ Σ a × b · c over the triangles,   ∇ᵢV = ⅙ Σ b × c over those of vertex i
// (Müller et al., "Position based dynamics", 2007, §4.4). Every vertex sums up its own gradient
// from the triangles around it, so that vertices run side by side in packs; the sums over vertices
// are serial and in double, so that they do not depend on the workers. V = ⅓ Σ xᵢ·∇ᵢV, as V is
// homogeneous.
#pragma once

#include <sinew/mesh.h>

#include <algorithm>
#include <vector>

#include "core/parallel.h"
#include "core/places.h"

namespace sinew {

template <class W>
class EnclosedVolume {
 public:
  static constexpr int kLanesHere = kWidth<W>;
  struct VertexPack {
    Index node[1][kLanesHere];
    int first_spoke, end_spoke;
    int count;  // lanes in use
    Vec3T<W> gradient;
    W volume, mobility, reach;  // what its vertices add to V, Σ w|∇V|², and w|∇V|
  };
  struct Measured {
    double volume = 0, mobility = 0;
    double reach = 0;  // largest w|∇V|: how far a vertex moves by λ = 1
  };

  explicit EnclosedVolume(const TriMesh& surface) : triangles_(surface.cells) {
    std::vector<std::vector<Segment>> around(surface.vertices.size());
    for (const auto& [a, b, c] : surface.cells) {
      around[a].push_back({b, c});
      around[b].push_back({c, a});
      around[c].push_back({a, b});
    }
    std::vector<Index> order;
    for (Index v = 0; v < around.size(); ++v)
      if (!around[v].empty()) order.push_back(v);
    // Vertices with as many triangles stand together: packs then have few spokes to fill up.
    std::stable_sort(order.begin(), order.end(),
                     [&](Index a, Index b) { return around[a].size() < around[b].size(); });
    for (std::size_t i = 0; i < order.size(); i += kLanesHere)
      add_pack(std::span<const Index>(order).subspan(
                   i, std::min<std::size_t>(kLanesHere, order.size() - i)),
               around);
  }

  const std::vector<Triangle>& triangles() const { return triangles_; }
  const std::vector<VertexPack>& packs() const { return packs_; }

  // The volume; leaves the gradients in the packs. `rows` have inverse masses.
  Measured measure(Executor& executor, const Row4<Real>* rows) {
    Measured total;
    if (packs_.empty()) return total;
    const Row4<Real>& first = rows[packs_[0].node[0][0]];
    const Vec3T<W> origin{W(first.x), W(first.y), W(first.z)};
    for_each(executor, [&](VertexPack& pack) {
      const Rows4<W> x = gather<W>(rows, pack.node[0]);
      pack.gradient = gradient(pack, rows, origin);
      pack.volume = dot(x.xyz - origin, pack.gradient);
      const W squared = dot(pack.gradient, pack.gradient);
      pack.mobility = squared * x.w;
      pack.reach = sqrt(squared) * x.w;
    });
    for (const VertexPack& pack : packs_) {
      total.volume += sum(pack.volume, pack.count);
      total.mobility += sum(pack.mobility, pack.count);
      for (int i = 0; i < pack.count; ++i)
        total.reach = std::max(total.reach, double(lane(pack.reach, i)));
    }
    total.volume /= 3;
    return total;
  }

  // Exactly [m³].
  double volume(const Places& at) const {
    if (triangles_.empty()) return 0;
    const Vec3T<double> origin = at[triangles_[0][0]];
    double sum = 0;
    for (const auto& [a, b, c] : triangles_)
      sum += dot(cross(at[a] - origin, at[b] - origin), at[c] - origin);
    return sum / 6;
  }

  // ∇V, seen from a point near the body, so that digits are kept.
  Vec3T<W> gradient(const VertexPack& pack, const Row4<Real>* rows, const Vec3T<W>& origin) const {
    Vec3T<W> sum{W(0), W(0), W(0)};
    for (int k = pack.first_spoke; k < pack.end_spoke; ++k)
      sum += cross(gather<W>(rows, spokes_[k].a).xyz - origin,
                   gather<W>(rows, spokes_[k].b).xyz - origin);
    return sum * W(Real(1.0 / 6));
  }

  // f(pack) for every pack.
  template <class F>
  void for_each(Executor& executor, F&& f) {
    parallel_for(executor, static_cast<int>(packs_.size()), std::max(256 / kLanesHere, 1),
                 [&](int begin, int end) {
                   for (int i = begin; i < end; ++i) f(packs_[i]);
                 });
  }

 private:
  struct Spoke {  // the other corners of a triangle of each lane's vertex
    Index a[kLanesHere], b[kLanesHere];
  };

  void add_pack(std::span<const Index> vertices, const std::vector<std::vector<Segment>>& around) {
    VertexPack pack{};
    pack.count = static_cast<int>(vertices.size());
    pack.first_spoke = static_cast<int>(spokes_.size());
    const std::size_t most = around[vertices.back()].size();
    for (std::size_t k = 0; k < most; ++k) {
      Spoke& spoke = spokes_.emplace_back();
      for (int lane = 0; lane < kLanesHere; ++lane) {
        const Index v = vertices[lane < pack.count ? lane : 0];
        pack.node[0][lane] = v;
        // A triangle with its corner repeated has no area.
        const Segment other = k < around[v].size() ? around[v][k] : Segment{v, v};
        spoke.a[lane] = other[0];
        spoke.b[lane] = other[1];
      }
    }
    pack.end_spoke = static_cast<int>(spokes_.size());
    packs_.push_back(pack);
  }

  std::vector<Triangle> triangles_;
  std::vector<VertexPack> packs_;
  std::vector<Spoke> spokes_;
};

}  // namespace sinew
