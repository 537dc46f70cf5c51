// Solid shapes: a block of cells, each vertex moved to its place in the shape.
//
// Round shapes: a square (cube) has corners and a disc (ball) has none, so the cells at the corners
// must flatten at the rim. To keep this to the rim, the shell at distance m = |u|∞ from the centre
// is blended from square to round linearly in m; its round form spaces the vertices at equal angles
// (the equiangular cubed sphere):
//   x(u) = (1 - m) κ u + m² t/|t|,   t = tan(π/4 · u/m),   κ = 0.8.
// κ was chosen so that the worst cells are best: with Split::kSix the worst mean ratio stays above
// 0.6 however fine the mesh is.
#include <numbers>

#include "core/format.h"
#include "geometry/arguments.h"
#include "geometry/split.h"

namespace sinew {
namespace {

using Vec = Vec3T<double>;
constexpr double kPi = std::numbers::pi;

struct Block {
  Cells3 cells;
  // Along these axes the cells of the lower half are numbered backwards, so that the diagonal 0-6
  // of every cell points outwards. Split along it, a cell at the corner of a round shape is halved
  // there; split across it, a flat tetrahedron would be cut off.
  std::array<bool, 3> outwards{};
  bool ring = false;  // the last axis closes on itself
};

// Calls place(u) for the vertices, u in [-1, 1]³, x running fastest.
template <class Place>
HexMesh fill(const char* shape, const Block& block, Place place) {
  const Cells3& n = block.cells;
  check_total(shape, {double(n[0]), double(n[1]), double(n[2])});
  const Cells3 points{n[0] + 1, n[1] + 1, block.ring ? n[2] : n[2] + 1};
  const auto at = [&](int axis, int i) { return double(2 * i - n[axis]) / n[axis]; };
  HexMesh mesh;
  mesh.vertices.reserve(std::size_t(points[0]) * points[1] * points[2]);
  for (int k = 0; k < points[2]; ++k)
    for (int j = 0; j < points[1]; ++j)
      for (int i = 0; i < points[0]; ++i)
        mesh.vertices.push_back(to_real(place(Vec{at(0, i), at(1, j), at(2, k)})));

  const auto vertex = [&](const Cells3& p) {
    return Index(p[0] +
                 std::size_t(points[0]) * (p[1] + std::size_t(points[1]) * (p[2] % points[2])));
  };
  constexpr int kCorners[8][3] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0},
                                  {0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}};
  mesh.cells.reserve(std::size_t(n[0]) * n[1] * n[2]);
  for (int k = 0; k < n[2]; ++k)
    for (int j = 0; j < n[1]; ++j)
      for (int i = 0; i < n[0]; ++i) {
        const Cells3 cell{i, j, k};
        std::array<bool, 3> back;
        for (int a = 0; a < 3; ++a) back[a] = block.outwards[a] && 2 * cell[a] + 1 < n[a];
        Hexahedron h;
        for (int c = 0; c < 8; ++c) {
          Cells3 p;
          for (int a = 0; a < 3; ++a) p[a] = cell[a] + (kCorners[c][a] != int(back[a]));
          h[c] = vertex(p);
        }
        const bool inside_out = (back[0] != back[1]) != back[2];
        mesh.cells.push_back(inside_out ? mirrored(h) : h);
      }
  return mesh;
}

// The first `dimensions` coordinates of u, from the square or cube to the unit disc or ball; the
// others become 0.
Vec rounded(const Vec& u, int dimensions) {
  constexpr double kCore = 0.8;
  double m = 0;
  for (int a = 0; a < dimensions; ++a) m = std::max(m, std::abs(u[a]));
  if (m == 0) return {};
  Vec square, t;
  for (int a = 0; a < dimensions; ++a) {
    square[a] = u[a] * kCore;
    t[a] = std::tan(kPi / 4 * u[a] / m);
  }
  return square * (1 - m) + t * (m * m / length(t));
}

int cells_along(double size, double cell_size) {
  return static_cast<int>(std::clamp(std::round(size / cell_size), 1.0, 2 * kMaxCells));
}

}  // namespace

HexMesh box_hexes(Vec3 size, Cells3 cells) {
  check_box(size, cells);
  const Vec half = to_double(size) * 0.5;
  return fill("box", {.cells = cells}, [&](const Vec& u) {
    return Vec{half.x * u.x, half.y * u.y, half.z * u.z};
  });
}

TetMesh box_tets(Vec3 size, Cells3 cells, Split split) {
  return split_fitting(box_hexes(size, cells), split);
}

HexMesh bar_hexes(Real length, Real height, Real width, int cells_across) {
  const Vec size{double(length), double(height), double(width)};
  check_positive("bar", "length", size.x);
  check_positive("bar", "height", size.y);
  check_positive("bar", "width", size.z);
  check_count("bar", "cells_across", cells_across);
  const double cell = std::min(size.y, size.z) / cells_across;
  const Cells3 cells{cells_along(size.x, cell), cells_along(size.y, cell),
                     cells_along(size.z, cell)};
  return fill("bar", {.cells = cells}, [&](const Vec& u) {
    return Vec{size.x * (u.x + 1) / 2, size.y * u.y / 2, size.z * u.z / 2};
  });
}

TetMesh bar_tets(Real length, Real height, Real width, int cells_across, Split split) {
  return split_fitting(bar_hexes(length, height, width, cells_across), split);
}

HexMesh sphere_hexes(Real radius, int cells) {
  check_positive("sphere", "radius", double(radius));
  check_count("sphere", "cells", cells);
  return fill("sphere", {.cells = {cells, cells, cells}, .outwards = {true, true, true}},
              [&](const Vec& u) { return rounded(u, 3) * double(radius); });
}

TetMesh sphere_tets(Real radius, int cells, Split split) {
  return split_fitting(sphere_hexes(radius, cells), split);
}

HexMesh torus_hexes(Real radius, Real tube_radius, int cells_around, int cells_across) {
  check_torus(radius, tube_radius, cells_around);
  check_count("torus", "cells_across", cells_across);
  const Block block{.cells = {cells_across, cells_across, cells_around},
                    .outwards = {true, true, false},
                    .ring = true};
  return fill("torus", block, [&](const Vec& u) {
    const Vec section = rounded(u, 2) * double(tube_radius);
    const double r = double(radius) + section.x, angle = kPi * (u.z + 1);
    return Vec{r * std::cos(angle), section.y, r * std::sin(angle)};
  });
}

TetMesh torus_tets(Real radius, Real tube_radius, int cells_around, int cells_across, Split split) {
  if (split == Split::kFive && cells_around % 2 != 0)
    throw Error(
        formatted("torus: cells_around is {}; split into five it must be even, since "
                  "its cells alternate: use an even number, or split them into six",
                  cells_around));
  return split_fitting(torus_hexes(radius, tube_radius, cells_around, cells_across), split);
}

HexMesh cylinder_hexes(Real radius, Real height, int cells_across, int cells_high) {
  check_positive("cylinder", "radius", double(radius));
  check_positive("cylinder", "height", double(height));
  check_count("cylinder", "cells_across", cells_across);
  check_count("cylinder", "cells_high", cells_high);
  const Block block{.cells = {cells_across, cells_across, cells_high},
                    .outwards = {true, true, false}};
  return fill("cylinder", block, [&](const Vec& u) {
    const Vec section = rounded(u, 2) * double(radius);
    return Vec{section.y, double(height) * u.z / 2, section.x};
  });
}

TetMesh cylinder_tets(Real radius, Real height, int cells_across, int cells_high, Split split) {
  return split_fitting(cylinder_hexes(radius, height, cells_across, cells_high), split);
}

}  // namespace sinew
