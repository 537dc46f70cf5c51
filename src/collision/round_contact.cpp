// Nearest points of two segments: C. Ericson, Real-time collision detection, 2005, section 5.1.9.
#include "collision/round_contact.h"

#include "collision/feature_contact.h"
#include "math/perpendicular.h"

namespace sinew {
namespace {

Real clamped(Real x, Real most) { return max(-most, min(most, x)); }

// From A's core to B's; where those meet, any direction across both.
Vec3 direction(const Vec3& gap, Real gap_length, const Vec3& along_a, const Vec3& along_b) {
  if (gap_length > 0) return gap * (1 / gap_length);
  const Vec3 across = cross(along_a, along_b);
  return dot(across, across) > Real(1e-12) ? normalized(across) : perpendicular(along_a);
}

// Of a vector that may be as small as numbers get.
Real safe_length(const Vec3& v) {
  const Real most = max(max(abs(v.x), abs(v.y)), abs(v.z));
  return most > 0 ? most * length(v * (1 / most)) : 0;
}

}  // namespace

void collide_spheres(const Convex& a, const Convex& b, const Pose& b_in_a, Real margin,
                     Manifold& out) {
  const Vec3& gap = b_in_a.position;
  const Real gap_length = safe_length(gap);
  out.distance = gap_length - a.radius - b.radius;
  if (out.distance > margin) return;
  out.normal = gap_length > 0 ? gap * (1 / gap_length) : Vec3{0, 1, 0};
  write_point({}, gap, 0, {a.radius, b.radius}, b_in_a, out);
}

void collide_sphere(const Convex& a, const Convex& b, const Pose& b_in_a, Real margin,
                    Manifold& out) {
  const Closest near = closest_to_point(b, b_in_a.to_local({}));
  out.distance = near.distance - a.radius;
  if (out.distance > margin) return;
  out.count = 1;
  out.normal = -b_in_a.orientation.rotate(near.normal);
  out.on_a[0] = out.normal * a.radius;
  out.on_b[0] = near.on_a;
  out.separation[0] = out.distance;
  out.feature[0] = 0;
}

void collide_capsules(const Convex& a, const Convex& b, const Pose& b_in_a, Real margin,
                      Manifold& out) {
  const Real ha = a.half.y, hb = b.half.y;
  const Vec3& t = b_in_a.position;
  const Vec3 along_a{0, 1, 0}, along_b = b_in_a.orientation.rotate({0, 1, 0});
  // Nearest points s·along_a and t + q·along_b of the two lines, then of the segments.
  const Real c = along_b.y, sin2 = along_b.x * along_b.x + along_b.z * along_b.z;
  const Real t_b = dot(t, along_b);
  Real s = sin2 > Real(1e-6) ? clamped((t.y - c * t_b) / sin2, ha) : clamped(t.y, ha);
  const Real q = clamped(c * s - t_b, hb);
  s = clamped(t.y + c * q, ha);

  const Vec3 core_a = along_a * s, core_b = t + along_b * q;
  const Vec3 gap = core_b - core_a;
  const Real gap_length = safe_length(gap);
  out.distance = gap_length - a.radius - b.radius;
  if (out.distance > margin) return;
  out.normal = direction(gap, gap_length, along_a, along_b);
  const Rounding rounding{a.radius, b.radius};
  const LineSegment segment_a{{along_a * -ha, along_a * ha}};
  const LineSegment segment_b{{t - along_b * hb, t + along_b * hb}};
  if (write_parallel(segment_a, segment_b, rounding, b_in_a, margin, out)) return;
  write_point(core_a, core_b, 0xC0000000u, rounding, b_in_a, out);
}

}  // namespace sinew
