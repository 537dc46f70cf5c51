// The pressure inside a closed surface,
//   E = κ/2V₀ (V − V*)²,   ∂E/∂x = p ∇V,   p = κ/V₀ (V − V*),   ∂²E = p ∂²V + κ/V₀ ∇V ∇Vᵀ
// with the bulk modulus κ and the volume V* aimed at (constraints/enclosed_volume.h). The last part
// joins every vertex with every other, but is of rank one, and kept apart (EnergyTerm::rank_one).
// The first, from the triangles a, b, c that two vertices share, is ∂²V/∂a∂b = −⅙ [c]×: it curves
// as much down as up, and is left out where that is not wanted.
#pragma once

#include <algorithm>

#include "constraints/enclosed_volume.h"
#include "variational/energy_term.h"

namespace sinew {

template <class W>
class EnclosedVolumeEnergy final : public EnergyTerm {
 public:
  struct Settings {
    double start, target;   // volume aimed at, at first and in the end [m³]
    double stiffness;       // κ/V₀ [Pa/m³]
    double largest_change;  // of the volume aimed at in a second [m³/s]
  };

  EnclosedVolumeEnergy(const TriMesh& surface, const Settings& settings)
      : settings_(settings), inside_(surface), aim_(settings.start) {}

  void begin_step(const Row4<Real>*, Real h) override {
    const double most = settings_.largest_change * h;
    aim_ += std::clamp(settings_.target - aim_, -most, most);
  }

  double add_gradient(const Row4<Real>* x, Row4<Real>* gradient, Executor& executor) override {
    const double error = inside_.measure(executor, x).volume - aim_;
    const W pressure(Real(settings_.stiffness * error));
    inside_.for_each(executor, [&](VertexPack& v) {
      Rows4<W> row = gather<W>(gradient, v.node[0]);
      row.xyz += v.gradient * pressure;
      scatter<W>(gradient, v.node[0], row);
    });
    return 0.5 * settings_.stiffness * error * error;
  }

  double energy(const Row4<Real>* x) const override {
    const double error = inside_.volume({x}) - aim_;
    return 0.5 * settings_.stiffness * error * error;
  }

  double scale() const override { return settings_.stiffness * settings_.start * settings_.start; }

  // None of its own: the rank-one part is solved for exactly. Its pattern is that of ∂²V.
  void add_metric(MetricEntries& entries) const override {
    for (const Triangle& t : inside_.triangles())
      for (int i = 0; i < 3; ++i)
        entries.push_back({static_cast<int>(t[i]), static_cast<int>(t[(i + 1) % 3]), 0});
  }

  void add_hessian(const Row4<Real>* x, bool projected, BlockSymmetric& hessian) const override {
    if (projected || inside_.triangles().empty()) return;
    const Real sixth = Real(settings_.stiffness * (inside_.volume({x}) - aim_) / 6);
    const auto at = [&](Index i) { return Vec3{x[i].x, x[i].y, x[i].z}; };
    const Vec3 origin = at(inside_.triangles()[0][0]);
    for (const Triangle& t : inside_.triangles())
      for (int i = 0; i < 3; ++i) {
        const Vec3 c = (at(t[(i + 2) % 3]) - origin) * -sixth;
        const Mat3 cross_c{{{0, c.z, -c.y}, {-c.z, 0, c.x}, {c.y, -c.x, 0}}};
        hessian.add(static_cast<int>(t[i]), static_cast<int>(t[(i + 1) % 3]), cross_c);
      }
  }

  bool has_rank_one() const override { return true; }
  double rank_one(const Row4<Real>* x, Row4<Real>* u) const override {
    if (inside_.packs().empty()) return 0;
    const Row4<Real>& first = x[inside_.packs()[0].node[0][0]];
    const Vec3T<W> origin{W(first.x), W(first.y), W(first.z)};
    for (const VertexPack& v : inside_.packs())
      scatter<W>(u, v.node[0], {inside_.gradient(v, x, origin), W(0)});
    return settings_.stiffness;
  }

  bool gives() const override { return true; }
  bool steady() const override { return aim_ == settings_.target; }
  void visit_state(StateBytes& state) override { state(aim_); }

 private:
  using VertexPack = typename EnclosedVolume<W>::VertexPack;

  Settings settings_;
  EnclosedVolume<W> inside_;
  double aim_;  // V* of the step, on the way to the target [m³]
};

}  // namespace sinew
