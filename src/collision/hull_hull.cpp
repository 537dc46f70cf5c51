// Contact of two convex polyhedra by the separating axis theorem. Axes are the face normals of both
// and the products of their edges, but only of edges that make a face of the Minkowski difference:
// those whose arcs on the Gauss map cross (D. Gregorius, "The separating axis test between convex
// polyhedra", GDC 2013). Then faces are clipped, or the edges touch, as in box_box.cpp.
#include "collision/hull_hull.h"

#include <bit>

#include "collision/feature_contact.h"
#include "collision/polyhedron.h"

namespace sinew {
namespace {

constexpr Real kFarHull = std::numeric_limits<Real>::max();
// Beyond this many pairs of edges, the search for the nearest points is faster.
constexpr int kMostPairs = 400;
constexpr Real kHullParallel2 = Real(1e-6);  // as in box_box.cpp

struct FaceSeparation {
  int face = 0;
  Real separation = -kFarHull;
};

// Of the faces of `a`, the one that `b` is farthest above.
FaceSeparation face_axes(const Polyhedron& a, const Polyhedron& b, Real margin) {
  Real middle[Polyhedron::kMostFaces];
  Polyhedron::products(a.normal, a.faces, b.center, middle);
  FaceSeparation best;
  for (int f = 0; f < a.faces; ++f) {
    // `b` reaches down from its middle by its inner radius at least.
    if (middle[f] - b.inner_radius - a.offset[f] <= best.separation) continue;
    const Real separation = b.lowest(a.normal[f]) - a.offset[f];
    if (separation > best.separation) best = {f, separation};
    if (separation > margin) break;
  }
  return best;
}

struct EdgeAxis {
  Real separation;
  int a = -1, b = -1;
  Vec3 normal = {};
};

// Bit j is set where the j-th number is negative.
std::uint64_t signs(const Real* numbers, int count) {
  std::uint64_t bits = 0;
  for (int i = 0; i < count; i += Polyhedron::kBlock) {
    std::uint64_t block = 0;
    for (int k = 0; k < Polyhedron::kBlock; ++k)
      block |= static_cast<std::uint64_t>(numbers[i + k] < 0) << k;
    bits |= block << i;
  }
  return count < 64 ? bits & ((std::uint64_t{1} << count) - 1) : bits;
}

// The best product of edges that separates by more than `bar`. The normals of the two faces at an
// edge of A are the ends of its arc on the Gauss map, those of B's edge, turned round, the ends of
// another. They cross if the ends of each are on different sides of the other's plane, whose normal
// is the edge itself, and on one half of the sphere.
EdgeAxis edge_axes(const Polyhedron& a, const Polyhedron& b, Real bar) {
  static_assert(Polyhedron::kMostEdges <= 64);
  EdgeAxis best{bar};
  std::uint64_t behind[Polyhedron::kMostFaces];  // edges of B that a normal of A looks against
  for (int f = 0; f < a.faces; ++f) {
    Real along[Polyhedron::kMostEdges];
    Polyhedron::products(b.along, b.edge_count, a.normal[f], along);
    behind[f] = signs(along, b.edge_count);
  }
  for (int i = 0; i < a.edge_count; ++i) {
    const Hull::Edge& ea = a.edges[i];
    const Vec3 pa = a.vertex[ea.a], along_a = a.along[i];
    const Real along_a2 = dot(along_a, along_a);
    Real b_on_a[Polyhedron::kMostFaces];
    Polyhedron::products(b.normal, b.faces, along_a, b_on_a);
    for (auto left = behind[ea.left] ^ behind[ea.right]; left != 0; left &= left - 1) {
      const int j = std::countr_zero(left);
      const Hull::Edge& eb = b.edges[j];
      const Real c = -b_on_a[eb.left], d = -b_on_a[eb.right];
      const bool right_behind = behind[ea.right] >> j & 1;
      if (!(c * d < 0) || (c < 0) != right_behind) continue;
      const Vec3 along_b = b.along[j];
      Vec3 n = c < 0 ? cross(along_a, along_b) : cross(along_b, along_a);  // out of A
      const Real n2 = dot(n, n);
      if (n2 <= kHullParallel2 * along_a2 * dot(along_b, along_b)) continue;
      const Real scaled = dot(n, b.vertex[eb.a] - pa);
      if (scaled <= 0 && best.separation >= 0) continue;
      const Real separation = scaled / sqrt(n2);
      if (separation > best.separation) best = {separation, i, j, n * (1 / sqrt(n2))};
    }
  }
  return best;
}

// One point, where two edges are nearest. How far that is off the axis.
Real write_edges(const Polyhedron& a, const Polyhedron& b, const EdgeAxis& axis, const Pose& b_in_a,
                 Manifold& out) {
  const Hull::Edge &ea = a.edges[axis.a], &eb = b.edges[axis.b];
  const Vec3 pa = a.vertex[ea.a], along_a = a.vertex[ea.b] - pa;
  const Vec3 pb = b.vertex[eb.a], along_b = b.vertex[eb.b] - pb;
  const Vec3 d = pb - pa;
  const Real aa = dot(along_a, along_a), ab = dot(along_a, along_b), bb = dot(along_b, along_b);
  const Real da = dot(d, along_a), db = dot(d, along_b);
  const auto share = [](Real x) { return max(Real(0), min(Real(1), x)); };
  Real s = share((da * bb - db * ab) / (aa * bb - ab * ab));
  const Real q = share((ab * s - db) / bb);
  s = share((da + ab * q) / aa);
  const Vec3 on_a = pa + along_a * s, on_b = pb + along_b * q;
  out.normal = axis.normal;
  write_point(on_a, on_b, mix(edge_label(ea.a, ea.b), 0xE0000000u + edge_label(eb.a, eb.b)), {0, 0},
              b_in_a, out);
  return length(on_b - on_a - axis.normal * out.separation[0]);
}

// The nearest points of polyhedra that are apart, in place of what is at hand, whose nearest points
// are `known` from each other. False if it is no better.
bool write_nearest(const Convex& a, const Convex& b, const Pose& b_in_a, Real margin, Real known,
                   Real tolerance, Manifold& out) {
  Convex core_a = a, core_b = b;
  core_a.radius = core_b.radius = 0;
  const Closest near = closest(core_a, core_b, b_in_a, margin);
  if (known <= near.distance + tolerance || !(near.distance > 0)) return false;
  out.count = 0;
  out.distance = near.distance;
  if (near.distance > margin) return true;
  out.normal = near.normal;
  write_point(near.on_a, near.on_b, 0xF0000000u, {0, 0}, b_in_a, out);
  return true;
}

struct HullPair {
  const Convex &a, &b;
  const Pose& b_in_a;
  const Mat3& r;
  Polyhedron pa, pb;
  FaceSeparation from_a, from_b;
  Real size, tolerance, margin;
};

// Clips the face that faces the reference face most. False if what is left misses the depth: then
// another axis than this one is the way out.
bool write_faces(const HullPair& p, bool of_b, Real most, bool last, Manifold& out) {
  const FaceSeparation& face = of_b ? p.from_b : p.from_a;
  const Vec3 normal = of_b ? p.pb.normal[face.face] : p.pa.normal[face.face];
  const Mat3 r_back = transpose(p.r);
  Feature reference, incident;
  supporting_feature(of_b ? p.b : p.a, of_b ? r_back * normal : normal, reference);
  supporting_feature(of_b ? p.a : p.b, of_b ? -normal : r_back * -normal, incident);
  move_feature(of_b ? reference : incident, p.r, p.b_in_a.position);
  const FaceFrame frame = face_frame(reference, normal, of_b);
  Clipped clipped;
  clip_to_face(reference, frame, incident, clipped);
  const Real low = lowest(clipped);
  if (most > 0 && low > most + p.tolerance &&
      write_nearest(p.a, p.b, p.b_in_a, p.margin, low, p.tolerance, out))
    return true;
  if (low > most + p.tolerance) {  // the deepest corner may be beside the incident face
    const Vec3 deepest =
        of_b ? support(p.a, -normal) : p.b_in_a.to_world(support(p.b, r_back * -normal));
    const bool over = is_over(reference, frame, deepest);
    if (!over && !last && most <= 0) return false;
    if (over || clipped.count == 0) add_point(frame, deepest, 0xFFFFu, clipped);
  }
  const auto key = static_cast<std::uint32_t>(2 * face.face + of_b);
  write_clipped(frame, clipped, key, {0, 0}, p.b_in_a, p.margin, out);
  return true;
}

// With or without a preference for faces, and for those of A. False if that led nowhere.
bool write_contact(const HullPair& p, bool preferring, Manifold& out) {
  const auto preference = [&](Real separation) {
    return preferring ? face_preference(separation, p.size) : 0;
  };
  const bool of_b = p.from_b.separation > p.from_a.separation + preference(p.from_a.separation);
  const Real face = of_b ? p.from_b.separation : p.from_a.separation;
  const EdgeAxis edge = edge_axes(p.pa, p.pb, face + preference(face));
  const Real most =
      max(max(p.from_a.separation, p.from_b.separation), edge.a >= 0 ? edge.separation : -kFarHull);
  out.distance = most;
  if (most > p.margin) return true;
  if (edge.a < 0) return write_faces(p, of_b, most, !preferring, out);
  const Real off = write_edges(p.pa, p.pb, edge, p.b_in_a, out);
  if (most > 0 && off > p.tolerance)
    write_nearest(p.a, p.b, p.b_in_a, p.margin, kFarHull, p.tolerance, out);
  write_beside(p.a, p.b, p.r, p.size, {0, 0}, p.b_in_a, p.margin, out);
  return true;
}

}  // namespace

bool few_edges(const Convex& a, const Convex& b) {
  return Polyhedron::holds(a) && Polyhedron::holds(b) &&
         Polyhedron::edges_of(a) * Polyhedron::edges_of(b) <= kMostPairs;
}

void collide_polyhedra(const Convex& a, const Convex& b, const Pose& b_in_a, Real margin,
                       Manifold& out) {
  const Mat3 r = b_in_a.orientation.matrix();
  HullPair p{.a = a,
             .b = b,
             .b_in_a = b_in_a,
             .r = r,
             .pa = {a, Mat3::identity(), {}},
             .pb = {b, r, b_in_a.position},
             .from_a = {},
             .from_b = {},
             .size = 0,
             .tolerance = 0,
             .margin = margin};
  p.from_a = face_axes(p.pa, p.pb, margin);
  out.distance = p.from_a.separation;
  if (p.from_a.separation > margin) return;
  p.from_b = face_axes(p.pb, p.pa, margin);
  out.distance = max(out.distance, p.from_b.separation);
  if (p.from_b.separation > margin) return;

  const Real inner_a = p.pa.inner_radius, inner_b = p.pb.inner_radius;
  // A triangle has no thickness to measure by.
  p.size = a.kind == ConvexKind::kTriangle   ? inner_b
           : b.kind == ConvexKind::kTriangle ? inner_a
                                             : min(inner_a, inner_b);
  const Real reach = inner_a + inner_b + length(p.pb.center - p.pa.center);
  p.tolerance = Real(1e-4) * p.size + Real(1e-6) * reach;
  if (!write_contact(p, true, out)) write_contact(p, false, out);
}

}  // namespace sinew
