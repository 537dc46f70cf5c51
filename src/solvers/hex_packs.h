// Hexahedra with one quadrature point and hourglass control, whatever they are made of: their
// packs, amplitudes of their hourglass modes, mean gradients, and what has flowed of both
// (hex_batch.h has the solver).
#pragma once

#include <algorithm>
#include <optional>

#include "elements/hex_folding.h"
#include "elements/hourglass.h"
#include "solvers/coloured_packs.h"
#include "solvers/element_rotation.h"
#include "solvers/element_summary.h"
#include "solvers/hex_modes.h"
#include "solvers/plastic_elements.h"
#include "solvers/plasticity.h"
#include "solvers/stress_multiplier.h"

namespace sinew {

// kSkewed: some element is no parallelepiped. kRotation: their material needs the rotation of F.
template <bool kRotation, template <class> class Control, bool kSkewed, class W>
class HexPacks : public ElementBatch, public PlasticElements {
 public:
  static constexpr int kLanesHere = kWidth<W>;

  // `rest` has one entry per cell.
  HexPacks(const HexMesh& mesh, const std::vector<HexRest>& rest,
           const std::optional<Plasticity>& plasticity, const ElasticModuli<W>& moduli)
      : plasticity_(plasticity), moduli_(moduli) {
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

  void yield(const Substep& substep) override {
    if (!plasticity_) return;
    packs_.for_each(
        substep, *plasticity_,
        [flow = flow_of_packs()](ElementPack& e, const Plasticity& plasticity, const Substep& s) {
          yield_pack(e, flow, plasticity, s);
        });
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

 protected:
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
    [[no_unique_address]] ElementRotation<kRotation, W> rotation;
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
  // What has flowed, of all packs.
  struct FlowOfPacks {
    const ElementPack* first;  // pack, to which flow[0] belongs
    Flow* flow;                // null: elastic

    SINEW_INLINE Flow* of(const ElementPack& e) const {
      return flow ? flow + (&e - first) : nullptr;
    }
  };
  FlowOfPacks flow_of_packs() const {
    return {packs_.packs().data(), plasticity_ ? const_cast<Flow*>(plastic_.data()) : nullptr};
  }

  SINEW_INLINE static void subtract_flow(const ElementPack& e, const FlowOfPacks& flow,
                                         Vec3T<W> (&q)[4]) {
    if (const Flow* here = flow.of(e))
      for (int i = 0; i < 4; ++i) q[i] -= here->hourglass[i];
  }

  SINEW_INLINE static W unfolding_stiffness(const ElementPack& e, const ElasticModuli<W>& moduli) {
    return moduli.shear * W(kUnfoldingStiffness) * e.unfolding.share;
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

  // Bending is in the hourglass modes: their part of the strain flows as the centre's does.
  SINEW_INLINE static void yield_pack(ElementPack& e, const FlowOfPacks& flows,
                                      const Plasticity& plasticity, const Substep& s) {
    Flow& flow = *flows.of(e);
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

  // The largest of h²k/m at rest, by h² [1/s²], of a material with that bound on its tangent.
  double largest_stiffness(const TangentBound<W>& at_rest, const Row4<Real>* rest) const {
    double largest = 0;
    for (const ElementPack& e : packs_.packs()) {
      Rows4<W> p[8];
      gather_nodes<W>(rest, e.node, p);
      const W rate = explicit_stiffness(at_rest, mobility(e, lightest(p)), e.volume);
      for (int i = 0; i < e.count; ++i) largest = std::max(largest, double(lane(rate, i)));
    }
    return largest;
  }

  std::optional<Plasticity> plasticity_;
  ElasticModuli<W> moduli_;
  ColouredPacks<ElementPack> packs_;
  std::vector<Flow> plastic_;
  MultiplierMemory<Multiplier> memory_;
  int slack_count_ = 0;
};

}  // namespace sinew
