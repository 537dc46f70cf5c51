// Packs do what plain numbers do, for every element and integration: the batches that the library
// makes, against the same templates over plain numbers. With every material on tetrahedra; elements
// do not know materials, and that materials do the same on packs is in material_laws_test.cpp, so
// that the others are compiled for one of each kind.
#include <gtest/gtest.h>

#include "body_kinds.h"
#include "elements/tetrahedron.h"
#include "elements/triangle.h"
#include "solvers/element_batches.h"
#include "solvers/hex_batch.h"
#include "solvers/hex_gauss_batch.h"
#include "solvers/simplex_batch.h"

namespace sinew {
namespace {

// Every vertex displaced from its place at random; the second is held.
struct Rows {
  explicit Rows(const SoftBody& body) {
    const std::vector<Real> mass = std::visit(
        [&](const auto& mesh) { return lumped_masses(mesh, mass_per_measure(body)); }, body.mesh);
    std::mt19937 generator(5);
    std::uniform_real_distribution<Real> noise(Real(-0.03), Real(0.03));
    for (std::size_t i = 0; i < mass.size(); ++i) {
      const Vec3& v = vertices_of(body.mesh)[i];
      const Real w = i == 1 ? 0 : 1 / mass[i];
      previous.push_back({v.x, v.y, v.z, w});
      displacement.push_back({noise(generator), noise(generator), noise(generator), w});
    }
  }
  std::vector<Row4<Real>> position() const {
    std::vector<Row4<Real>> rows = previous;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      const Row4<Real>& u = displacement[i];
      rows[i] = {rows[i].x + u.x, rows[i].y + u.y, rows[i].z + u.z, u.w};
    }
    return rows;
  }
  std::vector<Row4<Real>> previous, displacement;
};

void sweep(Batch& batch, Rows& rows, Real damping) {
  const auto executor = make_serial_executor();
  const Substep substep{
      rows.displacement.data(), {rows.previous.data()}, Real(1.0 / 600), damping, *executor};
  batch.predict(substep);
  for (int i = 0; i < 3; ++i) {
    batch.solve(substep);
    batch.yield(substep);
  }
}

void expect_same(ElementBatch& packed, ElementBatch& plain, const SoftBody& body, Real damping,
                 const std::string& name) {
  Rows a(body), b(body);
  sweep(packed, a, damping);
  sweep(plain, b, damping);
  constexpr double kEpsilon = std::numeric_limits<Real>::epsilon();
  const std::vector<Row4<Real>> at = a.position(), plain_at = b.position();
  for (std::size_t i = 0; i < at.size(); ++i) {
    const Row4<Real>&p = at[i], &q = plain_at[i];
    ASSERT_NEAR(p.x, q.x, kEpsilon * 50) << name << ", vertex " << i;
    ASSERT_NEAR(p.y, q.y, kEpsilon * 50) << name << ", vertex " << i;
    ASSERT_NEAR(p.z, q.z, kEpsilon * 50) << name << ", vertex " << i;
    ASSERT_EQ(p.w, q.w) << name;
  }
  const double energy = plain.energy({plain_at.data()});
  EXPECT_NEAR(packed.energy({at.data()}), energy, kEpsilon * 1e3 * std::abs(energy)) << name;
  const ElementSummary s = packed.summary(at.data()), t = plain.summary(plain_at.data());
  EXPECT_NEAR(s.volume, t.volume, kEpsilon * 100) << name;
  EXPECT_NEAR(s.strain_max, t.strain_max, kEpsilon * 1e3) << name;
  EXPECT_EQ(s.inverted, t.inverted) << name;
  EXPECT_EQ(packed.count(), plain.count()) << name;
}

// One that is asked with F alone, one with its rotation, and one that is never asked.
using OneOfEachKind = TypeList<StableNeoHookean, Corotated, None>;

// `make_plain(body, material)` makes the batch over plain numbers.
template <class Materials = OneOfEachKind, class MakePlain>
void expect_same_for_materials(SoftBody body, const std::string& name, MakePlain&& make_plain) {
  Materials::for_each([&]<class M>() {
    if constexpr (HasTangentBound<M>)
      for (Real damping : {Real(0), Real(0.01)}) {
        body.material = M{};
        const auto packed = make_element_batch(body);
        const auto plain = make_plain(body, M{});
        expect_same(*packed, *plain, body, damping, name + ", " + M::kName);
      }
  });
}

const std::optional<Plasticity> kPlasticity = Plasticity{.yield_strain = Real(0.01)};

// 3×2×3 cells: every colour ends in a partly filled pack.
constexpr Vec3 kSize{1, 1, 1};
constexpr Cells3 kCells{3, 2, 3};

TEST(PackLaws, Tetrahedra) {
  for (const auto& plasticity : {std::optional<Plasticity>{}, kPlasticity})
    expect_same_for_materials<MaterialList>(
        {.mesh = box_tets(kSize, kCells), .plasticity = plasticity}, "tetrahedra",
        []<class M>(const SoftBody& b, const M& material) {
          return std::make_unique<SimplexBatch<TetrahedronElement, M, Real>>(
              std::get<TetMesh>(b.mesh), material, Real(1), b.plasticity);
        });
}

TEST(PackLaws, Triangles) {
  expect_same_for_materials({.mesh = cloth(1, 1, 3, 3), .thickness = Real(0.01)}, "triangles",
                            []<class M>(const SoftBody& b, const M& material) {
                              return std::make_unique<SimplexBatch<TriangleElement, M, Real>>(
                                  std::get<TriMesh>(b.mesh), plane_stress(material), b.thickness);
                            });
}

template <bool kSkewed, template <class> class Control>
void expect_same_hexahedra(HexIntegration integration) {
  const HexMesh straight = box_hexes(kSize, kCells);
  for (const auto& plasticity : {std::optional<Plasticity>{}, kPlasticity})
    expect_same_for_materials({.mesh = kSkewed ? shaken(straight, 0.05) : straight,
                               .integration = integration,
                               .plasticity = plasticity},
                              word(integration), []<class M>(const SoftBody& b, const M& material) {
                                const HexMesh& mesh = std::get<HexMesh>(b.mesh);
                                return std::make_unique<HexBatch<M, Control, kSkewed, Real>>(
                                    mesh, rests_of(mesh), material, b.plasticity);
                              });
}

TEST(PackLaws, StraightHexahedra) {
  expect_same_hexahedra<false, AssumedStrainControl>(HexIntegration::kAssumedStrain);
  expect_same_hexahedra<false, LaplacianControl>(HexIntegration::kSelective);
}
TEST(PackLaws, SkewedHexahedra) {
  expect_same_hexahedra<true, AssumedStrainControl>(HexIntegration::kAssumedStrain);
  expect_same_hexahedra<true, LaplacianControl>(HexIntegration::kSelective);
}

TEST(PackLaws, EightPointHexahedra) {
  const HexMesh straight = box_hexes(kSize, kCells);
  for (const auto& plasticity : {std::optional<Plasticity>{}, kPlasticity})
    for (const HexMesh& mesh : {straight, shaken(straight, 0.05)})
      expect_same_for_materials(
          {.mesh = mesh, .integration = HexIntegration::kEightPoint, .plasticity = plasticity},
          "eight_point", []<class M>(const SoftBody& b, const M& material) {
            const HexMesh& hexes = std::get<HexMesh>(b.mesh);
            return std::make_unique<HexGaussBatch<M, Real>>(hexes, rests_of(hexes), material,
                                                            b.plasticity);
          });
}

}  // namespace
}  // namespace sinew
