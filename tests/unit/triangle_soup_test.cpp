#include "collision/triangle_soup.h"

#include <sinew/error.h>
#include <sinew/generators.h>

#include "geometry_support.h"
#include "surface_support.h"

namespace sinew {
namespace {

TriMesh bumpy() {
  TriMesh mesh = torus_surface(2, Real(0.8), 24, 14);
  for (Vec3& v : mesh.vertices)
    v *= static_cast<Real>(1 + 0.1 * std::sin(5.0 * double(v.x)) * std::sin(4.0 * double(v.z)));
  return mesh;
}

// Triangles that have nothing to do with each other, of very different sizes.
TriMesh confetti(int count) {
  RandomPoints random(4);
  TriMesh mesh;
  for (int i = 0; i < count; ++i) {
    const Vec3 at = random.point({3, 3, 3});
    const Real size = static_cast<Real>(std::pow(10, random.number(-2, 0.3)));
    const auto first = static_cast<Index>(mesh.vertices.size());
    for (int k = 0; k < 3; ++k) mesh.vertices.push_back(at + random.point({size, size, size}));
    mesh.cells.push_back({first, first + 1, first + 2});
  }
  return mesh;
}

TEST(TriangleSoup, QueriesAgreeWithPlainLoops) {
  check_queries(TriangleSoup(bumpy()), {3, 1, 3}, {1, 1, 1}, 1);
  check_queries(TriangleSoup(confetti(500)), {3, 3, 3}, {1, 1, 1}, 2);
  check_queries(TriangleSoup(confetti(1)), {3, 3, 3}, {3, 3, 3}, 3);
}

TEST(TriangleSoup, RaysAgreeWithPlainLoops) {
  check_rays(TriangleSoup(bumpy()), {4, 2, 4}, 1);
  check_rays(TriangleSoup(confetti(500)), {5, 5, 5}, 2);
}

TEST(TriangleSoup, ClosestPointsAgreeWithPlainLoops) {
  check_nearest(TriangleSoup(bumpy()), {4, 2, 4}, 1);
  check_nearest(TriangleSoup(confetti(500)), {5, 5, 5}, 2);
}

// Rays down at vertices and along edges of a flat grid must not slip through.
TEST(TriangleSoup, NoRaySlipsThroughBetweenTriangles) {
  TriMesh floor = cloth(8, 8, 16, 16);
  const TriangleSoup soup(floor);
  const Quat turn = Quat::from_axis_angle({1, 2, 3}, Real(0.9));
  TriMesh turned = floor;
  transform(turned, {{10, -20, 30}, turn});
  const TriangleSoup soup_turned(turned);
  for (int x = 0; x <= 64; ++x)
    for (int z = 0; z <= 64; ++z) {
      const Vec3 from{Real(x) / 8 - 4, 5, Real(z) / 8 - 4};
      EXPECT_TRUE(soup.cast_ray(from, {0, -10, 0}, 1)) << x << ", " << z;
      EXPECT_TRUE(soup.cast_ray(from, Vec3{0, -10, 0} - from * Real(0.1), 1)) << x << ", " << z;
      if (x == 0 || z == 0 || x == 64 || z == 64) continue;
      const Vec3 origin = Vec3{10, -20, 30} + turn.rotate(from);
      EXPECT_TRUE(soup_turned.cast_ray(origin, turn.rotate({0, -10, 0}), 1)) << x << ", " << z;
    }
  EXPECT_FALSE(soup.cast_ray({Real(4.01), 5, 0}, {0, -10, 0}, 1));
  EXPECT_FALSE(soup.cast_ray({0, 5, 0}, {0, -10, 0}, Real(0.49)));
  EXPECT_FALSE(soup.cast_ray({0, 5, 0}, {0, 10, 0}, 1));
  EXPECT_FALSE(soup.cast_ray({0, 5, 0}, {0, 0, 0}, 1));
}

TEST(TriangleSoup, BatchesAreTheSameAsSingleRays) {
  const TriangleSoup soup(bumpy());
  RandomPoints random(8);
  std::vector<SurfaceRay> rays;
  for (int i = 0; i < 100; ++i) rays.push_back({random.point({4, 2, 4}), random.point({8, 8, 8})});
  std::vector<std::optional<SurfaceHit>> hits(rays.size());
  soup.cast_rays(rays, hits);
  int count = 0;
  for (std::size_t i = 0; i < rays.size(); ++i) {
    const auto single = soup.cast_ray(rays[i].origin, rays[i].way, 1);
    ASSERT_EQ(hits[i].has_value(), single.has_value());
    if (!single) continue;
    ++count;
    EXPECT_EQ(hits[i]->fraction, single->fraction);
    EXPECT_EQ(hits[i]->triangle, single->triangle);
  }
  EXPECT_GT(count, 10);
}

TEST(TriangleSoup, EdgesKnowTheirNeighbours) {
  check_edges(TriangleSoup(bumpy()), 0);
  check_edges(TriangleSoup(box_surface({1, 2, 3}, {2, 3, 4})), 0);
  check_edges(TriangleSoup(cloth(2, 2, 5, 7)), 2 * (5 + 7));
}

TEST(TriangleSoup, VerticesAtOnePlaceAreOne) {
  const TriMesh joined = box_surface({1, 1, 1}, {2, 2, 2});
  TriMesh apart;
  for (const Triangle& t : joined.cells) {
    const auto first = static_cast<Index>(apart.vertices.size());
    for (const Index v : t) apart.vertices.push_back(joined.vertices[v]);
    apart.cells.push_back({first, first + 1, first + 2});
  }
  check_edges(TriangleSoup(apart), 0);
}

TEST(TriangleSoup, TrianglesWithoutAreaAreLeftOut) {
  TriMesh mesh = cloth(2, 2, 3, 3);
  mesh.cells.insert(mesh.cells.begin() + 4, Triangle{0, 0, 5});
  mesh.cells.push_back({0, 1, 2});  // in a line
  const TriangleSoup soup(mesh);
  EXPECT_EQ(soup.degenerate_count(), 2u);
  EXPECT_EQ(soup.triangle_count(), 20u);
  check_queries(soup, {1, 1, 1}, {1, 1, 1}, 1);
  check_nearest(soup, {2, 1, 2}, 1);
}

TEST(TriangleSoup, BadMeshesAreRefused) {
  const auto message = [](const TriMesh& mesh) {
    return error_of([&] { TriangleSoup soup(mesh); });
  };
  TriMesh mesh = cloth(1, 1, 1, 1);
  EXPECT_TRUE(contains(message({mesh.vertices, {}}), "no triangles"));
  EXPECT_TRUE(contains(message({mesh.vertices, {{0, 1, 1}}}), "has an area"));
  EXPECT_TRUE(contains(message({mesh.vertices, {{0, 1, 9}}}), "triangle 0 has the vertex 9"));
  mesh.vertices[2].z = std::numeric_limits<Real>::infinity();
  EXPECT_TRUE(contains(message(mesh), "vertex 2"));
}

// Two slopes that meet in a ridge or a valley along z, at x = 0.
TriMesh roof(Real rise) {
  return {{{-1, 0, -1}, {0, rise, -1}, {1, 0, -1}, {-1, 0, 1}, {0, rise, 1}, {1, 0, 1}},
          {{0, 3, 4}, {0, 4, 1}, {1, 4, 5}, {1, 5, 2}}};
}

TEST(TriangleSoup, NormalsOfInnerEdgesAreWelded) {
  const Vec3 up{0, 1, 0}, slanted = normalized(Vec3{Real(0.4), 1, Real(0.3)});
  const TriangleSoup flat(roof(0));
  // On the diagonal and the middle edge of a flat floor there is only up.
  EXPECT_EQ(weld_normal(flat, 0, {Real(-0.5), 0, 0}, slanted), up);
  EXPECT_EQ(weld_normal(flat, 1, {0, 0, Real(0.5)}, slanted), up);
  EXPECT_EQ(weld_normal(flat, 1, {Real(-0.2), 0, Real(-0.5)}, slanted), up);
  EXPECT_EQ(weld_normal(flat, 1, {0, 0, 0}, {1, 0, 0}), up);
  // On the border directions outwards are right, those inwards are not.
  EXPECT_EQ(weld_normal(flat, 0, {-1, 0, 0}, {-1, 0, 0}), (Vec3{-1, 0, 0}));
  EXPECT_EQ(weld_normal(flat, 0, {-1, 0, 0}, {1, 0, 0}), up);

  const TriangleSoup ridge(roof(1));
  const Vec3 on_ridge{0, 1, 0}, left = ridge.normal(1), right = ridge.normal(2);
  EXPECT_EQ(ridge.edge(1, 1).kind, EdgeKind::kConvex);
  EXPECT_EQ(weld_normal(ridge, 1, on_ridge, up), up);
  EXPECT_EQ(weld_normal(ridge, 1, on_ridge, right), right);
  EXPECT_EQ(weld_normal(ridge, 1, on_ridge, {1, 0, 0}), left);  // beyond the other face
  EXPECT_EQ(weld_normal(ridge, 2, on_ridge, up), up);

  const TriangleSoup valley(roof(-1));
  EXPECT_EQ(valley.edge(1, 1).kind, EdgeKind::kConcave);
  EXPECT_EQ(weld_normal(valley, 1, {0, -1, 0}, up), valley.normal(1));
  EXPECT_EQ(weld_normal(valley, 2, {0, -1, 0}, up), valley.normal(2));
}

}  // namespace
}  // namespace sinew
