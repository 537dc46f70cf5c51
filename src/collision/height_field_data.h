// A regular grid of heights as collision geometry: a Surface of two triangles to a cell, all with
// the same diagonal, facing up; everything below is solid. Nothing is stored for triangles. Rays
// and nearest points descend a pyramid of the least and greatest heights of 1, 2², 4², ... cells.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "collision/surface.h"

namespace sinew {

class HeightFieldData {
 public:
  // Vertex (column, row) lies at x = (column - (columns - 1)/2) spacing_x, z likewise by row, and
  // has the height heights[row · columns + column] [m]. Throws Error for fewer than 2 × 2 vertices,
  // a count of heights that does not fit, and numbers that are not finite or not positive.
  HeightFieldData(int columns, int rows, Real spacing_x, Real spacing_z,
                  std::span<const Real> heights);

  // Triangles 2c and 2c + 1 are those of cell c, the one with the corner at +z and at +x of the
  // diagonal; cells are numbered along x first.
  Index triangle_count() const { return 2 * static_cast<Index>(cells_x_ * cells_z_); }
  void triangle(Index index, Vec3 (&corner)[3]) const;
  Vec3 normal(Index triangle) const;
  SurfaceEdge edge(Index triangle, int k) const;
  const Aabb& bounds() const { return bounds_; }
  int columns() const { return cells_x_ + 1; }
  int rows() const { return cells_z_ + 1; }

  template <class F>
  void query(const Aabb& box, F&& f) const;
  // Inside, from the plane of the triangle above.
  SignedDistance<Real> from_solid(const Vec3& point) const;
  // The first hit at 0 ≤ fraction ≤ max_fraction of the way, from either side.
  std::optional<SurfaceHit> cast_ray(const Vec3& origin, const Vec3& way, Real max_fraction) const;
  std::optional<SurfacePoint> closest_point(const Vec3& point, Real max_distance) const;

 private:
  struct Range {
    Real least, greatest;
  };
  struct Level {
    int cells_x, cells_z;
    std::size_t first;  // in ranges_
  };

  Vec3 vertex(int column, int row) const {
    return {(static_cast<Real>(column) - middle_x_) * spacing_x_,
            heights_[std::size_t(row) * std::size_t(cells_x_ + 1) + std::size_t(column)],
            (static_cast<Real>(row) - middle_z_) * spacing_z_};
  }
  const Range& range(const Level& level, int x, int z) const {
    return ranges_[level.first + std::size_t(z) * std::size_t(level.cells_x) + std::size_t(x)];
  }
  Aabb box(int level, int x, int z) const;
  void build_pyramid();
  // Calls visit(triangle, corners) for cells in the order of key(box), as long as that is at most
  // `bound`; visit returns the bound from then on.
  template <class Key, class Visit>
  void nearest_first(Real bound, Key&& key, Visit&& visit) const;

  int cells_x_, cells_z_;
  Real spacing_x_, spacing_z_;
  Real middle_x_, middle_z_;  // the origin, in cells
  std::vector<Real> heights_;
  std::vector<Range> ranges_;  // of all levels, the cells first
  std::vector<Level> levels_;
  Aabb bounds_;
};
static_assert(Surface<HeightFieldData>);

template <class F>
void HeightFieldData::query(const Aabb& box, F&& f) const {
  if (!overlap(box, bounds_)) return;
  // A cell more on every side, for rounding; the boxes of triangles decide.
  const auto cell = [](Real at, int cells) {
    const Real most = static_cast<Real>(cells - 1);
    return static_cast<int>(min(max(at, Real(0)), most));
  };
  const int x0 = cell(box.lower.x / spacing_x_ + middle_x_ - 1, cells_x_);
  const int x1 = cell(box.upper.x / spacing_x_ + middle_x_ + 1, cells_x_);
  const int z0 = cell(box.lower.z / spacing_z_ + middle_z_ - 1, cells_z_);
  const int z1 = cell(box.upper.z / spacing_z_ + middle_z_ + 1, cells_z_);
  for (int z = z0; z <= z1; ++z)
    for (int x = x0; x <= x1; ++x) {
      const Range& height = range(levels_[0], x, z);
      if (height.least > box.upper.y || height.greatest < box.lower.y) continue;
      const Index first = 2 * static_cast<Index>(z * cells_x_ + x);
      for (Index t = first; t < first + 2; ++t) {
        Vec3 c[3];
        triangle(t, c);
        if (overlap(box, {least(least(c[0], c[1]), c[2]), most(most(c[0], c[1]), c[2])})) f(t);
      }
    }
}

}  // namespace sinew
