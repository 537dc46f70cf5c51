// Laws that every material on the list obeys; a new material is tested by being there.
#include <gtest/gtest.h>
#include <sinew/materials.h>

#include <array>
#include <cmath>
#include <cstring>
#include <random>
#include <vector>

#include "math/isotropic_tangent.h"
#include "math/rotation.h"
#include "math/stretches.h"
#include "solvers/material_at.h"

namespace sinew {
namespace {

using Mat = Mat3T<double>;

class Random {
 public:
  Mat matrix(double spread) {
    Mat m;
    for (int k = 0; k < 9; ++k) m(k % 3, k / 3) = spread * normal_(generator_);
    return m;
  }
  Mat rotation() {
    const QuatT<double> q{normal_(generator_), normal_(generator_), normal_(generator_),
                          normal_(generator_)};
    const double n = std::sqrt(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w);
    return QuatT<double>{q.x / n, q.y / n, q.z / n, q.w / n}.matrix();
  }
  // Mild, violent, inside out, flat, and shrunk to almost nothing.
  Mat deformation(int kind) {
    const Mat near = Mat::identity() + matrix(0.15);
    switch (kind % 5) {
      case 0:
        return near;
      case 1:
        return matrix(1.0);
      case 2:
        return near * Mat::diagonal({1, 1, -1});
      case 3:
        return rotation() * Mat::diagonal({1.2, 0.7, 0}) * rotation();
      default:
        return near * 0.02;
    }
  }

 private:
  std::mt19937 generator_{3};
  std::normal_distribution<double> normal_;
};

double norm(const Mat& m) { return std::sqrt(contract(m, m)); }

// The rotation nearest to f, to the last digit: a start from scratch, then followed.
template <class T>
Mat3T<T> rotation_matrix(const Mat3T<T>& f) {
  QuatT<T> q = rotation_of(f);
  for (int i = 0; i < 4; ++i) q = RotationTracker::update(f, q);
  return q.matrix();
}

// The material at f, wherever it takes the rotation from.
template <class M>
double energy(const M& material, const Mat& f) {
  return energy_at(material, f, rotation_matrix(f));
}
template <class M>
Mat stress(const M& material, const Mat& f) {
  return stress_at(material, f, rotation_matrix(f));
}
template <class M>
TangentBound<double> tangent_bound(const M& material, const Mat& f) {
  return tangent_bound_at(material, f, rotation_matrix(f));
}

template <class M>
double directional(const M& material, const Mat& f, const Mat& d) {
  const double h = 1e-5;
  return (energy(material, f + d * h) - energy(material, f - d * h)) / (2 * h);
}

template <class M>
Mat stress_change(const M& material, const Mat& f, const Mat& d, double h = 1e-5) {
  return (stress(material, f + d * h) - stress(material, f - d * h)) * (0.5 / h);
}

// Sets Young's modulus and Poisson's ratio of a material, those of them that it has and accepts.
struct SetConstants {
  double young, poisson;
  bool accepted = true;

  void field(const char* name, Real& value, const FieldInfo& info) {
    if (std::strcmp(name, "young") == 0) value = Real(young);
    if (std::strcmp(name, "poisson") == 0) value = Real(poisson);
    accepted = accepted && double(value) >= info.min && double(value) <= info.max;
  }
  void field(const char*, auto&, const FieldInfo&) {}
};

// A material as it is by default, and what else it may be by its own fields.
template <class M>
std::vector<M> variants() {
  return {M{}};
}
template <>
std::vector<MooneyRivlin> variants() {
  return {{}, {.second = 0}, {.second = Real(0.6)}, {.second = 1}};
}
template <>
std::vector<Polynomial> variants() {
  return {{}, {.quartic = 0}, {.linear = Real(0.5), .quartic = 100}, {.linear = 0, .quartic = 1}};
}
template <>
std::vector<Spline> variants() {
  return {{},
          {.preset = SplinePreset::kStiffInCompression},
          {.preset = SplinePreset::kStiffInTension},
          {.stretch = {{Real(-0.5), -2}, {Real(0.7), Real(0.5)}, {1, 1}, {Real(1.4), 3}, {2, 9}}},
          {.preset = SplinePreset::kNone,
           .stretch = {{0, -1}, {Real(0.75), Real(-0.25)}, {Real(1.5), Real(0.5)}, {3, 4}},
           .area = {{Real(0.2), Real(-0.2)}, {1, Real(0.25)}, {2, Real(0.5)}},
           .volume = {{-1, -9}, {Real(0.5), -3}, {1, Real(-0.5)}, {2, 4}, {8, 3}}}};
}

// Calls law(material) for every elastic material at a few values of E and ν.
template <class Law>
void for_every_material(Law&& law) {
  MaterialList::for_each([&]<class M>() {
    if constexpr (M::kElastic)
      for (double young : {1e3, 1e5, 1e9})
        for (double poisson : {-0.4, 0.0, 0.3, 0.49}) {
          SCOPED_TRACE(testing::Message() << M::kName << " E " << young << " ν " << poisson);
          for (M material : variants<M>()) {
            SetConstants constants{young, poisson};
            material.describe(constants);
            if (constants.accepted) law(material);
          }
        }
  });
}

// The precision of the parameters, which are Real.
constexpr double kRound = sizeof(Real) == 4 ? 4e-5 : 1e-7;

TEST(MaterialLaws, StressIsTheDerivativeOfEnergy) {
  for_every_material([](const auto& material) {
    Random random;
    for (int i = 0; i < 50; ++i) {
      const Mat f = random.deformation(i), d = random.matrix(1);
      const double expected = directional(material, f, d);
      const double scale = material.young * (1 + norm(f) * norm(f) * norm(f));
      EXPECT_NEAR(contract(stress(material, f), d), expected,
                  2e-4 * scale + 1e-6 * std::abs(expected));
    }
  });
}

// Where the stress has a derivative at all: the rotation of f, and with it the stress of materials
// that use it, jumps where two stretches add up to nothing.
TEST(MaterialLaws, TangentIsTheDerivativeOfStress) {
  for_every_material([](const auto& material) {
    Random random;
    for (int i = 0; i < 100; ++i) {
      const Mat f = random.deformation(i), d = random.matrix(1);
      const Vec3T<double> sigma = signed_svd(f).sigma;
      if (sigma.y + sigma.z < 0.05) continue;
      const auto tangent = tangent_at(material, f);
      Mat change{};
      double largest = 0;
      for (int k = 0; k < 9; ++k) {
        change = change + tangent.mode[k] * (tangent.value[k] * contract(tangent.mode[k], d));
        largest = std::max(largest, std::abs(tangent.value[k]));
      }
      EXPECT_LT(norm(change - stress_change(material, f, d)),
                1e-3 * (largest + material.young) * norm(d))
          << "deformation " << i;
    }
  });
}

TEST(MaterialLaws, TangentModesAreOrthonormal) {
  for_every_material([](const auto& material) {
    Random random;
    for (int i = 0; i < 20; ++i) {
      const auto tangent = tangent_at(material, random.deformation(i));
      for (int a = 0; a < 9; ++a)
        for (int b = 0; b <= a; ++b)
          EXPECT_NEAR(contract(tangent.mode[a], tangent.mode[b]), a == b ? 1 : 0, 1e-9);
    }
  });
}

TEST(MaterialLaws, RestHasNoEnergyAndNoStress) {
  for_every_material([](const auto& material) {
    const double stiffest = material.young + std::abs(material.lame_lambda());
    EXPECT_NEAR(energy(material, Mat::identity()), 0, kRound * stiffest);
    EXPECT_LT(norm(stress(material, Mat::identity())), kRound * stiffest);
    Random random;
    for (int i = 0; i < 50; ++i)
      EXPECT_GE(energy(material, random.deformation(i)), -kRound * stiffest);
  });
}

TEST(MaterialLaws, RotationChangesNothing) {
  for_every_material([]<class M>(const M& material) {
    Random random;
    for (int i = 0; i < (M::kRotationInvariant ? 30 : 0); ++i) {
      const Mat f = random.deformation(i), r = random.rotation();
      const double scale = material.young * (1 + norm(f) * norm(f) * norm(f) * norm(f)) +
                           std::abs(energy(material, f));
      EXPECT_NEAR(energy(material, r * f), energy(material, f), 1e-9 * scale);
      EXPECT_LT(norm(stress(material, r * f) - r * stress(material, f)), 1e-9 * scale);
    }
  });
}

// A material that says it minds rotation does: turned at rest, it has an energy.
TEST(MaterialLaws, RotationCostsEnergyWhereTheMaterialSaysSo) {
  for_every_material([]<class M>(const M& material) {
    Random random;
    const double turned = energy(material, random.rotation());
    if constexpr (M::kRotationInvariant)
      EXPECT_LT(std::abs(turned), kRound * (material.young + std::abs(material.lame_lambda())));
    else
      EXPECT_GT(turned, 0.01 * material.young);
  });
}

TEST(MaterialLaws, SmallStrainsObeyHooke) {
  for_every_material([](const auto& material) {
    Random random;
    for (int i = 0; i < 10; ++i) {
      const Mat d = random.matrix(1);
      const Mat strain = (d + transpose(d)) * 0.5;
      const double pressure = material.lame_lambda() * trace(strain);
      const Mat expected =
          strain * (2 * material.lame_mu()) + Mat::diagonal({pressure, pressure, pressure});
      // A small step: stiffness may have a kink at rest, stiffer one way than the other.
      EXPECT_LT(norm(stress_change(material, Mat::identity(), d, 2e-8) - expected),
                (kRound + 1e-6) * (material.young + std::abs(material.lame_lambda())) * norm(d));
    }
  });
}

using Tangent = std::array<std::array<double, 9>, 9>;

Mat unit(int k) {
  Mat m;
  m(k % 3, k / 3) = 1;
  return m;
}

// Twice the bound less the true tangent, and `slack` on the diagonal.
template <class M>
Tangent margin(const M& material, const Mat& f, double slack) {
  const auto bound = tangent_bound(material, f);
  Tangent m;
  for (int k = 0; k < 9; ++k) {
    const Mat change = stress_change(material, f, unit(k));
    const double along = contract(bound.direction, unit(k));
    const Mat bounded = unit(k) * bound.isotropic + bound.direction * (bound.along * along);
    for (int l = 0; l < 9; ++l) {
      m[k][l] = contract(unit(l), bounded * 2 - change);
      if (k == l) m[k][l] += slack * (1 + norm(change) / material.young) * material.young;
    }
  }
  return m;
}

// By Gauss's elimination: every pivot is positive.
bool is_positive_definite(Tangent m) {
  for (int k = 0; k < 9; ++k) {
    if (!(m[k][k] > 0)) return false;
    for (int i = k + 1; i < 9; ++i)
      for (int j = k + 1; j < 9; ++j) m[i][j] -= m[i][k] / m[k][k] * m[k][j];
  }
  return true;
}

// Calls law(material) for those that the position-based solver can use.
template <class Law>
void for_every_bounded_material(Law&& law) {
  for_every_material([&]<class M>(const M& material) {
    if constexpr (HasTangentBound<M>) law(material);
  });
}

TEST(MaterialLaws, TangentBoundIsAtLeastHalfTheTangent) {
  for_every_bounded_material([](const auto& material) {
    Random random;
    for (int i = 0; i < 200; ++i) {
      const Mat f = random.deformation(i);
      const auto bound = tangent_bound(material, f);
      const auto [s0, s1, s2] = principal_stretches(f);
      EXPECT_TRUE(is_positive_definite(margin(material, f, 1e-5)))
          << "stretches " << s0 << ' ' << s1 << ' ' << s2 << " det " << determinant(f);
      EXPECT_GE(bound.isotropic, 0);
      EXPECT_GE(bound.along, 0);
      EXPECT_LT(norm(bound.stress - stress(material, f)),
                1e-9 * (norm(bound.stress) + material.young));
    }
  });
}

// At rest the bound is Hooke's law itself, with at most a material's μ more against dilation.
TEST(MaterialLaws, TangentBoundIsCloseAtRest) {
  for_every_bounded_material([](const auto& material) {
    const auto bound = tangent_bound(material, Mat::identity());
    const double mu = material.lame_mu(), lambda = std::max<double>(material.lame_lambda(), 0);
    EXPECT_NEAR(bound.isotropic, 2 * mu, kRound * (mu + lambda));
    EXPECT_GE(bound.along, lambda - kRound * (mu + lambda));
    EXPECT_LE(bound.along, lambda + mu * (1 + kRound));
    EXPECT_LT(norm(bound.direction - Mat::identity()), kRound);
  });
}

TEST(MaterialLaws, FlatAndInvertedElementsAreFinite) {
  for_every_material([]<class M>(const M& material) {
    Random random;
    for (const Mat& f :
         {Mat{}, Mat::diagonal({1, 1, 0}), Mat::diagonal({1, 0, 0}), Mat::diagonal({1, 1, -1}),
          Mat::diagonal({-1, -1, -1}), random.matrix(1e-6), random.matrix(100), random.matrix(1e6),
          Mat::diagonal({1e6, 1e6, -1e6})}) {
      EXPECT_TRUE(std::isfinite(energy(material, f)));
      EXPECT_TRUE(std::isfinite(norm(stress(material, f))));
      for (double value : tangent_at(material, f).value) EXPECT_TRUE(std::isfinite(value));
      if constexpr (HasTangentBound<M>) {
        const auto bound = tangent_bound(material, f);
        EXPECT_TRUE(std::isfinite(norm(bound.stress)));
        EXPECT_TRUE(std::isfinite(bound.isotropic) && std::isfinite(bound.along));
        EXPECT_TRUE(std::isfinite(norm(bound.direction)));
      } else {
        // Those for solvers that minimise are asked at the same places in Real.
        Mat3 g;
        for (int k = 0; k < 9; ++k) g(k % 3, k / 3) = Real(f(k % 3, k / 3));
        const auto at = response_at(material, g);
        EXPECT_TRUE(std::isfinite(at.density));
        for (int k = 0; k < 9; ++k) EXPECT_TRUE(std::isfinite(at.stress(k % 3, k / 3)));
      }
    }
  });
}

// Those that are not meant to be at rest inside out push open what is.
TEST(MaterialLaws, NothingNewIsAtRestInsideOut) {
  for_every_material([]<class M>(const M& material) {
    if constexpr (!HasTangentBound<M>) {
      for (double s = -1; s < 0; s += 0.125)
        EXPECT_LT(stress(material, Mat::diagonal({1.1, 1, s}))(2, 2), 0) << "stretch " << s;
    }
  });
}

TEST(MaterialLaws, WhatIsNotElasticExertsNothing) {
  MaterialList::for_each([]<class M>() {
    if constexpr (!M::kElastic) {
      Random random;
      for (int i = 0; i < 10; ++i) {
        const Mat f = random.deformation(i);
        const auto bound = tangent_bound(M{}, f);
        EXPECT_EQ(energy(M{}, f), 0);
        EXPECT_EQ(norm(stress(M{}, f)) + norm(bound.stress), 0);
        EXPECT_EQ(bound.isotropic + bound.along, 0);
        EXPECT_EQ(M{}.lame_mu() + M{}.lame_lambda(), 0);
      }
    }
  });
}

using Four = Pack<Real, 4>;

Mat3 lane_of(const Mat3T<Four>& m, int lane) {
  Mat3 one;
  for (int k = 0; k < 9; ++k) one(k % 3, k / 3) = m(k % 3, k / 3).lane(lane);
  return one;
}

TEST(MaterialLaws, PacksAgreeWithPlainNumbers) {
  for_every_material([]<class M>(const M& material) {
    Random random;
    for (int i = 0; i < 40; ++i) {
      Mat3 f[4];
      Mat3T<Four> f4, r4;
      for (int l = 0; l < 4; ++l) {
        const Mat deformed = random.deformation(i + l), rotation = rotation_matrix(deformed);
        for (int k = 0; k < 9; ++k) {
          f[l](k % 3, k / 3) = Real(deformed(k % 3, k / 3));
          f4(k % 3, k / 3).set_lane(l, f[l](k % 3, k / 3));
          r4(k % 3, k / 3).set_lane(l, Real(rotation(k % 3, k / 3)));
        }
      }
      const Four e4 = energy_at(material, f4, r4);
      const Mat3T<Four> p4 = stress_at(material, f4, r4);
      for (int l = 0; l < 4; ++l) {
        const Mat3 r = lane_of(r4, l);
        // What a rounded F would change.
        Mat deformed;
        for (int k = 0; k < 9; ++k) deformed(k % 3, k / 3) = f[l](k % 3, k / 3);
        double stiffness = material.young;
        for (double value : tangent_at(material, deformed).value) stiffness += std::abs(value);
        const double size2 = 1 + double(contract(f[l], f[l]));
        const double error = 64 * std::numeric_limits<Real>::epsilon() * stiffness * size2;
        const auto difference = [](const Mat3& x, const Mat3& y) {
          return std::sqrt(double(contract(x - y, x - y)));
        };
        EXPECT_NEAR(e4.lane(l), energy_at(material, f[l], r), error);
        EXPECT_LT(difference(lane_of(p4, l), stress_at(material, f[l], r)), error);
        if constexpr (HasTangentBound<M>) {
          const TangentBound<Four> b4 = tangent_bound_at(material, f4, r4);
          const TangentBound<Real> b = tangent_bound_at(material, f[l], r);
          EXPECT_LT(difference(lane_of(b4.stress, l), b.stress), error);
          EXPECT_NEAR(b4.isotropic.lane(l), b.isotropic, error);
          EXPECT_NEAR(b4.along.lane(l), b.along, error);
          EXPECT_LT(difference(lane_of(b4.direction, l), b.direction),
                    64 * std::numeric_limits<Real>::epsilon() * size2);
        }
      }
    }
  });
}

}  // namespace
}  // namespace sinew
