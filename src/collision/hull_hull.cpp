// Contact of two convex polyhedra by the separating axis theorem. Axes are the face normals of both
// and the products of their edges, but only of edges that make a face of the Minkowski difference:
// those whose arcs on the Gauss map cross (D. Gregorius, "The separating axis test between convex
// polyhedra", GDC 2013). Then faces are clipped, or the edges touch, as in box_box.cpp.
#include "collision/hull_hull.h"

#include <array>

#include "collision/feature_contact.h"

namespace sinew {
namespace {

constexpr Real kFar = std::numeric_limits<Real>::max();
// Beyond this many pairs of edges, the search for the nearest points is faster.
constexpr int kMostPairs = 1024;
constexpr int kMostEdges = 48, kMostFaces = 32, kMostVertices = 32;
constexpr int kBoxEdges = 12;
constexpr Real kParallel2 = Real(1e-6);  // as in box_box.cpp

// Corner k of a box is on the upper sides that the bits of k say; faces are -x, +x, -y, +y, -z, +z.
constexpr std::array<Hull::Edge, kBoxEdges> box_edges() {
  std::array<Hull::Edge, kBoxEdges> edges{};
  for (int k = 0; k < kBoxEdges; ++k) {
    const int i = k / 4, i1 = (i + 1) % 3, i2 = (i + 2) % 3, s1 = k & 1, s2 = k >> 1 & 1;
    const int from = s1 << i1 | s2 << i2, one = 2 * i1 + s1, two = 2 * i2 + s2;
    // Along an edge, left normal × right normal looks forwards.
    edges[static_cast<std::size_t>(k)] = {
        static_cast<std::uint16_t>(from), static_cast<std::uint16_t>(from | 1 << i),
        static_cast<std::uint16_t>(s1 == s2 ? one : two),
        static_cast<std::uint16_t>(s1 == s2 ? two : one)};
  }
  return edges;
}
constexpr std::array<Hull::Edge, kBoxEdges> kEdgesOfBox = box_edges();

int edges_of(const Convex& c) {
  return c.kind == ConvexKind::kBox ? kBoxEdges : static_cast<int>(c.hull->edges.size());
}

bool fits(const Convex& c) {
  return c.kind == ConvexKind::kBox ||
         (c.hull->edges.size() <= kMostEdges && c.hull->faces.size() <= kMostFaces &&
          c.hull->vertices.size() <= kMostVertices);
}

// A polyhedron in the frame of A.
struct Polyhedron {
  Polyhedron(const Convex& c, const Mat3& r, const Vec3& t) {
    if (c.kind == ConvexKind::kBox)
      load_box(c.half, r, t);
    else
      load_hull(*c.hull, r, t);
  }

  Vec3 vertex[kMostVertices];
  Vec3 normal[kMostFaces];
  Real offset[kMostFaces];
  const Hull::Edge* edges;
  int vertices, faces, edge_count;
  Vec3 center;
  Real inner_radius;

 private:
  void load_box(const Vec3& half, const Mat3& r, const Vec3& t) {
    const Vec3 arm[3] = {r.c[0] * half.x, r.c[1] * half.y, r.c[2] * half.z};
    for (int k = 0; k < 8; ++k)
      vertex[k] = t + (k & 1 ? arm[0] : -arm[0]) + (k & 2 ? arm[1] : -arm[1]) +
                  (k & 4 ? arm[2] : -arm[2]);
    for (int f = 0; f < 6; ++f) {
      normal[f] = f & 1 ? r.c[f / 2] : -r.c[f / 2];
      offset[f] = dot(normal[f], t) + half[f / 2];
    }
    edges = kEdgesOfBox.data();
    vertices = 8, faces = 6, edge_count = kBoxEdges;
    center = t;
    inner_radius = min(min(half.x, half.y), half.z);
  }
  void load_hull(const Hull& hull, const Mat3& r, const Vec3& t) {
    vertices = static_cast<int>(hull.vertices.size());
    faces = static_cast<int>(hull.faces.size());
    edge_count = static_cast<int>(hull.edges.size());
    for (int i = 0; i < vertices; ++i) vertex[i] = t + r * hull.vertices[i];
    for (int f = 0; f < faces; ++f) {
      normal[f] = r * hull.faces[f].normal;
      offset[f] = hull.faces[f].offset + dot(normal[f], t);
    }
    edges = hull.edges.data();
    center = t + r * hull.center;
    inner_radius = hull.inner_radius;
  }
};

struct FaceSeparation {
  int face = 0;
  Real separation = -kFar;
};

// Of the faces of `a`, the one that `b` is farthest above.
FaceSeparation face_axes(const Polyhedron& a, const Polyhedron& b, Real margin) {
  FaceSeparation best;
  for (int f = 0; f < a.faces; ++f) {
    const Vec3& n = a.normal[f];
    // `b` reaches down from its middle by its inner radius at least.
    if (dot(n, b.center) - b.inner_radius - a.offset[f] <= best.separation) continue;
    Real low = kFar;
    for (int i = 0; i < b.vertices; ++i) low = min(low, dot(n, b.vertex[i]));
    const Real separation = low - a.offset[f];
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

// The best product of edges that separates by more than `bar`.
EdgeAxis edge_axes(const Polyhedron& a, const Polyhedron& b, Real bar) {
  EdgeAxis best{bar};
  Real a_on_b[kMostFaces][kMostEdges];  // normals of A along edges of B
  Vec3 along[kMostEdges];
  for (int j = 0; j < b.edge_count; ++j) {
    along[j] = b.vertex[b.edges[j].b] - b.vertex[b.edges[j].a];
    for (int f = 0; f < a.faces; ++f) a_on_b[f][j] = dot(a.normal[f], along[j]);
  }
  for (int i = 0; i < a.edge_count; ++i) {
    const Hull::Edge& ea = a.edges[i];
    const Vec3 pa = a.vertex[ea.a], along_a = a.vertex[ea.b] - pa;
    const Real along_a2 = dot(along_a, along_a);
    const Real *left = a_on_b[ea.left], *right = a_on_b[ea.right];
    Real b_on_a[kMostFaces];
    for (int f = 0; f < b.faces; ++f) b_on_a[f] = -dot(b.normal[f], along_a);
    for (int j = 0; j < b.edge_count; ++j) {
      if (left[j] * right[j] >= 0) continue;
      const Hull::Edge& eb = b.edges[j];
      const Real c = b_on_a[eb.left], d = b_on_a[eb.right];
      if (c * d >= 0 || c * right[j] <= 0) continue;
      Vec3 n = cross(along_a, along[j]);
      const Real n2 = dot(n, n);
      if (n2 <= kParallel2 * along_a2 * dot(along[j], along[j])) continue;
      n = n * (1 / sqrt(n2));
      if (dot(n, pa - a.center) < 0) n = -n;
      const Real separation = dot(n, b.vertex[eb.a] - pa);
      if (separation > best.separation) best = {separation, i, j, n};
    }
  }
  return best;
}

// One point, where two edges are nearest. How far that is off the axis.
Real write_edges(const Polyhedron& a, const Polyhedron& b, const EdgeAxis& axis,
                 const Pose& b_in_a, Manifold& out) {
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
  write_point(on_a, on_b, mix(edge_label(ea.a, ea.b), 0xE0000000u + edge_label(eb.a, eb.b)),
              {0, 0}, b_in_a, out);
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

}  // namespace

bool few_edges(const Convex& a, const Convex& b) {
  return fits(a) && fits(b) && edges_of(a) * edges_of(b) <= kMostPairs;
}

void collide_polyhedra(const Convex& a, const Convex& b, const Pose& b_in_a, Real margin,
                       Manifold& out) {
  const Mat3 r = b_in_a.orientation.matrix();
  const Polyhedron pa(a, Mat3::identity(), {}), pb(b, r, b_in_a.position);
  const FaceSeparation from_a = face_axes(pa, pb, margin);
  out.distance = from_a.separation;
  if (from_a.separation > margin) return;
  const FaceSeparation from_b = face_axes(pb, pa, margin);
  out.distance = max(out.distance, from_b.separation);
  if (from_b.separation > margin) return;

  const Real size = min(pa.inner_radius, pb.inner_radius);
  const bool of_b =
      from_b.separation > from_a.separation + face_preference(from_a.separation, size);
  const FaceSeparation& face = of_b ? from_b : from_a;
  const EdgeAxis edge = edge_axes(pa, pb, face.separation + face_preference(face.separation, size));
  const Real most = edge.a >= 0 ? max(edge.separation, out.distance) : out.distance;
  out.distance = most;
  if (most > margin) return;
  const Real tolerance = Real(1e-4) * size + Real(1e-6) * (pa.inner_radius + pb.inner_radius +
                                                           length(pb.center - pa.center));
  if (edge.a >= 0) {
    const Real off = write_edges(pa, pb, edge, b_in_a, out);
    if (most > 0 && off > tolerance)
      write_nearest(a, b, b_in_a, margin, kFar, tolerance, out);
    return;
  }
  Feature reference, incident;
  const Vec3 normal = of_b ? pb.normal[face.face] : pa.normal[face.face];
  const Mat3 r_back = transpose(r);
  supporting_feature(of_b ? b : a, of_b ? r_back * normal : normal, reference);
  supporting_feature(of_b ? a : b, of_b ? -normal : r_back * -normal, incident);
  move_feature(of_b ? reference : incident, r, b_in_a.position);
  const FaceFrame frame = face_frame(reference, normal, of_b);
  Clipped clipped;
  clip_to_face(reference, frame, incident, clipped);
  const Real low = lowest(clipped);
  if (most > 0 && low > most + tolerance &&
      write_nearest(a, b, b_in_a, margin, low, tolerance, out))
    return;
  if (low > face.separation + tolerance) {  // the deepest corner is beside the incident face
    const Vec3 deepest = of_b ? support(a, -normal)
                              : b_in_a.to_world(support(b, r_back * -normal));
    if (clipped.count == 0 || is_over(reference, frame, deepest))
      add_point(frame, deepest, 0xFFFFu, clipped);
  }
  const auto key = static_cast<std::uint32_t>(2 * face.face + of_b);
  write_clipped(frame, clipped, key, {0, 0}, b_in_a, margin, out);
}

}  // namespace sinew
