// Contact of two boxes by the separating axis theorem (Gottschalk, Lin and Manocha, "OBBTree",
// 1996): of the 3 + 3 face normals and 9 products of edges, the axis with the largest separation is
// the way out. If it is a face normal, the face of the other box that faces it most is clipped
// against its sides; if it is a product, the two edges touch in one point.
//
// Faces are preferred to edges, and faces of A to those of B, by a little more than bodies at rest
// tilt and sink in, so that resting contacts keep their points from step to step.
//
// Boxes that are apart may be nearest at corners, which no axis of the fifteen sees. The clipped
// points then are farther than the separation says, and the true distance has to be looked for.
#include "collision/box_box.h"

#include "collision/clip.h"
#include "collision/gjk.h"
#include "core/pack.h"

namespace sinew {
namespace {

constexpr Real kFar = std::numeric_limits<Real>::max();
constexpr int kNext[3] = {1, 2, 0}, kAfter[3] = {2, 0, 1};

// The pair as one of the boxes sees it: plain arrays, for axes are picked by number.
struct View {
  Real own[3], other[3];  // halves of edges
  Real r[3][3];           // column j: axis j of the other box
  Real t[3];              // where the other one is
};

struct Axis {
  Real separation;
  int i, j;  // A's axis and B's; -1: none, so that the other one is a face normal
};

struct Pair {
  Vec3 a, b;
  Pose b_in_a;
  View view[2];  // of A and of B
  Real r_abs[3][3];
  Real smallest;  // of all halves
};

// Products of edges nearer to parallel than this tell nothing that faces do not.
constexpr Real kParallel2 = Real(1e-6);
constexpr Real kPreferRelative = Real(0.05), kPreferAbsolute = Real(2e-3);
// Corners that are out of the reference face by less (of its width) count as on it: otherwise boxes
// of one size on each other would change their points with every tremor.
constexpr Real kSideSlack = Real(1e-3);

Real preference(const Pair& pair, Real separation) {
  return kPreferAbsolute * pair.smallest - kPreferRelative * min(separation, Real(0));
}

// Separations along the normals of the viewer's faces; the best axis. `distance2` is that of the
// viewer and the other's bounds along its axes: at most that of the boxes.
SINEW_INLINE int face_axes(const View& v, const Real (&reach)[3], Real& separation,
                           Real& distance2) {
  int best = 0;
  separation = std::fabs(v.t[0]) - reach[0];
  distance2 = 0;
  for (int i = 0; i < 3; ++i) {
    const Real s = std::fabs(v.t[i]) - reach[i];
    if (s > separation) {
      separation = s;
      best = i;
    }
    const Real gap = max(s, Real(0));
    distance2 += gap * gap;
  }
  return best;
}

// The best product of edges that separates by more than `bar`; i = -1 if there is none.
SINEW_INLINE Axis edge_axes(const Pair& pair, Real bar) {
  const View& v = pair.view[0];
  const auto& r_abs = pair.r_abs;
  Axis best{bar, -1, -1};
  for (int i = 0; i < 3; ++i) {
    const int i1 = kNext[i], i2 = kAfter[i];
    for (int j = 0; j < 3; ++j) {
      const int j1 = kNext[j], j2 = kAfter[j];
      const Real scaled = std::fabs(v.t[i2] * v.r[i1][j] - v.t[i1] * v.r[i2][j]) -
                          v.own[i1] * r_abs[i2][j] - v.own[i2] * r_abs[i1][j] -
                          v.other[j1] * r_abs[i][j2] - v.other[j2] * r_abs[i][j1];
      // The product is no longer than 1: dividing an overlap by its length only adds to it.
      if (scaled <= min(best.separation, Real(0))) continue;
      const Real length2 = v.r[i1][j] * v.r[i1][j] + v.r[i2][j] * v.r[i2][j];
      if (length2 < kParallel2) continue;
      const Real separation = scaled / std::sqrt(length2);
      if (separation > best.separation) best = {separation, i, j};
    }
  }
  return best;
}

// The face of the other box that faces face `i` of the viewer most, clipped against its sides.
struct FaceContact {
  ClipPolygon<8> polygon;  // heights are above the viewer's face
  ClipPoint corner;        // the lowest before clipping, moved onto the face
  int i;
  Real sign;
};

SINEW_INLINE void clip_faces(const View& v, int i, Real margin, FaceContact& out) {
  const int i1 = kNext[i], i2 = kAfter[i];
  const Real sign = v.t[i] < 0 ? Real(-1) : Real(1);
  int j = 0;
  for (int k = 1; k < 3; ++k)
    if (std::fabs(v.r[i][k]) > std::fabs(v.r[i][j])) j = k;
  const int j1 = kNext[j], j2 = kAfter[j];
  const Real facing = v.r[i][j] * sign > 0 ? Real(-1) : Real(1);

  const auto along = [&](int axis, int column) { return v.r[axis][column] * v.other[column]; };
  const Real cu = v.t[i1] + facing * along(i1, j), cv = v.t[i2] + facing * along(i2, j);
  const Real ch = sign * (v.t[i] + facing * along(i, j)) - v.own[i];
  const Real pu = along(i1, j1), pv = along(i2, j1), ph = sign * along(i, j1);
  const Real qu = along(i1, j2), qv = along(i2, j2), qh = sign * along(i, j2);

  const auto name = [&](int s1, int s2) {
    return static_cast<std::uint32_t>((facing > 0) << j | s1 << j1 | s2 << j2);
  };
  const std::uint32_t id[4] = {name(0, 0), name(1, 0), name(1, 1), name(0, 1)};
  out.i = i;
  out.sign = sign;
  out.polygon.count = 4;
  ClipPoint* p = out.polygon.point;
  p[0] = {cu - pu - qu, cv - pv - qv, ch - ph - qh, id[0], edge_label(id[0], id[1])};
  p[1] = {cu + pu - qu, cv + pv - qv, ch + ph - qh, id[1], edge_label(id[1], id[2])};
  p[2] = {cu + pu + qu, cv + pv + qv, ch + ph + qh, id[2], edge_label(id[2], id[3])};
  p[3] = {cu - pu + qu, cv - pv + qv, ch - ph + qh, id[3], edge_label(id[3], id[0])};

  out.corner = p[0];
  for (int k = 1; k < 4; ++k)
    if (p[k].height < out.corner.height) out.corner = p[k];
  out.corner.u = max(-v.own[i1], min(v.own[i1], out.corner.u));
  out.corner.v = max(-v.own[i2], min(v.own[i2], out.corner.v));

  const Real slack = kSideSlack * min(v.own[i1], v.own[i2]);
  const Real hu = v.own[i1] + slack, hv = v.own[i2] + slack;
  const Real ru = std::fabs(pu) + std::fabs(qu), rv = std::fabs(pv) + std::fabs(qv);
  if (cu + ru > hu) clip(out.polygon, {1, 0, hu, kSideLabel});
  if (cu - ru < -hu) clip(out.polygon, {-1, 0, hu, kSideLabel + 1});
  if (cv + rv > hv) clip(out.polygon, {0, 1, hv, kSideLabel + 2});
  if (cv - rv < -hv) clip(out.polygon, {0, -1, hv, kSideLabel + 3});
  drop_high(out.polygon, margin);
}

Real lowest(const ClipPolygon<8>& polygon) {
  Real h = kFar;
  for (int k = 0; k < polygon.count; ++k) h = min(h, polygon.point[k].height);
  return h;
}

Vec3 in_other(const View& v, const Real (&p)[3]) {
  const Real d[3] = {p[0] - v.t[0], p[1] - v.t[1], p[2] - v.t[2]};
  const auto along = [&](int j) { return v.r[0][j] * d[0] + v.r[1][j] * d[1] + v.r[2][j] * d[2]; };
  return {along(0), along(1), along(2)};
}

// `viewer` is 0 for a face of A, 1 for one of B.
SINEW_INLINE void write_face(const Pair& pair, int viewer, const FaceContact& face, Manifold& out) {
  const View& v = pair.view[viewer];
  int chosen[4] = {0, 1, 2, 3};
  out.count = face.polygon.count <= 4 ? face.polygon.count
                                      : choose_four(face.polygon.point, face.polygon.count, chosen);
  Real n[3] = {0, 0, 0};
  n[face.i] = face.sign;
  if (viewer == 0) {
    out.normal = {n[0], n[1], n[2]};
  } else {  // the face of B looks at A, the normal at B
    const View& va = pair.view[0];
    out.normal = Vec3{va.r[0][face.i], va.r[1][face.i], va.r[2][face.i]} * -face.sign;
  }
  const std::uint32_t key = static_cast<std::uint32_t>(viewer << 3 | face.i << 1 | (face.sign > 0))
                            << 8;
  for (int k = 0; k < out.count; ++k) {
    const ClipPoint& c = face.polygon.point[chosen[k]];
    Real p[3];
    p[kNext[face.i]] = c.u;
    p[kAfter[face.i]] = c.v;
    p[face.i] = face.sign * v.own[face.i];
    const Vec3 on_own{p[0], p[1], p[2]};
    p[face.i] += face.sign * c.height;
    const Vec3 on_other = in_other(v, p);
    out.on_a[k] = viewer == 0 ? on_own : on_other;
    out.on_b[k] = viewer == 0 ? on_other : on_own;
    out.separation[k] = c.height;
    out.feature[k] = c.id ^ key;
  }
}

// One point, where edges i of A and j of B are nearest. How far that is off the axis.
Real write_edges(const Pair& pair, const Axis& axis, Manifold& out) {
  const View& v = pair.view[0];
  const int i = axis.i, j = axis.j, i1 = kNext[i], i2 = kAfter[i];
  Real n[3];
  const Real length2 = v.r[i1][j] * v.r[i1][j] + v.r[i2][j] * v.r[i2][j];
  const Real scale = 1 / std::sqrt(length2);
  n[i] = 0;
  n[i1] = -v.r[i2][j] * scale;
  n[i2] = v.r[i1][j] * scale;
  if (n[i1] * v.t[i1] + n[i2] * v.t[i2] < 0) {
    n[i1] = -n[i1];
    n[i2] = -n[i2];
  }
  // Middles of the edges, in the frames of their boxes.
  std::uint32_t name = static_cast<std::uint32_t>(i * 3 + j) << 8;
  Real pa[3], pb[3];
  for (int k = 0; k < 3; ++k) {
    const bool up_a = n[k] > 0;
    const bool up_b = v.r[0][k] * n[0] + v.r[1][k] * n[1] + v.r[2][k] * n[2] < 0;
    pa[k] = k == i ? 0 : up_a ? v.own[k] : -v.own[k];
    pb[k] = k == j ? 0 : up_b ? v.other[k] : -v.other[k];
    if (k != i) name |= static_cast<std::uint32_t>(up_a) << k;
    if (k != j) name |= static_cast<std::uint32_t>(up_b) << (k + 4);
  }
  const auto to_a = [&](const Real(&p)[3], int k) {
    return v.t[k] + v.r[k][0] * p[0] + v.r[k][1] * p[1] + v.r[k][2] * p[2];
  };
  const Real d[3] = {to_a(pb, 0) - pa[0], to_a(pb, 1) - pa[1], to_a(pb, 2) - pa[2]};
  const Real along_a = d[i], along_b = v.r[0][j] * d[0] + v.r[1][j] * d[1] + v.r[2][j] * d[2];
  const Real c = v.r[i][j];
  const auto clamped = [](Real x, Real most) { return max(-most, min(most, x)); };
  pa[i] = clamped((along_a - c * along_b) / length2, v.own[i]);
  pb[j] = clamped(c * pa[i] - along_b, v.other[j]);
  pa[i] = clamped(along_a + c * pb[j], v.own[i]);

  const Vec3 normal{n[0], n[1], n[2]}, on_a{pa[0], pa[1], pa[2]};
  const Vec3 gap = Vec3{to_a(pb, 0), to_a(pb, 1), to_a(pb, 2)} - on_a;
  const Real separation = dot(normal, gap);
  out.count = 1;
  out.normal = normal;
  out.on_a[0] = on_a;
  out.on_b[0] = {pb[0], pb[1], pb[2]};
  out.separation[0] = separation;
  out.feature[0] = 0xE0000000u | name;
  return length(gap - normal * separation);
}

// The nearest points of boxes that are apart. False if the manifold at hand, whose nearest points
// are `known` from each other, is as good.
bool write_nearest(const Pair& pair, Real margin, Real known, Real tolerance, Manifold& out) {
  Convex a{.kind = ConvexKind::kBox, .half = pair.a}, b{.kind = ConvexKind::kBox, .half = pair.b};
  const Closest c = closest(a, b, pair.b_in_a, margin);
  if (known <= c.distance + tolerance || !(c.distance > 0)) return false;
  out.count = 0;
  out.distance = c.distance;
  if (c.distance > margin) return true;
  out.count = 1;
  out.normal = c.normal;
  out.on_a[0] = c.on_a;
  out.on_b[0] = pair.b_in_a.to_local(c.on_b);
  out.separation[0] = dot(c.normal, c.on_b - c.on_a);
  out.feature[0] = 0xF0000000u;
  return true;
}

}  // namespace

void collide_boxes(const Vec3& a, const Vec3& b, const Pose& b_in_a, Real margin, Manifold& out) {
  out.count = 0;
  Pair pair;
  View &va = pair.view[0], &vb = pair.view[1];
  const Mat3 r = b_in_a.orientation.matrix();
  const Vec3& t = b_in_a.position;
  va = {{a.x, a.y, a.z},
        {b.x, b.y, b.z},
        {{r.c[0].x, r.c[1].x, r.c[2].x},
         {r.c[0].y, r.c[1].y, r.c[2].y},
         {r.c[0].z, r.c[1].z, r.c[2].z}},
        {t.x, t.y, t.z}};
  Real reach[3], separation_a, separation_b, distance2;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) pair.r_abs[i][j] = std::fabs(va.r[i][j]);
    reach[i] = va.own[i] + pair.r_abs[i][0] * b.x + pair.r_abs[i][1] * b.y + pair.r_abs[i][2] * b.z;
  }
  const Real margin2 = margin > 0 ? margin * margin : 0;
  const auto apart = [&](Real separation) {
    out.distance = separation > 0 ? max(separation, sqrt(distance2)) : separation;
    return separation > margin || distance2 > margin2;
  };
  const int face_a = face_axes(va, reach, separation_a, distance2);
  if (apart(separation_a)) return;

  vb = {{b.x, b.y, b.z},
        {a.x, a.y, a.z},
        {{r.c[0].x, r.c[0].y, r.c[0].z},
         {r.c[1].x, r.c[1].y, r.c[1].z},
         {r.c[2].x, r.c[2].y, r.c[2].z}},
        {-dot(r.c[0], t), -dot(r.c[1], t), -dot(r.c[2], t)}};
  for (int j = 0; j < 3; ++j)
    reach[j] = vb.own[j] + pair.r_abs[0][j] * a.x + pair.r_abs[1][j] * a.y + pair.r_abs[2][j] * a.z;
  const int face_b = face_axes(vb, reach, separation_b, distance2);
  if (apart(separation_b)) return;

  pair.a = a;
  pair.b = b;
  pair.b_in_a = b_in_a;
  pair.smallest = min(min(min(a.x, a.y), a.z), min(min(b.x, b.y), b.z));
  const int viewer = separation_b > separation_a + preference(pair, separation_a) ? 1 : 0;
  const Real face = viewer == 0 ? separation_a : separation_b;
  const Axis edge = edge_axes(pair, face + preference(pair, face));
  if (edge.separation > margin && edge.i >= 0) {
    out.distance = edge.separation;
    return;
  }
  const Real most = max(max(separation_a, separation_b), edge.i >= 0 ? edge.separation : face);
  const Real tolerance =
      Real(1e-4) * pair.smallest + Real(1e-6) * (max(max(a.x, a.y), a.z) + max(max(b.x, b.y), b.z));
  out.distance = most;
  if (edge.i >= 0) {
    const Real off = write_edges(pair, edge, out);
    if (most > 0 && off > tolerance) write_nearest(pair, margin, kFar, tolerance, out);
    return;
  }
  FaceContact contact;
  clip_faces(pair.view[viewer], viewer == 0 ? face_a : face_b, margin, contact);
  const Real low = lowest(contact.polygon);
  if (most > 0 && low > most + tolerance && write_nearest(pair, margin, low, tolerance, out))
    return;
  if (contact.polygon.count == 0 && most <= margin) {  // rounding cut all away
    contact.polygon.point[0] = contact.corner;
    contact.polygon.count = 1;
  }
  write_face(pair, viewer, contact, out);
}

}  // namespace sinew
