#include "collision/polyhedron.h"

#include <array>

namespace sinew {
namespace {

constexpr int kBoxEdges = 12, kTriangleEdges = 3;

// Corner k of a box is on the upper sides that the bits of k say; faces are -x, +x, -y, +y, -z, +z.
constexpr std::array<Hull::Edge, kBoxEdges> box_edges() {
  std::array<Hull::Edge, kBoxEdges> edges{};
  for (int k = 0; k < kBoxEdges; ++k) {
    const int i = k / 4, i1 = (i + 1) % 3, i2 = (i + 2) % 3, s1 = k & 1, s2 = k >> 1 & 1;
    const int from = s1 << i1 | s2 << i2, one = 2 * i1 + s1, two = 2 * i2 + s2;
    // Along an edge, left normal × right normal looks forwards.
    edges[static_cast<std::size_t>(k)] = {static_cast<std::uint16_t>(from),
                                          static_cast<std::uint16_t>(from | 1 << i),
                                          static_cast<std::uint16_t>(s1 == s2 ? one : two),
                                          static_cast<std::uint16_t>(s1 == s2 ? two : one)};
  }
  return edges;
}
constexpr std::array<Hull::Edge, kBoxEdges> kEdgesOfBox = box_edges();
constexpr Hull::Edge kEdgesOfTriangle[kTriangleEdges] = {{0, 1, 0, 1}, {1, 2, 0, 1}, {2, 0, 0, 1}};

// Repeats the last of `count` rows up to a whole block.
template <int kCount>
void fill_up(Polyhedron::Rows<kCount>& rows, int count) {
  for (int i = count; i % Polyhedron::kBlock != 0; ++i) rows.set(i, rows[count - 1]);
}

}  // namespace

bool Polyhedron::holds(const Convex& c) {
  switch (c.kind) {
    case ConvexKind::kBox:
    case ConvexKind::kTriangle:
      return true;
    case ConvexKind::kHull:
      return c.hull->edges.size() <= kMostEdges && c.hull->faces.size() <= kMostFaces &&
             c.hull->vertices.size() <= kMostVertices;
    default:
      return false;
  }
}

int Polyhedron::edges_of(const Convex& c) {
  if (c.kind == ConvexKind::kHull) return static_cast<int>(c.hull->edges.size());
  return c.kind == ConvexKind::kBox ? kBoxEdges : kTriangleEdges;
}

Polyhedron::Polyhedron(const Convex& c, const Mat3& rotation, const Vec3& position) {
  if (c.kind == ConvexKind::kHull)
    load_hull(*c.hull, rotation, position);
  else if (c.kind == ConvexKind::kBox)
    load_box(c.half, rotation, position);
  else
    load_triangle(c.corner, rotation, position);
  finish();
}

void Polyhedron::load_box(const Vec3& half, const Mat3& r, const Vec3& t) {
  const Vec3 arm[3] = {r.c[0] * half.x, r.c[1] * half.y, r.c[2] * half.z};
  for (int k = 0; k < 8; ++k)
    vertex.set(k, t + (k & 1 ? arm[0] : -arm[0]) + (k & 2 ? arm[1] : -arm[1]) +
                      (k & 4 ? arm[2] : -arm[2]));
  for (int f = 0; f < 6; ++f) {
    const Vec3 n = f & 1 ? r.c[f / 2] : -r.c[f / 2];
    normal.set(f, n);
    offset[f] = dot(n, t) + half[f / 2];
  }
  edges = kEdgesOfBox.data();
  vertices = 8, faces = 6, edge_count = kBoxEdges;
  center = t;
  inner_radius = min(min(half.x, half.y), half.z);
}

void Polyhedron::load_hull(const Hull& hull, const Mat3& r, const Vec3& t) {
  vertices = static_cast<int>(hull.vertices.size());
  faces = static_cast<int>(hull.faces.size());
  edge_count = static_cast<int>(hull.edges.size());
  for (int i = 0; i < vertices; ++i) vertex.set(i, t + r * hull.vertices[i]);
  for (int f = 0; f < faces; ++f) {
    const Vec3 n = r * hull.faces[f].normal;
    normal.set(f, n);
    offset[f] = hull.faces[f].offset + dot(n, t);
  }
  edges = hull.edges.data();
  center = t + r * hull.center;
  inner_radius = hull.inner_radius;
}

void Polyhedron::load_triangle(const Vec3 (&corner)[3], const Mat3& r, const Vec3& t) {
  Vec3 n = cross(corner[1] - corner[0], corner[2] - corner[0]);
  const Real most = max(max(abs(n.x), abs(n.y)), abs(n.z));
  n = most > 0 ? r * normalized(n * (1 / most)) : Vec3{};
  center = {};
  for (int k = 0; k < 3; ++k) {
    vertex.set(k, t + r * corner[k]);
    center += vertex[k] * (Real(1) / 3);
  }
  normal.set(0, n);
  normal.set(1, -n);
  offset[0] = dot(n, vertex[0]);
  offset[1] = -offset[0];
  edges = kEdgesOfTriangle;
  vertices = 3, faces = 2, edge_count = kTriangleEdges;
  inner_radius = 0;
}

void Polyhedron::finish() {
  for (int j = 0; j < edge_count; ++j) along.set(j, vertex[edges[j].b] - vertex[edges[j].a]);
  fill_up(vertex, vertices);
  fill_up(normal, faces);
  fill_up(along, edge_count);
}

Real Polyhedron::lowest(const Vec3& n) const {
  Real products_of[kMostVertices], low[kBlock];
  products(vertex, vertices, n, products_of);
  for (int k = 0; k < kBlock; ++k) low[k] = products_of[k];
  for (int i = kBlock; i < vertices; i += kBlock)
    for (int k = 0; k < kBlock; ++k) low[k] = min(low[k], products_of[i + k]);
  for (int half = kBlock / 2; half > 0; half /= 2)
    for (int k = 0; k < half; ++k) low[k] = min(low[k], low[k + half]);
  return low[0];
}

}  // namespace sinew
