// Energies that are squared distances of a few particles each to a set of shapes (Liu, eq. 5.5
// and 6.4), in packs sorted by colour:
//   E = Σ w/2 min ‖Gᵀx − p‖²  over p in the set,
//   ∂E/∂x = w G (Gᵀx − p(x)),    L = Σ w G Gᵀ.
// The nearest p moves along the set, to which Gᵀx − p is perpendicular, so that its derivative
// drops out (eq. 7.8). With p held where it is, the energy can only be overestimated: L curves at
// least as much as E does, everywhere, and the step to the minimum of that parabola never leads up.
// This needs the nearest p of all, not one that is only nearer than its neighbours.
//
// A kernel is a struct with
//   kNodes, template <class T> struct Rest, and set_lane(Rest<T>&, lane, const Rest<double>&),
//   T evaluate(rest, x, gradient): the energy, and its gradient [N],
//   void hessian(rest, x, projected, block): the lower triangle, block[i][j] with j ≤ i,
//   void metric(rest, weight): L, the same for x, y and z, its lower triangle,
// static templates over the number type T.
#pragma once

#include "solvers/coloured_packs.h"
#include "variational/energy_term.h"
#include "variational/pack_sums.h"

namespace sinew {

template <class Kernel, class W>
class LocalEnergy : public EnergyTerm {
 public:
  static constexpr int kNodes = Kernel::kNodes;
  static constexpr int kLanesHere = kWidth<W>;
  using Cell = std::array<Index, kNodes>;

  struct Item {
    Cell nodes;
    typename Kernel::template Rest<double> rest;
    double scale;  // its energy when strained by one [J]
  };

  LocalEnergy(std::span<const Item> items, std::size_t vertex_count) {
    std::vector<Cell> cells;
    std::vector<Index> number;
    for (Index i = 0; i < items.size(); ++i) {
      if (names_one_twice(items[i].nodes)) continue;  // flat, and packs could not tell them apart
      cells.push_back(items[i].nodes);
      number.push_back(i);
      scale_ += items[i].scale;
    }
    packs_ = ColouredPacks<Pack>(cells, vertex_count, [&](Pack& p, int lane, Index i) {
      Kernel::set_lane(p.rest, lane, items[number[i]].rest);
    });
  }

  double add_gradient(const Row4<Real>* x, Row4<Real>* gradient, Executor& executor) override {
    struct Shared {
      const Row4<Real>* x;
      Row4<Real>* gradient;
    };
    return sums_.over(packs_, executor, Shared{x, gradient}, [](Pack& p, const Shared& s) {
      Vec3T<W> at[kNodes], force[kNodes];
      positions(p, s.x, at);
      const W energy = Kernel::evaluate(p.rest, at, force);
      for (int i = 0; i < kNodes; ++i) {
        Rows4<W> row = gather<W>(s.gradient, p.node[i]);
        row.xyz += force[i];
        scatter<W>(s.gradient, p.node[i], row);
      }
      return sum(energy, p.count);
    });
  }

  double energy(const Row4<Real>* x) const override {
    double total = 0;
    for (const Pack& p : packs_.packs()) {
      Vec3T<W> at[kNodes], force[kNodes];
      positions(p, x, at);
      total += sum(W(Kernel::evaluate(p.rest, at, force)), p.count);
    }
    return total;
  }

  double scale() const override { return scale_; }
  bool projective() const override { return true; }

  void add_metric(MetricEntries& entries) const override {
    for (const Pack& p : packs_.packs()) {
      W weight[kNodes][kNodes];
      Kernel::metric(p.rest, weight);
      for (int i = 0; i < kNodes; ++i)
        for (int j = 0; j <= i; ++j)
          for (int k = 0; k < p.count; ++k)
            entries.push_back({static_cast<int>(p.node[i][k]), static_cast<int>(p.node[j][k]),
                               double(lane(weight[i][j], k))});
    }
  }

  void add_hessian(const Row4<Real>* x, bool projected, BlockSymmetric& hessian) const override {
    for (const Pack& p : packs_.packs()) {
      Vec3T<W> at[kNodes];
      positions(p, x, at);
      Mat3T<W> block[kNodes][kNodes];
      Kernel::hessian(p.rest, at, projected, block);
      for (int i = 0; i < kNodes; ++i)
        for (int j = 0; j <= i; ++j)
          for (int k = 0; k < p.count; ++k) {
            Mat3 one;
            for (int c = 0; c < 9; ++c) one(c % 3, c / 3) = lane(block[i][j](c % 3, c / 3), k);
            hessian.add(static_cast<int>(p.node[i][k]), static_cast<int>(p.node[j][k]), one);
          }
    }
  }

 protected:
  // f(rest, lane, nodes) for every lane, also those that repeat the first one.
  template <class F>
  void for_each_lane(F&& f) {
    for (Pack& p : packs_.packs())
      for (int lane = 0; lane < kLanesHere; ++lane) {
        Cell nodes;
        for (int n = 0; n < kNodes; ++n) nodes[n] = p.node[n][lane];
        f(p.rest, lane, nodes);
      }
  }

 private:
  struct Pack {
    Index node[kNodes][kLanesHere];
    typename Kernel::template Rest<W> rest;
    int count;  // lanes in use
  };

  static bool names_one_twice(const Cell& nodes) {
    for (int i = 0; i < kNodes; ++i)
      for (int j = 0; j < i; ++j)
        if (nodes[i] == nodes[j]) return true;
    return false;
  }
  SINEW_INLINE static void positions(const Pack& p, const Row4<Real>* x, Vec3T<W> (&at)[kNodes]) {
    for (int i = 0; i < kNodes; ++i) at[i] = gather<W>(x, p.node[i]).xyz;
  }

  ColouredPacks<Pack> packs_;
  PackSums sums_;
  double scale_ = 0;
};

// s a bᵀ
template <class T>
SINEW_INLINE Mat3T<T> outer_product(const Vec3T<T>& a, const Vec3T<T>& b, const T& s) {
  const Vec3T<T> scaled = a * s;
  return {{scaled * b.x, scaled * b.y, scaled * b.z}};
}

}  // namespace sinew
