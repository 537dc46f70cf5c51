// The largest triangle first, each takes in what is connected to it and within the tolerance of its
// plane. On a convex surface that is always a patch without holes; it is checked nevertheless.
// Decisions are made with the positions on the grid, where the hull is exactly convex.
#include "collision/hull_faces.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "geometry/cells.h"

namespace sinew {
namespace {

using Vec = Vec3T<double>;
constexpr std::uint32_t kNone = kNoIndex;

class Merger {
 public:
  Merger(std::span<const HullTriangle> triangles, std::span<const GridPoint> grid,
         std::span<const Vec> points, double tolerance, double cell)
      : triangles_(triangles), grid_(grid), points_(points), tolerance_(tolerance), cell_(cell) {
    normals_.reserve(triangles.size());
    for (const HullTriangle& t : triangles) normals_.push_back(grid_normal(t));
  }

  // In a thin plate, sides of a patch can run nearly in its plane, and its border bend inwards:
  // such a patch stays in triangles.
  std::vector<HullPolygon> merged() {
    find_patches();
    gather_patches();
    std::vector<char> whole(patches_, 1);
    for (;;) {
      std::vector<Piece> pieces = pieces_of(whole);
      drop_middles_of_edges(pieces);
      bool bent = false;
      for (const Piece& piece : pieces)
        if (whole[piece.patch] && !is_convex(piece.polygon)) {
          whole[piece.patch] = 0;
          bent = true;
        }
      if (bent) continue;
      return is_polyhedron(pieces) ? polygons_of(std::move(pieces)) : plain();
    }
  }

 private:
  struct Piece {
    HullPolygon polygon;
    std::uint32_t patch;
  };

  std::vector<Index> corners(std::uint32_t t) const {
    const Triangle& c = triangles_[t].corner;
    return {c[0], c[1], c[2]};
  }
  Vec at(Index p) const { return {double(grid_[p][0]), double(grid_[p][1]), double(grid_[p][2])}; }
  // Twice the area long. All sums are of whole numbers below 2^54, so that this is as good as
  // exact.
  Vec grid_normal(const HullTriangle& t) const {
    return cross(at(t.corner[1]) - at(t.corner[0]), at(t.corner[2]) - at(t.corner[0]));
  }

  void find_patches() {
    std::vector<std::pair<double, std::uint32_t>> order;  // largest first, then by index
    for (std::uint32_t t = 0; t < triangles_.size(); ++t)
      order.push_back({-dot(normals_[t], normals_[t]), t});
    std::sort(order.begin(), order.end());
    patch_.assign(triangles_.size(), kNone);
    std::vector<std::uint32_t> reached;
    for (const auto& [area, seed] : order) {
      if (patch_[seed] != kNone) continue;
      const Vec normal = normals_[seed] / length(normals_[seed]);
      const Vec origin = at(triangles_[seed].corner[0]);
      const auto in_plane = [&](std::uint32_t t) {
        if (!(dot(normals_[t], normal) > 0)) return false;
        return std::all_of(triangles_[t].corner.begin(), triangles_[t].corner.end(), [&](Index p) {
          return std::abs(dot(at(p) - origin, normal)) <= tolerance_;
        });
      };
      patch_[seed] = patches_;
      reached.assign(1, seed);
      for (std::size_t i = 0; i < reached.size(); ++i)
        for (const std::uint32_t n : triangles_[reached[i]].neighbour)
          if (patch_[n] == kNone && in_plane(n)) {
            patch_[n] = patches_;
            reached.push_back(n);
          }
      ++patches_;
    }
  }

  // The triangles patch by patch, and where each patch begins.
  void gather_patches() {
    first_.assign(patches_ + 1, 0);
    for (const std::uint32_t p : patch_) ++first_[p + 1];
    std::partial_sum(first_.begin(), first_.end(), first_.begin());
    members_.resize(patch_.size());
    std::vector<std::uint32_t> fill(first_.begin(), first_.end() - 1);
    for (std::uint32_t t = 0; t < patch_.size(); ++t) members_[fill[patch_[t]]++] = t;
  }
  using Patch = std::span<const std::uint32_t>;
  Patch patch(std::uint32_t i) const {
    return Patch(members_).subspan(first_[i], first_[i + 1] - first_[i]);
  }

  // Its corners in order; none if it is not one simple loop.
  std::vector<Index> border_of(Patch triangles) const {
    std::vector<std::pair<Index, Index>> edges;  // from, to
    for (const std::uint32_t t : triangles)
      for (int i = 0; i < 3; ++i)
        if (patch_[triangles_[t].neighbour[i]] != patch_[t])
          edges.push_back({triangles_[t].corner[i], triangles_[t].corner[(i + 1) % 3]});
    std::sort(edges.begin(), edges.end());
    std::vector<Index> loop;
    if (edges.empty()) return loop;
    Index v = edges[0].first;
    do {
      loop.push_back(v);
      const auto it = std::lower_bound(edges.begin(), edges.end(), std::pair(v, Index(0)));
      if (it == edges.end() || it->first != v) return {};
      if (it + 1 != edges.end() && (it + 1)->first == v) return {};
      v = it->second;
    } while (v != edges[0].first && loop.size() <= edges.size());
    return loop.size() == edges.size() ? loop : std::vector<Index>{};
  }

  std::vector<Piece> pieces_of(std::span<const char> whole) const {
    std::vector<Piece> pieces;
    pieces.reserve(patches_);
    for (std::uint32_t i = 0; i < patches_; ++i) {
      const bool many = whole[i] && patch(i).size() > 1;
      std::vector<Index> border = many ? border_of(patch(i)) : std::vector<Index>{};
      if (!border.empty()) {
        pieces.push_back({polygon(patch(i), std::move(border)), i});
        continue;
      }
      for (const std::uint32_t& t : patch(i)) pieces.push_back({polygon({&t, 1}, corners(t)), i});
    }
    return pieces;
  }

  static std::vector<HullPolygon> polygons_of(std::vector<Piece> pieces) {
    std::vector<HullPolygon> polygons;
    for (Piece& piece : pieces) polygons.push_back(std::move(piece.polygon));
    return polygons;
  }

  bool is_convex(const HullPolygon& p) const {
    const std::size_t n = p.corners.size();
    for (std::size_t i = 0; n > 3 && i < n; ++i) {
      const Vec a = points_[p.corners[i]], b = points_[p.corners[(i + 1) % n]];
      const Vec out = cross(points_[p.corners[(i + 2) % n]] - a, p.normal);
      if (dot(b - a, out) < -tolerance_ * cell_ * length(out)) return false;
    }
    return true;
  }

  HullPolygon polygon(Patch triangles, std::vector<Index> loop) const {
    Vec normal{}, as_given{};
    for (const std::uint32_t t : triangles) {
      const Triangle& c = triangles_[t].corner;
      normal += normals_[t];
      as_given += cross(points_[c[1]] - points_[c[0]], points_[c[2]] - points_[c[0]]);
    }
    normal = normal / length(normal);
    // Slivers of a few cells have a normal on the grid only.
    constexpr double kAlike = 0.9;
    if (const double size = length(as_given); dot(as_given, normal) > kAlike * size)
      normal = as_given / size;
    HullPolygon out{std::move(loop), normal, -std::numeric_limits<double>::infinity()};
    for (const std::uint32_t t : triangles)
      for (const Index p : triangles_[t].corner)
        out.offset = std::max(out.offset, dot(normal, points_[p]));
    return out;
  }

  // A corner of two polygons only is a corner of neither. A polygon without three is but an edge,
  // and without it others may be left in the middle of theirs.
  void drop_middles_of_edges(std::vector<Piece>& pieces) const {
    std::vector<int> uses(grid_.size(), 0);
    for (bool changed = true; changed;) {
      std::fill(uses.begin(), uses.end(), 0);
      for (const Piece& p : pieces)
        for (const Index v : p.polygon.corners) ++uses[v];
      std::size_t dropped = 0;
      for (Piece& p : pieces)
        dropped += std::erase_if(p.polygon.corners, [&](Index v) { return uses[v] <= 2; });
      dropped += std::erase_if(pieces, [](const Piece& p) { return p.polygon.corners.size() < 3; });
      changed = dropped > 0;
    }
  }

  // Every edge between two polygons, run through once each way, and Euler's V - E + F = 2.
  bool is_polyhedron(std::span<const Piece> pieces) const {
    std::vector<std::uint64_t> edges;  // the smaller corner, the larger one, and which comes first
    std::vector<char> used(grid_.size(), 0);
    for (const Piece& piece : pieces) {
      const std::vector<Index>& corners = piece.polygon.corners;
      for (std::size_t i = 0; i < corners.size(); ++i) {
        const Index a = corners[i], b = corners[(i + 1) % corners.size()];
        used[a] = 1;
        edges.push_back(std::uint64_t(std::min(a, b)) << 33 | std::uint64_t(std::max(a, b)) << 1 |
                        std::uint64_t(a < b));
      }
    }
    std::sort(edges.begin(), edges.end());
    if (edges.size() % 2 == 1) return false;
    for (std::size_t i = 0; i < edges.size(); i += 2)
      if (edges[i] + 1 != edges[i + 1] || edges[i] % 2 == 1) return false;
    for (std::size_t i = 2; i < edges.size(); i += 2)
      if (edges[i] / 2 == edges[i - 1] / 2) return false;
    const auto vertices = std::size_t(std::count(used.begin(), used.end(), 1));
    return pieces.size() >= 4 && vertices + pieces.size() == edges.size() / 2 + 2;
  }

  std::vector<HullPolygon> plain() const {
    std::vector<HullPolygon> polygons;
    for (std::uint32_t t = 0; t < triangles_.size(); ++t)
      polygons.push_back(polygon({&t, 1}, corners(t)));
    return polygons;
  }

  std::span<const HullTriangle> triangles_;
  std::span<const GridPoint> grid_;
  std::span<const Vec> points_;
  double tolerance_;                  // in cells
  double cell_;                       // [m]
  std::vector<Vec> normals_;          // of the triangles
  std::vector<std::uint32_t> patch_;  // of each triangle
  std::uint32_t patches_ = 0;
  std::vector<std::uint32_t> members_, first_;
};

}  // namespace

std::vector<HullPolygon> merge_coplanar(std::span<const HullTriangle> triangles,
                                        std::span<const GridPoint> grid,
                                        std::span<const Vec> points, double tolerance,
                                        double cell) {
  return Merger(triangles, grid, points, tolerance / cell, cell).merged();
}

}  // namespace sinew
