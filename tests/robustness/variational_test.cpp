// Whatever is done to bodies with a variational solver: they come back, and are finite on the way.
#include <gtest/gtest.h>
#include <sinew/generators.h>

#include <random>

#include "soft_support.h"

namespace sinew {
namespace {

struct NamedMaterial {
  const char* name;
  Material material;
};

std::vector<NamedMaterial> materials(double poisson) {
  const Real young = Real(1e5), ratio = Real(poisson);
  return {{"stable_neo_hookean", StableNeoHookean{.young = young, .poisson = ratio}},
          {"neo_hookean", NeoHookean{.young = young, .poisson = ratio}},
          {"corotated", Corotated{.young = young, .poisson = ratio}},
          {"st_venant_kirchhoff", StVenantKirchhoff{.young = young, .poisson = ratio}},
          {"arap", Arap{.young = young}},
          {"corrected_corotated", CorrectedCorotated{.young = young, .poisson = ratio}},
          {"mooney_rivlin", MooneyRivlin{.young = young, .poisson = ratio}},
          {"polynomial", Polynomial{.young = young, .poisson = ratio}},
          {"spline", Spline{.young = young, .poisson = ratio}}};
}

template <class Spoil>
void expect_recovery(const Solver& solver, Spoil&& spoil) {
  for (double poisson : {0.3, 0.45})
    for (const NamedMaterial& m : materials(poisson)) {
      World world({.gravity = {0, 0, 0}});
      const SoftId id = world.add(SoftBody{.mesh = box_tets({1, Real(0.5), Real(0.4)}, {6, 3, 3}),
                                           .material = m.material,
                                           .solver = solver});
      std::vector<Vec3> x = world.positions(id);
      std::mt19937 generator(3);
      spoil(x, generator);
      world.set_positions(id, x);
      run(world, 6);
      EXPECT_TRUE(world.finite()) << m.name << " ν " << poisson;
      EXPECT_EQ(world.state(id).inverted, 0) << m.name << " ν " << poisson;
      EXPECT_LT(world.state(id).strain_max, 0.02) << m.name << " ν " << poisson;
    }
}

void randomise(std::vector<Vec3>& x, std::mt19937& generator) {
  std::uniform_real_distribution<Real> place(Real(-0.4), Real(0.4));
  for (Vec3& v : x) v.x = place(generator), v.y = place(generator), v.z = place(generator);
}

TEST(VariationalAbuse, RandomVerticesComeBack) { expect_recovery(QuasiNewton{}, randomise); }

TEST(VariationalAbuse, FlattenedComesBack) {
  expect_recovery(QuasiNewton{}, [](std::vector<Vec3>& x, std::mt19937&) {
    for (Vec3& v : x) v.y *= Real(1e-3);
  });
}

TEST(VariationalAbuse, TurnedInsideOutComesBack) {
  expect_recovery(QuasiNewton{}, [](std::vector<Vec3>& x, std::mt19937&) {
    for (Vec3& v : x) v.y = -v.y;
  });
}

TEST(VariationalAbuse, StretchedTenfoldComesBack) {
  expect_recovery(QuasiNewton{}, [](std::vector<Vec3>& x, std::mt19937&) {
    for (Vec3& v : x) v.x *= 10;
  });
}

TEST(VariationalAbuse, NewtonBringsRandomVerticesBack) { expect_recovery(Newton{}, randomise); }

TEST(VariationalAbuse, AnyStiffnessAndAnyStepStaysFinite) {
  for (const Solver& solver : {Solver(QuasiNewton{}), Solver(Newton{.iterations = 2})})
    for (double young : {1.0, 1e3, 1e6, 1e9, 1e12})
      for (double dt : {1e-5, 1e-3, 1.0 / 60, 0.2, 1.0}) {
        World world({.gravity = {0, 0, 0}});
        const SoftId id = world.add(SoftBody{.mesh = box_tets({1, 1, 1}, {3, 3, 3}),
                                             .material = StableNeoHookean{.young = Real(young)},
                                             .solver = solver,
                                             .velocity = {1, 0, 0},
                                             .angular_velocity = {1, 1, 1}});
        for (int i = 0; i < 30; ++i) world.step(Real(dt));
        EXPECT_TRUE(world.finite()) << "E " << young << " dt " << dt;
        const Vec3T<double> middle = mean_position(world, id);
        EXPECT_NEAR(middle.x / (30 * dt), 1, 0.01) << "E " << young << " dt " << dt;
        if (young < 1e6) continue;  // it spins faster than sound in it, and flies apart
        for (const Vec3& x : world.positions(id))
          EXPECT_LT(length(to_double(x) - middle), 1.5) << "E " << young << " dt " << dt;
      }
}

}  // namespace
}  // namespace sinew
