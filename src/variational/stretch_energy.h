// Energies of a stretch in one direction: fibres in a solid or a sheet (Liu §8.3), and the
// segments of lines, which are nothing but fibre:
//   E = Σ ½ k (‖y‖ − 1)²,   y = F d = Σ cₙ xₙ,   cₙ = bₙ·d,   k = κ V
// That is the squared distance of y to the nearest unit vector, so that with k c cᵀ for its part of
// the constant matrix a full step never leads up. But it is stiff along one axis of three only:
// with a third of it, L-BFGS gets two to five times as near in as many iterations where fibres are
// stiff (κ = 10 E), and as near where they are not.
#pragma once

#include <memory>

#include "variational/element_blocks.h"
#include "variational/energy_term.h"
#include "variational/pack_sums.h"
#include "variational/point_packs.h"

namespace sinew {

// N corners of a cell.
template <int N>
class StretchEnergy final : public EnergyTerm {
 public:
  using W = Wide;

  struct Item {
    double weight[N] = {};  // c [1/m]
    double stiffness = 0;   // k [J]
  };

  // `items` has per_cell entries for each cell. `bounding`: with all of it in the constant matrix,
  // else with a third.
  template <class Cell>
  StretchEnergy(const Mesh<Cell>& mesh, int per_cell, const std::vector<Item>& items,
                bool bounding = true)
      : bounding_(bounding), per_cell_(per_cell) {
    packs_ = packs_with_points<Pack>(mesh, per_cell, points_,
                                     [&](Point& point, int lane, std::size_t i) {
                                       for (int n = 0; n < N; ++n)
                                         set_lane(point.weight[n], lane, Real(items[i].weight[n]));
                                       set_lane(point.stiffness, lane, Real(items[i].stiffness));
                                     });
    for (const Item& item : items) scale_ += item.stiffness;
  }

  double add_gradient(const Row4<Real>* x, Row4<Real>* gradient, Executor& executor) override {
    struct Shared {
      const Row4<Real>* x;
      Row4<Real>* gradient;
      const Point* points;
      int per_cell;
    };
    return sums_.over(packs_, executor, Shared{x, gradient, points_.data(), per_cell_},
                      [](Pack& e, const Shared& s) {
                        Vec3T<W> at[N], force[N] = {};
                        gather_places<N, W>(s.x, e.node, at);
                        W density(Real(0));
                        for (int q = 0; q < s.per_cell; ++q) {
                          const Point& p = s.points[e.first_point + q];
                          const Stretch stretch(p, at);
                          // k (1 − 1/‖y‖) y: nothing where y is nothing, and no direction better
                          // than another.
                          const Vec3T<W> pull =
                              stretch.y * (p.stiffness * (W(Real(1)) - stretch.inverse));
                          for (int n = 0; n < N; ++n) force[n] += pull * p.weight[n];
                          density += stretch.energy(p);
                        }
                        add_to_nodes<N, W>(s.gradient, e.node, force);
                        return sum(density, e.count);
                      });
  }

  double energy(const Row4<Real>* x) const override {
    double total = 0;
    for_each_point(x, [&](const Pack& e, const Point& p, const Stretch& stretch) {
      total += sum(stretch.energy(p), e.count);
    });
    return total;
  }

  double scale() const override { return scale_; }
  bool projective() const override { return bounding_; }

  void add_metric(MetricEntries& entries) const override {
    const double share = bounding_ ? 1 : 1.0 / 3;
    for (const Pack& e : packs_.packs())
      for (int i = 0; i < N; ++i)
        for (int j = 0; j <= i; ++j)
          for (int k = 0; k < e.count; ++k) {
            double value = 0;
            for (int q = 0; q < per_cell_; ++q) {
              const Point& p = points_[e.first_point + q];
              value += double(lane(p.stiffness, k)) * double(lane(p.weight[i], k)) *
                       double(lane(p.weight[j], k));
            }
            entries.push_back(
                {static_cast<int>(e.node[i][k]), static_cast<int>(e.node[j][k]), share * value});
          }
  }

  // ∂²E/∂y² = k (u uᵀ + (1 − 1/‖y‖)(I − u uᵀ)), u = y/‖y‖.
  void add_hessian(const Row4<Real>* x, bool projected, BlockSymmetric& hessian) const override {
    for (const Pack& e : packs_.packs()) {
      Vec3T<W> at[N];
      gather_places<N, W>(x, e.node, at);
      ElementBlocks<N, W> blocks;
      for (int q = 0; q < per_cell_; ++q) {
        const Point& p = points_[e.first_point + q];
        const Stretch stretch(p, at);
        const Vec3T<W> u = stretch.y * stretch.inverse;
        W across = W(Real(1)) - stretch.inverse;
        if (projected) across = max(across, W(Real(0)));
        const W rest = (W(Real(1)) - across) * p.stiffness;
        for (int i = 0; i < N; ++i)
          for (int j = 0; j <= i; ++j) {
            const W weight = p.weight[i] * p.weight[j];
            for (int c = 0; c < 3; ++c) blocks.block[i][j].c[c] += u * (rest * weight * u[c]);
            blocks.add_isotropic(i, j, across * p.stiffness * weight);
          }
      }
      blocks.add_to(hessian, e.node, e.count);
    }
  }

 private:
  struct Pack {
    Index node[N][kWidth<W>];
    int first_point;
    int count;  // lanes in use
  };
  struct Point {
    W weight[N];
    W stiffness;
  };
  struct Stretch {
    Vec3T<W> y;
    W length, inverse;

    SINEW_INLINE Stretch(const Point& p, const Vec3T<W> (&x)[N]) : y{} {
      for (int n = 1; n < N; ++n) y += (x[n] - x[0]) * p.weight[n];
      length = sqrt(dot(y, y));
      inverse = W(Real(1)) / max(length, W(Real(1e-6)));
    }
    SINEW_INLINE W energy(const Point& p) const {
      const W beyond = length - W(Real(1));
      return W(Real(0.5)) * p.stiffness * beyond * beyond;
    }
  };

  template <class F>
  void for_each_point(const Row4<Real>* x, F&& f) const {
    for (const Pack& e : packs_.packs()) {
      Vec3T<W> at[N];
      gather_places<N, W>(x, e.node, at);
      for (int q = 0; q < per_cell_; ++q) {
        const Point& p = points_[e.first_point + q];
        f(e, p, Stretch(p, at));
      }
    }
  }

  bool bounding_;
  int per_cell_;
  std::vector<Point> points_;
  ColouredPacks<Pack> packs_;
  PackSums sums_;
  double scale_ = 0;  // [J]
};

}  // namespace sinew
