// Constraints with one value C(x) on a few particles each, in packs, in one of two ways:
//   extended position-based dynamics (Macklin, Müller and Chentanez 2016), from a stiffness k in SI
//   units: E = ½ k C²,
//     Δλ = −(C + λ/(h²k)) / (Σ wᵢ|∇ᵢC|² + 1/(h²k)),      Δxᵢ = wᵢ ∇ᵢC Δλ;
//   plain position-based dynamics (Lewin, Algorithm 3), from k in [0, 1]: k = 1 satisfies the
//   constraint at once, and k' = 1 − (1 − k)^(1/n) in each of n iterations. For one constraint
//   alone the result does not depend on n. For many it does: a mesh is stiffer the more iterations
//   there are (Liu §5.3).
// As for elements (stress_multiplier.h) a substep starts from the forces where it found the body,
// λ = −θ h²k C, so that stiffness does not depend on substeps and iterations; θ falls below 1 for
// constraints too stiff for that. Inequalities C ≤ 0 only ever pull back: λ ≤ 0. Damping τ adds a
// force −kτĊ, that is τ/h·(C − C at the start of the substep) to C; what is rigid has none.
//
// A constraint is a struct with
//   kNodes, kInequality, template <class T> struct Rest,
//   kUnitGradients, if |∇ᵢC| = 1 for all i (or 0: then they may have a multiplier, but no force),
//   static T largest_move(const Rest<T>&), if no particle may move further in one go [m], and
//   static T value(const Rest<T>&, const Vec3T<T> (&x)[kNodes], Vec3T<T> (&gradient)[kNodes]),
// templates over the number type T,
// where a gradient of zero means that there is no telling which way to go, and nothing happens.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

#include "solvers/coloured_packs.h"
#include "solvers/stress_multiplier.h"

namespace sinew {

// What the stiffness of a constraint means.
enum class StiffnessKind { kPhysical, kPlain };

inline constexpr double kRigid = std::numeric_limits<double>::infinity();

template <class C, class W>
class ScalarBatch final : public Batch {
 public:
  static constexpr int kNodes = C::kNodes;
  static constexpr int kLanesHere = kWidth<W>;
  using Cell = std::array<Index, kNodes>;

  struct Item {
    Cell nodes;
    typename C::template Rest<double> rest;
    // Of ½ k C², infinite: rigid; or in [0, 1] for plain stiffness.
    double stiffness;
  };

  ScalarBatch(std::span<const Item> items, std::size_t vertex_count, StiffnessKind kind)
      : kind_(kind) {
    std::vector<Cell> cells;
    std::vector<Index> number;
    for (Index i = 0; i < items.size(); ++i) {
      if (!(items[i].stiffness > 0)) continue;  // would never act
      cells.push_back(items[i].nodes);
      number.push_back(i);
    }
    packs_ = ColouredPacks<ConstraintPack>(
        cells, vertex_count, [&](ConstraintPack& c, int lane, Index i) {
          const Item& item = items[number[i]];
          C::set_lane(c.rest, lane, item.rest);
          const double k = item.stiffness;
          sinew::set_lane(c.softness, lane, Real(kind == StiffnessKind::kPlain ? k : 1 / k));
        });
    explicit_limit_ = explicit_limit(packs_.crowding());
    // Inequalities do nothing to a body at rest, where the relaxation of Jacobi sweeps is measured.
    // Projections of which no more than n meet at a vertex never overshoot when each does 1/n.
    if (C::kInequality) jacobi_share_ = Real(0.5) / Real(packs_.crowding());
  }

  void predict(const Substep& substep) override {
    if (kind_ == StiffnessKind::kPlain) {
      share_out(substep.iterations);
      packs_.for_each(substep, 0, [](ConstraintPack& c, int, const Substep& s) { begin(c, s); });
    } else if constexpr (!kPlainOnly) {
      packs_.for_each(
          substep, explicit_limit_,
          [](ConstraintPack& c, Real limit, const Substep& s) { predict_pack(c, limit, s); });
    }
  }

  void solve(const Substep& now) override {
    Substep substep = now;
    if (substep.correction) substep.relaxation *= jacobi_share_;
    if (kind_ == StiffnessKind::kPlain)
      packs_.for_each(substep, 0,
                      [](ConstraintPack& c, int, const Substep& s) { solve_plain(c, s); });
    else if constexpr (!kPlainOnly)
      packs_.for_each(substep, 0,
                      [](ConstraintPack& c, int, const Substep& s) { solve_pack(c, s); });
  }

  void extrapolate(Real omega, bool first) override {
    if (kind_ == StiffnessKind::kPlain) return;
    memory_.extrapolate(
        omega, first,
        [&](auto&& visit) {
          for (ConstraintPack& c : packs_.packs()) visit(c.lambda);
        },
        [](const W& lambda, const W& before, Real w) { return before + (lambda - before) * W(w); });
  }

  // Of rigid and of plain constraints none is known.
  double energy(const Places& at) const override {
    double total = 0;
    if (kPlainOnly || kind_ == StiffnessKind::kPlain) return total;
    for (const ConstraintPack& c : packs_.packs()) {
      Vec3T<W> x[kNodes], gradient[kNodes];
      gather_seen_from_first<W>(at, c.node, x);
      W value = C::value(c.rest, x, gradient);
      if (C::kInequality) value = max(value, W(0));
      const W soft =
          select(c.softness > W(0), W(Real(0.5)) / max(c.softness, W(Real(1e-30))), W(0));
      total += sum(W(value * value * soft), c.count);
    }
    return total;
  }

  double stiffness(const Row4<Real>* rest) const override {
    double largest = 0;
    if (kPlainOnly || kind_ == StiffnessKind::kPlain) return largest;
    for (const ConstraintPack& c : packs_.packs()) {
      Rows4<W> p[kNodes];
      Vec3T<W> x[kNodes], gradient[kNodes];
      gather_nodes<W>(rest, c.node, p);
      gather_seen_from_first<W>(Places{rest}, c.node, x);
      C::value(c.rest, x, gradient);
      const W mobile = mobility(p, gradient);
      for (int i = 0; i < c.count; ++i)
        if (lane(c.softness, i) > 0)
          largest = std::max(largest, double(lane(mobile, i)) / lane(c.softness, i));
    }
    return largest * (kExplicitStiffness / explicit_limit_);
  }

  int count() const override { return packs_.count(); }

 private:
  // Whether constraints of this kind never have a physical stiffness.
  static constexpr bool kPlainOnly = requires { C::kPlainOnly; };
  static constexpr Real kImmobile = Real(1e-30);  // Σ wᵢ|∇ᵢC|² of what cannot move [1/kg, …]

  struct ConstraintPack {
    Index node[kNodes][kLanesHere];
    typename C::template Rest<W> rest;
    W softness;  // compliance 1/k; or plain k
    W lambda;    // or plain k'
    StartShape<W, kNodes> start;
    W value_before;  // C at the start of the substep
    int count;       // lanes in use
  };

  // After displacements u.
  SINEW_INLINE static W evaluate(const ConstraintPack& c, const Rows4<W> (&u)[kNodes],
                                 Vec3T<W> (&gradient)[kNodes]) {
    Vec3T<W> x[kNodes];
    c.start.moved(u, x);
    return C::value(c.rest, x, gradient);
  }

  // Σ wᵢ|∇ᵢC|²
  SINEW_INLINE static W mobility(const Rows4<W> (&p)[kNodes], const Vec3T<W> (&gradient)[kNodes]) {
    if constexpr (requires { C::kUnitGradients; }) {
      W sum = p[0].w;
      for (int i = 1; i < kNodes; ++i) sum = sum + p[i].w;
      return sum;
    }
    W sum = dot(gradient[0], gradient[0]) * p[0].w;
    for (int i = 1; i < kNodes; ++i) sum = sum + dot(gradient[i], gradient[i]) * p[i].w;
    return sum;
  }

  SINEW_INLINE static W bounded(const ConstraintPack& c, const Rows4<W> (&p)[kNodes],
                                const Vec3T<W> (&gradient)[kNodes], const W& lambda) {
    if constexpr (requires { C::largest_move(c.rest); }) {
      W reach(0);  // (w|∇C|)² of the particle that moves furthest
      for (int i = 0; i < kNodes; ++i)
        reach = max(reach, dot(gradient[i], gradient[i]) * p[i].w * p[i].w);
      const W most = C::largest_move(c.rest) / sqrt(max(reach, W(kImmobile)));
      return max(min(lambda, most), -most);
    } else {
      return lambda;
    }
  }

  // τ/h of what is neither rigid nor slack.
  SINEW_INLINE static W damping_rate(const ConstraintPack& c, [[maybe_unused]] const W& value,
                                     const Substep& s) {
    W rate = select(c.softness > W(0), W(s.damping / s.h), W(0));
    if constexpr (C::kInequality) rate = select(value > W(0), rate, W(0));
    return rate;
  }
  SINEW_INLINE static void begin(ConstraintPack& c, const Substep& s) {
    Vec3T<W> x[kNodes];
    gather_seen_from_first<W>(s.start, c.node, x);
    c.start.set(x);
  }

  SINEW_INLINE static void predict_pack(ConstraintPack& c, Real limit, const Substep& s) {
    Rows4<W> p[kNodes];
    Vec3T<W> x[kNodes], gradient[kNodes];
    gather_nodes<W>(s.displacement, c.node, p);
    gather_seen_from_first<W>(s.start, c.node, x);
    c.start.set(x);
    W value = c.value_before = C::value(c.rest, x, gradient);
    if (C::kInequality) value = max(value, W(0));
    // −θ C/α with θ = min(1, limit α/mobility): never divides by a compliance of zero.
    const W alpha = c.softness * W(1 / (s.h * s.h));
    const W divisor = max(alpha, mobility(p, gradient) * W(1 / (limit * s.prediction)));
    const auto soft = c.softness > W(0);
    c.lambda = select(soft, -value / max(divisor, W(kImmobile)), W(0));
    c.lambda = bounded(c, p, gradient, c.lambda);
    move_nodes<W>(s, c.node, p, gradient, c.lambda);
  }

  SINEW_INLINE static void solve_pack(ConstraintPack& c, const Substep& s) {
    Rows4<W> p[kNodes];
    Vec3T<W> gradient[kNodes];
    gather_nodes<W>(s.displacement, c.node, p);
    const W value = evaluate(c, p, gradient);
    const W alpha = c.softness * W(1 / (s.h * s.h));
    const W mobile = mobility(p, gradient);
    W residual = value + alpha * c.lambda, divisor = mobile + alpha;
    if (s.damping > 0) {
      const W rate = damping_rate(c, value, s);
      residual = residual + rate * (value - c.value_before);
      divisor = divisor + rate * mobile;
    }
    // Divides before it multiplies: where the gradients are of length 1 the division need not wait
    // for them.
    const W share =
        select(mobile > W(kImmobile), W(s.relaxation), W(0)) / max(divisor, W(kImmobile));
    W delta = bounded(c, p, gradient, -residual * share);
    if (C::kInequality) delta = min(delta, -c.lambda);
    c.lambda = c.lambda + delta;
    move_nodes<W>(s, c.node, p, gradient, delta);
  }

  // k' = 1 − (1 − k)^(1/n), whenever n has changed.
  void share_out(int iterations) {
    if (iterations == iterations_) return;
    iterations_ = iterations;
    for (ConstraintPack& c : packs_.packs())
      for (int i = 0; i < kLanesHere; ++i)
        sinew::set_lane(c.lambda, i,
                        Real(1 - std::pow(1 - double(lane(c.softness, i)), 1.0 / iterations)));
  }

  SINEW_INLINE static void solve_plain(ConstraintPack& c, const Substep& s) {
    Rows4<W> p[kNodes];
    Vec3T<W> gradient[kNodes];
    gather_nodes<W>(s.displacement, c.node, p);
    W value = evaluate(c, p, gradient);
    if (C::kInequality) value = max(value, W(0));
    const W mobile = mobility(p, gradient);
    const W k = c.lambda;
    const W delta = select(mobile > W(kImmobile), -k * value / max(mobile, W(kImmobile)), W(0));
    move_nodes<W>(s, c.node, p, gradient, bounded(c, p, gradient, delta) * W(s.relaxation));
  }

  StiffnessKind kind_;
  int iterations_ = 0;       // that plain k' are for
  Real explicit_limit_ = 0;  // of h²k/m of one constraint, in predict()
  Real jacobi_share_ = 1;    // of a correction, in Jacobi sweeps
  ColouredPacks<ConstraintPack> packs_;
  MultiplierMemory<W> memory_;
};

}  // namespace sinew
