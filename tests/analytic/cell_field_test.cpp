// Fields over the cells of bodies that are put into shapes with a known answer.
#include <sinew/generators.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "body_kinds.h"
#include "soft_support.h"
#include "support.h"

namespace sinew {
namespace {

constexpr Real kYoung = Real(2e5), kPoisson = Real(0.3);
constexpr CellField kMeasured[] = {CellField::kStress, CellField::kStrain, CellField::kVolume};

template <class M>
M usual() {
  return {.young = kYoung, .poisson = kPoisson};
}

// A body alone in a world, whose vertices X are put to map(X).
struct Alone {
  World world;
  SoftId id;

  explicit Alone(SoftBody body, std::shared_ptr<Executor> executor = nullptr)
      : world({}, std::move(executor)), id(world.add(std::move(body))) {}

  template <class Map>
  Alone& put(Map&& map) {
    std::vector<Vec3> x;
    for (const Vec3& v : vertices_of(world.rest_mesh(id))) x.push_back(map(v));
    world.set_positions(id, x);
    return *this;
  }
  std::vector<Real> field(CellField f) const { return world.cell_field(id, f); }
};

std::size_t cells_in(const World& world, SoftId id) {
  return std::visit([](const auto& mesh) { return mesh.cells.size(); }, world.rest_mesh(id));
}

void expect_all(const std::vector<Real>& values, double expected, double tolerance,
                const std::string& what) {
  ASSERT_FALSE(values.empty()) << what;
  for (std::size_t i = 0; i < values.size(); ++i)
    ASSERT_NEAR(values[i], expected, tolerance) << what << ", cell " << i;
}

Vec3 stretched(const Vec3& x, double along, double across) {
  return {Real(x.x * along), Real(x.y * across), Real(x.z * across)};
}

const Quat kTurn = Quat::from_axis_angle({1, 2, 3}, Real(1.1));

// Solids and sheets pulled along x, with the sides free to come in: σ = E ε in every cell.
TEST(CellField, UniaxialStressIsYoungTimesStrain) {
  constexpr double kStrain = 2e-3;
  const Material materials[] = {usual<StableNeoHookean>(),  usual<NeoHookean>(),
                                usual<Corotated>(),         usual<Linear>(),
                                usual<StVenantKirchhoff>(), usual<CorrectedCorotated>(),
                                usual<MooneyRivlin>()};
  for (const Material& material : materials)
    for (NamedBody& b : bodies_of_every_kind()) {
      const std::string what =
          b.name + ", " + std::visit([](const auto& m) { return m.kName; }, material);
      if (b.name == "lines") continue;
      b.body.material = material;
      b.body.solver = QuasiNewton{};
      Alone alone(b.body);
      alone.put([](const Vec3& x) { return stretched(x, 1 + kStrain, 1 - kPoisson * kStrain); });
      const double expected = kYoung * kStrain;
      expect_all(alone.field(CellField::kStress), expected, 0.01 * expected, what);
      expect_all(alone.field(CellField::kStrain), kStrain, 2e-5, what);
    }
}

// The stress of the position-based solver's bodies is that of the same material.
TEST(CellField, StressDoesNotDependOnTheSolver) {
  for (NamedBody& b : bodies_of_every_kind()) {
    Alone swept(b.body);
    b.body.solver = QuasiNewton{};
    Alone minimised(b.body);
    for (Alone* alone : {&swept, &minimised})
      alone->put([](const Vec3& x) { return stretched(x, 1.2, 0.9); });
    for (CellField f : kMeasured) EXPECT_EQ(swept.field(f), minimised.field(f)) << b.name;
  }
}

TEST(CellField, ATurnedBodyIsNotStrained) {
  for (NamedBody& b : bodies_of_every_kind()) {
    Alone alone(b.body);
    alone.put([](const Vec3& x) { return kTurn.rotate(x) + Vec3{1, 2, 3}; });
    expect_all(alone.field(CellField::kStrain), 0, 1e-5, b.name);
    expect_all(alone.field(CellField::kVolume), 1, 1e-5, b.name);
    expect_all(alone.field(CellField::kStress), 0, 2e-5 * 2e4, b.name);
  }
}

TEST(CellField, LargestStretchAndVolumeOfALargeDeformation) {
  for (NamedBody& b : bodies_of_every_kind()) {
    if (b.name == "lines" || b.name == "triangles") continue;
    Alone alone(b.body);
    alone.put([](const Vec3& x) {
      return kTurn.rotate({x.x * Real(1.3), x.y * Real(0.6), x.z * Real(1.1)});
    });
    expect_all(alone.field(CellField::kStrain), 0.4, 1e-5, b.name);
    expect_all(alone.field(CellField::kVolume), 1.3 * 0.6 * 1.1, 1e-5, b.name);
  }
}

TEST(CellField, ASheetHasAnArea) {
  Alone alone({.mesh = cloth(1, Real(0.5), 8, 4), .thickness = Real(0.02)});
  const Vec3 size = bounds(vertices_of(alone.world.rest_mesh(alone.id))).upper;
  ASSERT_EQ(size.y, 0);  // it lies flat
  alone.put([](const Vec3& x) { return kTurn.rotate({x.x * Real(1.25), x.y, x.z * Real(0.8)}); });
  expect_all(alone.field(CellField::kVolume), 1, 1e-5, "area");
  expect_all(alone.field(CellField::kStrain), 0.25, 1e-5, "strain");
}

TEST(CellField, ALineHasATension) {
  for (double stretch : {1.1, 0.9}) {
    Alone alone({.mesh = rope(1, 10), .material = usual<StableNeoHookean>()});
    alone.put([&](const Vec3& x) { return kTurn.rotate(x) * Real(stretch); });
    expect_all(alone.field(CellField::kVolume), stretch, 1e-5, "length");
    expect_all(alone.field(CellField::kStrain), 0.1, 1e-5, "strain");
    expect_all(alone.field(CellField::kStress), 0.1 * kYoung, 1e-4 * kYoung, "stress");
  }
}

TEST(CellField, InsideOutFlatOrFarTooLargeIsTold) {
  for (NamedBody& b : bodies_of_every_kind())
    for (const bool variational : {false, true}) {
      if (variational) b.body.solver = QuasiNewton{};
      Alone alone(b.body);
      const bool solid = alone.world.surface(alone.id).cells.size() > 0 && b.name != "triangles";
      alone.put([](const Vec3& x) { return Vec3{-x.x, x.y * Real(1.5), x.z}; });
      if (solid) {
        expect_all(alone.field(CellField::kVolume), -1.5, 1e-5, b.name);
        EXPECT_EQ(alone.world.state(alone.id).inverted, int(cells_in(alone.world, alone.id)));
        for (Real s : alone.field(CellField::kStress)) {
          ASSERT_TRUE(std::isfinite(s)) << b.name;
          ASSERT_GT(s, 0) << b.name;
        }
      } else {
        for (Real v : alone.field(CellField::kVolume)) ASSERT_GT(v, 0) << b.name;
      }
      for (Real size : {Real(0), Real(1e-20), Real(1e8)}) {
        alone.put([&](const Vec3& x) { return Vec3{x.x * size, x.y * size, x.z}; });
        for (CellField f : kMeasured)
          for (Real value : alone.field(f)) ASSERT_TRUE(std::isfinite(value)) << b.name << size;
      }
      alone.put([](const Vec3&) { return Vec3{1, 2, 3}; });
      expect_all(alone.field(CellField::kVolume), 0, 1e-6, b.name);
      expect_all(alone.field(CellField::kStrain), 1, 1e-6, b.name);
      for (Real value : alone.field(CellField::kStress))
        ASSERT_TRUE(std::isfinite(value)) << b.name;
    }
}

TEST(CellField, CellsThatAreFlatAtRestTellNothing) {
  TetMesh mesh = box_tets({1, 1, 1}, {1, 1, 1});
  const auto n = static_cast<Index>(mesh.vertices.size());
  for (const Vec3& v : {Vec3{5, 0, 0}, Vec3{6, 0, 0}, Vec3{6, 1, 0}, Vec3{5, 1, 0}})
    mesh.vertices.push_back(v);
  mesh.cells.push_back({n, n + 1, n + 2, n + 3});
  Alone alone({.mesh = mesh, .solver = QuasiNewton{}});
  alone.put([](const Vec3& x) { return stretched(x, 2, 2); });
  EXPECT_EQ(alone.field(CellField::kStrain).back(), 0);
  EXPECT_EQ(alone.field(CellField::kStress).back(), 0);
  EXPECT_EQ(alone.field(CellField::kVolume).back(), 1);
  EXPECT_NEAR(alone.field(CellField::kStrain).front(), 1, 1e-5);
}

TEST(CellField, RegionsAndFactorsCount) {
  SoftBody body{.mesh = box_tets({1, 1, 1}, {4, 4, 4}), .material = usual<StableNeoHookean>()};
  body.solver = QuasiNewton{};
  const auto& mesh = std::get<TetMesh>(body.mesh);
  body.regions = {{.min = {0, -1, -1},
                   .max = {1, 1, 1},
                   .material = NeoHookean{.young = 7 * kYoung, .poisson = kPoisson}}};
  for (std::size_t i = 0; i < mesh.cells.size(); ++i)
    body.cell_stiffness.push_back(i % 2 == 0 ? Real(1) : Real(3));
  Alone alone(body);
  alone.put([](const Vec3& x) { return stretched(x, 1.002, 1 - 0.3 * 0.002); });
  const std::vector<Real> stress = alone.field(CellField::kStress);
  int stiff = 0;
  for (std::size_t i = 0; i < stress.size(); ++i) {
    Real middle = 0;
    for (Index v : mesh.cells[i]) middle += mesh.vertices[v].x / 4;
    const double young = kYoung * (middle >= 0 ? 7 : 1) * (i % 2 == 0 ? 1 : 3);
    stiff += middle >= 0;
    ASSERT_NEAR(stress[i], young * 0.002, 0.01 * young * 0.002) << i;
  }
  EXPECT_GT(stiff, 0);
  EXPECT_LT(stiff, int(stress.size()));
}

// What cells say one by one is what the body says of all.
TEST(CellField, AgreesWithTheStateOfTheBody) {
  std::mt19937 generator(5);
  std::uniform_real_distribution<double> noise(-0.1, 0.1);
  for (NamedBody& b : bodies_of_every_kind()) {
    if (b.body.integration == HexIntegration::kEightPoint) continue;  // which looks at eight points
    Alone alone(b.body);
    alone.put([&](const Vec3& x) {
      return x + Vec3{Real(noise(generator)), Real(noise(generator)), Real(noise(generator))};
    });
    const SoftState state = alone.world.state(alone.id);
    const std::vector<Real> strain = alone.field(CellField::kStrain),
                            volume = alone.field(CellField::kVolume);
    ASSERT_EQ(strain.size(), cells_in(alone.world, alone.id));
    EXPECT_NEAR(*std::max_element(strain.begin(), strain.end()), state.strain_max,
                1e-4 * state.strain_max)
        << b.name;
    EXPECT_EQ(std::count_if(volume.begin(), volume.end(), [](Real v) { return v < 0; }),
              state.inverted)
        << b.name;
  }
}

// A dented bar is strained and stressed by what is elastic alone.
TEST(CellField, DentsThatStayAreNoStrain) {
  for (const BodyMesh& mesh :
       {BodyMesh(box_tets({1, 1, 1}, {2, 2, 2})), BodyMesh(box_hexes({1, 1, 1}, {2, 2, 2}))})
    for (const bool plastic : {false, true}) {
      SoftBody body{.mesh = mesh, .material = usual<StableNeoHookean>()};
      if (plastic) body.plasticity = Plasticity{.yield_strain = Real(0.01), .creep_rate = 1000};
      body.pins = vertices_where(mesh, [](const Vec3&) { return true; });
      Alone alone(body);
      alone.put([](const Vec3& x) { return stretched(x, 1.2, 1 / std::sqrt(1.2)); });
      run(alone.world, 1);  // held in this shape, it flows
      const std::vector<Real> strain = alone.field(CellField::kStrain),
                              stress = alone.field(CellField::kStress);
      if (plastic) {
        for (Real e : strain) EXPECT_LT(e, 0.05);
        for (Real s : stress) EXPECT_LT(s, 0.05 * kYoung);
      } else {
        expect_all(strain, 0.2, 1e-5, "elastic");
        for (Real s : stress) EXPECT_GT(s, 0.15 * kYoung);
      }
    }
}

TEST(CellField, ColoursShareNoVertex) {
  for (NamedBody& b : bodies_of_every_kind()) {
    Alone alone(b.body);
    const std::vector<Real> colour = alone.field(CellField::kColour);
    ASSERT_EQ(colour.size(), cells_in(alone.world, alone.id));
    std::visit(
        [&](const auto& mesh) {
          std::vector<std::vector<Real>> at(mesh.vertices.size());
          for (std::size_t i = 0; i < mesh.cells.size(); ++i)
            for (Index v : mesh.cells[i]) {
              EXPECT_EQ(std::count(at[v].begin(), at[v].end(), colour[i]), 0) << b.name;
              at[v].push_back(colour[i]);
            }
        },
        b.body.mesh);
    b.body.solver = QuasiNewton{};
    expect_all(Alone(b.body).field(CellField::kColour), 0, 0, b.name);
  }
}

TEST(CellField, SameBitsOnManyThreads) {
  const SoftBody body{.mesh = shaken(box_tets({1, 1, 1}, {9, 9, 9}), 0.01)};
  Alone one(body), many(body, make_thread_pool(3));
  for (Alone* alone : {&one, &many})
    alone->put([](const Vec3& x) { return stretched(x, 1.2 + x.y, 0.9 + x.z); });
  for (CellField f : kMeasured) EXPECT_EQ(one.field(f), many.field(f));
}

TEST(CellField, OfWhatIsGoneIsAnError) {
  Alone alone({.mesh = box_tets({1, 1, 1}, {1, 1, 1})});
  alone.world.remove(alone.id);
  expect_error([&] { alone.field(CellField::kStrain); }, {"soft body", "not alive"});
}

}  // namespace
}  // namespace sinew
