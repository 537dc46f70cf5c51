#include "reproduce/peers/solid.h"

#include <algorithm>
#include <limits>

namespace sinew {
namespace {

using Vec = Vec3T<double>;

void add_once(std::vector<Vec>& directions, const Vec& d) {
  const auto parallel = [&](const Vec& e) { return std::abs(dot(d, e)) > 1 - 1e-12; };
  if (std::none_of(directions.begin(), directions.end(), parallel)) directions.push_back(d);
}

// Whether all points are on one side of the plane through three; the normal then points outwards.
bool is_face(const std::vector<Vec>& points, const std::array<int, 3>& face, Vec& normal) {
  const Vec& a = points[face[0]];
  normal = normalized(cross(points[face[1]] - a, points[face[2]] - a));
  double above = 0, below = 0;
  for (const Vec& p : points) {
    above = std::max(above, dot(normal, p - a));
    below = std::min(below, dot(normal, p - a));
  }
  constexpr double kRounding = 1e-9;
  if (above > kRounding && below < -kRounding) return false;
  if (above > kRounding) normal = -normal;
  return true;
}

void add_face(Solid& solid, std::array<int, 3> face, const Vec& normal) {
  const auto corner = [&](int k) -> const Vec& { return solid.points[face[k % 3]]; };
  if (dot(cross(corner(1) - corner(0), corner(2) - corner(0)), normal) < 0)
    std::swap(face[1], face[2]);
  solid.faces.push_back(face);
  solid.volume += dot(corner(0), cross(corner(1), corner(2))) / 6;
  add_once(solid.normals, normal);
  for (int k = 0; k < 3; ++k) add_once(solid.edges, normalized(corner(k + 1) - corner(k)));
}

struct Interval {
  double low = std::numeric_limits<double>::infinity(), high = -low;
};

Interval shadow(const std::vector<Vec>& points, const Vec& axis) {
  Interval s;
  for (const Vec& p : points) {
    const double x = dot(p, axis);
    s.low = std::min(s.low, x);
    s.high = std::max(s.high, x);
  }
  return s;
}

struct WorldSolid {
  std::vector<Vec> points, normals, edges;
};

WorldSolid to_world(const PlacedSolid& p) {
  const Quat& r = p.pose.orientation;
  const QuatT<double> turn =
      normalized(QuatT<double>{double(r.x), double(r.y), double(r.z), double(r.w)});
  WorldSolid world;
  for (const Vec& v : p.solid->points)
    world.points.push_back(to_double(p.pose.position) + turn.rotate(v));
  for (const Vec& n : p.solid->normals) world.normals.push_back(turn.rotate(n));
  for (const Vec& e : p.solid->edges) world.edges.push_back(turn.rotate(e));
  return world;
}

double overlap(const WorldSolid& a, const WorldSolid& b) {
  double least = std::numeric_limits<double>::infinity();
  const auto apart = [&](const Vec& axis) {
    const Interval s = shadow(a.points, axis), t = shadow(b.points, axis);
    least = std::min(least, std::min(s.high - t.low, t.high - s.low));
    return least <= 0;
  };
  for (const Vec& n : a.normals)
    if (apart(n)) return 0;
  for (const Vec& n : b.normals)
    if (apart(n)) return 0;
  for (const Vec& e : a.edges)
    for (const Vec& f : b.edges) {
      const Vec axis = cross(e, f);
      if (dot(axis, axis) > 1e-8 && apart(normalized(axis))) return 0;
    }
  return least;
}

bool near(const PlacedSolid& a, const PlacedSolid& b) {
  const Vec d = to_double(a.pose.position - b.pose.position);
  return length(d) < a.solid->radius + b.solid->radius;
}

}  // namespace

Solid solid_of(std::span<const Vec3> points) {
  Solid solid;
  for (const Vec3& p : points) {
    solid.points.push_back(to_double(p));
    solid.radius = std::max(solid.radius, length(solid.points.back()));
  }
  const int n = static_cast<int>(points.size());
  Vec normal;
  for (int i = 0; i < n; ++i)
    for (int j = i + 1; j < n; ++j)
      for (int k = j + 1; k < n; ++k)
        if (is_face(solid.points, {i, j, k}, normal)) add_face(solid, {i, j, k}, normal);
  return solid;
}

Solid solid_box(const Vec3& half) {
  const Vec h = to_double(half);
  Solid solid;
  for (int corner = 0; corner < 8; ++corner)
    solid.points.push_back(
        {corner & 1 ? h.x : -h.x, corner & 2 ? h.y : -h.y, corner & 4 ? h.z : -h.z});
  solid.normals = solid.edges = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  solid.radius = length(h);
  solid.volume = 8 * h.x * h.y * h.z;
  return solid;
}

double penetration(const PlacedSolid& a, const PlacedSolid& b) {
  return near(a, b) ? overlap(to_world(a), to_world(b)) : 0;
}

double deepest_penetration(std::span<const PlacedSolid> solids) {
  std::vector<WorldSolid> worlds;
  for (const PlacedSolid& s : solids) worlds.push_back(to_world(s));
  double deepest = 0;
  for (std::size_t i = 0; i < solids.size(); ++i)
    for (std::size_t j = i + 1; j < solids.size(); ++j)
      if (near(solids[i], solids[j])) deepest = std::max(deepest, overlap(worlds[i], worlds[j]));
  return deepest;
}

}  // namespace sinew
