// Support points, features and extents of convex shapes.
#include "collision/convex.h"

#include <cmath>
#include <cstring>

#include "core/pack.h"

namespace sinew {
namespace {

constexpr Real kInfinity = std::numeric_limits<Real>::infinity();

// A capsule shows its side to directions within about 11° of it: its two ends then are nearly as
// far along, and a body on one of them alone would rock.
constexpr Real kCapsuleSide = Real(0.2);
// A cylinder shows its cap to directions within 45° of the axis. The octagon in it has a corner at
// the lowest point of the rim, so that a coin wobbles smoothly; but below this slope, where the
// lowest point is a matter of rounding, the octagon stays in place.
constexpr Real kCylinderCap = Real(0.70710678);
constexpr Real kLevel = Real(0.01);
constexpr int kCapCorners = 8;

using Eight = Pack<Real, 8>;

// v · d for eight vertices: 24 numbers in a row, sorted into x, y and z.
Eight dots(const Vec3* v, const Vec3& d) {
  static_assert(sizeof(Vec3) == 3 * sizeof(Real));
  Eight::Raw p[3];
  std::memcpy(p, v, sizeof p);
  const auto x = __builtin_shufflevector(p[0], p[1], 0, 3, 6, 9, 12, 15, 0, 0);
  const auto y = __builtin_shufflevector(p[0], p[1], 1, 4, 7, 10, 13, 0, 0, 0);
  const auto z = __builtin_shufflevector(p[0], p[1], 2, 5, 8, 11, 14, 0, 0, 0);
  return Eight::from(__builtin_shufflevector(x, p[2], 0, 1, 2, 3, 4, 5, 10, 13)) * Eight(d.x) +
         Eight::from(__builtin_shufflevector(y, p[2], 0, 1, 2, 3, 4, 8, 11, 14)) * Eight(d.y) +
         Eight::from(__builtin_shufflevector(z, p[2], 0, 1, 2, 3, 4, 9, 12, 15)) * Eight(d.z);
}

// Without branches, which a CPU would often guess wrongly.
struct Farthest {
  Eight along{-kInfinity}, index{Real(0)};

  void take(const Eight& there, const Eight& its_index) {
    const auto farther = there > along;
    along = select(farther, there, along);
    index = select(farther, its_index, index);
  }
  template <int... kFrom>
  void take_shuffled() {
    take(Eight::from(__builtin_shufflevector(along.v, along.v, kFrom...)),
         Eight::from(__builtin_shufflevector(index.v, index.v, kFrom...)));
  }
};

void add(Feature& out, const Vec3& corner, int id) {
  out.corner[out.count] = corner;
  out.id[out.count++] = static_cast<std::uint16_t>(id);
}

// The bits of a corner's id say on which sides it lies.
void box_feature(const Vec3& half, const Vec3& d, Feature& out) {
  const Vec3 size{abs(d.x), abs(d.y), abs(d.z)};
  const int n = size.x >= size.y ? (size.x >= size.z ? 0 : 2) : (size.y >= size.z ? 1 : 2);
  const int u = (n + 1) % 3, v = (n + 2) % 3;  // u × v = n
  const bool positive = d[n] >= 0;
  constexpr bool kU[4] = {false, true, true, false}, kV[4] = {false, false, true, true};
  for (int i = 0; i < 4; ++i) {
    const int k = positive ? i : 3 - i;
    Vec3 corner;
    corner[n] = positive ? half[n] : -half[n];
    corner[u] = kU[k] ? half[u] : -half[u];
    corner[v] = kV[k] ? half[v] : -half[v];
    add(out, corner, (positive << n) | (kU[k] << u) | (kV[k] << v));
  }
}

void hull_feature(const Hull& hull, const Vec3& d, Feature& out) {
  const Hull::Face* best = nullptr;
  Real most = -kInfinity;
  for (const Hull::Face& face : hull.faces) {
    const Real along = dot(face.normal, d);
    if (along > most) most = along, best = &face;
  }
  if (!best) return;
  const int count = best->count < Feature::kMost ? best->count : Feature::kMost;
  for (int i = 0; i < count; ++i) {
    const int id = hull.face_vertices[best->first + i * best->count / count];
    add(out, hull.vertices[id], id);
  }
}

void capsule_feature(Real half_height, const Vec3& d, Feature& out) {
  const bool side = abs(d.y) <= kCapsuleSide && half_height > 0;
  if (side || d.y < 0) add(out, {0, -half_height, 0}, 0);
  if (side || d.y >= 0) add(out, {0, half_height, 0}, 1);
}

void cylinder_feature(const Vec3& half, const Vec3& d, Feature& out) {
  const Real across = std::sqrt(d.x * d.x + d.z * d.z);
  const bool cap = abs(d.y) > kCylinderCap;
  const bool turned = across > (cap ? kLevel : Real(0));
  const Real c = turned ? d.x / across : 1, s = turned ? d.z / across : 0;
  if (!cap) {
    add(out, {half.x * c, -half.y, half.x * s}, 2 * kCapCorners);
    add(out, {half.x * c, half.y, half.x * s}, 2 * kCapCorners + 1);
    return;
  }
  constexpr Real h = Real(0.70710678118654752);
  constexpr Real kCos[kCapCorners] = {1, h, 0, -h, -1, -h, 0, h};
  constexpr Real kSin[kCapCorners] = {0, h, 1, h, 0, -h, -1, -h};
  const bool top = d.y > 0;
  for (int i = 0; i < kCapCorners; ++i) {
    // From x to z is clockwise seen from above.
    const int k = top ? (kCapCorners - i) % kCapCorners : i;
    const Real x = c * kCos[k] - s * kSin[k], z = s * kCos[k] + c * kSin[k];
    add(out, {half.x * x, top ? half.y : -half.y, half.x * z}, k + (top ? 0 : kCapCorners));
  }
}

void triangle_feature(const Vec3 (&corner)[3], const Vec3& d, Feature& out) {
  const bool front = dot(cross(corner[1] - corner[0], corner[2] - corner[0]), d) >= 0;
  add(out, corner[0], 0);
  add(out, corner[front ? 1 : 2], front ? 1 : 2);
  add(out, corner[front ? 2 : 1], front ? 2 : 1);
}

void include(Extent& extent, const Vec3& p) {
  for (int i = 0; i < 3; ++i) {
    extent.lower[i] = min(extent.lower[i], p[i]);
    extent.upper[i] = max(extent.upper[i], p[i]);
  }
}

// Half of the sides of the box about a core that is the same on both sides of its origin.
Vec3 half_extent(const Convex& convex, const Mat3& rotation) {
  Vec3 half;
  for (int i = 0; i < 3; ++i) {
    const Real x = abs(rotation(i, 0)), y = abs(rotation(i, 1)), z = abs(rotation(i, 2));
    switch (convex.kind) {
      case ConvexKind::kCapsule:
        half[i] = y * convex.half.y;
        break;
      case ConvexKind::kBox:
        half[i] = x * convex.half.x + y * convex.half.y + z * convex.half.z;
        break;
      case ConvexKind::kCylinder:
        half[i] = y * convex.half.y + std::sqrt(x * x + z * z) * convex.half.x;
        break;
      default:
        break;
    }
  }
  return half;
}

}  // namespace

int support_vertex(const Hull& hull, const Vec3& direction) {
  const Vec3* v = hull.vertices.data();
  const int count = static_cast<int>(hull.vertices.size());
  if (count < 8) {
    int best = 0;
    for (int i = 1; i < count; ++i)
      if (dot(v[i], direction) > dot(v[best], direction)) best = i;
    return best;
  }
  Farthest farthest;
  const Eight lane = Eight::from(Eight::Raw{0, 1, 2, 3, 4, 5, 6, 7});
  for (int next = 0; next < count; next += 8) {
    const int i = next < count - 8 ? next : count - 8;  // the last eight may overlap those before
    farthest.take(dots(v + i, direction), lane + Eight(static_cast<Real>(i)));
  }
  farthest.take_shuffled<4, 5, 6, 7, 0, 1, 2, 3>();
  farthest.take_shuffled<2, 3, 0, 1, 6, 7, 4, 5>();
  farthest.take_shuffled<1, 0, 3, 2, 5, 4, 7, 6>();
  return static_cast<int>(farthest.index.lane(0));
}

Vec3 middle(const Convex& convex) {
  if (convex.kind == ConvexKind::kHull) return convex.hull->center;
  if (convex.kind != ConvexKind::kTriangle) return {};
  return (convex.corner[0] + convex.corner[1] + convex.corner[2]) * (Real(1) / 3);
}

Real radius_about(const Convex& convex, const Vec3& center) {
  const Vec3& half = convex.half;
  const Vec3 off{abs(center.x), abs(center.y), abs(center.z)};
  Real core2 = 0;
  switch (convex.kind) {
    case ConvexKind::kSphere:
      core2 = dot(off, off);
      break;
    case ConvexKind::kCapsule: {
      const Vec3 end = off + Vec3{0, half.y, 0};
      core2 = dot(end, end);
      break;
    }
    case ConvexKind::kBox:
      core2 = dot(off + half, off + half);
      break;
    case ConvexKind::kCylinder: {
      const Real across = std::sqrt(off.x * off.x + off.z * off.z) + half.x, up = off.y + half.y;
      core2 = across * across + up * up;
      break;
    }
    case ConvexKind::kHull:
      for (const Vec3& v : convex.hull->vertices) core2 = max(core2, dot(v - center, v - center));
      break;
    case ConvexKind::kTriangle:
      for (const Vec3& v : convex.corner) core2 = max(core2, dot(v - center, v - center));
      break;
  }
  return std::sqrt(core2) + convex.radius;
}

Real inner_radius(const Convex& convex) {
  const Vec3& half = convex.half;
  Real core = 0;
  if (convex.kind == ConvexKind::kBox) core = min(min(half.x, half.y), half.z);
  if (convex.kind == ConvexKind::kCylinder) core = min(half.x, half.y);
  if (convex.kind == ConvexKind::kHull) {
    core = convex.hull->radius;
    for (const Hull::Face& face : convex.hull->faces)
      core = min(core, face.offset - dot(face.normal, convex.hull->center));
  }
  return core + convex.radius;
}

void supporting_feature(const Convex& convex, const Vec3& direction, Feature& out) {
  out.count = 0;
  switch (convex.kind) {
    case ConvexKind::kSphere:
      return add(out, {}, 0);
    case ConvexKind::kCapsule:
      return capsule_feature(convex.half.y, direction, out);
    case ConvexKind::kBox:
      return box_feature(convex.half, direction, out);
    case ConvexKind::kHull:
      return hull_feature(*convex.hull, direction, out);
    case ConvexKind::kCylinder:
      return cylinder_feature(convex.half, direction, out);
    case ConvexKind::kTriangle:
      return triangle_feature(convex.corner, direction, out);
  }
}

Extent extent(const Convex& convex, const Mat3& rotation) {
  Extent out{{kInfinity, kInfinity, kInfinity}, {-kInfinity, -kInfinity, -kInfinity}};
  if (convex.kind == ConvexKind::kHull) {
    for (const Vec3& v : convex.hull->vertices) include(out, rotation * v);
  } else if (convex.kind == ConvexKind::kTriangle) {
    for (const Vec3& v : convex.corner) include(out, rotation * v);
  } else {
    out.upper = half_extent(convex, rotation);
    out.lower = -out.upper;
  }
  const Vec3 rounding{convex.radius, convex.radius, convex.radius};
  return {out.lower - rounding, out.upper + rounding};
}

}  // namespace sinew
