// Distance from ground with hills. The grid finds the triangle below at once. Above the ground, the
// squares about that one are searched; all others are a square away at least.
#include <sinew/shapes/height_field.h>

#include <algorithm>
#include <cmath>

#include "geometry/nearest_on_triangle.h"

namespace sinew {
namespace {

using Vec = Vec3T<double>;

// Where a point is over the grid, brought back to its rim if it is beside it.
struct Spot {
  Vec point;
  int column, row;  // of the square
  int half;         // of its triangles
};

// NaN becomes lower.
double clamped(double x, double lower, double upper) {
  return x > lower ? std::min(x, upper) : lower;
}

Spot spot_of(const HeightField& field, const Vec& p) {
  const double cell = field.cell;
  const double half_x = field.half_width(), half_z = field.half_depth();
  const Vec q{clamped(p.x, -half_x, half_x), p.y, clamped(p.z, -half_z, half_z)};
  const double x = (q.x + half_x) / cell, z = (q.z + half_z) / cell;
  const int column = std::min(int(x), field.columns - 2), row = std::min(int(z), field.rows - 2);
  return {q, column, row, x - column >= z - row ? 0 : 1};
}

struct Corners {
  Vec x[3];
};
Corners corners_of(const HeightField& field, int column, int row, int half) {
  const std::array<Vec3, 3> t = field.triangle(column, row, half);
  return {{to_double(t[0]), to_double(t[1]), to_double(t[2])}};
}

// Squares [column_begin, column_end) × [row_begin, row_end), up to three by three.
struct Block {
  int column_begin, column_end, row_begin, row_end;
};
Block block_about(const HeightField& field, const Spot& spot) {
  return {std::max(spot.column - 1, 0), std::min(spot.column + 2, field.columns - 1),
          std::max(spot.row - 1, 0), std::min(spot.row + 2, field.rows - 1)};
}

double highest_in(const HeightField& field, const Block& b) {
  Real highest = field.sample(b.column_begin, b.row_begin).y;
  for (int row = b.row_begin; row <= b.row_end; ++row)
    for (int column = b.column_begin; column <= b.column_end; ++column)
      highest = max(highest, field.sample(column, row).y);
  return highest;
}

// No triangle outside the block is nearer than this.
double beyond(const HeightField& field, const Block& b, const Vec& p) {
  double gap = std::numeric_limits<double>::infinity();
  const Vec lower = to_double(field.sample(b.column_begin, b.row_begin));
  const Vec upper = to_double(field.sample(b.column_end, b.row_end));
  if (b.column_begin > 0) gap = std::min(gap, p.x - lower.x);
  if (b.column_end < field.columns - 1) gap = std::min(gap, upper.x - p.x);
  if (b.row_begin > 0) gap = std::min(gap, p.z - lower.z);
  if (b.row_end < field.rows - 1) gap = std::min(gap, upper.z - p.z);
  return std::max(gap, p.y - double(field.highest));
}

struct Found {
  double distance;
  Vec normal;
};

// `normal` is that of the triangle below.
Found above(const HeightField& field, const Spot& spot, const Vec& normal) {
  const Block b = block_about(field, spot);
  const double others = beyond(field, b, spot.point);
  if (spot.point.y - highest_in(field, b) >= others) return {others, {0, 1, 0}};
  NearestOnTriangle best{spot.point, std::numeric_limits<double>::infinity(), 0};
  for (int row = b.row_begin; row < b.row_end; ++row)
    for (int column = b.column_begin; column < b.column_end; ++column)
      for (int half = 0; half < 2; ++half) {
        const Corners c = corners_of(field, column, row, half);
        const NearestOnTriangle here = nearest_on_triangle(spot.point, c.x);
        if (here.distance2 < best.distance2) best = here;
      }
  const double distance = std::sqrt(best.distance2);
  if (!(distance > 1e-20)) return {0, normal};
  return {std::min(distance, others), (spot.point - best.point) / distance};
}

Found over_grid(const HeightField& field, const Spot& spot) {
  const Corners c = corners_of(field, spot.column, spot.row, spot.half);
  const Vec n = cross(c.x[1] - c.x[0], c.x[2] - c.x[0]);
  const Vec normal = n / length(n);
  const double distance = dot(normal, spot.point - c.x[0]);
  return distance > 0 ? above(field, spot, normal) : Found{distance, normal};
}

}  // namespace

void HeightField::prepare() { highest = *std::max_element(heights.begin(), heights.end()); }

TriMesh HeightField::surface() const {
  TriMesh mesh;
  for (int row = 0; row < rows; ++row)
    for (int column = 0; column < columns; ++column) mesh.vertices.push_back(sample(column, row));
  const auto at = [&](int column, int row) { return Index(row) * Index(columns) + Index(column); };
  for (int row = 0; row + 1 < rows; ++row)
    for (int column = 0; column + 1 < columns; ++column) {
      mesh.cells.push_back({at(column, row), at(column + 1, row + 1), at(column + 1, row)});
      mesh.cells.push_back({at(column, row), at(column, row + 1), at(column + 1, row + 1)});
    }
  return mesh;
}

SignedDistance<Real> HeightField::distance_at(const Vec3& point) const {
  const Vec p = to_double(point);
  const Spot spot = spot_of(*this, p);
  Found found = over_grid(*this, spot);
  // Beside the grid: the nearest point of a solid is no nearer than the rim and, from there, its
  // distance, at right angles to each other.
  if (const Vec beside = p - spot.point; dot(beside, beside) > 0) {
    const double rise = std::max(found.distance, 0.0);
    const Vec way = beside + found.normal * rise;
    found.distance = std::sqrt(dot(beside, beside) + rise * rise);
    found.normal = dot(way, way) > 0 ? way / length(way) : Vec{0, 1, 0};
  }
  return {Real(found.distance), {Real(found.normal.x), Real(found.normal.y), Real(found.normal.z)}};
}

}  // namespace sinew
