// A polytope inside D grows where it is nearest to the origin, by the support point in the
// direction of its nearest face, until it can grow there no more. G. van den Bergen, Proximity
// queries and penetration depth computation on 3D game objects, 2001.
//
// Its nearest face bounds the depth from below. From above it is bounded by the extent
// h(n) = max n·D of D in any direction: a motion of B by -h(n) n takes the cores apart. The answer
// is the least h(n) that was seen, so it is a way out of the overlap even if growing had to stop
// early; how far it can be from the shortest is known all the time.
#include "collision/epa.h"

#include <cmath>
#include <limits>

#include "collision/simplex.h"

namespace sinew {
namespace {

using Vec = Vec3T<double>;
using Vertex = Minkowski::Vertex;

// Relative to the size of the shapes. Cores thinner than this together are flat.
constexpr double kThin = 1e-10;
constexpr double kEpaRounding = 1e-13;
// Of the bounds at the end. Polyhedra come to an end by themselves; for round cores, where every
// further digit costs, it may also be this much of the depth.
constexpr double kEpaGap = sizeof(Real) == 4 ? 1e-7 : 1e-11;
constexpr double kGapOfDepth = sizeof(Real) == 4 ? 1e-4 : 1e-6;
constexpr int kMostVertices = 64;  // the bits of a row of Polytope::walked
constexpr int kMostFaces = 2 * kMostVertices;

Vec unit_of(const Vec& v) { return v * (1 / std::sqrt(dot(v, v))); }

class Polytope {
 public:
  struct Face {
    Vec normal;  // unit_of, outwards; zero if the face has no area
    double distance;
    std::uint8_t v[3];
  };

  void start(const Vertex* tetrahedron) {
    for (int i = 0; i < 4; ++i) vertices_[i] = tetrahedron[i];
    count_ = 4;
    faces_ = 0;
    const Vec &a = vertices_[0].w, &b = vertices_[1].w, &c = vertices_[2].w, &d = vertices_[3].w;
    const bool d_below = dot(cross(b - a, c - a), d - a) < 0;
    constexpr int kSides[4][3] = {{0, 1, 2}, {0, 3, 1}, {1, 3, 2}, {2, 3, 0}};
    for (const auto& s : kSides) d_below ? add(s[0], s[1], s[2]) : add(s[0], s[2], s[1]);
  }

  const Face& nearest() const {
    int best = 0;
    for (int i = 1; i < faces_; ++i)
      if (face_[i].distance < face_[best].distance) best = i;
    return face_[best];
  }

  // The point of the surface that is nearest to q = depth · normal, among faces that look that way.
  // They may be several in one plane, of which only one holds q.
  Penetration at(const Vec& normal, double depth) const {
    constexpr double kAlike = 0.9;
    const Vec q = normal * depth;
    Penetration out{.depth = depth, .normal = -normal};
    double nearest2 = std::numeric_limits<double>::infinity();
    for (int i = 0; i < faces_; ++i) {
      const Face& f = face_[i];
      const double off = dot(f.normal, q) - f.distance;
      if (!(dot(f.normal, normal) > kAlike) || off * off > nearest2) continue;
      const Vertex* v[3] = {&vertices_[f.v[0]], &vertices_[f.v[1]], &vertices_[f.v[2]]};
      const Vec w[3] = {v[0]->w - q, v[1]->w - q, v[2]->w - q};
      const NearestInSimplex nearest = nearest_in_simplex(w, 3);
      if (!(nearest.distance2 < nearest2)) continue;
      nearest2 = nearest.distance2;
      out.on_a =
          v[0]->x * nearest.weight[0] + v[1]->x * nearest.weight[1] + v[2]->x * nearest.weight[2];
      out.on_b = out.on_a + nearest.point + q;
    }
    // The polytope lies inside of round cores. What is missing to the depth, half of it is to each.
    const Vec missing = normal * ((depth - dot(out.on_b - out.on_a, normal)) / 2);
    out.on_a -= missing;
    out.on_b += missing;
    return out;
  }

  // The hull of the polytope and w: what w sees goes, and its border is joined to w. Faces in whose
  // plane w lies count as seen; else there would be triangles without area. False when full.
  bool grow(const Vertex& w, double rounding) {
    if (count_ == kMostVertices) return false;
    std::uint8_t seen[kMostFaces][3];
    int seen_count = 0, kept = 0;
    std::uint64_t walked[kMostVertices] = {};  // bit b of row a: a seen face has the edge a → b
    for (int i = 0; i < faces_; ++i) {
      const Face& f = face_[i];
      if (!(dot(f.normal, w.w) - f.distance > -rounding)) {
        face_[kept++] = f;
        continue;
      }
      for (int k = 0; k < 3; ++k) {
        seen[seen_count][k] = f.v[k];
        walked[f.v[k]] |= std::uint64_t(1) << f.v[(k + 1) % 3];
      }
      ++seen_count;
    }
    faces_ = kept;
    const int top = count_;
    vertices_[count_++] = w;
    for (int i = 0; i < seen_count; ++i)
      for (int k = 0; k < 3; ++k) {
        const int from = seen[i][k], to = seen[i][(k + 1) % 3];
        if (walked[to] >> from & 1) continue;
        if (faces_ == kMostFaces) return false;
        add(from, to, top);
      }
    return faces_ > 0;
  }

 private:
  void add(int i, int j, int k) {
    const Vec& a = vertices_[i].w;
    const Vec n = cross(vertices_[j].w - a, vertices_[k].w - a);
    const double n2 = dot(n, n);
    Face& f = face_[faces_++];
    f.v[0] = static_cast<std::uint8_t>(i);
    f.v[1] = static_cast<std::uint8_t>(j);
    f.v[2] = static_cast<std::uint8_t>(k);
    f.normal = n2 > std::numeric_limits<double>::min() ? n * (1 / std::sqrt(n2)) : Vec{};
    f.distance = n2 > std::numeric_limits<double>::min() ? dot(f.normal, a)
                                                         : std::numeric_limits<double>::infinity();
  }

  Vertex vertices_[kMostVertices];
  Face face_[kMostFaces];
  int count_ = 0, faces_ = 0;
};

// Adds the support point, in one of the directions, that measures most; false if that is nothing.
template <int N, class Measure>
bool extend(const Minkowski& d, Vertex* vertex, int& count, const Vec (&directions)[N], double thin,
            Measure&& measure) {
  double most = thin;
  for (const Vec& direction : directions) {
    const Vertex w = d.support(direction);
    const double size = measure(w.w);
    if (size > most) most = size, vertex[count] = w;
  }
  return most > thin ? ++count, true : false;
}

struct Start {
  Vertex vertex[4];
  int count = 0;
  Vec normal = {};  // across a D that is flat
};

// Points are dropped that are in one place, line or plane with those before, and others found
// instead. Fewer than four in the end: D is flat.
Start tetrahedron(const Minkowski& d, std::span<const Vertex> start, double thin) {
  Start t;
  Vertex* v = t.vertex;
  std::size_t next = 0;
  const auto take = [&](auto&& measure) {
    for (; next < start.size() && t.count < 4; ++next)
      if (measure(start[next].w) > thin) {
        v[t.count++] = start[next++];
        return true;
      }
    return false;
  };
  v[t.count++] = start[next++];
  const auto from_point = [&](const Vec& w) { return length(w - v[0].w); };
  constexpr Vec kAxes[6] = {{1, 0, 0}, {-1, 0, 0}, {0, 1, 0}, {0, -1, 0}, {0, 0, 1}, {0, 0, -1}};
  t.normal = {0, 1, 0};
  if (!take(from_point) && !extend(d, v, t.count, kAxes, thin, from_point)) return t;

  const Vec line = unit_of(v[1].w - v[0].w), side = across(line), other = cross(line, side);
  const auto from_line = [&](const Vec& w) { return length(cross(w - v[0].w, line)); };
  t.normal = side;
  if (!take(from_line) && !extend(d, v, t.count, {side, -side, other, -other}, thin, from_line))
    return t;

  t.normal = unit_of(cross(line, v[2].w - v[0].w));
  const auto from_plane = [&](const Vec& w) { return abs(dot(w - v[0].w, t.normal)); };
  if (!take(from_plane)) extend(d, v, t.count, {t.normal, -t.normal}, thin, from_plane);
  return t;
}

// Flat cores come apart at once, to either side: the front of a triangle, else as their middles
// lie.
Penetration flat(const Minkowski& d, std::span<const Vertex> start, const Vec& normal) {
  Vec w[4];
  for (std::size_t i = 0; i < start.size(); ++i) w[i] = start[i].w;
  const NearestInSimplex nearest = nearest_in_simplex(w, static_cast<int>(start.size()));
  const auto front = [](const Vec3(&c)[3]) { return to_double(cross(c[1] - c[0], c[2] - c[0])); };
  const Vec towards = d.a.kind == ConvexKind::kTriangle ? front(d.a.corner)
                      : d.b.kind == ConvexKind::kTriangle
                          ? d.turn * -front(d.b.corner)
                          : d.shift + d.turn * to_double(middle(d.b)) - to_double(middle(d.a));
  Penetration out;
  out.normal = dot(towards, normal) < 0 ? -normal : normal;
  for (std::size_t i = 0; i < start.size(); ++i) out.on_a += start[i].x * nearest.weight[i];
  out.on_b = out.on_a;
  return out;
}

}  // namespace

Penetration penetration(const Minkowski& d, std::span<const Vertex> start) {
  const auto size = [](const Convex& c) { return radius_about(c, middle(c)) - c.radius; };
  const double scale = size(d.a) + size(d.b);
  const Start first = tetrahedron(d, start, kThin * scale);
  if (first.count < 4) return flat(d, start, first.normal);

  Polytope polytope;
  polytope.start(first.vertex);
  const bool round = d.a.kind == ConvexKind::kCylinder || d.b.kind == ConvexKind::kCylinder;
  double depth = std::numeric_limits<double>::infinity();
  Vec normal{};
  for (int i = 0; i < kMostVertices; ++i) {
    const Polytope::Face f = polytope.nearest();
    if (!(f.distance < depth)) break;
    const Vertex w = d.support(f.normal);
    const double h = dot(f.normal, w.w);
    if (h < depth) depth = h, normal = f.normal;
    if (depth - f.distance <= max(kEpaGap * scale, round ? kGapOfDepth * depth : 0)) break;
    if (!polytope.grow(w, kEpaRounding * scale)) break;
  }
  return polytope.at(normal, depth);
}

}  // namespace sinew
