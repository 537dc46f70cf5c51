// Points of contact from many triangles, gathered by their normals: each group becomes a manifold.
// However many points come, a group keeps the deepest, and the farthest in eight directions of its
// plane; so it holds the corners of what touches, whatever their order.
#pragma once

#include <span>

#include "collision/manifold.h"
#include "collision/surface.h"

namespace sinew {

struct GroupPoint {
  Vec3 on_a = {}, on_b = {};  // as in a Manifold
  Real separation = 0;
  std::uint32_t feature = 0;
  Index triangle = 0;
};

class ContactGroups {
 public:
  // `doubtful`: the triangle alone cannot tell whether its face is the shortest way out.
  void add(const Vec3& normal, const GroupPoint& point, bool doubtful);
  bool empty() const { return count_ == 0; }
  // Whether a group has this normal, its plane goes through a point, and it is at least as deep.
  bool extends(const Vec3& normal, const Vec3& point, Real separation, Real tolerance) const;
  // Writes manifolds, the deepest first, and returns how many.
  int write(std::span<Manifold> out) const;

 private:
  static constexpr int kMost = 12;
  static constexpr int kWays = 8;

  struct Group {
    Vec3 normal, u, v;
    Vec3 deepest_normal;
    GroupPoint deepest;
    GroupPoint farthest[kWays];
    Real reach[kWays];
    bool doubtful;
  };

  Group* find(const Vec3& normal, Real separation);
  static Real width(const Group& group);
  static void write(const Group& group, Manifold& out);

  Group groups_[kMost];
  int count_ = 0;
};

}  // namespace sinew
