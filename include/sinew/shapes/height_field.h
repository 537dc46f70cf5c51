// Ground with hills: heights over a grid.
#pragma once

#include <sinew/describe.h>
#include <sinew/mesh.h>
#include <sinew/signed_distance.h>

#include <array>
#include <limits>
#include <string>
#include <vector>

namespace sinew {

// Samples at x = (c - (columns - 1)/2) cell and z = (r - (rows - 1)/2) cell, so that the middle of
// the grid is the body's origin. Each square of four samples is two triangles that meet in the
// diagonal from sample (c, r) to (c + 1, r + 1). Everything below is solid, without end.
struct HeightField {
  static constexpr const char* kName = "height_field";
  static constexpr const char* kDoc =
      "Ground with hills, for static bodies: heights over a grid in x and z about the origin of "
      "its "
      "body. Everything below is solid.";

  int columns = 2;                                       // samples along x
  int rows = 2;                                          // samples along z
  Real cell = 1;                                         // from sample to sample [m]
  std::vector<Real> heights = {};                        // [m]; row by row: r·columns + c
  Real highest = std::numeric_limits<Real>::infinity();  // no sample is above; by prepare()

  template <class Visitor>
  void describe(Visitor& v) {
    v.field("columns", columns, {.doc = "Samples along x", .min = 2, .required = true});
    v.field("rows", rows, {.doc = "Samples along z", .min = 2, .required = true});
    v.field("cell", cell,
            {.doc = "From one sample to the next", .unit = "m", .min = 0, .exclusive_min = true});
    v.field("heights", heights,
            {.doc = "Heights, row by row: the first `columns` numbers have the smallest z, and in "
                    "each row x grows. Squares of four are cut along the diagonal from the corner "
                    "of smallest x and z",
             .unit = "m",
             .required = true});
  }

  // What is wrong with it as a whole; empty: nothing.
  std::string problem() const {
    const auto needed = static_cast<long long>(columns) * rows;
    if (static_cast<long long>(heights.size()) == needed) return "";
    return ".heights has " + std::to_string(heights.size()) + " entries; " +
           std::to_string(columns) + " columns by " + std::to_string(rows) + " rows need " +
           std::to_string(needed);
  }

  // Looks for the highest sample, which tells what is far above; a world does so when a body is
  // added.
  void prepare();

  Real half_width() const { return cell * Real(columns - 1) / 2; }  // along x [m]
  Real half_depth() const { return cell * Real(rows - 1) / 2; }     // along z [m]
  Vec3 sample(int column, int row) const {
    return {Real(column) * cell - half_width(),
            heights[static_cast<std::size_t>(row) * static_cast<std::size_t>(columns) +
                    static_cast<std::size_t>(column)],
            Real(row) * cell - half_depth()};
  }
  // Of the square from (column, row) on, counter-clockwise seen from above: half 0 lies towards +x,
  // half 1 towards +z.
  std::array<Vec3, 3> triangle(int column, int row, int half) const {
    const Vec3 a = sample(column, row), c = sample(column + 1, row + 1);
    if (half == 0) return {a, c, sample(column + 1, row)};
    return {a, sample(column, row + 1), c};
  }

  TriMesh surface() const;

  // Below: distance from the plane of the triangle above. Above: exact up to a cell away, and from
  // there at least a cell. Beside the grid there is nothing, and its rim is a wall.
  SignedDistance<Real> distance_at(const Vec3& p) const;

  template <class T>
  SignedDistance<T> signed_distance(const Vec3T<T>& p) const {
    return lane_by_lane(p, [&](const Vec3& one) { return distance_at(one); });
  }
};

}  // namespace sinew
