// Which pair of shapes is collided by what: a table, of which half is the other half's mirror.
#include "collision/collide.h"

#include "collision/box_box.h"
#include "collision/feature_contact.h"
#include "collision/hull_hull.h"
#include "collision/round_contact.h"

namespace sinew {
namespace {

using Collide = void (*)(const Convex& a, const Convex& b, const Pose& b_in_a, Real margin,
                         Manifold& out);

void box_with_box(const Convex& a, const Convex& b, const Pose& b_in_a, Real margin,
                  Manifold& out) {
  const Real both = a.radius + b.radius;
  collide_boxes(a.half, b.half, b_in_a, margin + both, out);
  if (both > 0) put_on_skins(a.radius, b.radius, b_in_a, out);
}

void polyhedra(const Convex& a, const Convex& b, const Pose& b_in_a, Real margin, Manifold& out) {
  if (!few_edges(a, b)) return collide_features(a, b, b_in_a, margin, out);
  const Real both = a.radius + b.radius;
  collide_polyhedra(a, b, b_in_a, margin + both, out);
  if (both > 0) put_on_skins(a.radius, b.radius, b_in_a, out);
}

template <Collide kCollide>
void swapped(const Convex& a, const Convex& b, const Pose& b_in_a, Real margin, Manifold& out) {
  kCollide(b, a, b_in_a.inverse(), margin, out);
  out.normal = -b_in_a.orientation.rotate(out.normal);
  for (int k = 0; k < out.count; ++k) std::swap(out.on_a[k], out.on_b[k]);
}

constexpr int kKinds = 6;
constexpr Collide kTable[kKinds][kKinds] = {
    // sphere
    {collide_spheres, collide_sphere, collide_sphere, collide_sphere, collide_sphere,
     collide_sphere},
    // capsule
    {swapped<collide_sphere>, collide_capsules, collide_features, collide_features,
     collide_features, collide_features},
    // box
    {swapped<collide_sphere>, swapped<collide_features>, box_with_box, polyhedra, collide_features,
     polyhedra},
    // hull
    {swapped<collide_sphere>, swapped<collide_features>, swapped<polyhedra>, polyhedra,
     collide_features, polyhedra},
    // cylinder
    {swapped<collide_sphere>, swapped<collide_features>, swapped<collide_features>,
     swapped<collide_features>, collide_features, collide_features},
    // triangle
    {swapped<collide_sphere>, swapped<collide_features>, swapped<polyhedra>, swapped<polyhedra>,
     swapped<collide_features>, collide_features},
};

// Corners of the lowest face of a box.
void box_on_plane(const Convex& b, const Pose& pose, Real margin, Manifold& out) {
  const Mat3 r = pose.orientation.matrix();
  const Real h[3] = {b.half.x, b.half.y, b.half.z};
  const Real up[3] = {r.c[0].y, r.c[1].y, r.c[2].y};
  int j = 0;
  for (int k = 1; k < 3; ++k)
    if (std::fabs(up[k]) > std::fabs(up[j])) j = k;
  const int j1 = (j + 1) % 3, j2 = (j + 2) % 3;
  const Vec3 down = Vec3{up[0], up[1], up[2]} * -b.radius;  // of B, to its rounded surface
  const Real lowest = pose.position.y - std::fabs(up[0]) * h[0] - std::fabs(up[1]) * h[1] -
                      std::fabs(up[2]) * h[2] - b.radius;
  out.distance = lowest;
  if (lowest > margin) return;
  Real p[3];
  p[j] = up[j] > 0 ? -h[j] : h[j];
  for (int corner = 0; corner < 4; ++corner) {
    p[j1] = corner & 1 ? h[j1] : -h[j1];
    p[j2] = corner & 2 ? h[j2] : -h[j2];
    const Vec3 at = pose.position + r.c[0] * p[0] + r.c[1] * p[1] + r.c[2] * p[2];
    const Real height = at.y - b.radius;
    if (height > margin) continue;
    const int k = out.count++;
    out.on_a[k] = {at.x, 0, at.z};
    out.on_b[k] = Vec3{p[0], p[1], p[2]} + down;
    out.separation[k] = height;
    out.feature[k] = static_cast<std::uint32_t>((p[0] > 0) | (p[1] > 0) << 1 | (p[2] > 0) << 2);
  }
}

// The lowest feature of a core; and its lowest point, if that is on another one.
void feature_on_plane(const Convex& b, const Pose& pose, Real margin, Manifold& out) {
  const Vec3 down = pose.orientation.conjugate().rotate({0, -1, 0});
  const Vec3 lowest_point = pose.to_world(support(b, down));
  out.distance = lowest_point.y - b.radius;
  if (out.distance > margin) return;
  Feature feature;
  supporting_feature(b, down, feature);
  move_feature(feature, pose.orientation.matrix(), pose.position);
  const FaceFrame ground{{}, {0, 0, 1}, {1, 0, 0}, {0, 1, 0}, false};
  Clipped points;
  points.count = 0;
  Real size = 0;
  for (int i = 0; i < feature.count; ++i) {
    add_point(ground, feature.corner[i], feature.id[i], points);
    size = max(size, length(feature.corner[i] - feature.corner[0]));
  }
  if (lowest_point.y < lowest(points) - Real(1e-5) * size)
    add_point(ground, lowest_point, 0xFFFFu, points);
  write_clipped(ground, points, 0, {0, b.radius}, pose, margin, out);
}

}  // namespace

void collide(const Convex& a, const Convex& b, const Pose& b_in_a, Real margin, Manifold& out) {
  out.count = 0;
  kTable[static_cast<int>(a.kind)][static_cast<int>(b.kind)](a, b, b_in_a, margin, out);
}

void collide_plane(const Convex& b, const Pose& b_in_a, Real margin, Manifold& out) {
  out.count = 0;
  out.normal = {0, 1, 0};
  if (b.kind == ConvexKind::kBox)
    box_on_plane(b, b_in_a, margin, out);
  else
    feature_on_plane(b, b_in_a, margin, out);
}

void put_on_skins(Real skin_a, Real skin_b, const Pose& b_in_a, Manifold& out) {
  const Real both = skin_a + skin_b;
  out.distance -= both;
  const Vec3 normal_b = b_in_a.orientation.conjugate().rotate(out.normal);
  for (int k = 0; k < out.count; ++k) {
    out.on_a[k] += out.normal * skin_a;
    out.on_b[k] -= normal_b * skin_b;
    out.separation[k] -= both;
  }
}

}  // namespace sinew
