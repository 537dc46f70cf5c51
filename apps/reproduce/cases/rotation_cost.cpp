// What a rotation costs, by every method that there is: from a deformation gradient, and from the
// eight particles of a hexahedron. Lewin §3.4: 200 ns by spin against 860 ns by the SVD of
// McAdams et al. 2011.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <random>
#include <vector>

#include "math/edge_frames.h"
#include "math/polar_jacobi.h"
#include "math/rotation.h"
#include "math/signed_svd.h"
#include "math/spin.h"
#include "reproduce/experiment.h"

#ifdef SINEW_HAS_EIGEN
#include <Eigen/LU>
#include <Eigen/SVD>
#endif

namespace sinew {
namespace {

constexpr int kElements = 1024;  // stay in the cache: this is about arithmetic

template <class T>
struct Hexahedron {
  Vec3T<T> rest[8], position[8];  // rest about the barycentre
  Sym3T<T> inverse_inertia;       // J₀⁻¹
  Sym3T<T> to_gradient;           // (Σ p⁰ᵢ p⁰ᵢᵀ)⁻¹: F = A · this
  Mat3T<T> f;
  QuatT<T> q = {T(0), T(0), T(0), T(1)};
  Mat3T<T> r;
};

// Cells of a box, turned by some 20° and deformed by some 10 %.
template <class T>
std::vector<Hexahedron<T>> hexahedra() {
  std::mt19937 generator(1);
  std::normal_distribution<double> noise;
  using N = NumberOf<T>;
  std::vector<Hexahedron<T>> all(kElements / kWidth<T>);
  for (Hexahedron<T>& h : all) {
    for (int lane = 0; lane < kWidth<T>; ++lane) {
      const auto turn = QuatT<double>::from_axis_angle(
          {noise(generator), noise(generator), noise(generator)}, 0.35 * noise(generator));
      for (int i = 0; i < 8; ++i) {
        const Vec3T<double> rest = {(i & 1) - 0.5, (i >> 1 & 1) - 0.5, (i >> 2 & 1) - 0.5};
        const Vec3T<double> moved = turn.rotate(
            rest + Vec3T<double>{noise(generator), noise(generator), noise(generator)} * 0.1);
        for (int k = 0; k < 3; ++k) {
          set_lane(h.rest[i][k], lane, N(rest[k]));
          set_lane(h.position[i][k], lane, N(moved[k]));
        }
      }
    }
    h.inverse_inertia = inverse_rest_inertia(h.rest);
    Sym3T<T> sum = Sym3T<T>::identity() * T(0);
    for (const Vec3T<T>& p : h.rest) sum = sum + outer(p, T(1));
    h.to_gradient = inverse(sum);
    h.f = moments(h.position, h.rest) * h.to_gradient;
  }
  return all;
}

// Best of many passes [ns per element]: the machine may be busy, the minimum is what the code
// costs.
template <class T, class Kernel>
double cost(int repeats, Kernel&& kernel) {
  std::vector<Hexahedron<T>> all = hexahedra<T>();
  double best = 1e30;
  for (int i = 0; i < repeats; ++i) {
    const auto start = std::chrono::steady_clock::now();
    for (Hexahedron<T>& h : all) kernel(h);
    const std::chrono::duration<double, std::nano> time = std::chrono::steady_clock::now() - start;
    best = std::min(best, time.count());
  }
  return best / kElements;
}

struct Costs {
  double plain, pack;  // [ns]
};
template <class Kernel>
Costs costs(int repeats, Kernel&& kernel) {
  return {cost<Real>(repeats, kernel), cost<Wide>(repeats, kernel)};
}

std::vector<std::string> row(const char* method, const Costs& c, double reference) {
  return {method, fmt::format("{:.1f}", c.plain), fmt::format("{:.1f}", c.pack),
          fmt::format("{:.1f}×", reference / c.pack)};
}

// From F as it is.
template <class Method>
Costs from_gradient(int repeats) {
  return costs(repeats, [](auto& h) { h.q = Method::update(h.f, h.q); });
}

#ifdef SINEW_HAS_EIGEN
double eigen_cost(int repeats) {
  using Matrix = Eigen::Matrix<Real, 3, 3>;
  return cost<Real>(repeats, [](auto& h) {
    Matrix f;
    for (int i = 0; i < 9; ++i) f(i % 3, i / 3) = h.f.c[i / 3][i % 3];
    const Eigen::JacobiSVD<Matrix> svd(f, Eigen::ComputeFullU | Eigen::ComputeFullV);
    Matrix u = svd.matrixU();
    if (u.determinant() * svd.matrixV().determinant() < 0) u.col(2) *= -1;
    const Matrix r = u * svd.matrixV().transpose();
    for (int i = 0; i < 9; ++i) h.r.c[i / 3][i % 3] = r(i % 3, i / 3);
  });
}
#endif

Table gradient_table(int repeats) {
  const Costs svd = from_gradient<SvdRotation>(repeats);
  Table table{"One rotation from a deformation gradient",
              {"method", "plain [ns]", "packs [ns]", "against the SVD, packs"},
              {}};
  const auto add = [&](const char* method, const Costs& c) {
    table.rows.push_back(row(method, c, svd.pack));
  };
  add("spin, J₀", from_gradient<SpinRest>(repeats));
  add("spin, exact J", from_gradient<SpinExact>(repeats));
  add("default tracker", from_gradient<RotationTracker>(repeats));
  add("diagonalisation, 2 sweeps from the last eigenvectors", costs(repeats, [](auto& h) {
        const auto polar = polar_jacobi(h.f, h.q, 2);
        h.q = polar.eigenvectors, h.r = polar.u;
      }));
  add("without history (rotation_of)", costs(repeats, [](auto& h) { h.q = rotation_of(h.f); }));
  add("signed SVD", svd);
  add("edge frame of a node (from its edges)", costs(repeats, [](auto& h) {
        h.r = frame_rotation(edge_frame(h.f.c[0], h.f.c[1], h.f.c[2]), h.r);
      }));
#ifdef SINEW_HAS_EIGEN
  const double eigen = eigen_cost(repeats);
  table.rows.push_back({"Eigen's JacobiSVD", fmt::format("{:.1f}", eigen), "–",
                        fmt::format("{:.2f}×", svd.pack / eigen)});
#endif
  return table;
}

std::string against(double slow, double fast) {
  return fmt::format("{:.1f}×: {:.1f} ns against {:.1f} ns", slow / fast, fast, slow);
}

void run(const ExperimentOptions& options, ExperimentReport& report) {
  const int repeats = options.small ? 5 : 300;
  const Costs svd = costs(repeats, [](auto& h) {
    h.q = SvdRotation::update(moments(h.position, h.rest) * h.to_gradient, h.q);
  });
  const Costs rest = costs(repeats, [](auto& h) {
    h.q = SpinRest::update(moments(h.position, h.rest), h.inverse_inertia, h.q);
  });
  const Costs exact =
      costs(repeats, [](auto& h) { h.q = SpinExact::update(moments(h.position, h.rest), h.q); });
  const Costs tracker = costs(repeats, [](auto& h) {
    h.q = RotationTracker::update(moments(h.position, h.rest) * h.to_gradient, h.q);
  });

  // The rotations themselves, before their cost: both spins agree with the SVD on these cells.
  double worst = 0;
  std::vector<Hexahedron<Real>> all = hexahedra<Real>();
  for (Hexahedron<Real>& h : all) {
    for (int i = 0; i < 20; ++i)
      h.q = SpinRest::update(moments(h.position, h.rest), h.inverse_inertia, h.q);
    const Mat3 difference = h.q.matrix() - SvdRotation::update(h.f, h.q).matrix();
    worst = std::max(worst, std::sqrt(double(contract(difference, difference))));
  }
  report.check("spin ends at the rotation of the SVD on cubes (their rest moments are isotropic)",
               fmt::format("‖R - R_SVD‖ ≤ {:.1e} over {} hexahedra", worst, all.size()),
               worst < 1e-4);
  report.check_time("on hexahedra, spin is at least 4× faster than the SVD (200 ns against 860 ns)",
                    against(svd.plain, rest.plain), svd.plain >= 4 * rest.plain);
  report.check_time("… on packs too", against(svd.pack, rest.pack), svd.pack >= 4 * rest.pack);
  if (kLanes >= 8)  // floats on AVX
    report.check_time("spin on packs takes at most 10 ns a hexahedron",
                      fmt::format("{:.1f} ns on packs of {}", rest.pack, kLanes), rest.pack <= 10);
  report.table({"One rotation from the eight particles of a hexahedron",
                {"method", "plain [ns]", "packs [ns]", "against the SVD, packs"},
                {row("spin, J₀", rest, svd.pack), row("spin, exact J", exact, svd.pack),
                 row("default tracker", tracker, svd.pack), row("signed SVD", svd, svd.pack)}});
  report.table(gradient_table(repeats));
}

}  // namespace

extern const Experiment k_rotation_cost;
const Experiment k_rotation_cost{"rotation-cost", "What a rotation costs", "Lewin, §3.4", run};

}  // namespace sinew
