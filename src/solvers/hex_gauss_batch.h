// Hexahedra with eight Gauss points (Lewin §4.3.2, eq. 4.26–4.27), for the position-based
// solver: the reference that one-point elements are compared with. Every point has its own stress
// as a multiplier (stress_multiplier.h); the points of an element are solved one after the other.
#pragma once

#include "solvers/hex_gauss_packs.h"
#include "solvers/material_at.h"

namespace sinew {

template <class Mat, class W>
class HexGaussBatch final : public HexGaussPacks<Mat::kNeedsRotation, W> {
  using Base = HexGaussPacks<Mat::kNeedsRotation, W>;
  using Base::corner_forces, Base::gradient, Base::mobility, Base::packs_;
  using typename Base::ElementPack, typename Base::Point;

 public:
  HexGaussBatch(const HexMesh& mesh, const std::vector<HexRest>& rest, const Mat& material,
                const std::optional<Plasticity>& plasticity)
      : Base(mesh, rest, plasticity), material_(material) {}

  void predict(const Substep& substep) override {
    if constexpr (Mat::kElastic)
      packs_.for_each(substep, material_, [](ElementPack& e, const Mat& m, const Substep& s) {
        predict_pack(e, m, s);
      });
  }
  void solve(const Substep& substep) override {
    if constexpr (Mat::kElastic)
      packs_.for_each(substep, material_,
                      [](ElementPack& e, const Mat& m, const Substep& s) { solve_pack(e, m, s); });
  }
  double energy(const Places& at) const override {
    double total = 0;
    for (const ElementPack& e : packs_.packs()) {
      const HexModes<W> m = modes_of<W>(at, e.node);
      for (int q = 0; q < 8; ++q) {
        const Mat3T<W> f = gradient(e, q, m);
        total += exact_energy(material_, f, e.point[q].rotation.at(f), e.point[q].volume, e.count);
      }
    }
    return total;
  }

  double stiffness(const Row4<Real>* rest) const override {
    return this->largest_stiffness(
        tangent_bound_at(material_, Mat3T<W>::identity(), Mat3T<W>::identity()), rest);
  }

 private:
  SINEW_INLINE static void predict_pack(ElementPack& e, const Mat& material, const Substep& s) {
    const HexModes<W> m = modes_of<W>(s.start, e.node);
    e.start.set(m);
    Rows4<W> u[8];
    gather_nodes<W>(s.displacement, e.node, u);
    Vec3T<W> total[8] = {};
#pragma GCC unroll 1  // eight copies compile for minutes and gain nothing
    for (int q = 0; q < 8; ++q) {
      const Mat3T<W> f = gradient(e, q, m);
      Point& point = e.point[q];
      // Eight points push the same corners: each may do an eighth of what a lone one might.
      point.lambda = predicted_multiplier(tangent_bound_at(material, f, point.rotation.follow(f)),
                                          mobility(e, q, u) * W(8), point.volume * W(s.h * s.h),
                                          s.prediction / s.sharing);
      Vec3T<W> force[8];
      corner_forces(e, q, point.lambda, force);
      for (int n = 0; n < 8; ++n) total[n] += force[n];
    }
    move_nodes<W>(s, e.node, u, total);
  }

  SINEW_INLINE static void solve_pack(ElementPack& e, const Mat& material, const Substep& s) {
    Rows4<W> u[8];
    gather_nodes<W>(s.displacement, e.node, u);
    const HexModes<W> before = e.start.get();
    Vec3T<W> total[8] = {};
    Rows4<W> moved[8];
    for (int n = 0; n < 8; ++n) moved[n] = u[n];
#pragma GCC unroll 1  // eight copies compile for minutes and gain nothing
    for (int q = 0; q < 8; ++q) {
      Point& point = e.point[q];
      const Mat3T<W> f = gradient(e, q, e.start.moved(moved));
      auto m = tangent_bound_at(material, f, point.rotation.follow(f));
      if (s.damping > 0)
        add_viscosity(W(material.lame_mu()), W(s.damping / s.h), f, gradient(e, q, before), m);
      const Mat3T<W> delta = multiplier_correction(m, mobility(e, q, u) * W(s.sharing),
                                                   point.volume * W(s.h * s.h), point.lambda) *
                             W(s.relaxation);
      point.lambda = point.lambda + delta;
      Vec3T<W> force[8];
      corner_forces(e, q, delta, force);
      for (int n = 0; n < 8; ++n) {
        total[n] += force[n];
        moved[n].xyz += force[n] * u[n].w;
      }
    }
    move_nodes<W>(s, e.node, u, total);
  }

  Mat material_;
};

}  // namespace sinew
