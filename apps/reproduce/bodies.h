// What the experiments share: bodies, and how far they are from their shape.
#pragma once

#include <sinew/generators.h>
#include <sinew/mesh_io.h>
#include <sinew/world.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "math/rotation.h"
#include "reproduce/experiment.h"

namespace sinew {

// Vertices for which `chosen` holds.
template <class Chosen>
std::vector<Index> select_vertices(std::span<const Vec3> vertices, Chosen&& chosen) {
  std::vector<Index> selected;
  for (std::size_t i = 0; i < vertices.size(); ++i)
    if (chosen(vertices[i])) selected.push_back(static_cast<Index>(i));
  return selected;
}

inline Index nearest_vertex(std::span<const Vec3> vertices, const Vec3& place) {
  const auto nearer = [&](const Vec3& a, const Vec3& b) {
    return length(a - place) < length(b - place);
  };
  return static_cast<Index>(std::min_element(vertices.begin(), vertices.end(), nearer) -
                            vertices.begin());
}

// The mesh `name` of the data folder, or, without one, what `look_alike` makes.
template <class LookAlike>
TetMesh data_mesh(const ExperimentOptions& options, const char* name, LookAlike&& look_alike) {
  if (options.data.empty()) return look_alike();
  return read_tetrahedra(std::filesystem::path(options.data) / name);
}

// Root mean square distance of vertices from the rest shape, best placed, by the root mean square
// distance of the rest shape from its own middle.
inline double shape_error(std::span<const Vec3> positions, std::span<const Vec3> rest) {
  using Vec = Vec3T<double>;
  const double n = double(rest.size());
  Vec middle{}, rest_middle{};
  for (std::size_t i = 0; i < rest.size(); ++i) {
    middle += to_double(positions[i]) * (1 / n);
    rest_middle += to_double(rest[i]) * (1 / n);
  }
  Mat3T<double> moment{};
  for (std::size_t i = 0; i < rest.size(); ++i) {
    const Vec p = to_double(positions[i]) - middle, r = to_double(rest[i]) - rest_middle;
    for (int k = 0; k < 3; ++k) moment.c[k] += p * r[k];
  }
  const Mat3T<double> rotation = rotation_of(moment).matrix();
  double error = 0, size = 0;
  for (std::size_t i = 0; i < rest.size(); ++i) {
    const Vec r = to_double(rest[i]) - rest_middle;
    const Vec d = to_double(positions[i]) - middle - rotation * r;
    error += dot(d, d);
    size += dot(r, r);
  }
  return std::sqrt(error / size);
}

}  // namespace sinew
