// Shape matching (constraints/shape_matching.h) as energies,
//   E = s/2 Σ aᵢ |xᵢ − c − R rᵢ|²,   a = m/M,   c = Σ a x,   R nearest,
// of every cell by itself or of the body as a whole. The set that x is near to are the rest shape's
// rigid motions. Newton's method gets L for the second derivative: what is left out, of R, only
// ever softens.
#pragma once

#include "constraints/matching_batches.h"
#include "math/rotation.h"
#include "variational/local_energy.h"

namespace sinew {

// The nearest rotation, whatever was before: an energy must not depend on its history.
struct NearestRotation {
  static constexpr bool kInertia = false;
  static constexpr bool cold() { return true; }
  static constexpr bool mirrors() { return false; }

  template <class T>
  SINEW_INLINE static QuatT<T> update(const Mat3T<T>& f, const QuatT<T>&) {
    return rotation_of(f);
  }
};

template <int N>
struct CellMatchingKernel {
  static constexpr int kNodes = N;

  template <class T>
  struct Rest {
    Vec3T<T> place[N], moment[N];  // r, and a r by their size
    T share[N];                    // a
    Vec3T<T> normal;               // of a flat cell
    T stiffness;                   // s [N/m]
  };
  template <class T>
  static void set_lane(Rest<T>& rest, int lane, const Rest<double>& from) {
    using Number = NumberOf<T>;
    for (int n = 0; n < N; ++n) {
      sinew::set_lane(rest.place[n], lane, from.place[n]);
      sinew::set_lane(rest.moment[n], lane, from.moment[n]);
      sinew::set_lane(rest.share[n], lane, Number(from.share[n]));
    }
    sinew::set_lane(rest.normal, lane, from.normal);
    sinew::set_lane(rest.stiffness, lane, Number(from.stiffness));
  }

  template <class T>
  SINEW_INLINE static T evaluate(const Rest<T>& rest, const Vec3T<T> (&x)[N],
                                 Vec3T<T> (&gradient)[N]) {
    Vec3T<T> center{T(0), T(0), T(0)}, error[N];
    Mat3T<T> a{{center, center, center}};
    for (int n = 0; n < N; ++n) {
      error[n] = x[n] - x[0];
      center += error[n] * rest.share[n];
      for (int k = 0; k < 3; ++k) a.c[k] += error[n] * rest.moment[n][k];
    }
    QuatT<T> rotation;
    const Mat3T<T> r = matched_rotation(NearestRotation{}, a, rest.normal, {}, rotation);
    T energy(0);
    for (int n = 0; n < N; ++n) {
      error[n] -= center + r * rest.place[n];
      const T weight = rest.stiffness * rest.share[n];
      gradient[n] = error[n] * weight;
      energy = energy + T(NumberOf<T>(0.5)) * weight * dot(error[n], error[n]);
    }
    return energy;
  }

  template <class T>
  static void hessian(const Rest<T>& rest, const Vec3T<T> (&)[N], bool, Mat3T<T> (&block)[N][N]) {
    T weight[N][N];
    metric(rest, weight);
    for (int i = 0; i < N; ++i)
      for (int j = 0; j <= i; ++j) block[i][j] = Mat3T<T>::identity() * weight[i][j];
  }

  // s (diag(a) − a aᵀ)
  template <class T>
  static void metric(const Rest<T>& rest, T (&weight)[N][N]) {
    for (int i = 0; i < N; ++i)
      for (int j = 0; j <= i; ++j)
        weight[i][j] = rest.stiffness * rest.share[i] * ((i == j ? T(1) : T(0)) - rest.share[j]);
  }
};

template <class Cell>
std::unique_ptr<EnergyTerm> make_matched_cells(const Mesh<Cell>& mesh, std::span<const Real> mass,
                                               double stiffness) {
  constexpr int kNodes = std::tuple_size_v<Cell>;
  using Energy = LocalEnergy<CellMatchingKernel<kNodes>, Wide>;
  std::vector<typename Energy::Item> items;
  for (const Cell& cell : mesh.cells) {
    Vec3T<double> x[kNodes];
    double m[kNodes];
    for (int n = 0; n < kNodes; ++n) {
      x[n] = to_double(mesh.vertices[cell[n]]);
      m[n] = mass[cell[n]];
    }
    const RestCluster cluster(x, m);
    if (!(cluster.mass > 0)) continue;  // flat: nothing of it moves
    typename Energy::Item item{cell, {}, 0};
    for (int n = 0; n < kNodes; ++n) {
      item.rest.place[n] = cluster.place[n];
      item.rest.moment[n] = cluster.moment[n];
      item.rest.share[n] = cluster.share[n];
      item.scale += stiffness * cluster.share[n] * dot(cluster.place[n], cluster.place[n]);
    }
    item.rest.normal = cluster.normal;
    item.rest.stiffness = stiffness;
    items.push_back(item);
  }
  return std::make_unique<Energy>(items, mesh.vertices.size());
}

// L = s (diag(a) − a aᵀ) would be a matrix without zeros. Without the second part, which is never
// positive, its diagonal curves even more: a full step still never leads up.
template <class W>
class BodyMatchingEnergy final : public EnergyTerm {
 public:
  BodyMatchingEnergy(std::span<const Vec3> vertices, std::span<const Real> mass, double stiffness)
      : stiffness_(stiffness), shape_(vertices, mass) {}

  double add_gradient(const Row4<Real>* x, Row4<Real>* gradient, Executor& executor) override {
    if (shape_.empty()) return 0;
    struct Shared {
      Fit fit;
      W stiffness;
      const Row4<Real>* x;
      Row4<Real>* gradient;
    };
    QuatT<double> rotation;
    const Fit fit = shape_.fit(NearestRotation{}, executor, x, rotation);
    const double squares =
        sums_.over(shape_.vertices(), executor, Shared{fit, W(Real(stiffness_)), x, gradient},
                   [](VertexPack& v, const Shared& s) {
                     const Vec3T<W> error = s.fit.error(v, gather<W>(s.x, v.node[0]));
                     Rows4<W> row = gather<W>(s.gradient, v.node[0]);
                     row.xyz += error * (s.stiffness * v.share);
                     scatter<W>(s.gradient, v.node[0], row);
                     return sum(W(dot(error, error) * v.share), v.count);
                   });
    return 0.5 * stiffness_ * squares;
  }

  double energy(const Row4<Real>* x) const override {
    if (shape_.empty()) return 0;
    const Fit fit = shape_.fit(NearestRotation{}, x, {});
    double total = 0;
    for (const VertexPack& v : shape_.packs()) {
      const Vec3T<W> error = fit.error(v, gather<W>(x, v.node[0]));
      total += sum(W(dot(error, error) * v.share), v.count);
    }
    return 0.5 * stiffness_ * total;
  }

  double scale() const override { return stiffness_ * shape_.size2(); }
  bool projective() const override { return true; }

  void add_metric(MetricEntries& entries) const override {
    for_each_vertex([&](int i, double share) { entries.push_back({i, i, stiffness_ * share}); });
  }
  void add_hessian(const Row4<Real>*, bool, BlockSymmetric& hessian) const override {
    for_each_vertex([&](int i, double share) {
      hessian.add(i, i, Mat3::identity() * Real(stiffness_ * share));
    });
  }

 private:
  using VertexPack = typename BodyShape<W>::VertexPack;
  using Fit = typename BodyShape<W>::Fit;

  template <class F>
  void for_each_vertex(F&& f) const {
    for (const VertexPack& v : shape_.packs())
      for (int k = 0; k < v.count; ++k) f(static_cast<int>(v.node[0][k]), double(lane(v.share, k)));
  }

  double stiffness_;  // s [N/m]
  BodyShape<W> shape_;
  PackSums sums_;
};

}  // namespace sinew
