#include <gtest/gtest.h>
#include <sinew/generators.h>

#include "geometry_support.h"

namespace sinew {
namespace {

constexpr Real kNan = std::numeric_limits<Real>::quiet_NaN();

// The mesh as a file without shared vertices (STL) would give it.
template <class Cell>
Mesh<Cell> soup_of(const Mesh<Cell>& mesh) {
  Mesh<Cell> soup;
  for (Cell cell : mesh.cells) {
    for (Index& v : cell) {
      soup.vertices.push_back(mesh.vertices[v]);
      v = static_cast<Index>(soup.vertices.size() - 1);
    }
    soup.cells.push_back(cell);
  }
  return soup;
}

template <class Cell>
void expect_untouched(Mesh<Cell> mesh) {
  const Mesh<Cell> before = mesh;
  const MendReport report = mend(mesh);
  EXPECT_FALSE(report.changed()) << report.summary();
  EXPECT_EQ(report.summary(), "nothing");
  EXPECT_EQ(mesh.vertices, before.vertices);
  EXPECT_EQ(mesh.cells, before.cells);
}

// `mend` must throw, name what the test expects, and leave the mesh alone.
template <class Cell>
void expect_refused(Mesh<Cell> mesh, std::initializer_list<const char*> parts,
                    const MendOptions& options = {}) {
  const Mesh<Cell> before = mesh;
  const std::string message = error_of([&] { mend(mesh, options); });
  EXPECT_FALSE(message.empty());
  for (const char* part : parts) EXPECT_TRUE(contains(message, part)) << message;
  EXPECT_EQ(mesh.cells, before.cells);
  EXPECT_EQ(mesh.vertices.size(), before.vertices.size());
}

TEST(Mend, LeavesGoodMeshesAlone) {
  expect_untouched(box_tets({1, 1, 1}, {3, 3, 3}));
  expect_untouched(torus_hexes(1, Real(0.3), 8, 2));
  expect_untouched(sphere_surface(1, 2));
  expect_untouched(cloth(1, 1, 4, 4));
  expect_untouched(rope(1, 5));
}

TEST(Mend, WeldsASoupBackTogether) {
  const TriMesh sphere = sphere_surface(1, 2);
  TriMesh soup = soup_of(sphere);
  const MendReport report = mend(soup);
  EXPECT_EQ(report.welded, 3 * sphere.cells.size() - sphere.vertices.size());
  EXPECT_EQ(soup.vertices.size(), sphere.vertices.size());
  EXPECT_EQ(soup.cells.size(), sphere.cells.size());
  EXPECT_TRUE(is_closed_manifold(soup));

  HexMesh hexes = soup_of(box_hexes({1, 1, 1}, {3, 3, 3}));
  mend(hexes);
  EXPECT_EQ(hexes.vertices.size(), 64u);
}

TEST(Mend, NegativeZeroIsZero) {
  TriMesh mesh{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {Real(-0.0), Real(-0.0), 0}, {0, Real(-0.0), 1}},
               {{0, 1, 2}, {3, 1, 4}}};
  EXPECT_EQ(mend(mesh).welded, 1u);
  EXPECT_EQ(mesh.vertices.size(), 4u);
}

TEST(Mend, WeldDistanceReachesAcrossGridCellsButDoesNotChain) {
  // Vertex 1 is within reach of 0, and 2 of 1 only: 2 must stay.
  LineMesh mesh{{{Real(0.95), 0, 0}, {Real(1.03), 0, 0}, {Real(1.11), 0, 0}, {-5, 0, 0}},
                {{0, 3}, {1, 3}, {2, 3}}};
  LineMesh exact = mesh;
  EXPECT_EQ(mend(exact).welded, 0u);
  MendReport report = mend(mesh, {.weld_distance = Real(0.1)});
  EXPECT_EQ(report.welded, 1u);
  EXPECT_EQ(report.duplicate, 1u);
  EXPECT_EQ(mesh.vertices[0], (Vec3{Real(0.95), 0, 0}));
  EXPECT_EQ(mesh.vertices[1], (Vec3{Real(1.11), 0, 0}));

  LineMesh far{{{Real(1e30), 0, 0}, {Real(-1e30), 1, 0}}, {{0, 1}}};
  EXPECT_EQ(mend(far, {.weld_distance = Real(1e-6)}).welded, 0u);
}

TEST(Mend, WeldingCanBeTurnedOff) {
  TriMesh soup = soup_of(box_surface({1, 1, 1}, {1, 1, 1}));
  EXPECT_FALSE(mend(soup, {.weld = false}).changed());
  EXPECT_EQ(soup.vertices.size(), 36u);
}

TEST(Mend, DropsDegenerateCellsButKeepsSlivers) {
  TetMesh mesh = box_tets({1, 1, 1}, {1, 1, 1});
  const auto n = static_cast<Index>(mesh.vertices.size());
  mesh.vertices.push_back({5, 0, 0});
  mesh.vertices.push_back({6, 0, 0});
  mesh.vertices.push_back({5, 1, 0});
  mesh.vertices.push_back({Real(5.2), Real(0.2), Real(1e-7)});
  mesh.vertices.push_back({6, 1, 0});
  mesh.cells.push_back({n, n + 1, n + 2, n + 3});  // a sliver
  mesh.cells.push_back({n, n + 1, n + 2, n + 4});  // flat
  mesh.cells.push_back({n, n + 1, n + 1, n + 3});  // a repeated corner
  const MendReport report = mend(mesh);
  EXPECT_EQ(report.degenerate, 2u);
  EXPECT_EQ(report.unused, 1u);
  EXPECT_EQ(mesh.cells.size(), 6u);
  EXPECT_GT(measure(mesh, 5), 0);
}

TEST(Mend, DropsDuplicatesHoweverTheyAreTurned) {
  TriMesh mesh = sphere_surface(1, 1);
  const auto [a, b, c] = mesh.cells[7];
  mesh.cells.push_back({b, c, a});
  mesh.cells.push_back({b, a, c});
  const MendReport report = mend(mesh);
  EXPECT_EQ(report.duplicate, 2u);
  EXPECT_EQ(mesh.cells, sphere_surface(1, 1).cells);
}

TEST(Mend, UnusedVertices) {
  LineMesh mesh{{{9, 9, 9}, {0, 0, 0}, {8, 8, 8}, {1, 0, 0}}, {{1, 3}}};
  LineMesh kept = mesh;
  EXPECT_EQ(mend(kept, {.drop_unused = false}).unused, 0u);
  EXPECT_EQ(kept.vertices.size(), 4u);
  EXPECT_EQ(mend(mesh).unused, 2u);
  EXPECT_EQ(mesh.vertices, (std::vector<Vec3>{{0, 0, 0}, {1, 0, 0}}));
  EXPECT_EQ(mesh.cells[0], (Segment{0, 1}));
}

TEST(Mend, TurnsSolidCellsRightSideOut) {
  TetMesh tets = box_tets({1, 1, 1}, {2, 2, 2});
  for (std::size_t c = 0; c < tets.cells.size(); c += 3)
    std::swap(tets.cells[c][1], tets.cells[c][3]);
  EXPECT_EQ(mend(tets).reoriented, (tets.cells.size() + 2) / 3);
  EXPECT_GT(min_measure(tets), 0);

  HexMesh hexes = box_hexes({1, 1, 1}, {2, 2, 2});
  for (Vec3& v : hexes.vertices) v.x = -v.x;
  EXPECT_EQ(mend(hexes).reoriented, 8u);
  EXPECT_NEAR(min_measure(hexes), 0.125, 1e-9);
  EXPECT_TRUE(is_closed_manifold(boundary(hexes)));
}

TEST(Mend, ClosedSurfacesFaceOutwards) {
  TriMesh mesh = sphere_surface(1, 2);
  for (Triangle& t : mesh.cells) std::swap(t[0], t[1]);
  EXPECT_EQ(mend(mesh).reoriented, mesh.cells.size());
  EXPECT_GT(mass_properties(mesh, 1).volume, 0);

  TriMesh mixed = torus_surface(1, Real(0.3), 12, 8);
  for (std::size_t c = 0; c < mixed.cells.size(); c += 5)
    std::swap(mixed.cells[c][1], mixed.cells[c][2]);
  EXPECT_EQ(mend(mixed).reoriented, (mixed.cells.size() + 4) / 5);
  EXPECT_GT(mass_properties(mixed, 1).volume, 0);
}

TEST(Mend, OpenSurfacesFollowTheMajority) {
  TriMesh sheet = cloth(1, 1, 6, 6);
  const TriMesh good = sheet;
  for (const std::size_t c : {0, 1, 30}) std::swap(sheet.cells[c][0], sheet.cells[c][1]);
  EXPECT_EQ(mend(sheet).reoriented, 3u);
  for (std::size_t c = 0; c < sheet.cells.size(); ++c) {
    const auto [i, j, k] = sheet.cells[c];
    const Vec3* v = sheet.vertices.data();
    EXPECT_GT(cross(v[j] - v[i], v[k] - v[i]).y, 0) << c;
  }
}

TEST(Mend, BoxesThatTouchAlongAnEdgeBothFaceOutwards) {
  TriMesh mesh = box_surface({1, 1, 1}, {1, 1, 1});
  TriMesh second = mesh;
  transform(second, {{1, 1, 0}, {}});
  for (Triangle t : second.cells) mesh.cells.push_back({t[1] + 8, t[0] + 8, t[2] + 8});
  mesh.vertices.insert(mesh.vertices.end(), second.vertices.begin(), second.vertices.end());
  const MendReport report = mend(mesh);
  EXPECT_EQ(report.welded, 2u);
  EXPECT_EQ(report.reoriented, 12u);
  EXPECT_NEAR(mass_properties(mesh, 1).volume, 2, 1e-6);
}

TEST(Mend, MoebiusStripIsKept) {
  TriMesh strip;
  constexpr int kCount = 12;
  for (int i = 0; i < kCount; ++i) {
    const double a = 2 * 3.14159265 * i / kCount;
    for (const double s : {-0.3, 0.3})
      strip.vertices.push_back({Real((1 + s * std::cos(a / 2)) * std::cos(a)),
                                Real(s * std::sin(a / 2)),
                                Real((1 + s * std::cos(a / 2)) * std::sin(a))});
  }
  for (Index i = 0; i < kCount; ++i) {
    const Index a = 2 * i, b = a + 1;
    const bool last = i + 1 == kCount;
    const Index c = last ? 1 : a + 2, d = last ? 0 : a + 3;
    strip.cells.push_back({a, b, c});
    strip.cells.push_back({b, d, c});
  }
  mend(strip);
  EXPECT_EQ(strip.cells.size(), 2u * kCount);
}

TEST(Mend, BadInputIsNamedAndNothingChanges) {
  TetMesh mesh = box_tets({1, 1, 1}, {2, 1, 1});
  std::swap(mesh.cells[0][0], mesh.cells[0][1]);
  TetMesh wild = mesh;
  wild.cells[3][2] = 77;
  expect_refused(wild, {"tetrahedron 3", "corner 2", "vertex 77"});
  TetMesh nan = mesh;
  nan.vertices[5].z = kNan;
  expect_refused(nan, {"vertex 5", "not finite"});
  nan.vertices[5].z = -std::numeric_limits<Real>::infinity();
  expect_refused(nan, {"vertex 5", "not finite"});
  expect_refused(mesh, {"weld_distance is -1"}, {.weld_distance = -1});
  expect_refused(mesh, {"weld_distance"}, {.weld_distance = kNan});
}

TEST(Mend, NoCellLeftIsAnError) {
  expect_refused(TriMesh{}, {"no triangle"});
  expect_refused(TriMesh{{{0, 0, 0}, {1, 0, 0}, {2, 0, 0}}, {{0, 1, 2}}}, {"no triangle is left"});
  expect_refused(box_hexes({1, 1, 1}, {2, 2, 2}), {"no hexahedron is left", "weld_distance"},
                 {.weld_distance = 10});
}

TEST(Mend, SummarySaysWhatWasDone) {
  MendReport report;
  report.reoriented = 3;
  report.unused = 12;
  EXPECT_EQ(report.summary(), "3 cells reoriented, 12 unused vertices dropped");
  report = {.welded = 1, .degenerate = 1, .duplicate = 2};
  EXPECT_EQ(report.summary(),
            "1 vertex welded, 1 degenerate cell dropped, 2 duplicate cells dropped");
}

}  // namespace
}  // namespace sinew
