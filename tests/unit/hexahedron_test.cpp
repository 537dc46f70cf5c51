// The trilinear hexahedron and its hourglass control, against their definitions.
#include "elements/hexahedron.h"

#include <gtest/gtest.h>
#include <sinew/materials.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "elements/hex_folding.h"
#include "elements/hourglass.h"

namespace sinew {
namespace {

using Vec = Vec3T<double>;
using Mat = Mat3T<double>;

constexpr int kSign[8][3] = {{-1, -1, -1}, {1, -1, -1}, {1, 1, -1}, {-1, 1, -1},
                             {-1, -1, 1},  {1, -1, 1},  {1, 1, 1},  {-1, 1, 1}};

// The modes of corner n: 1, ξ₁, ξ₂, ξ₃, ξ₂ξ₃, ξ₃ξ₁, ξ₁ξ₂, ξ₁ξ₂ξ₃.
std::array<double, 8> modes_at(const std::array<double, 3>& p) {
  return {1, p[0], p[1], p[2], p[1] * p[2], p[2] * p[0], p[0] * p[1], p[0] * p[1] * p[2]};
}
std::array<double, 8> modes_at_corner(int n) {
  return modes_at({double(kSign[n][0]), double(kSign[n][1]), double(kSign[n][2])});
}

struct Corners {
  Vec x[8];
};

class Random {
 public:
  double number(double size = 1) {
    return std::uniform_real_distribution<double>(-size, size)(generator_);
  }
  Vec vector(double size = 1) { return {number(size), number(size), number(size)}; }
  // A box of random size, sheared, with its corners moved about: still convex.
  Corners corners(double distortion) {
    const Mat shape = Mat::diagonal({1 + number(0.3), 1.5 + number(0.3), 0.8 + number(0.3)}) +
                      Mat{{vector(0.15), vector(0.15), vector(0.15)}};
    Corners c;
    for (int n = 0; n < 8; ++n)
      c.x[n] = shape * Vec{double(kSign[n][0]), double(kSign[n][1]), double(kSign[n][2])} +
               vector(distortion);
    return c;
  }

 private:
  std::mt19937 generator_{9};
};

Vec position(const Corners& c, const std::array<double, 3>& p) {
  Vec sum{};
  for (int n = 0; n < 8; ++n)
    sum += c.x[n] *
           ((1 + kSign[n][0] * p[0]) * (1 + kSign[n][1] * p[1]) * (1 + kSign[n][2] * p[2]) / 8);
  return sum;
}

TEST(Hexahedron, ModesAreTheirSums) {
  Random random;
  const Corners c = random.corners(0.2);
  Vec direct[8] = {};
  for (int n = 0; n < 8; ++n)
    for (int k = 0; k < 8; ++k) direct[k] += c.x[n] * modes_at_corner(n)[k];
  const HexModes<double> m = to_modes(c.x);
  EXPECT_LT(length(m.middle - direct[0]), 1e-13);
  for (int k = 0; k < 3; ++k) EXPECT_LT(length(m.edge[k] - direct[1 + k]), 1e-13) << k;
  for (int k = 0; k < 4; ++k) EXPECT_LT(length(m.hourglass[k] - direct[4 + k]), 1e-13) << k;
}

TEST(Hexahedron, CornerForcesAreTheTranspose) {
  Random random;
  Vec edge[3], hourglass[4], force[8];
  for (Vec& v : edge) v = random.vector();
  for (Vec& v : hourglass) v = random.vector();
  to_corners(edge, hourglass, force);
  for (int n = 0; n < 8; ++n) {
    const std::array<double, 8> mode = modes_at_corner(n);
    Vec direct{};
    for (int k = 0; k < 3; ++k) direct += edge[k] * mode[1 + k];
    for (int k = 0; k < 4; ++k) direct += hourglass[k] * mode[4 + k];
    EXPECT_LT(length(force[n] - direct), 1e-13) << "corner " << n;
  }
}

TEST(Hexahedron, ModesGiveTheShapeFunctions) {
  Random random;
  const Corners c = random.corners(0.2);
  const HexModes<double> m = to_modes(c.x);
  for (int i = 0; i < 20; ++i) {
    const std::array<double, 3> p{random.number(), random.number(), random.number()};
    const std::array<double, 8> mode = modes_at(p);
    Vec x = m.middle;
    for (int k = 0; k < 3; ++k) x += m.edge[k] * mode[1 + k];
    for (int k = 0; k < 4; ++k) x += m.hourglass[k] * mode[4 + k];
    EXPECT_LT(length(x * 0.125 - position(c, p)), 1e-13);
    // And their gradients.
    const std::array<Vec, 4> gradient = hourglass_gradients(p);
    for (int axis = 0; axis < 3; ++axis) {
      std::array<double, 3> before = p, after = p;
      before[axis] -= 1e-3, after[axis] += 1e-3;
      for (int k = 0; k < 4; ++k)
        EXPECT_NEAR(gradient[k][axis], (modes_at(after)[4 + k] - modes_at(before)[4 + k]) / 2e-3,
                    1e-11);
    }
  }
}

TEST(HexRest, HasTheVolumeOfTheMesh) {
  Random random;
  for (double distortion : {0.0, 0.1, 0.3}) {
    const Corners c = random.corners(distortion);
    HexMesh mesh{.cells = {{0, 1, 2, 3, 4, 5, 6, 7}}};
    for (const Vec& x : c.x) mesh.vertices.push_back({Real(x.x), Real(x.y), Real(x.z)});
    const double tolerance = sizeof(Real) == 4 ? 1e-5 : 1e-12;
    EXPECT_NEAR(rest_hexahedron(c.x).volume, measure(mesh, 0), tolerance);
  }
}

// ∂x/∂ξ at a Gauss point, by differences: the map is linear along each axis.
Mat map_at(const Corners& c, int q) {
  Mat map;
  for (int axis = 0; axis < 3; ++axis) {
    std::array<double, 3> before = gauss_point(q), after = before;
    before[axis] -= 0.1, after[axis] += 0.1;
    map.c[axis] = (position(c, after) - position(c, before)) / 0.2;
  }
  return map;
}

TEST(HexRest, GaussPointsHaveTheInverseOfTheMap) {
  Random random;
  const Corners c = random.corners(0.3);
  const HexRest rest = rest_hexahedron(c.x);
  double volume = 0;
  for (int q = 0; q < 8; ++q) {
    const Mat map = map_at(c, q);
    const Mat product = rest.point_inverse[q] * map - Mat::identity();
    EXPECT_LT(contract(product, product), 1e-20);
    EXPECT_NEAR(rest.point_volume[q], determinant(map), 1e-11);
    volume += rest.point_volume[q];
  }
  EXPECT_NEAR(rest.volume, volume, 1e-12);
}

TEST(HexRest, AffineMapsHaveNoHourglassAmplitude) {
  Random random;
  const Corners c = random.corners(0.3);
  const HexRest rest = rest_hexahedron(c.x);
  const Mat f{{random.vector(), random.vector(), random.vector()}};
  Corners moved;
  for (int n = 0; n < 8; ++n) moved.x[n] = f * c.x[n] + Vec{3, -2, 1};
  const HexModes<double> m = to_modes(moved.x);
  for (int i = 0; i < 4; ++i) {
    Vec q = m.hourglass[i];
    for (int k = 0; k < 3; ++k) q -= m.edge[k] * rest.skew[i][k];
    EXPECT_LT(length(q), 1e-12) << "mode " << i;
  }
}

// F̄ from the modes is the mean of the gradient over the volume, for any motion of the corners.
TEST(HexRest, MeanGradientIsTheMeanOverTheGaussPoints) {
  Random random;
  const Corners c = random.corners(0.3);
  const HexRest rest = rest_hexahedron(c.x);
  Corners moved;
  for (Vec& x : moved.x) x = random.vector();
  const HexModes<double> m = to_modes(moved.x);
  Mat edges{}, direct{};
  for (int k = 0; k < 3; ++k) edges.c[k] = m.edge[k] * 0.125;
  for (int i = 0; i < 4; ++i) {
    Vec q = m.hourglass[i];
    for (int k = 0; k < 3; ++k) q -= m.edge[k] * rest.skew[i][k];
    for (int k = 0; k < 3; ++k) edges.c[k] += q * (0.125 * rest.mean[i][k]);
  }
  for (int q = 0; q < 8; ++q) {
    const std::array<Vec, 4> gradient = hourglass_gradients(gauss_point(q));
    Mat map;
    for (int k = 0; k < 3; ++k) {
      map.c[k] = m.edge[k] * 0.125;
      for (int i = 0; i < 4; ++i) map.c[k] += m.hourglass[i] * (0.125 * gradient[i][k]);
    }
    direct = direct + map * rest.point_inverse[q] * (rest.point_volume[q] / rest.volume);
  }
  const Mat difference = edges * rest.inverse - direct;
  EXPECT_LT(contract(difference, difference), 1e-24);

  // What unit stresses do to the corners, and from it the mobility of F̄.
  Mat sum{};
  for (int n = 0; n < 8; ++n) {
    Vec b{};
    for (int q = 0; q < 8; ++q) {
      const std::array<double, 3> p = gauss_point(q);
      Vec local;
      for (int k = 0; k < 3; ++k) {
        const int i = (k + 1) % 3, j = (k + 2) % 3;
        local[k] = kSign[n][k] * (1 + kSign[n][i] * p[i]) * (1 + kSign[n][j] * p[j]) / 8;
      }
      b += transpose(rest.point_inverse[q]) * local * (rest.point_volume[q] / rest.volume);
    }
    for (int k = 0; k < 3; ++k) sum.c[k] += b * b[k];
  }
  const Mat spread = rest.spread * rest.inverse;
  const Mat mobility = transpose(spread) * spread * 0.125 - sum;
  EXPECT_LT(contract(mobility, mobility), 1e-24);
}

TEST(HexRest, WhatIsFlatHasNoVolume) {
  Random random;
  Corners flat = random.corners(0.1), point{}, broken = random.corners(0.1);
  for (Vec& x : flat.x) x.y = 0;
  broken.x[3].z = NAN;
  for (const Corners* c : {&flat, &point, &broken}) {
    const HexRest rest = rest_hexahedron(c->x);
    EXPECT_EQ(rest.volume, 0);
    EXPECT_EQ(contract(rest.inverse, rest.inverse), 0);
  }
}

// One corner pushed through the cell: the map folds over at a Gauss point, which still has a
// volume.
TEST(HexRest, FoldedCornersKeepAStiffness) {
  Random random;
  Corners c = random.corners(0);
  c.x[6] = c.x[0] * 0.6;
  ASSERT_LT(determinant(map_at(c, 7)), 0);
  const HexRest rest = rest_hexahedron(c.x);
  ASSERT_GT(rest.volume, 0);
  for (double volume : rest.point_volume) EXPECT_GT(volume, 0);
}

template <class Control>
class HourglassControl : public testing::Test {
 protected:
  Control control() {
    Control c{};
    Control::set(c, 0, rest_hexahedron(random.corners(0.2).x));
    return c;
  }
  static double energy(const Control& control, const ElasticModuli<Real>& moduli,
                       const Vec3 (&q)[4]) {
    Vec3 f[4];
    control.forces(moduli, q, f);
    double sum = 0;
    for (int i = 0; i < 4; ++i) sum += 0.5 * double(dot(q[i], f[i]));
    return sum;
  }
  Vec3 vector() {
    const Vec v = random.vector();
    return {Real(v.x), Real(v.y), Real(v.z)};
  }
  static ElasticModuli<Real> moduli(double poisson) {
    const StableNeoHookean material{.young = 2, .poisson = Real(poisson)};
    return ElasticModuli<Real>::from(material.lame_mu(), material.lame_lambda());
  }
  Random random;
};

using Controls = testing::Types<AssumedStrainControl<Real>, LaplacianControl<Real>>;
TYPED_TEST_SUITE(HourglassControl, Controls);

TYPED_TEST(HourglassControl, ForcesAreTheDerivativeOfTheEnergy) {
  for (double poisson : {-0.3, 0.0, 0.3, 0.49}) {
    const auto control = this->control();
    const auto moduli = this->moduli(poisson);
    Vec3 q[4], f[4];
    for (Vec3& v : q) v = this->vector();
    control.forces(moduli, q, f);
    for (int i = 0; i < 4; ++i)
      for (int k = 0; k < 3; ++k) {
        Vec3 before[4], after[4];  // the energy is quadratic: any step will do
        std::copy_n(q, 4, before), std::copy_n(q, 4, after);
        before[i][k] -= 1, after[i][k] += 1;
        const double slope =
            (this->energy(control, moduli, after) - this->energy(control, moduli, before)) / 2;
        EXPECT_NEAR(f[i][k], slope, sizeof(Real) == 4 ? 1e-5 : 1e-13) << i << k << " ν " << poisson;
      }
  }
}

TYPED_TEST(HourglassControl, BoundsAreAtLeastTheStiffness) {
  for (double poisson : {-0.3, 0.0, 0.3, 0.49})
    for (int trial = 0; trial < 200; ++trial) {
      const auto control = this->control();
      const auto moduli = this->moduli(poisson);
      Vec3 q[4], b[4];
      for (Vec3& v : q) v = this->vector();
      control.bounds(moduli, b);
      double bound = 0;
      for (int i = 0; i < 4; ++i)
        for (int k = 0; k < 3; ++k) bound += 0.5 * b[i][k] * q[i][k] * q[i][k];
      const double energy = this->energy(control, moduli, q);
      EXPECT_GE(bound, energy * (1 - 1e-5));
      EXPECT_GE(energy, -1e-6);
    }
}

TYPED_TEST(HourglassControl, LaplacianForcesAndBoundsBelongToTheStrain) {
  const auto control = this->control();
  Vec3 q[4], f[4] = {}, b[4] = {};
  for (Vec3& v : q) v = this->vector();
  control.add_laplacian(Real(3), q, f, b);
  double work = 0, bound = 0;
  for (int i = 0; i < 4; ++i)
    for (int k = 0; k < 3; ++k) {
      work += 0.5 * f[i][k] * q[i][k];
      bound += 0.5 * b[i][k] * q[i][k] * q[i][k];
    }
  const double energy = 3 * control.strain2(q);
  EXPECT_NEAR(work / energy, 1, 1e-5);
  EXPECT_GE(bound, energy * (1 - 1e-5));
}

// With half edges `half`.
AssumedStrainControl<Real> control_of_box(const Vec& half) {
  Corners c;
  for (int n = 0; n < 8; ++n)
    c.x[n] = {half.x * kSign[n][0], half.y * kSign[n][1], half.z * kSign[n][2]};
  AssumedStrainControl<Real> control{};
  AssumedStrainControl<Real>::set(control, 0, rest_hexahedron(c.x));
  return control;
}

// Of a box, the mean of ‖F(ξ) − F₀‖² over the Gauss points, which integrate it exactly.
TEST(AssumedStrain, StrainIsTheMeanOverTheBox) {
  const Vec half{1, 0.5, 0.7};
  const AssumedStrainControl<Real> control = control_of_box(half);
  Random random;
  Vec3 q[4];
  for (Vec3& v : q) v = {Real(random.number()), Real(random.number()), Real(random.number())};
  double mean = 0;
  for (int p = 0; p < 8; ++p) {
    const auto g = hourglass_gradients(gauss_point(p));
    for (int k = 0; k < 3; ++k) {
      Vec column{};
      for (int i = 0; i < 4; ++i) column += Vec{q[i].x, q[i].y, q[i].z} * (g[i][k] / half[k]);
      mean += dot(column, column) / 8;
    }
  }
  EXPECT_NEAR(control.strain2(q) / mean, 1, 1e-5);
}

// The triple products of the edges at the corners, of random corners.
TEST(HexFolding, LeastCornerIsTheSmallestTripleProduct) {
  Random random;
  for (int trial = 0; trial < 50; ++trial) {
    Vec x[8];
    for (Vec& v : x) v = random.vector();
    const HexModes<double> m = to_modes(x);
    Mat j;
    Vec q[4];
    for (int k = 0; k < 3; ++k) j.c[k] = m.edge[k] * 0.125;
    for (int i = 0; i < 4; ++i) q[i] = m.hourglass[i] * 0.125;
    double least = determinant(j);
    for (int n = 0; n < 8; ++n) {
      Vec edge[3];
      for (int other = 0; other < 8; ++other)
        for (int k = 0; k < 3; ++k) {
          bool along = true;
          for (int a = 0; a < 3; ++a) along &= (kSign[n][a] != kSign[other][a]) == (a == k);
          if (along) edge[k] = (x[other] - x[n]) * (0.5 * kSign[other][k]);
        }
      least = std::min(least, dot(cross(edge[0], edge[1]), edge[2]));
    }
    EXPECT_NEAR(least_corner(j, q), least, 1e-12);
  }
}

// kMayFold: q shared so that the corner is flat along a diagonal costs 1/15, and nothing costs
// less.
TEST(HexFolding, NoCornerFoldsBelowAFifteenth) {
  const AssumedStrainControl<Real> cube = control_of_box({1, 1, 1});
  const double along = 1 / std::sqrt(3.0), a = 0.2 * along, b = 0.6 * along;
  const Vec3 flat{Real(along), Real(along), Real(along)};
  const Vec3 q[4] = {flat * Real(-a), flat * Real(-a), flat * Real(-a), flat * Real(-b)};
  EXPECT_NEAR(least_corner(Mat3::identity(), q), 0, 1e-6);
  EXPECT_NEAR(cube.strain2(q), 1.0 / 15, 1e-6);
  Random random;
  for (int trial = 0; trial < 20000; ++trial) {
    Vec3 any[4];
    for (Vec3& v : any) v = {Real(random.number()), Real(random.number()), Real(random.number())};
    const Real scale = std::sqrt(Real(1.0 / 15) / cube.strain2(any));
    for (Vec3& v : any) v *= scale;
    EXPECT_GT(least_corner(Mat3::identity(), any), 0);
  }
}

TEST(HexFolding, RemembersUntilTheStrainIsGone) {
  Unfolding<Real> unfolding{};
  EXPECT_FALSE(unfolding.may_change(kMayFold / 2));
  EXPECT_TRUE(unfolding.may_change(kMayFold * 2));
  unfolding.follow(1, Real(0.1), kUnfoldingTime);  // bent, not folded
  EXPECT_FALSE(unfolding.any_active());
  unfolding.follow(1, Real(-0.1), kUnfoldingTime / 2);
  EXPECT_NEAR(unfolding.share, 0.5, 1e-6);
  unfolding.follow(1, Real(-0.1), kUnfoldingTime);
  EXPECT_EQ(unfolding.share, Real(1));
  unfolding.follow(kMayFold, Real(0.1), kUnfoldingTime);  // no longer folded, but still bent
  EXPECT_EQ(unfolding.share, Real(1));
  unfolding.follow(kUnfolded / 2, 1, kUnfoldingTime * 2);
  EXPECT_FALSE(unfolding.any_active());
}

// A cell bent to a curvature κ about z: σ = E κ y along x, nothing else. The energy of the control
// is that of the beam, ½ E κ² a_y²/3 per volume, with q of the bending mode free to curve across.
TEST(AssumedStrain, BendingHasTheEnergyOfABeam) {
  const Vec half{1, 0.5, 0.7};
  const AssumedStrainControl<Real> control = control_of_box(half);
  const StableNeoHookean material{.young = 3, .poisson = Real(0.3)};
  const auto moduli = ElasticModuli<Real>::from(material.lame_mu(), material.lame_lambda());
  // u_x = κ x y, amplitude κ a_x a_y of mode ξ₁ξ₂; across, σ_z = 0 wants u_z = −ν κ y z, mode ξ₂ξ₃.
  const double curvature = 0.01, poisson = 0.3;
  Vec3 q[4] = {}, f[4];
  q[2].x = Real(curvature * half.x * half.y);
  q[0].z = Real(-poisson * curvature * half.z * half.y);
  control.forces(moduli, q, f);
  double energy = 0;
  for (int i = 0; i < 4; ++i) energy += 0.5 * double(dot(q[i], f[i]));
  EXPECT_NEAR(energy / (0.5 * 3 * curvature * curvature * half.y * half.y / 3), 1, 1e-5);
}

}  // namespace
}  // namespace sinew
