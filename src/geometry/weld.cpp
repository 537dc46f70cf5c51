#include "geometry/weld.h"

#include <bit>

#include "geometry/cells.h"

namespace sinew {
namespace {

// Kept points in buckets of a hashed grid. Two cells in one bucket do no harm, since callers look
// at distances; cell coordinates stay doubles, so that no size of mesh overflows them.
class PointHash {
 public:
  explicit PointHash(std::size_t count)
      : head_(std::bit_ceil(2 * count + 1), kNoIndex), next_(count, kNoIndex) {}

  Index first(const Vec3T<double>& cell) const { return head_[bucket(cell)]; }
  Index next(Index point) const { return next_[point]; }
  void insert(const Vec3T<double>& cell, Index point) {
    Index& head = head_[bucket(cell)];
    next_[point] = std::exchange(head, point);
  }

 private:
  std::size_t bucket(const Vec3T<double>& cell) const {
    std::uint64_t hash = 0;
    for (int axis = 0; axis < 3; ++axis) {
      // Adding 0 turns -0 into 0. Multiply and fold: the low bits then depend on all bits.
      hash = (hash ^ std::bit_cast<std::uint64_t>(cell[axis] + 0.0)) * 0x9E3779B97F4A7C15u;
      hash ^= hash >> 32;
    }
    return hash & (head_.size() - 1);
  }

  std::vector<Index> head_, next_;
};

}  // namespace

std::vector<Index> weld_leaders(std::span<const Vec3> points, double distance) {
  PointHash kept(points.size());
  std::vector<Index> leaders(points.size());
  const auto is_close = [&](Index a, Index b) {
    return distance > 0 ? length(to_double(points[a]) - to_double(points[b])) <= distance
                        : points[a] == points[b];
  };
  const int reach = distance > 0 ? 1 : 0;
  for (Index i = 0; i < points.size(); ++i) {
    const Vec3T<double> p = to_double(points[i]);
    const Vec3T<double> home =
        distance > 0 ? Vec3T<double>{std::floor(p.x / distance), std::floor(p.y / distance),
                                     std::floor(p.z / distance)}
                     : p;
    Index leader = i;
    for (int x = -reach; x <= reach; ++x)
      for (int y = -reach; y <= reach; ++y)
        for (int z = -reach; z <= reach; ++z) {
          const Vec3T<double> cell = home + Vec3T<double>{double(x), double(y), double(z)};
          for (Index q = kept.first(cell); q != kNoIndex; q = kept.next(q))
            if (q < leader && is_close(q, i)) leader = q;
        }
    leaders[i] = leader;
    if (leader == i) kept.insert(home, i);
  }
  return leaders;
}

}  // namespace sinew
