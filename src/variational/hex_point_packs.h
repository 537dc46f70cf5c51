// Hexahedra at their points of integration, whatever they are made of: their packs, gradients, how
// much of their own material they are at the moment (recovery.h), and their part of the constant
// matrix.
#pragma once

#include "math/isotropic_tangent.h"
#include "solvers/element_summary.h"
#include "variational/element_blocks.h"
#include "variational/elements_energy.h"
#include "variational/point_packs.h"
#include "variational/recovery.h"

namespace sinew {

template <class W>
class HexPointPacks : public ElementsEnergy {
 public:
  // `factors` are SoftBody::cell_stiffness; `stiffness` is the material's mean one [Pa].
  HexPointPacks(const HexMesh& mesh, const ShapePoints<Hexahedron>& points,
                std::span<const Real> factors, double stiffness, bool recovers)
      : stiffness_(stiffness), recovers_(recovers), per_cell_(points.per_cell) {
    packs_ = packs_with_points<ElementPack>(
        mesh, per_cell_, points_, [&](Point& point, int lane, std::size_t i) {
          for (int n = 0; n < 8; ++n) set_lane(point.b[n], lane, points.at[i].gradient[n]);
          const double factor = stiffness_factor(factors, i / points.per_cell);
          set_lane(point.volume, lane, Real(points.at[i].volume));
          set_lane(point.weight, lane, Real(points.at[i].volume * factor));
        });
    for (std::size_t i = 0; i < points.at.size(); i += per_cell_)
      slack_count_ += points.at[i].volume == 0;
    if (recovers_) recovering_.resize(mesh.vertices.size());
  }

  void begin_step(const Row4<Real>* x, Real h) override {
    if (recovers_)
      recovering_.begin_step(packs_.packs().size(), h, [&](std::size_t i) {
        ElementPack& e = packs_.packs()[i];
        ElementState<W> state{W(Real(1)), W(Real(0))};
        for_each_point(e, x, [&](const Point&, const Mat3T<W>& f) {
          state.det = min(state.det, determinant(f));
          state.size2 = max(state.size2, contract(f, f));
        });
        return RecoveringPack<W, 8>{e.node, e.count, e.recovery, state};
      });
  }

  double scale() const override {
    double volume = 0;
    for (const ElementPack& e : packs_.packs())
      for (int q = 0; q < per_cell_; ++q) volume += sum(points_[e.first_point + q].weight, e.count);
    return volume * stiffness_;
  }

  void add_metric(MetricEntries& entries) const override {
    for (const ElementPack& e : packs_.packs())
      for (int i = 0; i < 8; ++i)
        for (int j = 0; j <= i; ++j) {
          W product(Real(0));
          for (int q = 0; q < per_cell_; ++q) {
            const Point& p = points_[e.first_point + q];
            product += dot(p.b[i], p.b[j]) * p.weight;
          }
          for (int k = 0; k < e.count; ++k)
            entries.push_back({static_cast<int>(e.node[i][k]), static_cast<int>(e.node[j][k]),
                               stiffness_ * double(lane(product, k))});
        }
  }

  // An element counts as inverted when any of its points is.
  ElementSummary summary(const Row4<Real>* x) const override {
    ElementSummary s;
    for (const ElementPack& e : packs_.packs()) {
      bool inverted[kWidth<W>] = {};
      for_each_point(e, x, [&](const Point& p, const Mat3T<W>& f) {
        add_deformation(f, p.volume, e.count, inverted, s);
      });
      add_inverted<W>(inverted, e.count, s);
    }
    return s;
  }
  int count() const override { return packs_.count(); }
  int slack_count() const override { return slack_count_; }

  bool steady() const override { return !recovering_.active(); }
  void visit_state(StateBytes& state) override {
    if (recovers_) {
      state(recovering_);
      for (ElementPack& e : packs_.packs()) state(e.recovery);
    }
  }

 protected:
  struct ElementPack {
    Index node[8][kWidth<W>];
    int first_point;
    Recovery<W> recovery;
    int count;  // lanes in use
  };
  struct Point {
    Vec3T<W> b[8];
    W volume;  // [m³]
    W weight;  // times the factor on its stiffness
  };
  template <class Tangent>
  static void add_tangent(const Point& p, Tangent tangent, const W& share, bool projected,
                          ElementBlocks<8, W>& blocks) {
    if (projected) tangent.project();
    for (int m = 0; m < Tangent::kModes; ++m) {
      Vec3T<W> g[8];
      for (int n = 0; n < 8; ++n) g[n] = tangent.mode[m] * p.b[n];
      blocks.add_mode(tangent.value[m] * p.weight * share, g);
    }
  }

  // f(point, F) for every point of a pack.
  template <class F>
  void for_each_point(const ElementPack& e, const Row4<Real>* x, F&& f) const {
    Vec3T<W> place[8];
    gather_places<8, W>(x, e.node, place);
#pragma GCC unroll 1
    for (int q = 0; q < per_cell_; ++q) {
      const Point& p = points_[e.first_point + q];
      f(p, gradient_of(p.b, place));
    }
  }

  double stiffness_;  // k [Pa]
  RecoveringBody recovering_;
  ColouredPacks<ElementPack> packs_;
  std::vector<Point> points_;
  bool recovers_;
  int per_cell_;

 private:
  int slack_count_ = 0;
};

}  // namespace sinew
