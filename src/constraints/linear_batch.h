// Constraints on a weighted sum of a few particles' positions, C = Σ Kᵢ xᵢ ∈ ℝ³, with the energy
// ½ k |C|². The gradient is constant and the same for all three directions, so that each constraint
// is one division:
//   Δλ = −(C + λ/(h²k)) / (Σ wᵢ Kᵢ² + 1/(h²k)),      Δxᵢ = wᵢ Kᵢ Δλ;
// for the rest see scalar_batch.h. A scalar constraint |C| would have no direction at rest.
#pragma once

#include <algorithm>
#include <cmath>

#include "solvers/coloured_packs.h"
#include "solvers/stress_multiplier.h"

namespace sinew {

template <int kNodes, class W>
class LinearBatch final : public Batch {
 public:
  static constexpr int kLanesHere = kWidth<W>;
  using Cell = std::array<Index, kNodes>;

  struct Item {
    Cell nodes;
    std::array<double, kNodes> weight;  // K
    double stiffness;                   // k; not used by plain constraints
  };

  // `plain`: stiffness in (0, 1] of plain position-based dynamics for all; 0: physical.
  LinearBatch(std::span<const Item> items, std::size_t vertex_count, double plain) : plain_(plain) {
    std::vector<Cell> cells;
    for (const Item& item : items) cells.push_back(item.nodes);
    packs_ = ColouredPacks<ConstraintPack>(
        cells, vertex_count, [&](ConstraintPack& c, int lane, Index i) {
          for (int n = 0; n < kNodes; ++n) set_lane(c.weight[n], lane, Real(items[i].weight[n]));
          const double k = items[i].stiffness;
          set_lane(c.compliance, lane, Real(k > 0 ? 1 / k : 0));
          set_lane(c.acts, lane, Real(plain > 0 || k > 0));
        });
    explicit_limit_ = explicit_limit(packs_.crowding());
  }

  void predict(const Substep& substep) override {
    if (plain_ > 0)
      return packs_.for_each(substep, 0,
                             [](ConstraintPack& c, int, const Substep& s) { begin(c, s); });
    packs_.for_each(substep, explicit_limit_, [](ConstraintPack& c, Real limit, const Substep& s) {
      predict_pack(c, limit, s);
    });
  }

  void solve(const Substep& substep) override {
    if (plain_ > 0) {
      const Real k = Real(1 - std::pow(1 - plain_, 1.0 / substep.iterations));
      packs_.for_each(substep, k * substep.relaxation,
                      [](ConstraintPack& c, Real share, const Substep& s) {
                        Rows4<W> p[kNodes];
                        gather_nodes<W>(s.displacement, c.node, p);
                        push(c, s, p, moved_sum(c, p) * -quotient(W(share), mobility(c, p)));
                      });
    } else {
      packs_.for_each(substep, 0,
                      [](ConstraintPack& c, int, const Substep& s) { solve_pack(c, s); });
    }
  }

  void extrapolate(Real omega, bool first) override {
    if (plain_ > 0) return;
    memory_.extrapolate(
        omega, first,
        [&](auto&& visit) {
          for (ConstraintPack& c : packs_.packs()) visit(c.lambda);
        },
        [](const Vec3T<W>& lambda, const Vec3T<W>& before, Real w) {
          return before + (lambda - before) * W(w);
        });
  }

  double energy(const Places& at) const override {
    if (plain_ > 0) return 0;
    double total = 0;
    for (const ConstraintPack& c : packs_.packs()) {
      const Vec3T<W> value = sum_at(c, at);
      total += sum(W(dot(value, value) * quotient(c.acts * W(Real(0.5)), c.compliance)), c.count);
    }
    return total;
  }

  double stiffness(const Row4<Real>* rest) const override {
    if (plain_ > 0) return 0;
    double largest = 0;
    for (const ConstraintPack& c : packs_.packs()) {
      Rows4<W> p[kNodes];
      gather_nodes<W>(rest, c.node, p);
      const W by_mass = quotient(mobility(c, p) * c.acts, c.compliance);
      for (int i = 0; i < c.count; ++i) largest = std::max(largest, double(lane(by_mass, i)));
    }
    return largest * (kExplicitStiffness / explicit_limit_);
  }

  int count() const override { return packs_.count(); }

 private:
  struct ConstraintPack {
    Index node[kNodes][kLanesHere];
    W weight[kNodes];
    W compliance;  // 1/k
    W acts;        // 1, or 0: no stiffness at all
    Vec3T<W> lambda{};
    Vec3T<W> start;  // C at the start of the substep
    int count;       // lanes in use
  };

  // a/b, or 0 where b is.
  SINEW_INLINE static W quotient(const W& a, const W& b) {
    const W tiny(Real(1e-30));
    return select(b > tiny, a / max(b, tiny), W(0));
  }

  // The weights add up to zero: seen from one of the particles, the sum keeps its digits.
  SINEW_INLINE static Vec3T<W> sum_at(const ConstraintPack& c, const Places& at) {
    Vec3T<W> x[kNodes];
    gather_seen_from_first<W>(at, c.node, x);
    Vec3T<W> sum = x[1] * c.weight[1];
    for (int n = 2; n < kNodes; ++n) sum += x[n] * c.weight[n];
    return sum;
  }
  // C is linear: that at the start, and that of the displacements.
  SINEW_INLINE static Vec3T<W> moved_sum(const ConstraintPack& c, const Rows4<W> (&p)[kNodes]) {
    Vec3T<W> sum = (p[1].xyz - p[0].xyz) * c.weight[1];
    for (int n = 2; n < kNodes; ++n) sum += (p[n].xyz - p[0].xyz) * c.weight[n];
    return c.start + sum;
  }
  SINEW_INLINE static void begin(ConstraintPack& c, const Substep& s) {
    c.start = sum_at(c, s.start);
  }
  // Σ wᵢ Kᵢ²
  SINEW_INLINE static W mobility(const ConstraintPack& c, const Rows4<W> (&p)[kNodes]) {
    W sum = c.weight[0] * c.weight[0] * p[0].w;
    for (int n = 1; n < kNodes; ++n) sum = sum + c.weight[n] * c.weight[n] * p[n].w;
    return sum;
  }
  SINEW_INLINE static void push(const ConstraintPack& c, const Substep& s, Rows4<W> (&p)[kNodes],
                                const Vec3T<W>& lambda) {
    Vec3T<W> force[kNodes];
    for (int n = 0; n < kNodes; ++n) force[n] = lambda * c.weight[n];
    move_nodes<W>(s, c.node, p, force);
  }

  SINEW_INLINE static void predict_pack(ConstraintPack& c, Real limit, const Substep& s) {
    Rows4<W> p[kNodes];
    gather_nodes<W>(s.displacement, c.node, p);
    begin(c, s);
    const W alpha = c.compliance * W(1 / (s.h * s.h));
    const W divisor = max(alpha, mobility(c, p) * W(1 / (limit * s.prediction)));
    c.lambda = c.start * -quotient(c.acts, divisor);
    push(c, s, p, c.lambda);
  }

  SINEW_INLINE static void solve_pack(ConstraintPack& c, const Substep& s) {
    Rows4<W> p[kNodes];
    gather_nodes<W>(s.displacement, c.node, p);
    const W alpha = c.compliance * W(1 / (s.h * s.h)), mobile = mobility(c, p);
    const W share = quotient(c.acts * W(s.relaxation), mobile + alpha);
    const Vec3T<W> delta = (moved_sum(c, p) + c.lambda * alpha) * -share;
    c.lambda += delta;
    push(c, s, p, delta);
  }

  double plain_;
  Real explicit_limit_ = 0;
  ColouredPacks<ConstraintPack> packs_;
  MultiplierMemory<Vec3T<W>> memory_;
};

}  // namespace sinew
