// Laws of every constraint with one value: its gradient is its derivative, it neither pushes nor
// turns the body as a whole, it is at rest at rest, packs do what plain numbers do, and degenerate
// places give finite numbers.
#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "constraints/bending.h"
#include "constraints/distance.h"
#include "constraints/plain_cells.h"
#include "constraints/strain_limit.h"

namespace sinew {
namespace {

using Vec = Vec3T<double>;

template <class C>
struct Case {
  const char* name;
  Vec rest_place[C::kNodes];
  typename C::template Rest<double> rest;
};

template <class C>
Case<C> measured(const char* name, const Vec (&x)[C::kNodes]) {
  Case<C> c{name, {}, {}};
  Vec gradient[C::kNodes];
  for (int n = 0; n < C::kNodes; ++n) c.rest_place[n] = x[n];
  c.rest.value = C::template value<double>(c.rest, x, gradient);
  return c;
}

template <class Shape>
Case<StrainConstraint<Shape>> strained(const char* name, const Vec (&x)[Shape::kNodes]) {
  Case<StrainConstraint<Shape>> c{name, {}, {Shape::inverse_of(x), 0.9, 1.1}};
  for (int n = 0; n < Shape::kNodes; ++n) c.rest_place[n] = x[n];
  return c;
}

constexpr Vec kPair[2] = {{0.1, 0.2, 0.3}, {1, -0.2, 0.5}};
constexpr Vec kTriangle[3] = {{0, 0, 0}, {1, 0.1, 0.2}, {0.3, 0.9, -0.1}};
constexpr Vec kTetrahedron[4] = {{0, 0, 0}, {1, 0.1, 0}, {0.2, 1.1, 0}, {0.1, 0.3, 0.9}};
constexpr Vec kHinge[4] = {{0, 0, 0}, {1, 0.1, 0}, {0.4, 0.8, 0.1}, {0.5, -0.9, 0.4}};
constexpr Vec kHexahedron[8] = {{0, 0, 0},     {1, 0.1, 0}, {1.1, 1, 0.1}, {0, 0.9, 0},
                                {0.1, 0, 1.1}, {1, 0, 1},   {1, 1.1, 0.9}, {-0.1, 1, 1}};
constexpr Vec kCube[8] = {{-1, -1, -1}, {1, -1, -1}, {1, 1, -1}, {-1, 1, -1},
                          {-1, -1, 1},  {1, -1, 1},  {1, 1, 1},  {-1, 1, 1}};

// f(case) for every constraint.
template <class F>
void for_each_constraint(F&& f) {
  f(measured<DistanceConstraint>("distance", kPair));
  f(measured<RopeConstraint>("rope", kPair));
  f(measured<DihedralConstraint>("dihedral", kHinge));
  f(measured<TriangleAreaConstraint>("triangle area", kTriangle));
  f(measured<TetrahedronVolumeConstraint>("tetrahedron volume", kTetrahedron));
  f(measured<HexahedronVolumeConstraint<false>>("hexahedron volume", kHexahedron));
  f(measured<HexahedronVolumeConstraint<true>>("hexahedron volume, other diagonals", kHexahedron));
  f(strained<SimplexStrain<TriangleElement>>("triangle strain", kTriangle));
  f(strained<SimplexStrain<TetrahedronElement>>("tetrahedron strain", kTetrahedron));
  f(strained<HexahedronStrain>("hexahedron strain", kHexahedron));
}

template <class C>
class RandomPlaces {
 public:
  explicit RandomPlaces(const Case<C>& c) : case_(c) {}
  void next(Vec (&x)[C::kNodes]) {
    std::uniform_real_distribution<double> noise(-0.4, 0.4);
    for (int n = 0; n < C::kNodes; ++n)
      x[n] = case_.rest_place[n] + Vec{noise(generator_), noise(generator_), noise(generator_)};
  }

 private:
  const Case<C>& case_;
  std::mt19937 generator_{7};
};

TEST(ConstraintLaws, GradientIsTheDerivative) {
  for_each_constraint([]<class C>(const Case<C>& c) {
    RandomPlaces<C> random(c);
    for (int trial = 0; trial < 50; ++trial) {
      Vec x[C::kNodes], gradient[C::kNodes], unused[C::kNodes];
      random.next(x);
      C::value(c.rest, x, gradient);
      constexpr double kStep = 1e-6;
      for (int n = 0; n < C::kNodes; ++n)
        for (int k = 0; k < 3; ++k) {
          const double at = x[n][k];
          x[n][k] = at + kStep;
          const double after = C::value(c.rest, x, unused);
          x[n][k] = at - kStep;
          const double before = C::value(c.rest, x, unused);
          x[n][k] = at;
          EXPECT_NEAR((after - before) / (2 * kStep), gradient[n][k],
                      1e-6 * (1 + std::abs(gradient[n][k])))
              << c.name << ", trial " << trial << ", node " << n << ", axis " << k;
        }
    }
  });
}

TEST(ConstraintLaws, NoNetForceAndNoTorque) {
  for_each_constraint([]<class C>(const Case<C>& c) {
    RandomPlaces<C> random(c);
    for (int trial = 0; trial < 50; ++trial) {
      Vec x[C::kNodes], gradient[C::kNodes], force{}, torque{};
      random.next(x);
      C::value(c.rest, x, gradient);
      double size = 0;
      for (int n = 0; n < C::kNodes; ++n) {
        force += gradient[n];
        torque += cross(x[n], gradient[n]);
        size += length(gradient[n]);
      }
      EXPECT_GT(size, 0) << c.name;
      EXPECT_LT(length(force), 1e-12 * size) << c.name;
      EXPECT_LT(length(torque), 1e-11 * size) << c.name;
    }
  });
}

TEST(ConstraintLaws, ZeroAtRest) {
  for_each_constraint([]<class C>(const Case<C>& c) {
    Vec gradient[C::kNodes];
    EXPECT_NEAR(C::value(c.rest, c.rest_place, gradient), 0, 1e-12) << c.name;
  });
}

TEST(ConstraintLaws, PacksMatchPlainNumbers) {
  for_each_constraint([]<class C>(const Case<C>& c) {
    using W = Pack<Real, 8>;
    typename C::template Rest<W> wide_rest;
    typename C::template Rest<Real> rest;
    C::set_lane(rest, 0, c.rest);
    Vec3T<W> wide_x[C::kNodes], wide_gradient[C::kNodes];
    Vec x[8][C::kNodes];
    RandomPlaces<C> random(c);
    for (int lane = 0; lane < 8; ++lane) {
      C::set_lane(wide_rest, lane, c.rest);
      random.next(x[lane]);
      for (int n = 0; n < C::kNodes; ++n) set_lane(wide_x[n], lane, x[lane][n]);
    }
    const W wide_value = C::value(wide_rest, wide_x, wide_gradient);
    for (int i = 0; i < 8; ++i) {
      Vec3T<Real> plain_x[C::kNodes], gradient[C::kNodes];
      for (int n = 0; n < C::kNodes; ++n) set_lane(plain_x[n], 0, x[i][n]);
      const Real tolerance = 2000 * std::numeric_limits<Real>::epsilon();
      EXPECT_NEAR(lane(wide_value, i), C::value(rest, plain_x, gradient), tolerance) << c.name;
      for (int n = 0; n < C::kNodes; ++n)
        EXPECT_LT(length(lane(wide_gradient[n], i) - to_double(gradient[n])), tolerance) << c.name;
    }
  });
}

// All in one place, all on one line, two in one place, flat, and very small or large.
TEST(ConstraintLaws, DegeneratePlacesGiveFiniteNumbers) {
  for_each_constraint([]<class C>(const Case<C>& c) {
    const auto check = [&](const char* what, auto&& place) {
      typename C::template Rest<Real> rest;
      C::set_lane(rest, 0, c.rest);
      Vec3T<Real> x[C::kNodes], gradient[C::kNodes];
      for (int n = 0; n < C::kNodes; ++n) set_lane(x[n], 0, Vec(place(n)));
      EXPECT_TRUE(std::isfinite(C::value(rest, x, gradient))) << c.name << ": " << what;
      for (const Vec3T<Real>& g : gradient)
        EXPECT_TRUE(std::isfinite(g.x + g.y + g.z)) << c.name << ": " << what;
    };
    const auto& at = c.rest_place;
    check("one place", [&](int) { return Vec{1, 2, 3}; });
    check("origin", [&](int) { return Vec{}; });
    check("a line", [&](int n) { return Vec{double(n), 0, 0}; });
    check("two in one place", [&](int n) { return at[n == 1 ? 0 : n]; });
    check("flat", [&](int n) { return Vec{at[n].x, at[n].y, 0}; });
    check("mirrored", [&](int n) { return Vec{at[n].x, at[n].y, -at[n].z}; });
    check("small", [&](int n) { return at[n] * 1e-8; });
    check("smaller", [&](int n) { return at[n] * 1e-25; });
    check("large", [&](int n) { return at[n] * 1e6; });
  });
}

// Coincident particles are left alone: there is no telling which way to go.
TEST(ConstraintLaws, HingeWithoutAnAngleHasNoGradient) {
  Vec gradient[4];
  const auto expect_nothing = [&](const Vec(&x)[4]) {
    EXPECT_EQ(DihedralConstraint::value<double>({0.3, 1, 0}, x, gradient), 0);
    for (const Vec& g : gradient) EXPECT_EQ(length(g), 0);
  };
  expect_nothing({{0, 0, 0}, {0, 0, 0}, {1, 0, 0}, {0, 1, 0}});  // no edge
  expect_nothing({{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {0, 1, 0}});  // no triangle
}

TEST(ConstraintLaws, AngleOfAHingeIsThatBetweenItsTriangles) {
  for (double angle : {-3.1, -2.0, -0.5, -1e-4, 0.0, 1e-4, 0.5, 2.0, 3.1}) {
    const Vec x[4] = {{0, 0, 0}, {0, 0, -2}, {-1, 0, 0.3}, {std::cos(angle), std::sin(angle), 1}};
    Vec gradient[4];
    EXPECT_NEAR(std::abs(DihedralConstraint::value<double>({0, 1, 0}, x, gradient)),
                std::abs(angle), 1e-14);
    // The way round through a half turn is the shorter one between 3.1 and −3.1.
    const double back = DihedralConstraint::value<double>({-angle, 1, 0}, x, gradient);
    EXPECT_LE(std::abs(back), M_PI + 1e-12);
  }
}

// The triangulations of a cube that the fitted stiffnesses are for (the fitting thesis §4.2): of
// side 2, |∇C|² = 960, and the two gradients enclose an angle of cosine 4/5.
TEST(ConstraintLaws, VolumesOfAHexahedronAreThoseOfTheFit) {
  Vec a[8], b[8];
  EXPECT_NEAR(HexahedronVolumeConstraint<false>::value<double>({0}, kCube, a), 48, 1e-12);
  EXPECT_NEAR(HexahedronVolumeConstraint<true>::value<double>({0}, kCube, b), 48, 1e-12);
  double aa = 0, bb = 0, ab = 0;
  for (int n = 0; n < 8; ++n) {
    aa += dot(a[n], a[n]);
    bb += dot(b[n], b[n]);
    ab += dot(a[n], b[n]);
  }
  EXPECT_NEAR(aa, 960, 1e-9);
  EXPECT_NEAR(bb, 960, 1e-9);
  EXPECT_NEAR(ab / std::sqrt(aa * bb), 0.8, 1e-12);
}

TEST(ConstraintLaws, AngleOfAPointIsAtan2) {
  std::mt19937 generator(3);
  std::uniform_real_distribution<double> uniform(-1, 1);
  for (int i = 0; i < 2000; ++i) {
    const double y = std::pow(uniform(generator), 5), x = std::pow(uniform(generator), 5);
    EXPECT_NEAR(angle_of(y, x), std::atan2(y, x), 1e-15);
    EXPECT_NEAR(angle_of(float(y), float(x)), std::atan2(float(y), float(x)), 6e-7f);
  }
  EXPECT_EQ(angle_of(0.0, 0.0), 0);
  EXPECT_NEAR(angle_of(0.0, -1.0), M_PI, 1e-15);
}

}  // namespace
}  // namespace sinew
