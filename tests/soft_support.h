// What tests of soft bodies share: running a world, finding vertices.
#pragma once

#include <sinew/world.h>

#include <cmath>
#include <vector>

namespace sinew {

inline constexpr double kGravity = 9.81;

inline void run(World& world, double seconds, Real dt = Real(1.0 / 60)) {
  for (int i = 0; i < int(std::lround(seconds / double(dt))); ++i) world.step(dt);
}

std::vector<Index> vertices_where(const BodyMesh& mesh, auto&& condition) {
  std::vector<Index> found;
  const std::span<const Vec3> vertices = vertices_of(mesh);
  for (Index i = 0; i < vertices.size(); ++i)
    if (condition(vertices[i])) found.push_back(i);
  return found;
}

inline Vec3T<double> mean_position(const World& world, SoftId id, std::span<const Index> vertices) {
  Vec3T<double> sum{};
  for (Index i : vertices) sum += to_double(world.particles(id)[i].position);
  return sum * (1.0 / double(vertices.size()));
}
inline Vec3T<double> mean_position(const World& world, SoftId id) {
  Vec3T<double> sum{};
  for (const Particle& p : world.particles(id)) sum += to_double(p.position);
  return sum * (1.0 / double(world.particles(id).size()));
}

}  // namespace sinew
