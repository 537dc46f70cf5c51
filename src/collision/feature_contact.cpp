// Contact of any two convex shapes. The nearest points give the axis; the features of both cores
// that face it most are clipped against each other if one of them is a face that lies across the
// axis, or nearly so. Edges that cross, and corners, touch in the one nearest point.
#include "collision/feature_contact.h"

#include "math/perpendicular.h"

namespace sinew {
namespace {

constexpr Real kFeatureRelative = Real(0.05), kFeatureAbsolute = Real(2e-3);
constexpr Real kSameAxis = Real(0.9999);    // cosine of the angle of a face and the axis
constexpr Real kFeatureSlack = Real(1e-3);  // as in box_box.cpp, of the inner radius of the face
constexpr Real kFeatureParallel2 =
    Real(1e-4);  // sin² of the angle below which segments are parallel

// Sides of a face, from its corners in its plane, moved outwards a little.
int face_sides(const Feature& face, const FaceFrame& frame, ClipSide (&sides)[Feature::kMost]) {
  Real u[Feature::kMost], v[Feature::kMost];
  Real mid_u = 0, mid_v = 0;
  for (int i = 0; i < face.count; ++i) {
    const Vec3 d = face.corner[i] - frame.origin;
    u[i] = dot(d, frame.u);
    v[i] = dot(d, frame.v);
    mid_u += u[i] / Real(face.count);
    mid_v += v[i] / Real(face.count);
  }
  int n = 0;
  Real inner = std::numeric_limits<Real>::max();
  for (int i = 0; i < face.count; ++i) {
    const int j = i + 1 == face.count ? 0 : i + 1;
    const Real du = u[j] - u[i], dv = v[j] - v[i];
    const Real long2 = du * du + dv * dv;
    if (!(long2 > 0)) continue;
    const Real scale = 1 / sqrt(long2);
    ClipSide& side = sides[n++];
    side = {dv * scale, -du * scale, 0, kSideLabel + edge_label(face.id[i], face.id[j])};
    side.offset = side.u * u[i] + side.v * v[i];
    inner = min(inner, side.offset - side.u * mid_u - side.v * mid_v);
  }
  for (int i = 0; i < n; ++i) sides[i].offset += kFeatureSlack * max(inner, Real(0));
  return n;
}

ClipPoint in_frame(const FaceFrame& frame, const Vec3& p, std::uint32_t id, std::uint32_t edge) {
  const Vec3 d = p - frame.origin;
  return {dot(d, frame.u), dot(d, frame.v), dot(d, frame.normal), id, edge};
}

// How thick a shape is, roughly: what counts as a small depth is measured by it.
Real thickness(const Convex& c) {
  switch (c.kind) {
    case ConvexKind::kBox:
      return min(min(c.half.x, c.half.y), c.half.z) + c.radius;
    case ConvexKind::kCylinder:
      return min(c.half.x, c.half.y) + c.radius;
    case ConvexKind::kHull:
      return c.hull->inner_radius + c.radius;
    case ConvexKind::kTriangle:
      return std::numeric_limits<Real>::max();
    default:
      return c.radius;
  }
}

// A face of one of the shapes that the other may lie on.
struct FaceAxis {
  Vec3 normal;  // out of its shape
  Real separation;
};

// The normal of `face` of a shape, and how far the other one is above it.
FaceAxis face_axis(const Feature& face, const Convex& other, const Mat3& to_other,
                   const Vec3& other_at, const Mat3& from_other) {
  const Vec3 n = polygon_normal(face);
  if (n == Vec3{}) return {n, -std::numeric_limits<Real>::max()};
  const Vec3 nearest = other_at + from_other * support(other, to_other * -n);
  return {n, dot(n, nearest - face.corner[0])};
}

std::uint32_t face_key(const Feature& face, bool of_b) {
  std::uint32_t key = of_b;
  for (int i = 0; i < face.count; ++i) key += 2u * face.id[i] + 1024u;
  return key;
}

}  // namespace

void move_feature(Feature& feature, const Mat3& rotation, const Vec3& position) {
  for (int i = 0; i < feature.count; ++i)
    feature.corner[i] = position + rotation * feature.corner[i];
}

Vec3 polygon_normal(const Feature& face) {
  Vec3 sum = {};
  for (int i = 2; i < face.count; ++i)
    sum += cross(face.corner[i - 1] - face.corner[0], face.corner[i] - face.corner[0]);
  // Scaled first, or the square of a small face's normal would underflow.
  const Real most = max(max(abs(sum.x), abs(sum.y)), abs(sum.z));
  return most > 0 ? normalized(sum * (1 / most)) : Vec3{};
}

FaceFrame face_frame(const Feature& face, const Vec3& normal, bool of_b) {
  Vec3 u = face.corner[1] - face.corner[0];
  u -= normal * dot(normal, u);
  u = dot(u, u) > 0 ? normalized(u * (1 / max(max(abs(u.x), abs(u.y)), abs(u.z))))
                    : perpendicular(normal);
  return {face.corner[0], u, cross(normal, u), normal, of_b};
}

void clip_to_face(const Feature& face, const FaceFrame& frame, const Feature& incident,
                  Clipped& out) {
  out.count = incident.count;
  for (int i = 0; i < incident.count; ++i) {
    const int j = i + 1 == incident.count ? 0 : i + 1;
    out.point[i] = in_frame(frame, incident.corner[i], incident.id[i],
                            edge_label(incident.id[i], incident.id[j]));
  }
  if (incident.count < 2) return;
  ClipSide sides[Feature::kMost];
  const int n = face_sides(face, frame, sides);
  if (incident.count == 2) {
    ClipPoint ends[2] = {out.point[0], out.point[1]};
    out.count = clip_segment(ends, {sides, static_cast<std::size_t>(n)});
    out.point[0] = ends[0];
    out.point[1] = ends[1];
    return;
  }
  for (int i = 0; i < n && out.count > 0; ++i) clip(out, sides[i]);
}

bool is_over(const Feature& face, const FaceFrame& frame, const Vec3& p) {
  ClipSide sides[Feature::kMost];
  const int n = face_sides(face, frame, sides);
  const ClipPoint c = in_frame(frame, p, 0, 0);
  for (int i = 0; i < n; ++i)
    if (sides[i].u * c.u + sides[i].v * c.v > sides[i].offset) return false;
  return true;
}

void add_point(const FaceFrame& frame, const Vec3& p, std::uint32_t id, Clipped& out) {
  // If it is full, one more or less of so many does not matter.
  const int at = out.count < 2 * Feature::kMost ? out.count++ : out.count - 1;
  out.point[at] = in_frame(frame, p, id, 0);
}

Real lowest(const Clipped& clipped) {
  Real low = std::numeric_limits<Real>::max();
  for (int i = 0; i < clipped.count; ++i) low = min(low, clipped.point[i].height);
  return low;
}

void write_clipped(const FaceFrame& frame, Clipped& clipped, std::uint32_t key,
                   const Rounding& rounding, const Pose& b_in_a, Real margin, Manifold& out) {
  drop_high(clipped, margin + rounding.a + rounding.b);
  int chosen[4];
  const int count = choose_four(clipped.point, clipped.count, chosen);
  out.normal = frame.of_b ? -frame.normal : frame.normal;
  for (int k = 0; k < count; ++k) {
    const ClipPoint& c = clipped.point[chosen[k]];
    const Vec3 below = frame.origin + frame.u * c.u + frame.v * c.v;
    const Vec3 above = below + frame.normal * c.height;
    write_point(frame.of_b ? above : below, frame.of_b ? below : above, mix(c.id, key), rounding,
                b_in_a, out);
    out.separation[k] = c.height - rounding.a - rounding.b;
  }
}

void write_point(const Vec3& core_a, const Vec3& core_b, std::uint32_t id, const Rounding& rounding,
                 const Pose& b_in_a, Manifold& out) {
  const int k = out.count++;
  out.on_a[k] = core_a + out.normal * rounding.a;
  out.on_b[k] = b_in_a.to_local(core_b - out.normal * rounding.b);
  out.separation[k] = dot(out.normal, core_b - core_a) - rounding.a - rounding.b;
  out.feature[k] = id;
}

Real face_preference(Real separation, Real size) {
  return kFeatureAbsolute * size - kFeatureRelative * min(separation, Real(0));
}

bool write_parallel(const LineSegment& a, const LineSegment& b, const Rounding& rounding,
                    const Pose& b_in_a, Real margin, Manifold& out) {
  const Vec3 along_a = a.end[1] - a.end[0], along_b = b.end[1] - b.end[0];
  const Real aa = dot(along_a, along_a), ab = dot(along_a, along_b), bb = dot(along_b, along_b);
  if (!(aa > 0 && bb > 0) || aa * bb - ab * ab > kFeatureParallel2 * aa * bb) return false;
  // Shares of A's segment where B's begins and ends.
  const Real s0 = dot(b.end[0] - a.end[0], along_a) / aa;
  const Real s1 = dot(b.end[1] - a.end[0], along_a) / aa;
  const int first = s0 < s1 ? 0 : 1;
  const Real least = min(s0, s1), most = max(s0, s1);
  const Real from = max(least, Real(0)), to = min(most, Real(1));
  if (!(to - from > Real(1e-3) * min(Real(1), most - least))) return false;
  // Named after the end, of A or of B, that limits the overlap there.
  const int limit[2] = {least > 0 ? 2 + first : 0, most < 1 ? 3 - first : 1};
  for (int k = 0; k < 2; ++k) {
    const Real s = k == 0 ? from : to;
    const Vec3 pa = a.end[0] + along_a * s;
    const Vec3 pb = b.end[0] + along_b * max(Real(0), min(Real(1), (s - s0) / (s1 - s0)));
    if (dot(pb - pa, out.normal) - rounding.a - rounding.b > margin) continue;
    write_point(pa, pb, 0xD0000000u + static_cast<std::uint32_t>(limit[k]), rounding, b_in_a, out);
  }
  return out.count > 0;
}

namespace {

// The faces of a shape that a point of it lies on, seen along a direction: two at an edge. Boxes
// tell the one that looks there most. Returns how many.
constexpr int kFacesAt = 2;
int faces_at(const Convex& shape, const Vec3& p, const Vec3& direction, Real size,
             Feature (&out)[kFacesAt]) {
  constexpr Real kInLine = Real(0.7);  // cosine of a face to the direction, at least
  constexpr Real kOn = Real(1e-2);     // of the size
  if (shape.kind != ConvexKind::kHull) {
    supporting_feature(shape, direction, out[0]);
    return out[0].count > 2 && dot(polygon_normal(out[0]), direction) > kInLine;
  }
  const Hull& hull = *shape.hull;
  int found[kFacesAt], count = 0;
  for (int f = 0; f < static_cast<int>(hull.faces.size()); ++f) {
    const Hull::Face& face = hull.faces[f];
    if (dot(face.normal, direction) < kInLine || face.count > Feature::kMost ||
        dot(face.normal, p) - face.offset < -kOn * size)
      continue;
    if (count < kFacesAt) {
      found[count++] = f;
      continue;
    }
    int least = 0;
    for (int k = 1; k < kFacesAt; ++k)
      if (dot(hull.faces[found[k]].normal, direction) <
          dot(hull.faces[found[least]].normal, direction))
        least = k;
    if (dot(face.normal, direction) > dot(hull.faces[found[least]].normal, direction))
      found[least] = f;
  }
  for (int k = 0; k < count; ++k) {
    const Hull::Face& face = hull.faces[found[k]];
    out[k].count = face.count;
    for (int c = 0; c < face.count; ++c) {
      const std::uint16_t v = hull.face_vertices[face.first + c];
      out[k].corner[c] = hull.vertices[v];
      out[k].id[c] = v;
    }
  }
  return count;
}

// Corners of where two faces lie over each other, seen along the axis.
struct Beside {
  Vec3 on_a;
  Real gap;
  std::uint32_t id;
};
struct BesideList {
  static constexpr int kMost = 32;
  Beside item[kMost];
  int count = 0;
};

void gather_beside(const Feature& on_a, const Feature& on_b, const Vec3& n, Real most,
                   BesideList& out) {
  const Vec3 normal_a = polygon_normal(on_a), u = perpendicular(n);
  const FaceFrame frame{on_a.corner[0], u, cross(n, u), n, false};
  const Real slope = dot(normal_a, n);
  if (!(slope > 0)) return;
  Clipped over;
  clip_to_face(on_a, frame, on_b, over);
  for (int i = 0; i < over.count && out.count < BesideList::kMost; ++i) {
    const ClipPoint& c = over.point[i];
    const Vec3 flat = frame.u * c.u + frame.v * c.v;
    const Real ground = -dot(normal_a, flat) / slope;
    if (c.height - ground <= most)
      out.item[out.count++] = {frame.origin + flat + n * ground, c.height - ground,
                               mix(c.id, 0xB0000000u)};
  }
}

}  // namespace

void write_beside(const Convex& a, const Convex& b, const Mat3& r, Real size,
                  const Rounding& rounding, const Pose& b_in_a, Real margin, Manifold& out) {
  constexpr Real kApart = Real(0.1);  // of the size, that points are from each other
  const auto has_corners = [](const Convex& c) {
    return c.kind == ConvexKind::kHull || c.kind == ConvexKind::kBox;
  };
  if (out.count != 1 || !has_corners(a) || !has_corners(b)) return;
  const Vec3 n = out.normal;
  const Mat3 r_back = transpose(r);
  Feature faces_a[kFacesAt], faces_b[kFacesAt];
  const int count_a = faces_at(a, out.on_a[0] - n * rounding.a, n, size, faces_a);
  const int count_b =
      count_a == 0 ? 0
                   : faces_at(b, out.on_b[0] + r_back * n * rounding.b, r_back * -n, size, faces_b);
  for (int k = 0; k < count_b; ++k) move_feature(faces_b[k], r, b_in_a.position);
  BesideList near;
  for (int i = 0; i < count_a; ++i)
    for (int j = 0; j < count_b; ++j)
      gather_beside(faces_a[i], faces_b[j], n, margin + rounding.a + rounding.b, near);
  // The lowest three of those that are apart.
  for (int k = 0; k < 3; ++k) {
    const Beside* lowest = nullptr;
    for (int i = 0; i < near.count; ++i) {
      bool apart = true;
      for (int w = 0; w < out.count; ++w) {
        const Vec3 way = near.item[i].on_a + n * rounding.a - out.on_a[w];
        const Vec3 across = way - n * dot(n, way);
        apart = apart && dot(across, across) > kApart * kApart * size * size;
      }
      if (apart && (lowest == nullptr || near.item[i].gap < lowest->gap)) lowest = &near.item[i];
    }
    if (lowest == nullptr) return;
    write_point(lowest->on_a, lowest->on_a + n * lowest->gap, lowest->id, rounding, b_in_a, out);
  }
}

void collide_features(const Convex& a, const Convex& b, const Pose& b_in_a, Real margin,
                      Manifold& out) {
  const Closest near = closest(a, b, b_in_a, margin);
  out.distance = near.distance;
  if (near.distance > margin) return;
  const Rounding rounding{a.radius, b.radius};
  const Vec3 core_a = near.on_a - near.normal * a.radius;
  const Vec3 core_b = near.on_b + near.normal * b.radius;
  const Real distance = near.distance + a.radius + b.radius;
  out.normal = near.normal;

  const Mat3 r = b_in_a.orientation.matrix(), r_back = transpose(r);
  Feature on_a, on_b;
  supporting_feature(a, near.normal, on_a);
  supporting_feature(b, r_back * -near.normal, on_b);
  move_feature(on_b, r, b_in_a.position);
  const Vec3& t = b_in_a.position;

  FaceAxis axis[2] = {{{}, -std::numeric_limits<Real>::max()},
                      {{}, -std::numeric_limits<Real>::max()}};
  if (on_a.count > 2 && on_b.count > 1) axis[0] = face_axis(on_a, b, r_back, t, r);
  if (on_b.count > 2 && on_a.count > 1)
    axis[1] = face_axis(on_b, a, Mat3::identity(), {}, Mat3::identity());
  const Real size = min(thickness(a), thickness(b));
  const Real allowed =
      size < std::numeric_limits<Real>::max() ? face_preference(distance, size) : 0;
  const bool of_b = axis[1].separation > axis[0].separation + Real(0.1) * allowed;
  if (axis[of_b].separation >= distance - allowed) {
    const Feature& face = of_b ? on_b : on_a;
    Feature& incident = of_b ? on_a : on_b;
    const FaceFrame frame = face_frame(face, axis[of_b].normal, of_b);
    if (abs(dot(frame.normal, near.normal)) < kSameAxis) {  // others may face that one
      supporting_feature(of_b ? a : b, of_b ? -frame.normal : r_back * -frame.normal, incident);
      if (!of_b) move_feature(incident, r, t);
    }
    Clipped clipped;
    clip_to_face(face, frame, incident, clipped);
    if (incident.count == 1 && !is_over(face, frame, incident.corner[0])) clipped.count = 0;
    // Rims of cylinders, and corners beside the face that faces the axis most, are not in it.
    const Real enough = distance + (allowed > 0 ? Real(1e-4) * size : 0);
    const Vec3& nearest = of_b ? core_a : core_b;
    if (lowest(clipped) > enough && is_over(face, frame, nearest))
      add_point(frame, nearest, 0xFFFFu, clipped);
    if (lowest(clipped) <= enough) {
      write_clipped(frame, clipped, face_key(face, of_b), rounding, b_in_a, margin, out);
      if (out.count > 0) return;
      out.normal = near.normal;
    }
  }
  if (on_a.count == 2 && on_b.count == 2 &&
      write_parallel({{on_a.corner[0], on_a.corner[1]}}, {{on_b.corner[0], on_b.corner[1]}},
                     rounding, b_in_a, margin, out))
    return;
  write_point(core_a, core_b, 0xC0000000u, rounding, b_in_a, out);
  write_beside(a, b, r, size, rounding, b_in_a, margin, out);
}

}  // namespace sinew
