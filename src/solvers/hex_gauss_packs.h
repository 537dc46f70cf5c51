// Hexahedra with eight Gauss points, whatever they are made of: gradients and forces of their
// points, and what has flowed there (hex_gauss_batch.h has the solver).
#pragma once

#include <algorithm>
#include <optional>

#include "elements/hexahedron.h"
#include "solvers/coloured_packs.h"
#include "solvers/element_rotation.h"
#include "solvers/element_summary.h"
#include "solvers/hex_modes.h"
#include "solvers/plastic_elements.h"
#include "solvers/plasticity.h"
#include "solvers/stress_multiplier.h"

namespace sinew {

// kRotation: their material needs the rotation of F.
template <bool kRotation, class W>
class HexGaussPacks : public ElementBatch, public PlasticElements {
 public:
  static constexpr int kLanesHere = kWidth<W>;

  HexGaussPacks(const HexMesh& mesh, const std::vector<HexRest>& rest,
                const std::optional<Plasticity>& plasticity)
      : plasticity_(plasticity) {
    packs_ = ColouredPacks<ElementPack>(
        mesh.cells, mesh.vertices.size(), [&](ElementPack& e, int lane, Index cell) {
          const HexRest& r = rest[cell];
          for (int q = 0; q < 8; ++q) {
            set_lane(e.point[q].inverse, lane,
                     r.volume == 0 ? Mat3T<double>{} : r.point_inverse[q]);
            set_lane(e.point[q].volume, lane, r.volume == 0 ? Real(0) : Real(r.point_volume[q]));
          }
          slack_count_ += lane < e.count && r.volume == 0;
        });
    if (plasticity_) plastic_.resize(packs_.packs().size());
  }

  void yield(const Substep& substep) override {
    if (!plasticity_) return;
    const ElementPack* first = packs_.packs().data();
    packs_.for_each(substep, *plasticity_,
                    [&](ElementPack& e, const Plasticity& plasticity, const Substep& s) {
                      Rows4<W> u[8];
                      gather_nodes<W>(s.displacement, e.node, u);
                      const HexModes<W> m = e.start.moved(u);
                      for (int q = 0; q < 8; ++q)
                        flow_strain(plasticity, gradient(e, q, m), s.h, e.point[q].inverse,
                                    plastic_[&e - first].point[q]);
                    });
  }
  void extrapolate(Real omega, bool first) override {
    memory_.extrapolate(
        omega, first,
        [&](auto&& visit) {
          for (ElementPack& e : packs_.packs())
            for (Point& p : e.point) visit(p.lambda);
        },
        [](const Mat3T<W>& lambda, const Mat3T<W>& before, Real w) {
          return before + (lambda - before) * W(w);
        });
  }

  // An element counts as inverted when any of its points is.
  ElementSummary summary(const Row4<Real>* position) const override {
    ElementSummary s;
    for (const ElementPack& e : packs_.packs()) {
      const HexModes<W> m = modes_of<W>(Places{position}, e.node);
      bool inverted[kLanesHere] = {};
      for (int q = 0; q < 8; ++q)
        add_deformation(gradient(e, q, m), e.point[q].volume, e.count, inverted, s);
      add_inverted<W>(inverted, e.count, s);
    }
    return s;
  }

  int count() const override { return packs_.count(); }
  int slack_count() const override { return slack_count_; }
  bool flows() const override { return plasticity_.has_value(); }
  // The mean of its points, as there is one value for a cell.
  void plastic_inverses(std::span<const Index> order, std::span<Mat3T<double>> out) const override {
    read_plastic_inverses(packs_.packs(), plastic_, order, out, [](const Flow& flow) {
      Mat3T<W> mean = {};
      for (const PlasticState<W>& point : flow.point) mean = mean + point.inverse * W(Real(0.125));
      return mean;
    });
  }

  void visit_state(StateBytes& state) override {
    for (ElementPack& e : packs_.packs())
      for (Point& p : e.point) {
        state(p.rotation);
        if (plasticity_) state(p.inverse);
      }
    state(plastic_);
  }

 protected:
  struct Point {
    Mat3T<W> inverse;  // J⁻¹
    W volume;          // [m³]
    Mat3T<W> lambda{};
    [[no_unique_address]] ElementRotation<kRotation, W> rotation;
  };
  struct ElementPack {
    Index node[8][kLanesHere];
    Point point[8];
    StartModes<W> start;
    int count;
  };
  struct Flow {
    PlasticState<W> point[8];
  };

  // ⅛ ∂(mode)/∂ξ of the hourglass modes at a Gauss point.
  struct PointGradients {
    Real edge, hourglass[4][3];
  };
  static const PointGradients& point_gradients(int q) {
    static const std::array<PointGradients, 8> table = [] {
      std::array<PointGradients, 8> t{};
      for (int i = 0; i < 8; ++i) {
        const auto g = hourglass_gradients(gauss_point(i));
        t[i].edge = Real(0.125);
        for (int mode = 0; mode < 4; ++mode)
          for (int k = 0; k < 3; ++k) t[i].hourglass[mode][k] = Real(g[mode][k] / 8);
      }
      return t;
    }();
    return table[q];
  }
  SINEW_INLINE static Mat3T<W> gradient(const ElementPack& e, int q, const HexModes<W>& m) {
    const PointGradients& g = point_gradients(q);
    Mat3T<W> j;
    for (int k = 0; k < 3; ++k) {
      j.c[k] = m.edge[k] * W(g.edge);
      for (int i = 0; i < 4; ++i) j.c[k] += m.hourglass[i] * W(g.hourglass[i][k]);
    }
    return j * e.point[q].inverse;
  }

  // Forces of a stress at point q on the corners, b of every corner.
  SINEW_INLINE static void corner_forces(const ElementPack& e, int q, const Mat3T<W>& a,
                                         Vec3T<W> (&force)[8]) {
    const PointGradients& g = point_gradients(q);
    const Mat3T<W>& inverse = e.point[q].inverse;
    Vec3T<W> column[3], edge[3], hourglass[4];
    for (int k = 0; k < 3; ++k) {
      column[k] = a.c[0] * inverse(k, 0) + a.c[1] * inverse(k, 1) + a.c[2] * inverse(k, 2);
      edge[k] = column[k] * W(g.edge);
    }
    for (int i = 0; i < 4; ++i) {
      hourglass[i] = column[0] * W(g.hourglass[i][0]);
      for (int k = 1; k < 3; ++k) hourglass[i] += column[k] * W(g.hourglass[i][k]);
    }
    to_corners(edge, hourglass, force);
  }

  // K = Σ wₙ bₙ bₙᵀ; bₙ is what the unit stresses do to corner n, column by column.
  SINEW_INLINE static Sym3T<W> mobility(const ElementPack& e, int q, const Rows4<W> (&p)[8]) {
    Vec3T<W> b[8];
    corner_forces(e, q, Mat3T<W>::identity(), b);  // I bₙ = bₙ
    Sym3T<W> k = outer(b[0], p[0].w);
    for (int n = 1; n < 8; ++n) k = k + outer(b[n], p[n].w);
    return k;
  }

  // The largest of h²k/m at rest, by h² [1/s²], of a material with that bound on its tangent.
  double largest_stiffness(const TangentBound<W>& at_rest, const Row4<Real>* rest) const {
    double largest = 0;
    for (const ElementPack& e : packs_.packs()) {
      Rows4<W> p[8];
      gather_nodes<W>(rest, e.node, p);
      for (int q = 0; q < 8; ++q) {
        const W rate = explicit_stiffness(at_rest, mobility(e, q, p) * W(8), e.point[q].volume);
        for (int i = 0; i < e.count; ++i) largest = std::max(largest, double(lane(rate, i)));
      }
    }
    return largest;
  }

  std::optional<Plasticity> plasticity_;
  ColouredPacks<ElementPack> packs_;
  std::vector<Flow> plastic_;
  MultiplierMemory<Mat3T<W>> memory_;
  int slack_count_ = 0;
};

}  // namespace sinew
