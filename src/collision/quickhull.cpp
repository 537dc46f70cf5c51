// Quickhull: every point that is outside waits in the list of one triangle that sees it. The
// farthest of a list joins the hull: the triangles that it sees go, a fan from the border of the
// patch to the point comes, and what waited with the old triangles is handed on to the new. C. B.
// Barber, D. P. Dobkin and H. Huhdanpaa, The quickhull algorithm for convex hulls, 1996. There
// facets are merged to cope with rounding; here there is none.
#include "collision/quickhull.h"

#include <cmath>
#include <utility>

#include "geometry/cells.h"

namespace sinew {
namespace {

__extension__ using Int128 = __int128;
using Int3 = std::array<std::int64_t, 3>;

Int3 minus(const GridPoint& a, const GridPoint& b) {
  return {std::int64_t(a[0]) - b[0], std::int64_t(a[1]) - b[1], std::int64_t(a[2]) - b[2]};
}

Int3 cross(const Int3& a, const Int3& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

struct HullFace {
  HullTriangle triangle;
  GridPoint origin;           // one of its corners
  Int3 normal = {};           // outwards, twice the area long
  double inverse_length = 0;  // of the normal
  Index waiting = kNoIndex;   // first point of its list
  Index farthest = kNoIndex;  // of them
  Int128 height = 0;          // of the farthest, times the length of the normal
  bool alive = true;
  std::uint32_t seen = 0;  // the search that has been here

  // Above it: positive.
  Int128 height_of(const GridPoint& p) const {
    const Int3 d = minus(p, origin);
    return Int128(normal[0]) * d[0] + Int128(normal[1]) * d[1] + Int128(normal[2]) * d[2];
  }
  double distance(Int128 h) const { return double(h) * inverse_length; }
};

class Quickhull {
 public:
  Quickhull(std::span<const GridPoint> points, double tolerance)
      : points_(points),
        tolerance_(tolerance),
        next_(points.size(), kNoIndex),
        border_at_(points.size(), kNoIndex) {}

  std::vector<HullTriangle> run(const std::array<Index, 4>& start) {
    begin(start);
    // What a list was too close to wait on may be far from a triangle that came later, so all are
    // asked again until nothing is left.
    while (sweep()) {
    }
    return living();
  }

 private:
  // An edge of the patch's border, the triangle beyond it and its place there.
  struct BorderEdge {
    Index from, to;
    std::uint32_t beyond;
    int place;
  };

  std::uint32_t add_face(Index a, Index b, Index c) {
    HullFace face{.triangle = {{a, b, c}, {}}, .origin = points_[a]};
    face.normal = cross(minus(points_[b], points_[a]), minus(points_[c], points_[a]));
    face.inverse_length =
        1 / std::hypot(double(face.normal[0]), double(face.normal[1]), double(face.normal[2]));
    faces_.push_back(face);
    return std::uint32_t(faces_.size() - 1);
  }

  void begin(std::array<Index, 4> v) {
    HullFace probe = faces_[add_face(v[0], v[1], v[2])];
    faces_.clear();
    if (probe.height_of(points_[v[3]]) > 0) std::swap(v[1], v[2]);
    // Each leaves out one corner; neighbours share the edge opposite of another.
    add_face(v[0], v[1], v[2]);
    add_face(v[0], v[3], v[1]);
    add_face(v[1], v[3], v[2]);
    add_face(v[2], v[3], v[0]);
    faces_[0].triangle.neighbour = {1, 2, 3};
    faces_[1].triangle.neighbour = {3, 2, 0};
    faces_[2].triangle.neighbour = {1, 3, 0};
    faces_[3].triangle.neighbour = {2, 1, 0};
    fan_ = {0, 1, 2, 3};
    for (Index p = 0; p < points_.size(); ++p) hand_on(p);
  }

  void wait_on(HullFace& face, Index p, Int128 height) {
    next_[p] = face.waiting;
    face.waiting = p;
    if (face.farthest == kNoIndex || height > face.height ||
        (height == face.height && p < face.farthest)) {
      face.farthest = p;
      face.height = height;
    }
  }

  // To the triangle of the fan that it is farthest from; what none of them sees is inside.
  void hand_on(Index p) {
    std::uint32_t best = kNoIndex;
    Int128 height = 0;
    double farthest = 0;
    for (const std::uint32_t f : fan_) {
      const Int128 h = faces_[f].height_of(points_[p]);
      if (h <= 0) continue;
      if (const double d = faces_[f].distance(h); best == kNoIndex || d > farthest) {
        best = f;
        height = h;
        farthest = d;
      }
    }
    if (best != kNoIndex) wait_on(faces_[best], p, height);
  }

  // The triangles that a point sees, starting with one that it is known to see.
  void look(Index p, std::uint32_t from) {
    ++search_;
    patch_.assign(1, from);
    faces_[from].seen = search_;
    for (std::size_t i = 0; i < patch_.size(); ++i)
      for (const std::uint32_t n : faces_[patch_[i]].triangle.neighbour)
        if (faces_[n].seen != search_ && faces_[n].height_of(points_[p]) > 0) {
          faces_[n].seen = search_;
          patch_.push_back(n);
        }
  }

  bool sweep() {
    bool grown = false;
    for (std::uint32_t f = 0; f < faces_.size(); ++f) {
      if (!faces_[f].alive || faces_[f].farthest == kNoIndex) continue;
      if (faces_[f].distance(faces_[f].height) > tolerance_) {
        grow(faces_[f].farthest, f);
        grown = true;
      } else if (move_waiting(f)) {
        grown = true;
      }
    }
    return grown;
  }

  // Points that wait on a triangle they are close to, but are far from another, go there.
  bool move_waiting(std::uint32_t f) {
    bool moved = false;
    Index p = std::exchange(faces_[f].waiting, kNoIndex);
    faces_[f].farthest = kNoIndex;
    while (p != kNoIndex) {
      const Index after = next_[p];
      look(p, f);
      std::uint32_t best = f;
      double farthest = tolerance_;
      for (const std::uint32_t g : patch_)
        if (const double d = faces_[g].distance(faces_[g].height_of(points_[p])); d > farthest) {
          best = g;
          farthest = d;
        }
      wait_on(faces_[best], p, faces_[best].height_of(points_[p]));
      moved = moved || best != f;
      p = after;
    }
    return moved;
  }

  void grow(Index eye, std::uint32_t from) {
    look(eye, from);
    find_border();
    fan_.clear();
    for (const BorderEdge& edge : border_) {
      const std::uint32_t f = add_face(edge.from, edge.to, eye);
      faces_[f].triangle.neighbour[0] = edge.beyond;
      faces_[edge.beyond].triangle.neighbour[edge.place] = f;
      fan_.push_back(f);
    }
    for (std::size_t i = 0; i < fan_.size(); ++i) {
      const std::uint32_t after = fan_[(i + 1) % fan_.size()];
      faces_[fan_[i]].triangle.neighbour[1] = after;
      faces_[after].triangle.neighbour[2] = fan_[i];
    }
    for (const std::uint32_t f : patch_) {
      faces_[f].alive = false;
      for (Index p = faces_[f].waiting; p != kNoIndex;) {
        const Index after = next_[p];
        if (p != eye) hand_on(p);
        p = after;
      }
    }
  }

  // The edges between what is seen and what is not, one after the other round the patch.
  void find_border() {
    border_.clear();
    edges_.clear();
    for (const std::uint32_t f : patch_) {
      const HullTriangle& t = faces_[f].triangle;
      for (int i = 0; i < 3; ++i) {
        const std::uint32_t n = t.neighbour[i];
        if (faces_[n].seen == search_) continue;
        const auto& back = faces_[n].triangle.neighbour;
        const int place = back[0] == f ? 0 : back[1] == f ? 1 : 2;
        border_at_[t.corner[i]] = Index(edges_.size());
        edges_.push_back({t.corner[i], t.corner[(i + 1) % 3], n, place});
      }
    }
    for (std::size_t i = 0, at = 0; i < edges_.size(); ++i) {
      border_.push_back(edges_[at]);
      at = border_at_[edges_[at].to];
    }
  }

  std::vector<HullTriangle> living() const {
    std::vector<std::uint32_t> place(faces_.size(), kNoIndex);
    std::vector<HullTriangle> out;
    for (std::size_t f = 0; f < faces_.size(); ++f)
      if (faces_[f].alive) {
        place[f] = std::uint32_t(out.size());
        out.push_back(faces_[f].triangle);
      }
    for (HullTriangle& t : out)
      for (std::uint32_t& n : t.neighbour) n = place[n];
    return out;
  }

  std::span<const GridPoint> points_;
  double tolerance_;
  std::vector<Index> next_;      // the point that waits behind it in its list
  std::vector<HullFace> faces_;  // dead ones too
  std::uint32_t search_ = 0;
  // Of the point that is about to join:
  std::vector<std::uint32_t> patch_, fan_;
  std::vector<BorderEdge> edges_, border_;
  std::vector<Index> border_at_;  // by its first corner, in edges_
};

}  // namespace

std::vector<HullTriangle> quickhull(std::span<const GridPoint> points,
                                    const std::array<Index, 4>& start, double tolerance) {
  return Quickhull(points, tolerance).run(start);
}

}  // namespace sinew
