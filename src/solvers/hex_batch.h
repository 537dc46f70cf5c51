// Hexahedra with one quadrature point and hourglass control, for the position-based solver. The
// stress at the centre is a multiplier as for tetrahedra (stress_multiplier.h), and so are the
// forces on the hourglass modes: Λ_q = −h²V ∂E/∂q. Both are solved at once: with the inverse mass
// of the lightest corner in place of each corner's own, the modes of a hexahedron move
// independently of each other, and nothing moves further than it should.
#pragma once

#include "solvers/hex_packs.h"
#include "solvers/material_at.h"

namespace sinew {

template <class Mat, template <class> class Control, bool kSkewed, class W>
class HexBatch final : public HexPacks<Mat::kNeedsRotation, Control, kSkewed, W> {
  using Base = HexPacks<Mat::kNeedsRotation, Control, kSkewed, W>;
  using Base::amplitudes, Base::edges_of, Base::flow_of_packs, Base::gradient,
      Base::hourglass_mobility, Base::lightest, Base::mobility, Base::moduli_, Base::packs_,
      Base::push, Base::subtract_flow, Base::unfolding_stiffness;
  using typename Base::ElementPack, typename Base::FlowOfPacks;

 public:
  // `rest` has one entry per cell.
  HexBatch(const HexMesh& mesh, const std::vector<HexRest>& rest, const Mat& material,
           const std::optional<Plasticity>& plasticity)
      : Base(mesh, rest, plasticity,
             ElasticModuli<W>::from(material.lame_mu(), material.lame_lambda())),
        material_(material) {}

  void predict(const Substep& substep) override {
    if constexpr (Mat::kElastic)
      packs_.for_each(substep, shared(), [](ElementPack& e, const Shared& c, const Substep& s) {
        predict_pack(e, c, s);
      });
  }
  void solve(const Substep& substep) override {
    if constexpr (Mat::kElastic)
      packs_.for_each(substep, shared(), [](ElementPack& e, const Shared& c, const Substep& s) {
        solve_pack(e, c, s);
      });
  }

  double energy(const Places& at) const override {
    double total = 0;
    const Shared c = shared();
    for (const ElementPack& e : packs_.packs()) {
      const HexModes<W> m = modes_of<W>(at, e.node);
      Vec3T<W> q[4], force[4];
      amplitudes(e, m, q);
      const Mat3T<W> f = gradient(e, m, q);
      total += exact_energy(material_, f, e.rotation.at(f), e.volume, e.count);
      W density(Real(0));
      Control<W> control = e.control;
      control.track(m.edge);
      control.to_local(q);
      subtract_flow(e, c.flow, q);
      control.forces(c.moduli, q, force);
      for (int i = 0; i < 4; ++i) density = density + dot(q[i], force[i]) * W(Real(0.5));
      density = density + unfolding_stiffness(e, c.moduli) * control.strain2(q);
      total += sum(W(density * e.volume), e.count);
    }
    return total;
  }

  double stiffness(const Row4<Real>* rest) const override {
    return this->largest_stiffness(
        tangent_bound_at(material_, Mat3T<W>::identity(), Mat3T<W>::identity()), rest);
  }

 private:
  // What is the same for all elements.
  struct Shared {
    Mat material;
    ElasticModuli<W> moduli;
    FlowOfPacks flow;
  };
  Shared shared() const { return {material_, moduli_, flow_of_packs()}; }

  SINEW_INLINE static void predict_pack(ElementPack& e, const Shared& shared, const Substep& s) {
    const HexModes<W> m = modes_of<W>(s.start, e.node);
    e.start.set(m);
    Rows4<W> u[8];
    gather_nodes<W>(s.displacement, e.node, u);
    Vec3T<W> q[4], force[4], bound[4], hourglass[4];
    amplitudes(e, m, q);
    const Mat3T<W> f = gradient(e, m, q);
    const W w = lightest(u), scale = e.volume * W(s.h * s.h);
    e.multiplier.stress =
        predicted_multiplier(tangent_bound_at(shared.material, f, e.rotation.follow(f)),
                             mobility(e, w), scale, s.prediction / s.sharing);

    e.control.track(m.edge);
    e.control.to_local(q);
    subtract_flow(e, shared.flow, q);
    e.control.forces(shared.moduli, q, force);
    e.control.bounds(shared.moduli, bound);
    const W strain2 = e.control.strain2(q);
    if (e.unfolding.may_change(strain2)) {
      Vec3T<W> all[4];
      amplitudes(e, m, all);
      e.unfolding.follow(strain2, least_corner(edges_of(e, m, all), all) * determinant(e.inverse),
                         s.h);
    }
    for (int i = 0; i < 4; ++i) {
      // The stress counts what it does along three axes together; so do these.
      const W mobile = scale * hourglass_mobility(e, i, w) *
                       W(3 * s.sharing / (kExplicitStiffness * s.prediction));
      for (int k = 0; k < 3; ++k)
        e.multiplier.hourglass[i][k] = force[i][k] * (-scale / max(mobile * bound[i][k], W(1)));
      hourglass[i] = e.multiplier.hourglass[i];
    }
    push(e, s, u, e.multiplier.stress, hourglass);
  }

  SINEW_INLINE static void solve_pack(ElementPack& e, const Shared& shared, const Substep& s) {
    Rows4<W> u[8];
    gather_nodes<W>(s.displacement, e.node, u);
    const HexModes<W> m = e.start.moved(u);
    Vec3T<W> q[4], force[4], bound[4], delta_q[4];
    amplitudes(e, m, q);
    const Mat3T<W> f = gradient(e, m, q);
    const W w = lightest(u) * W(s.sharing), scale = e.volume * W(s.h * s.h);
    const W relaxation(s.relaxation);
    auto bound_at = tangent_bound_at(shared.material, f, e.rotation.follow(f));
    e.control.to_local(q);
    subtract_flow(e, shared.flow, q);
    e.control.forces(shared.moduli, q, force);
    e.control.bounds(shared.moduli, bound);
    if (e.unfolding.any_active())
      e.control.add_laplacian(unfolding_stiffness(e, shared.moduli), q, force, bound);
    if (s.damping > 0) {
      const HexModes<W> before = e.start.get();
      add_viscosity(W(shared.material.lame_mu()), W(s.damping / s.h), f, gradient(e, before),
                    bound_at);
      add_hourglass_viscosity(e, shared, W(s.damping / s.h), q, before, force, bound);
    }
    const Mat3T<W> delta =
        multiplier_correction(bound_at, mobility(e, w), scale, e.multiplier.stress) * relaxation;
    e.multiplier.stress = e.multiplier.stress + delta;
    for (int i = 0; i < 4; ++i) {
      const W mobile = scale * hourglass_mobility(e, i, w);
      for (int k = 0; k < 3; ++k) {
        const W residual = force[i][k] * -scale - e.multiplier.hourglass[i][k];
        delta_q[i][k] = residual * relaxation / (W(1) + mobile * bound[i][k]);
        e.multiplier.hourglass[i][k] += delta_q[i][k];
      }
    }
    push(e, s, u, delta, delta_q);
  }

  // Amplitudes in the co-rotated frame change only by deforming: their rate is damped as the shear
  // is.
  SINEW_INLINE static void add_hourglass_viscosity(const ElementPack& e, const Shared& shared,
                                                   const W& rate, const Vec3T<W> (&q)[4],
                                                   const HexModes<W>& before, Vec3T<W> (&force)[4],
                                                   Vec3T<W> (&bound)[4]) {
    Vec3T<W> change[4], viscous[4];
    amplitudes(e, before, change);
    e.control.to_local(change);
    subtract_flow(e, shared.flow, change);
    for (int i = 0; i < 4; ++i) change[i] = q[i] - change[i];
    e.control.forces(shared.moduli, change, viscous);
    for (int i = 0; i < 4; ++i) {
      force[i] += viscous[i] * rate;
      bound[i] += bound[i] * rate;
    }
  }

  Mat material_;
};

}  // namespace sinew
