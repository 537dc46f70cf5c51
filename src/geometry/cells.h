// What differs between the kinds of cells, in one place: name, mirror image, checks of indices.
#pragma once

#include <sinew/error.h>
#include <sinew/mesh.h>

#include <algorithm>
#include <limits>
#include <span>
#include <utility>

#include "core/format.h"

namespace sinew {

inline constexpr Index kNoIndex = std::numeric_limits<Index>::max();

template <class Cell>
inline constexpr const char* kCellName = nullptr;
template <>
inline constexpr const char* kCellName<std::array<Index, 1>> = "point";
template <>
inline constexpr const char* kCellName<Segment> = "segment";
template <>
inline constexpr const char* kCellName<Triangle> = "triangle";
template <>
inline constexpr const char* kCellName<Tetrahedron> = "tetrahedron";
template <>
inline constexpr const char* kCellName<Hexahedron> = "hexahedron";

inline Vec3T<double> to_double(const Vec3& v) {
  return {static_cast<double>(v.x), static_cast<double>(v.y), static_cast<double>(v.z)};
}
inline Vec3 to_real(const Vec3T<double>& v) {
  return {static_cast<Real>(v.x), static_cast<Real>(v.y), static_cast<Real>(v.z)};
}

inline bool is_finite(const Vec3& v) {
  return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z);
}

// Throws unless every corner of every cell is one of `vertex_count` vertices.
template <class Cell>
void check_indices(std::span<const Cell> cells, std::size_t vertex_count) {
  for (std::size_t c = 0; c < cells.size(); ++c)
    for (std::size_t k = 0; k < cells[c].size(); ++k)
      if (cells[c][k] >= vertex_count)
        throw Error(formatted(
            "{} {}: corner {} is vertex {}, but there are only {} vertices, numbered from 0; "
            "correct the index or add the vertex",
            kCellName<Cell>, c, k, cells[c][k], vertex_count));
}

template <class Cell>
void check_indices(const Mesh<Cell>& mesh) {
  check_indices(std::span<const Cell>(mesh.cells), mesh.vertices.size());
}

inline void check_finite(std::span<const Vec3> points) {
  for (std::size_t v = 0; v < points.size(); ++v)
    if (const Vec3& p = points[v]; !is_finite(p))
      throw Error(formatted("vertex {}: its position ({}, {}, {}) is not finite; correct it", v,
                            p.x, p.y, p.z));
}

// Throws unless `value` is a finite number above 0.
inline void check_positive(const char* where, const char* name, double value) {
  if (!(std::isfinite(value) && value > 0))
    throw Error(formatted("{}: {} is {}; it must be a finite number above 0", where, name, value));
}

// The same cell inside out. A hexahedron swaps its first two axes, which keeps the diagonal 0-6.
inline Triangle mirrored(const Triangle& t) { return {t[0], t[2], t[1]}; }
inline Tetrahedron mirrored(const Tetrahedron& t) { return {t[0], t[2], t[1], t[3]}; }
inline Hexahedron mirrored(const Hexahedron& h) {
  return {h[0], h[3], h[2], h[1], h[4], h[7], h[6], h[5]};
}

}  // namespace sinew
