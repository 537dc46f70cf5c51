// Hexahedra with one quadrature point and hourglass control, for the position-based solver. The
// stress at the centre is a multiplier as for tetrahedra (stress_multiplier.h), and so are the
// forces on the hourglass modes: Λ_q = −h²V ∂E/∂q. Both are solved at once: with the inverse mass
// of the lightest corner in place of each corner's own, the modes of a hexahedron move
// independently of each other, and nothing moves further than it should.
#pragma once

#include <algorithm>
#include <optional>

#include "elements/hex_folding.h"
#include "elements/hourglass.h"
#include "solvers/coloured_packs.h"
#include "solvers/element_rotation.h"
#include "solvers/element_summary.h"
#include "solvers/hex_modes.h"
#include "solvers/material_at.h"
#include "solvers/plastic_elements.h"
#include "solvers/plasticity.h"
#include "solvers/stress_multiplier.h"

namespace sinew {

// kSkewed: some element is no parallelepiped.
template <class Mat, template <class> class Control, bool kSkewed, class W>
class HexBatch final : public ElementBatch, public PlasticElements {
 public:
  static constexpr int kLanesHere = kWidth<W>;

  // `rest` has one entry per cell.
  HexBatch(const HexMesh& mesh, const std::vector<HexRest>& rest, const Mat& material,
           const std::optional<Plasticity>& plasticity)
      : material_(material), plasticity_(plasticity) {
    packs_ = ColouredPacks<ElementPack>(mesh.cells, mesh.vertices.size(),
                                        [&](ElementPack& e, int lane, Index cell) {
                                          const HexRest& r = rest[cell];
                                          set_lane(e.inverse, lane, r.inverse);
                                          set_lane(e.volume, lane, Real(r.volume));
                                          if constexpr (kSkewed) set_skew(e, lane, r);
                                          Control<W>::set(e.control, lane, r);
                                          slack_count_ += lane < e.count && r.volume == 0;
                                        });
    if (plasticity_) plastic_.resize(packs_.packs().size());
  }

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

  void yield(const Substep& substep) override {
    if constexpr (Mat::kElastic) {
      if (!plasticity_) return;
      packs_.for_each(substep, shared(), [&](ElementPack& e, const Shared& c, const Substep& s) {
        yield_pack(e, c, *plasticity_, s);
      });
    }
  }

  void extrapolate(Real omega, bool first) override {
    memory_.extrapolate(
        omega, first,
        [&](auto&& visit) {
          for (ElementPack& e : packs_.packs()) visit(e.multiplier);
        },
        [](const Multiplier& now, const Multiplier& before, Real w) {
          Multiplier out;
          out.stress = before.stress + (now.stress - before.stress) * W(w);
          for (int i = 0; i < 4; ++i)
            out.hourglass[i] =
                before.hourglass[i] + (now.hourglass[i] - before.hourglass[i]) * W(w);
          return out;
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
      subtract_flow(e, c, q);
      control.forces(c.moduli, q, force);
      for (int i = 0; i < 4; ++i) density = density + dot(q[i], force[i]) * W(Real(0.5));
      density = density + unfolding_stiffness(e, c) * control.strain2(q);
      total += sum(W(density * e.volume), e.count);
    }
    return total;
  }

  double stiffness(const Row4<Real>* rest) const override {
    double largest = 0;
    for (const ElementPack& e : packs_.packs()) {
      Rows4<W> p[8];
      gather_nodes<W>(rest, e.node, p);
      const W rate = explicit_stiffness(
          tangent_bound_at(material_, Mat3T<W>::identity(), Mat3T<W>::identity()),
          mobility(e, lightest(p)), e.volume);
      for (int i = 0; i < e.count; ++i) largest = std::max(largest, double(lane(rate, i)));
    }
    return largest;
  }

  ElementSummary summary(const Row4<Real>* position) const override {
    ElementSummary s;
    for (const ElementPack& e : packs_.packs()) {
      const Mat3T<W> f = gradient(e, modes_of<W>(Places{position}, e.node));
      add_elements(f, e.volume, e.count, s);
    }
    return s;
  }

  int count() const override { return packs_.count(); }
  int slack_count() const override { return slack_count_; }
  bool flows() const override { return plasticity_.has_value(); }
  void plastic_inverses(std::span<const Index> order, std::span<Mat3T<double>> out) const override {
    read_plastic_inverses(packs_.packs(), plastic_, order, out,
                          [](const Flow& flow) { return flow.strain.inverse; });
  }

  void visit_state(StateBytes& state) override {
    for (ElementPack& e : packs_.packs()) {
      state(e.control, e.unfolding, e.rotation);
      if (plasticity_) state(e.inverse);
    }
    state(plastic_);
  }

 private:
  struct Nothing {};
  struct Skew {
    Vec3T<W> g[4], mean[4];  // gᵢ and δᵢ of hexahedron.h
    Mat3T<W> spread;         // U
  };
  struct Multiplier {
    Mat3T<W> stress{};
    Vec3T<W> hourglass[4]{};  // in the control's frame
  };
  struct ElementPack {
    Index node[8][kLanesHere];
    Mat3T<W> inverse;  // J₀⁻¹
    W volume;          // [m³]
    Control<W> control;
    StartModes<W> start;
    Multiplier multiplier;
    Unfolding<W> unfolding;
    [[no_unique_address]] std::conditional_t<kSkewed, Skew, Nothing> skew;
    [[no_unique_address]] ElementRotation<Mat, W> rotation;
    int count;  // lanes in use
  };
  // What has flowed for good: of the centre's strain, and of the hourglass amplitudes.
  struct Flow {
    PlasticState<W> strain;
    Vec3T<W> hourglass[4]{};
  };
  static void set_skew(ElementPack& e, int lane, const HexRest& rest) {
    for (int i = 0; i < 4; ++i) {
      set_lane(e.skew.g[i], lane, rest.skew[i]);
      set_lane(e.skew.mean[i], lane, rest.mean[i]);
    }
    set_lane(e.skew.spread, lane, rest.spread);
  }
  // What is the same for all elements.
  struct Shared {
    Mat material;
    ElasticModuli<W> moduli;
    const ElementPack* first;  // pack, to which flow[0] belongs
    Flow* flow;                // null: elastic
  };
  Shared shared() const {
    return {material_, ElasticModuli<W>::from(material_.lame_mu(), material_.lame_lambda()),
            packs_.packs().data(), plasticity_ ? const_cast<Flow*>(plastic_.data()) : nullptr};
  }

  SINEW_INLINE static void subtract_flow(const ElementPack& e, const Shared& c, Vec3T<W> (&q)[4]) {
    if (!c.flow) return;
    const Flow& flow = c.flow[&e - c.first];
    for (int i = 0; i < 4; ++i) q[i] -= flow.hourglass[i];
  }

  SINEW_INLINE static W unfolding_stiffness(const ElementPack& e, const Shared& c) {
    return c.moduli.shear * W(kUnfoldingStiffness) * e.unfolding.share;
  }

  // F̄ = (⅛ (m₁ m₂ m₃) + Σ qᵢ δᵢᵀ) J₀⁻¹, with the amplitudes q in the world's axes.
  SINEW_INLINE static Mat3T<W> gradient(const ElementPack& e, const HexModes<W>& m,
                                        [[maybe_unused]] const Vec3T<W> (&q)[4]) {
    return edges_of(e, m, q) * e.inverse;
  }
  SINEW_INLINE static Mat3T<W> edges_of(const ElementPack& e, const HexModes<W>& m,
                                        [[maybe_unused]] const Vec3T<W> (&q)[4]) {
    Mat3T<W> edges;
    for (int k = 0; k < 3; ++k) {
      edges.c[k] = m.edge[k] * W(Real(0.125));
      if constexpr (kSkewed)
        for (int i = 0; i < 4; ++i) edges.c[k] += q[i] * e.skew.mean[i][k];
    }
    return edges;
  }
  SINEW_INLINE static Mat3T<W> gradient(const ElementPack& e, const HexModes<W>& m) {
    Vec3T<W> q[4];
    amplitudes(e, m, q);
    return gradient(e, m, q);
  }

  SINEW_INLINE static void amplitudes(const ElementPack& e, const HexModes<W>& m,
                                      Vec3T<W> (&q)[4]) {
    for (int i = 0; i < 4; ++i) {
      q[i] = m.hourglass[i];
      if constexpr (kSkewed)
        for (int k = 0; k < 3; ++k) q[i] -= m.edge[k] * e.skew.g[i][k];
      q[i] *= W(Real(0.125));
    }
  }

  SINEW_INLINE static W lightest(const Rows4<W> (&p)[8]) {
    W w = p[0].w;
    for (int n = 1; n < 8; ++n) w = max(w, p[n].w);
    return w;
  }
  // K = w/8 J₀⁻ᵀ N J₀⁻¹, if every corner had the inverse mass w. N is I for parallelepipeds, and
  // else what the corners' shares in the mean gradient make it, of which the pack holds U, N = UᵀU.
  SINEW_INLINE static Sym3T<W> mobility(const ElementPack& e, const W& w) {
    if constexpr (kSkewed)
      return gram(e.skew.spread * e.inverse) * (w * W(Real(0.125)));
    else
      return gram(e.inverse) * (w * W(Real(0.125)));
  }
  // The same for the amplitude of an hourglass mode: Σ w γ².
  SINEW_INLINE static W hourglass_mobility(const ElementPack& e, int mode, const W& w) {
    W size(Real(1));
    if constexpr (kSkewed) size = size + dot(e.skew.g[mode], e.skew.g[mode]);
    return w * size * W(Real(0.125));
  }

  // Moves the corners by the stress and the hourglass forces (in the control's frame).
  SINEW_INLINE static void push(const ElementPack& e, const Substep& s, Rows4<W> (&u)[8],
                                const Mat3T<W>& stress, Vec3T<W> (&hourglass)[4]) {
    const W eighth(Real(0.125));
    e.control.to_world(hourglass);
    for (int i = 0; i < 4; ++i) hourglass[i] *= eighth;
    Vec3T<W> edge[3], force[8];
    for (int k = 0; k < 3; ++k)
      edge[k] = (stress.c[0] * e.inverse(k, 0) + stress.c[1] * e.inverse(k, 1) +
                 stress.c[2] * e.inverse(k, 2)) *
                eighth;
    if constexpr (kSkewed) {
      for (int i = 0; i < 4; ++i)
        for (int k = 0; k < 3; ++k) hourglass[i] += edge[k] * e.skew.mean[i][k];
      for (int k = 0; k < 3; ++k)
        for (int i = 0; i < 4; ++i) edge[k] -= hourglass[i] * e.skew.g[i][k];
    }
    to_corners(edge, hourglass, force);
    move_nodes<W>(s, e.node, u, force);
  }

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
    subtract_flow(e, shared, q);
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
    subtract_flow(e, shared, q);
    e.control.forces(shared.moduli, q, force);
    e.control.bounds(shared.moduli, bound);
    if (e.unfolding.any_active())
      e.control.add_laplacian(unfolding_stiffness(e, shared), q, force, bound);
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
    subtract_flow(e, shared, change);
    for (int i = 0; i < 4; ++i) change[i] = q[i] - change[i];
    e.control.forces(shared.moduli, change, viscous);
    for (int i = 0; i < 4; ++i) {
      force[i] += viscous[i] * rate;
      bound[i] += bound[i] * rate;
    }
  }

  // Bending is in the hourglass modes: their part of the strain flows as the centre's does.
  SINEW_INLINE static void yield_pack(ElementPack& e, const Shared& c, const Plasticity& plasticity,
                                      const Substep& s) {
    Flow& flow = c.flow[&e - c.first];
    Rows4<W> u[8];
    gather_nodes<W>(s.displacement, e.node, u);
    const HexModes<W> m = e.start.moved(u);
    Vec3T<W> q[4];
    amplitudes(e, m, q);
    flow_strain(plasticity, gradient(e, m, q), s.h, e.inverse, flow.strain);
    e.control.to_local(q);
    const Mat3T<W> inverse = e.inverse;
    flow_modes(plasticity, sqrt(contract(inverse, inverse) * W(Real(1.0 / 3))), s.h, q,
               flow.hourglass);
  }

  Mat material_;
  std::optional<Plasticity> plasticity_;
  ColouredPacks<ElementPack> packs_;
  std::vector<Flow> plastic_;
  MultiplierMemory<Multiplier> memory_;
  int slack_count_ = 0;
};

}  // namespace sinew
