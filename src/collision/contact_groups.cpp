// See the header.
#include "collision/contact_groups.h"

#include <algorithm>

#include "collision/clip.h"

namespace sinew {
namespace {

constexpr Real kGroupAgree = Real(0.99863);  // cos 3°
constexpr Real kHalfRoot = Real(0.70710678);
constexpr Real kWay[8][2] = {{1, 0},  {kHalfRoot, kHalfRoot},   {0, 1},  {-kHalfRoot, kHalfRoot},
                             {-1, 0}, {-kHalfRoot, -kHalfRoot}, {0, -1}, {kHalfRoot, -kHalfRoot}};

}  // namespace

// The group of a normal, a new one if there is none; the shallowest makes room. Null if it is no
// deeper than all others.
ContactGroups::Group* ContactGroups::find(const Vec3& normal, Real separation) {
  for (int i = 0; i < count_; ++i)
    if (dot(groups_[i].normal, normal) > kGroupAgree) return &groups_[i];
  Group* group = &groups_[count_ % kMost];
  if (count_ < kMost) {
    ++count_;
  } else {
    for (Group& other : groups_)
      if (other.deepest.separation > group->deepest.separation) group = &other;
    if (!(separation < group->deepest.separation)) return nullptr;
  }
  const Vec3 across = std::fabs(normal.x) < Real(0.6) ? Vec3{1, 0, 0} : Vec3{0, 1, 0};
  group->normal = normal;
  group->u = normalized(cross(across, normal));
  group->v = cross(normal, group->u);
  group->deepest.separation = std::numeric_limits<Real>::infinity();
  std::fill(group->reach, group->reach + kWays, -std::numeric_limits<Real>::infinity());
  group->doubtful = false;
  return group;
}

void ContactGroups::add(const Vec3& normal, const GroupPoint& point, bool doubtful) {
  Group* group = find(normal, point.separation);
  if (group == nullptr) return;
  group->doubtful |= doubtful;
  if (point.separation < group->deepest.separation) {
    group->deepest = point;
    group->deepest_normal = normal;
  }
  const Real u = dot(group->u, point.on_a), v = dot(group->v, point.on_a);
  for (int k = 0; k < kWays; ++k) {
    const Real reach = u * kWay[k][0] + v * kWay[k][1];
    if (reach > group->reach[k]) group->reach[k] = reach, group->farthest[k] = point;
  }
}

bool ContactGroups::extends(const Vec3& normal, const Vec3& point, Real separation,
                            Real tolerance) const {
  for (int i = 0; i < count_; ++i) {
    const GroupPoint& deepest = groups_[i].deepest;
    if (dot(groups_[i].normal, normal) > kGroupAgree &&
        std::fabs(dot(normal, point - deepest.on_a)) <= tolerance &&
        separation >= deepest.separation - tolerance)
      return true;
  }
  return false;
}

// Of what touches, in its plane.
Real ContactGroups::width(const Group& group) {
  Real least = std::numeric_limits<Real>::infinity();
  for (int k = 0; k < kWays / 2; ++k)
    least = min(least, group.reach[k] + group.reach[k + kWays / 2]);
  return least;
}

void ContactGroups::write(const Group& group, Manifold& out) {
  GroupPoint points[kWays + 1];
  ClipPoint flat[kWays + 1];
  int count = 0;
  const Real size = max(group.reach[0] + group.reach[4], group.reach[2] + group.reach[6]);
  const auto add = [&](const GroupPoint& point) {
    const Real u = dot(group.u, point.on_a), v = dot(group.v, point.on_a);
    for (int i = 0; i < count; ++i)
      if (max(std::fabs(flat[i].u - u), std::fabs(flat[i].v - v)) <= Real(1e-3) * size) return;
    flat[count] = {u, v, point.separation, point.feature, 0};
    points[count++] = point;
  };
  // The deepest comes first, unless only rounding makes it so: then the corners will do.
  Real low = std::numeric_limits<Real>::infinity();
  for (const GroupPoint& point : group.farthest) low = min(low, point.separation);
  if (low > group.deepest.separation + Real(1e-4) * size) add(group.deepest);
  for (const GroupPoint& point : group.farthest) add(point);

  int chosen[4];
  out.count = choose_four(flat, count, chosen);
  out.normal = group.deepest_normal;
  out.distance = group.deepest.separation;
  for (int k = 0; k < out.count; ++k) {
    const GroupPoint& point = points[chosen[k]];
    out.on_a[k] = point.on_a;
    out.on_b[k] = point.on_b;
    out.separation[k] = point.separation;
    out.feature[k] = point.feature;
    // The same edge of B may cross like edges of several triangles.
    for (int i = 0; i < k; ++i)
      if (out.feature[i] == point.feature) out.feature[k] = mix(point.feature, point.triangle + 1);
  }
}

int ContactGroups::write(std::span<Manifold> out) const {
  const Group* order[kMost];
  int count = 0;
  bool sure = false;
  const auto narrow = [](const Group& g) { return g.doubtful && -g.deepest.separation > width(g); };
  for (int i = 0; i < count_; ++i) sure |= !narrow(groups_[i]);
  // What overlaps by more than the width of the touching part comes free sideways: if there is
  // another group, that says how.
  for (int i = 0; i < count_; ++i)
    if (!sure || !narrow(groups_[i])) order[count++] = &groups_[i];
  std::stable_sort(order, order + count, [](const Group* a, const Group* b) {
    return a->deepest.separation < b->deepest.separation;
  });
  count = std::min(count, static_cast<int>(out.size()));
  for (int i = 0; i < count; ++i) write(*order[i], out[static_cast<std::size_t>(i)]);
  return count;
}

}  // namespace sinew
