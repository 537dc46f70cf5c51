#include "line_tube.h"

#include <cmath>

namespace sinew {
namespace {

constexpr Index kSides = 10;

// Maximal paths through vertices where just two segments meet; what is left then are rings, which
// are cut open anywhere.
std::vector<std::vector<Index>> paths_of(const LineMesh& mesh) {
  std::vector<std::vector<Index>> around(mesh.vertices.size());  // segments at every vertex
  for (Index s = 0; s < mesh.cells.size(); ++s)
    for (Index v : mesh.cells[s]) around[v].push_back(s);
  std::vector<bool> walked(mesh.cells.size());
  std::vector<std::vector<Index>> paths;
  const auto walk = [&](Index segment, Index from) {
    std::vector<Index> path{from};
    for (Index at = from; !walked[segment];) {
      walked[segment] = true;
      at = mesh.cells[segment][0] == at ? mesh.cells[segment][1] : mesh.cells[segment][0];
      path.push_back(at);
      if (around[at].size() != 2) break;
      segment = around[at][walked[around[at][0]] ? 1 : 0];
    }
    paths.push_back(std::move(path));
  };
  for (const bool ends : {true, false})
    for (Index v = 0; v < around.size(); ++v)
      for (Index s : around[v])
        if (!walked[s] && (around[v].size() != 2) == ends) walk(s, v);
  return paths;
}

Vec3 any_normal(const Vec3& tangent) {
  const Vec3 axis = std::abs(tangent.y) < Real(0.8) ? Vec3{0, 1, 0} : Vec3{1, 0, 0};
  return normalized(cross(tangent, axis));
}

// `v` turned as the shortest turn takes unit vector a to unit vector b.
Vec3 turned(const Vec3& v, const Vec3& a, const Vec3& b) {
  const Vec3 middle = normalized(a + b);
  if (middle == Vec3{}) return v;                 // opposite: any half turn will do
  const Vec3 mirrored = v - a * (2 * dot(v, a));  // two mirrors make a turn: a ↦ −a ↦ b
  return mirrored - middle * (2 * dot(mirrored, middle));
}

// Along the line at vertex i of a path; the last one's where it cannot be told.
Vec3 tangent_at(std::span<const Vec3> x, const std::vector<Index>& path, std::size_t i,
                const Vec3& last) {
  const Vec3 in = i > 0 ? normalized(x[path[i]] - x[path[i - 1]]) : Vec3{};
  const Vec3 out = i + 1 < path.size() ? normalized(x[path[i + 1]] - x[path[i]]) : Vec3{};
  const Vec3 sum = normalized(in + out);
  if (sum != Vec3{}) return sum;
  return in != Vec3{} ? in : last;
}

}  // namespace

LineTube::LineTube(const LineMesh& rest, Real radius) : radius_(radius) {
  for (std::vector<Index>& path : paths_of(rest)) {
    const Vec3 tangent = tangent_at(rest.vertices, path, 0, {1, 0, 0});
    add_triangles(path.size());
    chains_.push_back({std::move(path), tangent, any_normal(tangent)});
  }
}

void LineTube::add_triangles(std::size_t rings) {
  const Index first = vertex_count_;
  const auto at = [&](std::size_t ring, Index side) {
    return first + Index(ring) * kSides + side % kSides;
  };
  for (std::size_t r = 0; r + 1 < rings; ++r)
    for (Index s = 0; s < kSides; ++s) {
      triangles_.push_back({at(r, s), at(r, s + 1), at(r + 1, s)});
      triangles_.push_back({at(r + 1, s), at(r, s + 1), at(r + 1, s + 1)});
    }
  const Index start = first + Index(rings) * kSides, end = start + 1;
  for (Index s = 0; s < kSides; ++s) {
    triangles_.push_back({start, at(0, s + 1), at(0, s)});
    triangles_.push_back({end, at(rings - 1, s), at(rings - 1, s + 1)});
  }
  vertex_count_ = end + 1;
}

std::vector<Vec3> LineTube::vertices(std::span<const Vec3> positions) const {
  std::vector<Vec3> out;
  out.reserve(vertex_count_);
  for (const Chain& chain : chains_) {
    Vec3 tangent = tangent_at(positions, chain.vertices, 0, chain.tangent);
    Vec3 normal = turned(chain.normal, chain.tangent, tangent);
    for (std::size_t i = 0; i < chain.vertices.size(); ++i) {
      tangent = tangent_at(positions, chain.vertices, i, tangent);
      normal = normalized(normal - tangent * dot(normal, tangent));
      if (normal == Vec3{}) normal = any_normal(tangent);
      const Vec3 binormal = cross(tangent, normal);
      for (Index s = 0; s < kSides; ++s) {
        const Real angle = Real(2 * M_PI * s / kSides);
        out.push_back(positions[chain.vertices[i]] +
                      (normal * std::cos(angle) + binormal * std::sin(angle)) * radius_);
      }
    }
    out.push_back(positions[chain.vertices.front()]);
    out.push_back(positions[chain.vertices.back()]);
  }
  return out;
}

}  // namespace sinew
