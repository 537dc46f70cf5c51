// The elastic energy of hexahedra at their points of integration: E = Σ V Ψ(F) over one point with
// the mean gradient, or over Gauss's eight. One kernel serves both, because every material has its
// own. What one point does not see, the hourglass modes, is in hourglass_energy.h.
#pragma once

#include "variational/hex_point_packs.h"
#include "variational/mean_stiffness.h"
#include "variational/pack_sums.h"

namespace sinew {

template <class Mat, class W>
class HexPointsEnergy final : public HexPointPacks<W> {
  using Base = HexPointPacks<W>;
  using Base::add_tangent, Base::packs_, Base::per_cell_, Base::points_;
  using typename Base::ElementPack, typename Base::Point;

 public:
  HexPointsEnergy(const HexMesh& mesh, const ShapePoints<Hexahedron>& points, const Mat& material,
                  const StretchInterval& stretches, std::span<const Real> factors)
      : Base(mesh, points, factors, mean_stiffness(material, stretches.min, stretches.max),
             Mat::kElastic),
        material_(material),
        mild_(mild_material(material.lame_mu(), this->stiffness_)) {}

  double add_gradient(const Row4<Real>* x, Row4<Real>* gradient, Executor& executor) override {
    if constexpr (!Mat::kElastic) {
      return 0;
    } else {
      struct Shared {
        Mat material;
        Corotated mild;
        const Row4<Real>* x;
        Row4<Real>* gradient;
        const Point* points;
        int per_cell;
      };
      return sums_.over(packs_, executor,
                        Shared{material_, mild_, x, gradient, points_.data(), per_cell_},
                        [](ElementPack& e, const Shared& s) {
                          return add_pack(e, s.points + e.first_point, s.per_cell, s.material,
                                          s.mild, s.x, s.gradient);
                        });
    }
  }

  double energy(const Row4<Real>* x) const override {
    double total = 0;
    if constexpr (Mat::kElastic)
      for (const ElementPack& e : packs_.packs())
        this->for_each_point(e, x, [&](const Point& p, const Mat3T<W>& f) {
          total += sum(W(e.recovery.mixed(response_at(material_, f), mild_, f).density * p.weight),
                       e.count);
        });
    return total;
  }

  void add_hessian(const Row4<Real>* x, bool projected, BlockSymmetric& hessian) const override {
    if constexpr (Mat::kElastic)
      for (const ElementPack& e : packs_.packs()) {
        ElementBlocks<8, W> blocks;
        this->for_each_point(e, x, [&](const Point& p, const Mat3T<W>& f) {
          add_tangent(p, tangent_at(material_, f), e.recovery.share, projected, blocks);
          if (e.recovery.any_active())
            add_tangent(p, tangent_at(mild_, f), W(Real(1)) - e.recovery.share, projected, blocks);
        });
        blocks.add_to(hessian, e.node, e.count);
      }
  }

 private:
  SINEW_INLINE static double add_pack(const ElementPack& e, const Point* points, int per_cell,
                                      const Mat& material, const Corotated& mild,
                                      const Row4<Real>* x, Row4<Real>* gradient) {
    Vec3T<W> place[8], force[8] = {};
    gather_places<8, W>(x, e.node, place);
    W density(Real(0));
#pragma GCC unroll 1  // eight copies compile for minutes and gain nothing
    for (int q = 0; q < per_cell; ++q) {
      const Point& p = points[q];
      const Mat3T<W> f = gradient_of(p.b, place);
      const Response<W> at = e.recovery.mixed(response_at(material, f), mild, f);
      const Mat3T<W> stress = at.stress * p.weight;
      for (int n = 0; n < 8; ++n) force[n] += stress * p.b[n];
      density += at.density * p.weight;
    }
    add_to_nodes<8, W>(gradient, e.node, force);
    return sum(density, e.count);
  }

  Mat material_;
  Corotated mild_;
  PackSums sums_;
};

}  // namespace sinew
