// What triangle meshes and height fields have in common as collision geometry: numbered triangles
// with a front, whose edges know whether they stick out. Everything that collides with them is a
// template over the concept Surface.
//
// A body that slides over a tessellated floor must not feel the edges inside it. A contact on an
// edge may push only into directions between the normals of the two triangles that meet there (the
// edge's Voronoi region); where the edge is flat or hollow there are none but the face normals.
// After P. Terdiman, The truth about internal edges; the directions are judged anew here.
#pragma once

#include <sinew/mesh.h>
#include <sinew/signed_distance.h>

#include <concepts>
#include <optional>

#include "collision/bounds.h"

namespace sinew {

enum class EdgeKind : std::uint8_t {
  kBorder,   // no triangle on its other side
  kConvex,   // sticks out
  kFlat,     // bent by less than kFlatSine
  kConcave,  // hollow
};

inline constexpr Real kFlatSine = Real(0.02);

// Edge k of a triangle runs from corner k to the next.
struct SurfaceEdge {
  EdgeKind kind = EdgeKind::kBorder;
  Index neighbour = 0;  // the triangle on the other side, unless the edge is a border
};

struct SurfaceHit {
  Real fraction;  // of the way
  Index triangle;
  Vec3 normal;  // unit, of the triangle, to the side where the ray comes from
};
struct SurfacePoint {
  Vec3 point;
  Index triangle;
  Real distance;  // from the point asked for [m]
};

template <class S>
concept Surface = requires(const S& s, Index i, Vec3 (&corner)[3], const Aabb& box, const Vec3& p) {
  { s.triangle_count() } -> std::convertible_to<Index>;
  s.triangle(i, corner);
  { s.normal(i) } -> std::convertible_to<Vec3>;  // unit, to the front
  { s.edge(i, 0) } -> std::convertible_to<SurfaceEdge>;
  { s.bounds() } -> std::convertible_to<Aabb>;
  // f(triangle) for all whose boxes overlap, in an order that depends on surface and box alone.
  s.query(box, [](Index) {});
  // From what is solid behind the surface, or less: negative inside, with the normal of the nearest
  // way out. 0 where nothing is known, and where nothing is solid.
  { s.from_solid(p) } -> std::convertible_to<SignedDistance<Real>>;
};

// The kind of an edge from its direction, the normals beside it and the corner opposite to it.
inline EdgeKind edge_kind(const Vec3& normal, const Vec3& other_normal, const Vec3& to_opposite) {
  const Vec3 bend = cross(normal, other_normal);
  if (dot(normal, other_normal) > 0 && dot(bend, bend) < kFlatSine * kFlatSine)
    return EdgeKind::kFlat;
  return dot(normal, to_opposite) < 0 ? EdgeKind::kConvex : EdgeKind::kConcave;
}

// In units of the way; nothing where the ray misses the triangle or lies in its plane. Counts hits
// on both sides, and beside the edges by rounding, so that none slips through between triangles
// (T. Möller and B. Trumbore, Fast, Minimum Storage Ray/Triangle Intersection, 1997).
std::optional<Real> cut_triangle(const Vec3 (&corner)[3], const Vec3& origin, const Vec3& way);

// The normal that a contact at `point` of a triangle may have: `normal` (unit, away from the
// surface) where it belongs to the face, or to an edge that sticks out; else that of the face.
template <Surface S>
Vec3 weld_normal(const S& surface, Index triangle, const Vec3& point, const Vec3& normal) {
  constexpr Real kSame = Real(0.9998);  // within 1.1°
  constexpr Real kLean = Real(0.02);    // how far beside its region a direction may be
  constexpr Real kOnEdge = Real(1e-3);  // of the triangle's height
  const Vec3 face = surface.normal(triangle);
  if (dot(normal, face) > kSame) return face;
  Vec3 corner[3];
  surface.triangle(triangle, corner);
  for (int k = 0; k < 3; ++k) {
    const Vec3& from = corner[k];
    const Vec3 edge = corner[(k + 1) % 3] - from;
    const Vec3 outward = normalized(cross(edge, face));
    const Real height = dot(from - corner[(k + 2) % 3], outward);
    if (dot(point - from, outward) < -kOnEdge * height) continue;  // not on this edge
    const SurfaceEdge beside = surface.edge(triangle, k);
    if (dot(normal, outward) < -kLean) continue;
    if (beside.kind == EdgeKind::kBorder && dot(normal, face) > -kLean) return normal;
    if (beside.kind != EdgeKind::kConvex) continue;
    const Vec3 other_outward = normalized(cross(surface.normal(beside.neighbour), edge));
    if (dot(normal, other_outward) >= -kLean) return normal;
  }
  return face;
}

}  // namespace sinew
