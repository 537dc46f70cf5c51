// Laws that every material on the list obeys; a new material is tested by being there.
#include <gtest/gtest.h>
#include <sinew/materials.h>

#include <cmath>
#include <random>

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

template <class M>
double directional(const M& material, const Mat& f, const Mat& d) {
  const double h = 1e-5;
  return (material.energy(f + d * h) - material.energy(f - d * h)) / (2 * h);
}

template <class M>
Mat stress_change(const M& material, const Mat& f, const Mat& d) {
  const double h = 1e-5;
  return (material.stress(f + d * h) - material.stress(f - d * h)) * (0.5 / h);
}

// Calls law(material) for every material at a few values of E and ν.
template <class Law>
void for_every_material(Law&& law) {
  MaterialList::for_each([&]<class M>() {
    for (double young : {1e3, 1e5, 1e9})
      for (double poisson : {-0.4, 0.0, 0.3, 0.49}) {
        SCOPED_TRACE(testing::Message() << M::kName << " E " << young << " ν " << poisson);
        law(M{.young = Real(young), .poisson = Real(poisson)});
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
      EXPECT_NEAR(contract(material.stress(f), d), expected,
                  2e-4 * scale + 1e-6 * std::abs(expected));
    }
  });
}

TEST(MaterialLaws, RestHasNoEnergyAndNoStress) {
  for_every_material([](const auto& material) {
    const double stiffest = material.young + std::abs(material.lame_lambda());
    EXPECT_NEAR(material.energy(Mat::identity()), 0, kRound * stiffest);
    EXPECT_LT(norm(material.stress(Mat::identity())), kRound * stiffest);
    Random random;
    for (int i = 0; i < 50; ++i)
      EXPECT_GE(material.energy(random.deformation(i)), -kRound * stiffest);
  });
}

TEST(MaterialLaws, RotationChangesNothing) {
  for_every_material([](const auto& material) {
    Random random;
    for (int i = 0; i < 30; ++i) {
      const Mat f = random.deformation(i), r = random.rotation();
      const double scale = material.young * (1 + norm(f) * norm(f) * norm(f) * norm(f)) +
                           std::abs(material.energy(f));
      EXPECT_NEAR(material.energy(r * f), material.energy(f), 1e-9 * scale);
      EXPECT_LT(norm(material.stress(r * f) - r * material.stress(f)), 1e-9 * scale);
    }
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
      EXPECT_LT(norm(stress_change(material, Mat::identity(), d) - expected),
                (kRound + 1e-6) * (material.young + std::abs(material.lame_lambda())) * norm(d));
    }
  });
}

TEST(MaterialLaws, TangentBoundIsAtLeastHalfTheTangent) {
  for_every_material([](const auto& material) {
    Random random;
    for (int i = 0; i < 200; ++i) {
      const Mat f = random.deformation(i), d = random.matrix(1);
      const auto bound = material.tangent_bound(f);
      const double along = contract(bound.direction, d);
      const double bounded = bound.isotropic * contract(d, d) + bound.along * along * along;
      const double tangent = contract(d, stress_change(material, f, d));
      EXPECT_LE(tangent, 2 * bounded * (1 + 1e-6) + 1e-6 * material.young);
      EXPECT_GE(bound.isotropic, 0);
      EXPECT_GE(bound.along, 0);
      EXPECT_LT(norm(bound.stress - material.stress(f)),
                1e-9 * (norm(bound.stress) + material.young));
    }
  });
}

}  // namespace
}  // namespace sinew
