// Vertices that are pulled to places in space: C = x − y ∈ ℝ³, E = ½ k |C|². Position-based,
//   Δλ = −(C + λ/(h²k)) / (w + 1/(h²k)),      Δx = w Δλ;
// for the rest see scalar_batch.h. Only the particle moves.
#pragma once

#include <algorithm>
#include <memory>
#include <span>
#include <vector>

#include "solvers/coloured_packs.h"
#include "solvers/stress_multiplier.h"

namespace sinew {

// Where the attached vertices of a body are pulled to. The world moves the places; what pulls reads
// them.
struct AttachmentTargets {
  std::vector<Row4<Real>> place;  // y, row by row of the body's vertices; w: 1 if it is attached
  std::vector<Index> anchored;    // those that follow the body's anchor_motion

  bool attached(Index vertex) const { return vertex < place.size() && place[vertex].w > 0; }
};

template <class W>
class AttachmentBatch final : public Batch {
 public:
  static constexpr int kLanesHere = kWidth<W>;

  AttachmentBatch(std::span<const Index> vertices, std::size_t vertex_count, double stiffness,
                  std::shared_ptr<const AttachmentTargets> targets)
      : compliance_(Real(1 / stiffness)), targets_(std::move(targets)) {
    std::vector<std::array<Index, 1>> nodes;
    for (Index v : vertices) nodes.push_back({v});
    packs_ = ColouredPacks<VertexPack>(nodes, vertex_count, [](VertexPack&, int, Index) {});
  }

  void predict(const Substep& substep) override {
    packs_.for_each(substep, shared(substep), [](VertexPack& v, const Shared& a, const Substep& s) {
      const Rows4<W> before = gather<W>(s.previous, v.node[0]);
      const W divisor = max(a.alpha, before.w * W(1 / (kExplicitStiffness * s.prediction)));
      v.lambda = (before.xyz - gather<W>(a.target, v.node[0]).xyz) * (W(-1) / divisor);
      Rows4<W> p[1];
      gather_nodes<W>(s.position, v.node, p);
      move_nodes<W>(s, v.node, p, {v.lambda});
    });
  }

  void solve(const Substep& substep) override {
    packs_.for_each(substep, shared(substep), [](VertexPack& v, const Shared& a, const Substep& s) {
      Rows4<W> p[1];
      gather_nodes<W>(s.position, v.node, p);
      const Vec3T<W> error = p[0].xyz - gather<W>(a.target, v.node[0]).xyz;
      const Vec3T<W> delta = (error + v.lambda * a.alpha) * (W(-s.relaxation) / (p[0].w + a.alpha));
      v.lambda += delta;
      move_nodes<W>(s, v.node, p, {delta});
    });
  }

  void extrapolate(Real omega, bool first) override {
    memory_.extrapolate(
        omega, first,
        [&](auto&& visit) {
          for (VertexPack& v : packs_.packs()) visit(v.lambda);
        },
        [](const Vec3T<W>& lambda, const Vec3T<W>& before, Real w) {
          return before + (lambda - before) * W(w);
        });
  }

  double energy(const Row4<Real>* position) const override {
    double total = 0;
    for (const VertexPack& v : packs_.packs()) {
      const Vec3T<W> error =
          gather<W>(position, v.node[0]).xyz - gather<W>(targets_->place.data(), v.node[0]).xyz;
      total += sum(W(dot(error, error)), v.count);
    }
    return 0.5 * total / compliance_;
  }

  double stiffness(const Row4<Real>* rest) const override {
    double lightest = 0;
    for (const VertexPack& v : packs_.packs())
      for (int i = 0; i < v.count; ++i) lightest = std::max(lightest, double(rest[v.node[0][i]].w));
    return lightest / compliance_;
  }

  int count() const override { return packs_.count(); }
  bool external() const override { return true; }

 private:
  struct VertexPack {
    Index node[1][kLanesHere];
    Vec3T<W> lambda{};
    int count;  // lanes in use
  };
  struct Shared {
    const Row4<Real>* target;
    W alpha;  // 1/(h²k)
  };
  Shared shared(const Substep& s) const {
    return {targets_->place.data(), W(compliance_ / (s.h * s.h))};
  }

  Real compliance_;  // 1/k [m/N]
  std::shared_ptr<const AttachmentTargets> targets_;
  ColouredPacks<VertexPack> packs_;
  MultiplierMemory<Vec3T<W>> memory_;
};

}  // namespace sinew
