// The volume inside a closed surface (enclosed_volume.h) as one constraint on all its vertices,
// C = V − V₀.
#pragma once

#include <algorithm>
#include <cmath>

#include "constraints/enclosed_volume.h"
#include "solvers/coloured_packs.h"
#include "solvers/stress_multiplier.h"

namespace sinew {

template <class W>
class VolumeBatch final : public Batch {
 public:
  struct Settings {
    double start, target;   // volume aimed at, at first and in the end [m³]
    double compliance;      // 1/k of ½ k C² [m⁶/J]; 0: rigid
    double plain;           // plain stiffness in (0, 1]; 0: physical
    double largest_move;    // of a vertex in one sweep [m]: a collapsed body must not explode
    double largest_change;  // of the volume in a second [m³/s]: nor one that is to be much larger
  };

  VolumeBatch(const TriMesh& surface, const Settings& settings)
      : settings_(settings), inside_(surface), aim_(settings.start) {
    rows_.resize(surface.vertices.size());
  }

  void predict(const Substep& s) override {
    lambda_ = 0;
    const Row4<Real>* start = rows_.begin(s.start, s.displacement);
    if (settings_.plain > 0 || !(settings_.compliance > 0)) return;
    const Measured m = inside_.measure(s.executor, start);
    const double alpha = settings_.compliance / (double(s.h) * s.h);
    const double divisor = std::max(alpha, m.mobility / (kExplicitStiffness * s.prediction));
    lambda_ = bounded(-(m.volume - aim_) / std::max(divisor, 1e-300), m);
    push(s, lambda_);
  }

  void solve(const Substep& s) override {
    const Measured m = inside_.measure(s.executor, rows_.moved(s.displacement));
    if (!(m.mobility > 0)) return;
    const double error = m.volume - aim_;
    double delta = 0;
    if (settings_.plain > 0) {
      delta = -error / m.mobility * (1 - std::pow(1 - settings_.plain, 1.0 / s.iterations));
    } else {
      const double alpha = settings_.compliance / (double(s.h) * s.h);
      delta = -(error + alpha * lambda_) / (m.mobility + alpha);
    }
    delta = bounded(delta, m) * s.relaxation;
    lambda_ += delta;
    push(s, delta);
  }

  // Once a substep, not in the trials that measure the relaxation of Jacobi sweeps.
  void yield(const Substep& s) override {
    const double most = settings_.largest_change * s.h;
    aim_ += std::clamp(settings_.target - aim_, -most, most);
  }

  void extrapolate(Real omega, bool first) override {
    memory_.extrapolate(
        omega, first, [&](auto&& visit) { visit(lambda_); },
        [](double lambda, double before, Real w) { return before + (lambda - before) * w; });
  }

  double energy(const Places& at) const override {
    if (settings_.plain > 0 || !(settings_.compliance > 0)) return 0;
    const double error = inside_.volume(at) - settings_.target;
    return 0.5 * error * error / settings_.compliance;
  }

  double volume(const Places& at) const { return inside_.volume(at); }

  double stiffness(const Row4<Real>* rest) const override {
    if (settings_.plain > 0 || !(settings_.compliance > 0)) return 0;
    double mobility = 0;
    for (const VertexPack& pack : inside_.packs()) {
      const Vec3T<W> g = inside_.gradient(pack, rest, {W(0), W(0), W(0)});
      mobility += sum(W(dot(g, g) * gather<W>(rest, pack.node[0]).w), pack.count);
    }
    return mobility / settings_.compliance;
  }

  int count() const override { return 1; }
  void visit_state(StateBytes& state) override { state(aim_); }

 private:
  using VertexPack = typename EnclosedVolume<W>::VertexPack;
  using Measured = typename EnclosedVolume<W>::Measured;

  double bounded(double lambda, const Measured& m) const {
    const double most = settings_.largest_move / std::max(m.reach, 1e-300);
    return std::clamp(lambda, -most, most);
  }

  void push(const Substep& s, double lambda) {
    const W scale{Real(lambda)};
    inside_.for_each(s.executor, [&](VertexPack& pack) {
      Rows4<W> p[1];
      gather_nodes<W>(s.displacement, pack.node, p);
      const Vec3T<W> force[1] = {pack.gradient * scale};
      move_nodes<W>(s, pack.node, p, force);
    });
  }

  Settings settings_;
  EnclosedVolume<W> inside_;
  SeenRows rows_;
  double lambda_ = 0;
  double aim_;  // of the substep, on the way to the target [m³]
  MultiplierMemory<double> memory_;
};

}  // namespace sinew
