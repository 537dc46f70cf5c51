// Checks of what users give to generators. Messages name the shape, the argument and its value.
#pragma once

#include <sinew/generators.h>

#include <cstdint>
#include <initializer_list>

#include "core/format.h"
#include "geometry/cells.h"

namespace sinew {

// Far more than fits a real-time budget, and few enough that no count overflows an Index.
inline constexpr double kMaxCells = 1 << 27;

inline void check_count(const char* shape, const char* name, int value, int least = 1) {
  if (value < least)
    throw Error(formatted("{}: {} is {}; it must be at least {}", shape, name, value, least));
}

// The number of cells is the product of the factors.
inline void check_total(const char* shape, std::initializer_list<double> factors) {
  double total = 1;
  for (const double factor : factors) total *= factor;
  if (!(total <= kMaxCells))
    throw Error(
        formatted("{}: {:.4g} cells are more than the {:.0f} that a mesh may have; ask "
                  "for fewer",
                  shape, total, kMaxCells));
}

inline void check_box(Vec3 size, Cells3 cells) {
  static constexpr const char* kSize[3] = {"size.x", "size.y", "size.z"};
  static constexpr const char* kCells[3] = {"cells[0]", "cells[1]", "cells[2]"};
  for (int axis = 0; axis < 3; ++axis) {
    check_positive("box", kSize[axis], static_cast<double>(size[axis]));
    check_count("box", kCells[axis], cells[axis]);
  }
}

inline void check_torus(Real radius, Real tube_radius, int cells_around) {
  check_positive("torus", "radius", static_cast<double>(radius));
  check_positive("torus", "tube_radius", static_cast<double>(tube_radius));
  if (!(tube_radius < radius))
    throw Error(
        formatted("torus: tube_radius is {}; it must be less than radius, {}, or the ring would "
                  "cut itself",
                  tube_radius, radius));
  check_count("torus", "cells_around", cells_around, 3);
}

}  // namespace sinew
