// Surfaces, sheets and lines. Round surfaces are profiles turned about the y axis, except the
// sphere, which is an icosahedron refined.
#include <numbers>
#include <unordered_map>

#include "geometry/arguments.h"

namespace sinew {
namespace {

using Vec = Vec3T<double>;
constexpr double kHalfTurn = std::numbers::pi;

// A quadrilateral, counter-clockwise seen from its front.
void append_quad(TriMesh& mesh, Index a, Index b, Index c, Index d, bool other_diagonal = false) {
  if (other_diagonal) {
    mesh.cells.push_back({a, b, d});
    mesh.cells.push_back({b, c, d});
  } else {
    mesh.cells.push_back({a, b, c});
    mesh.cells.push_back({a, c, d});
  }
}

Index append_vertex(TriMesh& mesh, const Vec& position) {
  mesh.vertices.push_back(to_real(position));
  return static_cast<Index>(mesh.vertices.size() - 1);
}

// A circle about the y axis; returns its first vertex.
Index append_circle(TriMesh& mesh, double radius, double y, int around) {
  const auto first = static_cast<Index>(mesh.vertices.size());
  for (int i = 0; i < around; ++i) {
    const double angle = 2 * kHalfTurn * i / around;
    append_vertex(mesh, {radius * std::cos(angle), y, radius * std::sin(angle)});
  }
  return first;
}

// Joins two circles; `upper` lies above `lower` for someone who looks at the front.
void append_band(TriMesh& mesh, Index lower, Index upper, int around) {
  for (int i = 0; i < around; ++i) {
    const int next = (i + 1) % around;
    append_quad(mesh, lower + i, upper + i, upper + next, lower + next);
  }
}

struct ProfilePoint {
  double radius, y;
};

// Turns a profile, from bottom to top, about the y axis and closes both ends by a fan on the axis.
TriMesh revolve(double bottom, std::span<const ProfilePoint> profile, double top, int around) {
  TriMesh mesh;
  const Index bottom_pole = append_vertex(mesh, {0, bottom, 0});
  Index lower = append_circle(mesh, profile[0].radius, profile[0].y, around);
  for (int i = 0; i < around; ++i)
    mesh.cells.push_back({bottom_pole, lower + i, lower + (i + 1) % around});
  for (const ProfilePoint& point : profile.subspan(1)) {
    const Index upper = append_circle(mesh, point.radius, point.y, around);
    append_band(mesh, lower, upper, around);
    lower = upper;
  }
  const Index top_pole = append_vertex(mesh, {0, top, 0});
  for (int i = 0; i < around; ++i)
    mesh.cells.push_back({top_pole, lower + (i + 1) % around, lower + i});
  return mesh;
}

TriMesh icosahedron() {
  const double g = std::numbers::phi;
  const Vec corners[12] = {{-1, g, 0}, {1, g, 0}, {-1, -g, 0}, {1, -g, 0},
                           {0, -1, g}, {0, 1, g}, {0, -1, -g}, {0, 1, -g},
                           {g, 0, -1}, {g, 0, 1}, {-g, 0, -1}, {-g, 0, 1}};
  TriMesh mesh;
  for (const Vec& corner : corners) append_vertex(mesh, normalized(corner));
  mesh.cells = {{0, 11, 5},  {0, 5, 1},  {0, 1, 7},  {0, 7, 10}, {0, 10, 11}, {1, 5, 9}, {5, 11, 4},
                {11, 10, 2}, {10, 7, 6}, {7, 1, 8},  {3, 9, 4},  {3, 4, 2},   {3, 2, 6}, {3, 6, 8},
                {3, 8, 9},   {4, 9, 5},  {2, 4, 11}, {6, 2, 10}, {8, 6, 7},   {9, 8, 1}};
  return mesh;
}

// Each triangle into four, new vertices on the unit sphere.
void refine(TriMesh& mesh) {
  std::unordered_map<std::uint64_t, Index> middles;
  middles.reserve(mesh.cells.size() * 3 / 2);
  const auto middle = [&](Index a, Index b) {
    const auto [entry, is_new] =
        middles.try_emplace(std::uint64_t{std::min(a, b)} << 32 | std::max(a, b), Index{0});
    if (is_new)
      entry->second = append_vertex(
          mesh, normalized(to_double(mesh.vertices[a]) + to_double(mesh.vertices[b])));
    return entry->second;
  };
  std::vector<Triangle> finer;
  finer.reserve(4 * mesh.cells.size());
  for (const auto& [a, b, c] : mesh.cells) {
    const Index ab = middle(a, b), bc = middle(b, c), ca = middle(c, a);
    finer.insert(finer.end(), {{a, ab, ca}, {b, bc, ab}, {c, ca, bc}, {ab, bc, ca}});
  }
  mesh.cells = std::move(finer);
}

}  // namespace

TriMesh box_surface(Vec3 size, Cells3 cells) {
  check_box(size, cells);
  for (int a = 0; a < 3; ++a)
    check_total("box", {2.0, double(cells[a]), double(cells[(a + 1) % 3])});
  TriMesh mesh;
  std::unordered_map<std::uint64_t, Index> numbers;  // of the grid points on the surface
  const auto vertex = [&](const Cells3& p) {
    std::uint64_t key = 0;
    for (int a = 0; a < 3; ++a) key = key * (std::uint64_t(cells[a]) + 1) + std::uint64_t(p[a]);
    const auto [entry, is_new] = numbers.try_emplace(key, Index{0});
    if (is_new) {
      Vec position;
      for (int a = 0; a < 3; ++a)
        position[a] = double(size[a]) * (2.0 * p[a] - cells[a]) / (2.0 * cells[a]);
      entry->second = append_vertex(mesh, position);
    }
    return entry->second;
  };
  for (int a = 0; a < 3; ++a) {
    const int b = (a + 1) % 3, c = (a + 2) % 3;
    for (const bool far : {false, true})
      for (int i = 0; i < cells[b]; ++i)
        for (int j = 0; j < cells[c]; ++j) {
          const auto corner = [&](int di, int dj) {
            Cells3 p;
            p[a] = far ? cells[a] : 0;
            p[b] = i + di;
            p[c] = j + dj;
            return vertex(p);
          };
          const Index v[4] = {corner(0, 0), corner(1, 0), corner(1, 1), corner(0, 1)};
          append_quad(mesh, v[0], v[far ? 1 : 3], v[2], v[far ? 3 : 1], (i + j) % 2 != 0);
        }
  }
  return mesh;
}

TriMesh sphere_surface(Real radius, int subdivisions) {
  check_positive("sphere", "radius", double(radius));
  check_count("sphere", "subdivisions", subdivisions, 0);
  check_total("sphere", {20.0, std::pow(4.0, subdivisions)});
  TriMesh mesh = icosahedron();
  for (int i = 0; i < subdivisions; ++i) refine(mesh);
  for (Vec3& v : mesh.vertices) v *= radius;
  return mesh;
}

TriMesh torus_surface(Real radius, Real tube_radius, int cells_around, int cells_tube) {
  check_torus(radius, tube_radius, cells_around);
  check_count("torus", "cells_tube", cells_tube, 3);
  check_total("torus", {2.0, double(cells_around), double(cells_tube)});
  TriMesh mesh;
  for (int j = 0; j < cells_tube; ++j) {
    const double angle = 2 * kHalfTurn * j / cells_tube;
    append_circle(mesh, double(radius) + double(tube_radius) * std::cos(angle),
                  double(tube_radius) * std::sin(angle), cells_around);
  }
  for (int j = 0; j < cells_tube; ++j)
    append_band(mesh, Index(j) * Index(cells_around),
                Index((j + 1) % cells_tube) * Index(cells_around), cells_around);
  return mesh;
}

TriMesh cylinder_surface(Real radius, Real height, int cells_around, int cells_high) {
  check_positive("cylinder", "radius", double(radius));
  check_positive("cylinder", "height", double(height));
  check_count("cylinder", "cells_around", cells_around, 3);
  check_count("cylinder", "cells_high", cells_high);
  check_total("cylinder", {2.0, double(cells_around), 1.0 + cells_high});
  std::vector<ProfilePoint> profile;
  for (int j = 0; j <= cells_high; ++j)
    profile.push_back(
        {double(radius), double(height) * (2.0 * j - cells_high) / (2.0 * cells_high)});
  return revolve(profile.front().y, profile, profile.back().y, cells_around);
}

TriMesh capsule_surface(Real radius, Real half_height, int cells_around) {
  check_positive("capsule", "radius", double(radius));
  check_positive("capsule", "half_height", double(half_height));
  check_count("capsule", "cells_around", cells_around, 3);
  const double r = double(radius), h = double(half_height);
  // Cells as nearly square as the counts allow, on the caps and between them.
  const int cap = std::max(1, cells_around / 4);
  const double straight = std::max(1.0, std::round(2 * h / (2 * kHalfTurn * r / cells_around)));
  check_total("capsule", {2.0, double(cells_around), 2.0 * cap + straight});

  std::vector<ProfilePoint> profile;
  for (int j = 1; j <= cap; ++j) {
    const double angle = kHalfTurn / 2 * (double(j) / cap - 1);
    profile.push_back({r * std::cos(angle), r * std::sin(angle) - h});
  }
  for (int j = 1; j < int(straight); ++j) profile.push_back({r, h * (2 * j / straight - 1)});
  for (int j = cap; j >= 1; --j) {
    const ProfilePoint below = profile[std::size_t(j) - 1];
    profile.push_back({below.radius, -below.y});
  }
  return revolve(-h - r, profile, h + r, cells_around);
}

TriMesh cloth(Real width, Real depth, int cells_x, int cells_z) {
  check_positive("cloth", "width", double(width));
  check_positive("cloth", "depth", double(depth));
  check_count("cloth", "cells_x", cells_x);
  check_count("cloth", "cells_z", cells_z);
  check_total("cloth", {2.0, double(cells_x), double(cells_z)});
  TriMesh mesh;
  for (int k = 0; k <= cells_z; ++k)
    for (int i = 0; i <= cells_x; ++i)
      append_vertex(mesh, {double(width) * (2.0 * i - cells_x) / (2.0 * cells_x), 0,
                           double(depth) * (2.0 * k - cells_z) / (2.0 * cells_z)});
  const Index row = Index(cells_x) + 1;
  for (int k = 0; k < cells_z; ++k)
    for (int i = 0; i < cells_x; ++i) {
      const Index a = Index(k) * row + Index(i);
      append_quad(mesh, a, a + row, a + row + 1, a + 1, (i + k) % 2 != 0);
    }
  return mesh;
}

LineMesh rope(Real length, int segments) {
  check_positive("rope", "length", double(length));
  check_count("rope", "segments", segments);
  check_total("rope", {double(segments)});
  LineMesh mesh;
  for (int i = 0; i <= segments; ++i)
    mesh.vertices.push_back({static_cast<Real>(double(length) * i / segments), 0, 0});
  for (Index i = 0; i < Index(segments); ++i) mesh.cells.push_back({i, i + 1});
  return mesh;
}

}  // namespace sinew
