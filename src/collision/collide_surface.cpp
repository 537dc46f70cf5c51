// See the header.
#include "collision/collide_surface.h"

#include "collision/clip.h"
#include "collision/collide.h"
#include "collision/contact_groups.h"
#include "math/perpendicular.h"

namespace sinew {
namespace {

constexpr Real kNearlyFront = Real(0.5);  // cosine: normals nearer to the face's may become it
constexpr Real kAgree = Real(0.99863);    // cos 3°
constexpr Real kRim = Real(1e-5);         // how much larger faces count, so that none is missed

using Polygon = ClipPolygon<2 * Feature::kMost>;

struct Face {
  Vec3 corner[3];
  Vec3 normal, u, v;

  ClipPoint flat(const Vec3& p, std::uint32_t id, std::uint32_t edge) const {
    const Vec3 d = p - corner[0];
    return {dot(u, d), dot(v, d), dot(normal, d), id, edge};
  }
};

template <Surface S>
Face face_of(const S& surface, Index triangle) {
  Face face;
  surface.triangle(triangle, face.corner);
  face.normal = surface.normal(triangle);
  face.u = normalized(face.corner[1] - face.corner[0]);
  face.v = cross(face.normal, face.u);
  return face;
}

void sides_of(const Face& face, ClipSide (&sides)[3]) {
  for (int k = 0; k < 3; ++k) {
    const ClipPoint from = face.flat(face.corner[k], 0, 0);
    const ClipPoint to = face.flat(face.corner[(k + 1) % 3], 0, 0);
    const Real u = to.v - from.v, v = from.u - to.u, size = std::sqrt(u * u + v * v);
    const Real scale = size > 0 ? 1 / size : 0;
    sides[k] = {u * scale, v * scale, (u * from.u + v * from.v) * scale + kRim * size,
                kSideLabel + static_cast<std::uint32_t>(k)};
  }
}

// What of B's feature lies over a face that ends at its sides; without any, it is a whole plane.
// `lowest` is B's lowest point, which may be on another feature.
void clip_over(const Face& face, std::span<const ClipSide> sides, const Feature& feature,
               const Vec3& lowest, Polygon& out) {
  const auto is_over = [&](const ClipPoint& p) {
    for (const ClipSide& side : sides)
      if (side.u * p.u + side.v * p.v > side.offset) return false;
    return true;
  };
  Real low = std::numeric_limits<Real>::infinity();
  out.count = feature.count;
  for (int i = 0; i < feature.count; ++i) {
    const int j = i + 1 == feature.count ? 0 : i + 1;
    out.point[i] =
        face.flat(feature.corner[i], feature.id[i], edge_label(feature.id[i], feature.id[j]));
    low = min(low, out.point[i].height);
  }
  if (feature.count == 1) {
    out.count = is_over(out.point[0]) ? 1 : 0;
  } else if (feature.count == 2) {
    ClipPoint ends[2] = {out.point[0], out.point[1]};
    out.count = clip_segment(ends, sides);
    out.point[0] = ends[0], out.point[1] = ends[1];
  } else {
    for (const ClipSide& side : sides)
      if (out.count > 0) clip(out, side);
  }
  const ClipPoint end = face.flat(lowest, 0xFFFFu, 0);
  const Real size = length(feature.corner[0] - lowest);
  if (end.height < low - Real(1e-4) * size && out.count < 2 * Feature::kMost && is_over(end))
    out.point[out.count++] = end;
}

void clip_over(const Face& face, const Feature& feature, const Vec3& lowest, Polygon& out) {
  ClipSide sides[3];
  sides_of(face, sides);
  clip_over(face, sides, feature, lowest, out);
}

Real lowest_of(const Polygon& polygon) {
  Real low = std::numeric_limits<Real>::infinity();
  for (int i = 0; i < polygon.count; ++i) low = min(low, polygon.point[i].height);
  return low;
}

// How far what of a polygon is below the face would have to go sideways at least to leave it: area
// over length.
Real width_below(const Polygon& polygon) {
  struct Spot {
    Real u, v;
  };
  Spot spots[4 * Feature::kMost];
  int count = 0;
  for (int i = 0; i < polygon.count; ++i) {
    const ClipPoint &a = polygon.point[i], &b = polygon.point[i + 1 == polygon.count ? 0 : i + 1];
    if (a.height <= 0) spots[count++] = {a.u, a.v};
    if ((a.height <= 0) == (b.height <= 0)) continue;
    const Real share = a.height / (a.height - b.height);
    spots[count++] = {a.u + share * (b.u - a.u), a.v + share * (b.v - a.v)};
  }
  Real area2 = 0, length2 = 0;
  for (int i = 1; i + 1 < count; ++i) {
    const Spot a{spots[i].u - spots[0].u, spots[i].v - spots[0].v};
    const Spot b{spots[i + 1].u - spots[0].u, spots[i + 1].v - spots[0].v};
    area2 += a.u * b.v - a.v * b.u;
    length2 = max(length2, max(a.u * a.u + a.v * a.v, b.u * b.u + b.v * b.v));
  }
  return length2 > 0 ? std::fabs(area2) / (2 * std::sqrt(length2)) : 0;
}

template <Surface S>
class SurfaceCollider {
 public:
  SurfaceCollider(const Convex& b, const Pose& b_in_a, Real margin, const S& a)
      : b_(b), pose_(b_in_a), margin_(margin), a_(a), rotation_(b_in_a.orientation.matrix()) {
    middle_ = middle(b);
    radius_ = radius_about(b, middle_);
    middle_ = at(middle_);
    const Extent own = extent(b, rotation_);
    box_ = grown(Aabb{own.lower + pose_.position, own.upper + pose_.position}, margin);
  }

  int run(std::span<Manifold> out) {
    a_.query(box_, [&](Index t) { touch(t); });
    if (groups_.empty() || rescue_) out[0].distance = lift();
    if (groups_.empty() && rescue_)
      a_.query(box_, [&](Index t) { push_out(t); });
    else if (refused_)
      a_.query(box_, [&](Index t) { complete(t); });
    return groups_.write(out);
  }

 private:
  Vec3 at(const Vec3& local) const { return pose_.position + rotation_ * local; }

  // B's feature that faces a direction of A; neighbours often ask for the same.
  void look(const Vec3& normal) {
    if (normal == looked_) return;
    looked_ = normal;
    const Vec3 down = transpose(rotation_) * -normal;
    lowest_ = at(support(b_, down));
    highest_ = at(support(b_, -down));
    supporting_feature(b_, down, feature_);
    for (int i = 0; i < feature_.count; ++i) feature_.corner[i] = at(feature_.corner[i]);
  }

  void touch(Index t) {
    const Face face = face_of(a_, t);
    look(face.normal);
    const auto height = [&](const Vec3& p) { return dot(face.normal, p - face.corner[0]); };
    const Real low = height(lowest_) - b_.radius;
    if (low > margin_ || height(highest_) + b_.radius < 0) return;
    const Real middle_height = height(middle_);
    const bool front = middle_height > 0;
    clip_over(face, feature_, lowest_, polygon_);
    const Real over = lowest_of(polygon_);
    const auto remember = [&] {
      if (over > b_.radius + margin_ || middle_height <= -radius_) return;
      refused_ |= front;
      if (!rescue_ || low > rescue_low_)
        rescue_ = true, rescue_low_ = low, rescue_way_ = face.normal;
    };
    // With B's lowest point over the face, and cores apart or overlapping by less than they would
    // have to go sideways, it is the face that they touch.
    const bool plain = over <= height(lowest_) + Real(1e-3) * radius_ &&
                       (over > 0 || -over <= width_below(polygon_));
    const bool smooth = is_smooth(t);
    if (front && polygon_.count > 0 && (plain || smooth)) return add_face(t, face, !plain);
    if (smooth) return remember();

    Convex triangle{.kind = ConvexKind::kTriangle};
    for (int k = 0; k < 3; ++k) triangle.corner[k] = face.corner[k];
    Manifold m;
    collide(triangle, b_, pose_, margin_, m);
    if (m.count == 0 || add_edge(t, m)) return;
    if (front && dot(m.normal, face.normal) > kNearlyFront) return add_face(t, face, false);
    remember();
  }

  // None of its edges sticks out: its face is all that can be touched.
  bool is_smooth(Index t) const {
    for (int k = 0; k < 3; ++k) {
      const EdgeKind kind = a_.edge(t, k).kind;
      if (kind == EdgeKind::kConvex || kind == EdgeKind::kBorder) return false;
    }
    return true;
  }

  // Takes the manifold over if one of its points lies on an edge that allows its normal.
  bool add_edge(Index t, const Manifold& m) {
    bool allowed = false;
    for (int k = 0; k < m.count; ++k)
      allowed = allowed || weld_normal(a_, t, m.on_a[k], m.normal) == m.normal;
    if (!allowed) return false;
    for (int k = 0; k < m.count; ++k)
      groups_.add(m.normal, {m.on_a[k], m.on_b[k], m.separation[k], mix(m.feature[k], t), t},
                  false);
    return true;
  }

  // Corners of B keep their names from triangle to triangle.
  void add_face(Index t, const Face& face, bool doubtful) {
    for (int i = 0; i < polygon_.count; ++i) {
      const ClipPoint& p = polygon_.point[i];
      if (p.height - b_.radius > margin_) continue;
      const Vec3 below = face.corner[0] + face.u * p.u + face.v * p.v;
      const Vec3 above = below + face.normal * (p.height - b_.radius);
      const Vec3 on_b = transpose(rotation_) * (above - pose_.position);
      groups_.add(face.normal, {below, on_b, p.height - b_.radius, p.id, t}, doubtful);
    }
  }

  // Pushes B out of the solid that its middle is in. Returns how far from the surface it is, or
  // less.
  Real lift() {
    const SignedDistance<Real> solid = a_.from_solid(middle_);
    if (solid.distance >= 0) return max(solid.distance - radius_, Real(0));
    Face plane;
    plane.corner[0] = middle_ - solid.normal * solid.distance;
    plane.normal = solid.normal;
    plane.u = perpendicular(plane.normal);
    plane.v = cross(plane.normal, plane.u);
    look(plane.normal);
    clip_over(plane, {}, feature_, lowest_, polygon_);
    add_face(0, plane, false);
    return 0;
  }

  // The faces that look where the nearest way to the front is.
  void push_out(Index t) {
    const Face face = face_of(a_, t);
    if (dot(face.normal, rescue_way_) < kAgree) return;
    if (dot(face.normal, middle_ - face.corner[0]) <= -radius_) return;
    look(face.normal);
    clip_over(face, feature_, lowest_, polygon_);
    add_face(t, face, false);
  }

  // A face that is touched by a sliver only, too narrow to tell, but lies in one plane with others
  // that are touched: it has corners of theirs.
  void complete(Index t) {
    const Face face = face_of(a_, t);
    if (dot(face.normal, middle_ - face.corner[0]) <= 0) return;
    look(face.normal);
    clip_over(face, feature_, lowest_, polygon_);
    const Real separation = lowest_of(polygon_) - b_.radius, tolerance = Real(2e-3) * radius_;
    if (groups_.extends(face.normal, face.corner[0], separation, tolerance))
      add_face(t, face, false);
  }

  const Convex& b_;
  const Pose& pose_;
  const Real margin_;
  const S& a_;
  const Mat3 rotation_;
  Vec3 middle_;
  Real radius_;
  Aabb box_;

  Vec3 looked_ = {};  // the normal that the following belong to
  Vec3 lowest_, highest_;
  Feature feature_;
  Polygon polygon_;
  ContactGroups groups_;
  bool refused_ = false;  // whether a face in front was touched, but not taken
  bool rescue_ = false;   // whether one would push B out to its front: the shallowest
  Real rescue_low_ = 0;
  Vec3 rescue_way_ = {};
};

}  // namespace

template <Surface S>
int collide_surface(const Convex& b, const Pose& b_in_a, Real margin, const S& a,
                    std::span<Manifold> out) {
  return SurfaceCollider<S>(b, b_in_a, margin, a).run(out);
}

template int collide_surface(const Convex&, const Pose&, Real, const TriangleSoup&,
                             std::span<Manifold>);
template int collide_surface(const Convex&, const Pose&, Real, const HeightFieldData&,
                             std::span<Manifold>);

}  // namespace sinew
