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
  std::vector<Row4<Real>> low;    // what those lost by rounding
  std::vector<Index> anchored;    // those that follow the body's anchor_motion
  Vec3T<double> origin{};         // from which implicit steps see them (VariationalBody::origin)

  void set(Index vertex, const Vec3T<double>& at) { set_place(at, 1, place[vertex], low[vertex]); }
  Vec3T<double> at(Index vertex) const { return Places{place.data(), low.data()}[vertex]; }

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
      Rows4<W> p[1];
      gather_nodes<W>(s.displacement, v.node, p);
      const W divisor = max(a.alpha, p[0].w * W(1 / (kExplicitStiffness * s.prediction)));
      v.start = error_at(v, s.start, a.target);
      v.lambda = v.start * (W(-1) / divisor);
      move_nodes<W>(s, v.node, p, {v.lambda});
    });
  }

  void solve(const Substep& substep) override {
    packs_.for_each(substep, shared(substep), [](VertexPack& v, const Shared& a, const Substep& s) {
      Rows4<W> p[1];
      gather_nodes<W>(s.displacement, v.node, p);
      const Vec3T<W> error = v.start + p[0].xyz;
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

  double energy(const Places& at) const override {
    double total = 0;
    for (const VertexPack& v : packs_.packs()) {
      const Vec3T<W> error = error_at(v, at, targets());
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
    Vec3T<W> start;  // C at the start of the substep
    Vec3T<W> lambda{};
    int count;  // lanes in use
  };
  struct Shared {
    Places target;
    W alpha;  // 1/(h²k)
  };
  Places targets() const { return {targets_->place.data(), targets_->low.data()}; }
  Shared shared(const Substep& s) const { return {targets(), W(compliance_ / (s.h * s.h))}; }

  SINEW_INLINE static Vec3T<W> error_at(const VertexPack& v, const Places& x, const Places& y) {
    const Vec3T<W> far =
        gather<W>(x.position, v.node[0]).xyz - gather<W>(y.position, v.node[0]).xyz;
    const Vec3T<W> near = -gather<W>(y.low, v.node[0]).xyz;
    return far + (x.low ? gather<W>(x.low, v.node[0]).xyz + near : near);
  }

  Real compliance_;  // 1/k [m/N]
  std::shared_ptr<const AttachmentTargets> targets_;
  ColouredPacks<VertexPack> packs_;
  MultiplierMemory<Vec3T<W>> memory_;
};

}  // namespace sinew
