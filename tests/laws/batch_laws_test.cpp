// Laws of the constraints with batches of their own: packs do what plain numbers do, and what they
// move keeps its momentum, by Gauss–Seidel and by Jacobi, physically and plainly.
#include <gtest/gtest.h>
#include <sinew/generators.h>

#include <cmath>
#include <random>

#include "constraints/linear_batch.h"
#include "constraints/matching_batches.h"
#include "constraints/volume_batch.h"
#include "math/rotation_methods.h"

namespace sinew {
namespace {

using Vec = Vec3T<double>;
using Rows = std::vector<Row4<Real>>;

// The vertices of a mesh, each a little beside its place, with masses that differ.
Rows disturbed(std::span<const Vec3> vertices, std::span<const Real> mass) {
  std::mt19937 generator(5);
  std::uniform_real_distribution<Real> noise(Real(-0.05), Real(0.05));
  Rows rows;
  for (std::size_t i = 0; i < vertices.size(); ++i) {
    const Vec3 x = vertices[i] + Vec3{noise(generator), noise(generator), noise(generator)};
    rows.push_back({x.x, x.y, x.z, 1 / mass[i]});
  }
  return rows;
}

template <class B>
Rows sweep(B& batch, const Rows& start, bool jacobi) {
  Rows displacement(start.size()), correction(start.size());
  for (std::size_t i = 0; i < start.size(); ++i) displacement[i].w = start[i].w;
  const auto executor = make_serial_executor();
  Substep substep{displacement.data(), {start.data()}, Real(1.0 / 600), 0, *executor, 3};
  batch.predict(substep);
  if (jacobi) {
    substep.correction = correction.data();
    substep.relaxation = Real(0.3);
  }
  for (int i = 0; i < 3; ++i) {
    std::fill(correction.begin(), correction.end(), Row4<Real>{});
    batch.solve(substep);
    for (std::size_t k = 0; k < start.size(); ++k) {
      displacement[k].x += correction[k].x;
      displacement[k].y += correction[k].y;
      displacement[k].z += correction[k].z;
    }
  }
  Rows position = start;
  for (std::size_t i = 0; i < start.size(); ++i) {
    const Row4<Real>& u = displacement[i];
    position[i] = {start[i].x + u.x, start[i].y + u.y, start[i].z + u.z, u.w};
  }
  return position;
}

// What a batch did to the momentum, by the sum of the sizes.
double net_push(const Rows& before, const Rows& after) {
  Vec sum{};
  double size = 0;
  for (std::size_t i = 0; i < before.size(); ++i) {
    const Vec moved{double(after[i].x) - before[i].x, double(after[i].y) - before[i].y,
                    double(after[i].z) - before[i].z};
    sum += moved / before[i].w;
    size += length(moved) / before[i].w;
  }
  return length(sum) / std::max(size, 1e-300);
}

double difference(const Rows& a, const Rows& b) {
  double most = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    most = std::max(most, length(Vec{double(a[i].x) - b[i].x, double(a[i].y) - b[i].y,
                                     double(a[i].z) - b[i].z}));
  return most;
}

constexpr Real kEpsilon = std::numeric_limits<Real>::epsilon();

// `make` is called with a number type and returns its batch.
template <class Make>
void check_laws(const char* name, const Rows& start, Make&& make) {
  for (bool jacobi : {false, true}) {
    auto plain = make.template operator()<Real>();
    auto packed = make.template operator()<Pack<Real, 8>>();
    const Rows moved = sweep(plain, start, jacobi);
    EXPECT_GT(difference(moved, start), 1e-4) << name << ": nothing happened";
    EXPECT_LT(difference(moved, sweep(packed, start, jacobi)), 200 * kEpsilon)
        << name << (jacobi ? ", Jacobi" : "");
    // Positions of half a metre are rounded, moves are a centimetre.
    EXPECT_LT(net_push(start, moved), 100 * kEpsilon) << name << (jacobi ? ", Jacobi" : "");
  }
}

// A tall column whose lower vertices are heavier.
template <class Cell>
std::vector<Real> masses(const Mesh<Cell>& mesh) {
  std::vector<Real> mass = lumped_masses(mesh, Real(1000));
  for (std::size_t i = 0; i < mass.size(); ++i) mass[i] *= 2 - mesh.vertices[i].y;
  return mass;
}

TEST(BatchLaws, Volume) {
  const TetMesh mesh = box_tets({1, 1, 1}, {3, 2, 3});
  const TriMesh surface = boundary(mesh);
  const Rows start = disturbed(mesh.vertices, masses(mesh));
  for (double plain : {0.0, 0.4})
    for (double compliance : {0.0, 1e-6})
      check_laws("volume", start, [&]<class W>() {
        return VolumeBatch<W>(surface, {1.3, 1.3, compliance, plain, 1, 1});
      });
}

TEST(BatchLaws, VolumeIsReachedAndItsGradientIsRight) {
  const TetMesh mesh = box_tets({1, 1, 1}, {3, 2, 3});
  VolumeBatch<Wide> batch(boundary(mesh), {1.1, 1.1, 0, 0, 1, 1});
  const Rows start = disturbed(mesh.vertices, masses(mesh));
  EXPECT_NEAR(batch.volume({sweep(batch, start, false).data()}), 1.1, 1e-5);
}

constexpr MatchingStiffness kMatching[] = {{0, 0}, {1e9, 0}, {0, 0.5}};

// Rotations are named, one by one: choosing by RotationMethod would compile every kernel with all.
template <class Rotation, class Mesh>
void check_cells(const char* name, const Mesh& mesh) {
  constexpr int kNodes = std::tuple_size_v<typename decltype(mesh.cells)::value_type>;
  const std::vector<Real> mass = masses(mesh);
  const Rows start = disturbed(mesh.vertices, mass);
  for (const MatchingStiffness& stiffness : kMatching)
    check_laws(name, start, [&]<class W>() {
      return CellMatchingBatch<kNodes, Rotation, W>(mesh, mass, stiffness);
    });
}

template <class Rotation>
void check_bodies() {
  const auto check = [](const char* name, const auto& mesh) {
    const std::vector<Real> mass = masses(mesh);
    const Rows start = disturbed(mesh.vertices, mass);
    for (const MatchingStiffness& stiffness : kMatching)
      check_laws(name, start, [&]<class W>() {
        return BodyMatchingBatch<Rotation, W>(mesh.vertices, mass, stiffness);
      });
  };
  check("body of tetrahedra", box_tets({1, 1, 1}, {3, 2, 3}));
  check("body of triangles", cloth(1, 1, 3, 3));
}

TEST(BatchLaws, ShapeMatching) {
  check_cells<TrackedRotation>("tetrahedra", box_tets({1, 1, 1}, {3, 2, 3}));
  check_cells<TrackedRotation>("hexahedra", box_hexes({1, 1, 1}, {3, 2, 3}));
  check_cells<TrackedRotation>("triangles", cloth(1, 1, 3, 3));
  check_bodies<TrackedRotation>();
}

// The one method that mirrors.
TEST(BatchLaws, ShapeMatchingByDiagonalisation) {
  check_cells<DiagonalisedRotation>("tetrahedra", box_tets({1, 1, 1}, {3, 2, 3}));
  check_cells<DiagonalisedRotation>("triangles", cloth(1, 1, 3, 3));
  check_bodies<DiagonalisedRotation>();
}

// A rest shape that was only moved and turned is where it should be.
TEST(BatchLaws, ShapeMatchingLeavesRigidMotionAlone) {
  const HexMesh mesh = box_hexes({1, 2, 3}, {2, 2, 2});
  const TriMesh sheet = cloth(1, 1, 3, 3);
  const Quat turn = Quat::from_axis_angle({1, 2, -1}, Real(2));
  const auto check = [&]<class M>(const M& m, auto&& batch) {
    const std::vector<Real> mass = masses(m);
    Rows rows;
    for (std::size_t i = 0; i < m.vertices.size(); ++i) {
      const Vec3 x = turn.rotate(m.vertices[i]) + Vec3{3, -2, 1};
      rows.push_back({x.x, x.y, x.z, 1 / mass[i]});
    }
    EXPECT_LT(difference(sweep(batch, rows, false), rows), 100 * kEpsilon);
  };
  check(mesh, CellMatchingBatch<8, SingularRotation, Wide>(mesh, masses(mesh), {0, 0}));
  check(mesh, BodyMatchingBatch<TrackedRotation, Wide>(mesh.vertices, masses(mesh), {0, 0}));
  check(sheet, CellMatchingBatch<3, DiagonalisedRotation, Wide>(sheet, masses(sheet), {0, 0}));
  check(sheet,
        BodyMatchingBatch<DiagonalisedRotation, Wide>(sheet.vertices, masses(sheet), {0, 0}));
}

TEST(BatchLaws, Linear) {
  const TetMesh mesh = box_tets({1, 1, 1}, {3, 2, 3});
  const Rows start = disturbed(mesh.vertices, masses(mesh));
  for (double plain : {0.0, 0.4})
    check_laws("linear", start, [&]<class W>() {
      std::vector<typename LinearBatch<4, W>::Item> items;
      for (const Tetrahedron& cell : mesh.cells) items.push_back({cell, {1, 0.5, -0.7, -0.8}, 1e6});
      return LinearBatch<4, W>(items, mesh.vertices.size(), plain);
    });
}

}  // namespace
}  // namespace sinew
