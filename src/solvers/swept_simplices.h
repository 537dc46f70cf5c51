// Elements with one deformation gradient each, tetrahedra and triangles, for sweeps, whatever they
// are made of: their packs, gradients, and what has flowed (simplex_batch.h has the solver).
#pragma once

#include <algorithm>
#include <optional>

#include "solvers/coloured_packs.h"
#include "solvers/element_rotation.h"
#include "solvers/element_summary.h"
#include "solvers/plastic_elements.h"
#include "solvers/plasticity.h"
#include "solvers/stress_multiplier.h"

namespace sinew {

// kRotation: their material needs the rotation of F.
template <class Element, bool kRotation, class W>
class SweptSimplices : public ElementBatch, public PlasticElements {
 public:
  using Cell = typename Element::Cell;
  static constexpr int kNodes = Element::kNodes;
  static constexpr int kLanesHere = kWidth<W>;

  // `thickness` is that of sheets [m]; 1 for solids.
  SweptSimplices(const Mesh<Cell>& mesh, Real thickness,
                 const std::optional<Plasticity>& plasticity)
      : plasticity_(plasticity) {
    packs_ = ColouredPacks<ElementPack>(
        mesh.cells, mesh.vertices.size(), [&](ElementPack& e, int lane, Index cell) {
          Vec3T<double> x[kNodes];
          for (int n = 0; n < kNodes; ++n) x[n] = to_double(mesh.vertices[mesh.cells[cell][n]]);
          const auto rest = Element::rest(x);
          set_lane(e.rest.inverse, lane, rest.inverse);
          set_lane(e.rest.volume, lane, Real(rest.volume) * thickness);
          slack_count_ += lane < e.count && rest.volume == 0;
        });
    if (plasticity_) plastic_.resize(packs_.packs().size());
  }

  void yield(const Substep& substep) override {
    if constexpr (Element::kSolid) {
      if (!plasticity_) return;
      const ElementPack* first = packs_.packs().data();
      packs_.for_each(substep, *plasticity_,
                      [&](ElementPack& e, const Plasticity& plasticity, const Substep& s) {
                        Rows4<W> u[kNodes];
                        gather_nodes<W>(s.displacement, e.node, u);
                        flow_strain(plasticity, deformation(e, u), s.h, e.rest.inverse,
                                    plastic_[&e - first]);
                      });
    }
  }

  void extrapolate(Real omega, bool first) override {
    memory_.extrapolate(
        omega, first,
        [&](auto&& visit) {
          for (ElementPack& e : packs_.packs()) visit(e.lambda);
        },
        [](const Mat3T<W>& lambda, const Mat3T<W>& before, Real w) {
          return before + (lambda - before) * W(w);
        });
  }

  ElementSummary summary(const Row4<Real>* position) const override {
    ElementSummary s;
    for_each_deformation({position}, [&](const ElementPack& e, const Mat3T<W>& f) {
      add_elements(f, e.rest.volume, e.count, s);
    });
    return s;
  }

  int count() const override { return packs_.count(); }
  int slack_count() const override { return slack_count_; }
  bool flows() const override { return plasticity_.has_value(); }
  void plastic_inverses(std::span<const Index> order, std::span<Mat3T<double>> out) const override {
    read_plastic_inverses(packs_.packs(), plastic_, order, out,
                          [](const PlasticState<W>& state) { return state.inverse; });
  }

  void visit_state(StateBytes& state) override {
    for (ElementPack& e : packs_.packs()) {
      state(e.rotation);
      if (plasticity_) state(e.rest.inverse);
    }
    state(plastic_);
  }

 protected:
  struct ElementPack {
    Index node[kNodes][kLanesHere];
    typename Element::template Rest<W> rest;
    StartShape<W, kNodes> start;
    Mat3T<W> lambda{};  // Λ of the substep under way
    [[no_unique_address]] ElementRotation<kRotation, W> rotation;
    int count;  // lanes in use
  };

  // After displacements u.
  SINEW_INLINE static Mat3T<W> deformation(const ElementPack& e, const Rows4<W> (&u)[kNodes]) {
    Vec3T<W> x[kNodes];
    e.start.moved(u, x);
    return Element::deformation_gradient(e.rest, x);
  }
  SINEW_INLINE static Mat3T<W> deformation_at_start(const ElementPack& e) {
    Vec3T<W> x[kNodes];
    e.start.get(x);
    return Element::deformation_gradient(e.rest, x);
  }

  // K = Σ wᵢ bᵢ bᵢᵀ [1/(kg m²)]
  SINEW_INLINE static Sym3T<W> mobility(const ElementPack& e, const Rows4<W> (&p)[kNodes]) {
    Vec3T<W> b[kNodes];
    Element::shape_gradients(e.rest, b);
    Sym3T<W> k = outer(b[0], p[0].w);
    for (int i = 1; i < kNodes; ++i) k = k + outer(b[i], p[i].w);
    return k;
  }

  // u ← u + M⁻¹ Gᵀ Λ
  SINEW_INLINE static void push(const ElementPack& e, const Substep& s, Rows4<W> (&u)[kNodes],
                                const Mat3T<W>& lambda) {
    Vec3T<W> force[kNodes];
    Element::node_forces(e.rest, lambda, force);
    move_nodes<W>(s, e.node, u, force);
  }

  // The largest of h²k/m at rest, by h² [1/s²], of a material with that bound on its tangent.
  double largest_stiffness(const TangentBound<W>& at_rest, const Row4<Real>* rest) const {
    double largest = 0;
    for (const ElementPack& e : packs_.packs()) {
      Rows4<W> p[kNodes];
      gather_nodes<W>(rest, e.node, p);
      const W rate = explicit_stiffness(at_rest, mobility(e, p), e.rest.volume);
      for (int i = 0; i < e.count; ++i) largest = std::max(largest, double(lane(rate, i)));
    }
    return largest;
  }

  template <class F>
  void for_each_deformation(const Places& at, F&& f) const {
    for (const ElementPack& e : packs_.packs()) {
      Vec3T<W> x[kNodes];
      gather_seen_from_first<W>(at, e.node, x);
      f(e, Element::deformation_gradient(e.rest, x));
    }
  }

  std::optional<Plasticity> plasticity_;
  ColouredPacks<ElementPack> packs_;
  std::vector<PlasticState<W>> plastic_;  // how far each pack has flowed
  MultiplierMemory<Mat3T<W>> memory_;
  int slack_count_ = 0;
};

}  // namespace sinew
