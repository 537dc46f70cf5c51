// Embedding of points in tetrahedra and hexahedra (Lewin §4.2.1 and §4.3.1): the nearest cell of
// a tree of boxes, and the weights of its corners.
#include <sinew/embedding.h>

#include <limits>

#include "core/format.h"
#include "geometry/box_tree.h"
#include "geometry/cells.h"
#include "geometry/nearest_in_cell.h"

namespace sinew {
namespace {

// Beyond this, an extrapolated weight would blow up small motions.
constexpr double kMaxWeight = 8;
// A cell with less than this part of its box's diagonal³ is flat.
constexpr double kFlat = 1e-9;

template <class Cell>
class Embedder {
 public:
  static constexpr std::size_t kCorners = std::tuple_size_v<Cell>;

  explicit Embedder(const Mesh<Cell>& mesh)
      : mesh_(mesh), boxes_(boxes_of(mesh)), tree_(boxes_, usable(mesh, boxes_)) {
    double largest = 0;
    for (const Vec3& v : mesh.vertices)
      for (int axis = 0; axis < 3; ++axis)
        largest = std::max(largest, std::abs(static_cast<double>(v[axis])));
    // Of the positions, and of the arithmetic here.
    rounding_ =
        std::max(4 * static_cast<double>(std::numeric_limits<Real>::epsilon()), 1e-12) * largest;
  }

  void add(const Vec3& vertex, Embedding& e) const {
    const Vec3T<double> p = to_double(vertex);
    const auto [cell, place] = nearest(p);
    const Index self = static_cast<Index>(e.cells.size());
    const bool outside = place.distance2 > rounding_ * rounding_;
    std::array<double, kCorners> weights = place.weights;
    if (place.distance2 > 0) {
      const auto further = extrapolated(corners_from(p, cell), weights);
      const bool usable = std::all_of(further.begin(), further.end(),
                                      [](double w) { return std::abs(w) <= kMaxWeight; });
      if (usable) weights = further;
      if (outside && !usable) e.clamped.push_back(self);
    }
    if (outside) e.outside.push_back(self);
    if (!place.converged) e.unconverged.push_back(self);
    e.cells.push_back(cell);
    e.vertices.insert(e.vertices.end(), mesh_.cells[cell].begin(), mesh_.cells[cell].end());
    for (const double w : weights) e.weights.push_back(static_cast<Real>(w));
  }

 private:
  struct Found {
    Index cell = kNoIndex;
    PlaceInCell<kCorners> place;
  };

  Found nearest(const Vec3T<double>& p) const {
    Found found;
    found.place.distance2 = std::numeric_limits<double>::infinity();
    tree_.near(p, found.place.distance2, [&](Index cell) {
      if (distance2(boxes_[cell], p) < found.place.distance2) {
        const auto place = nearest_in_cell(corners_from(p, cell));
        if (place.distance2 < found.place.distance2) found = {cell, place};
      }
      return found.place.distance2;
    });
    return found;
  }

  CornersOf<kCorners> corners_from(const Vec3T<double>& p, Index cell) const {
    CornersOf<kCorners> x;
    for (std::size_t k = 0; k < kCorners; ++k)
      x[k] = to_double(mesh_.vertices[mesh_.cells[cell][k]]) - p;
    return x;
  }

  // The trilinear map stays between the corners, so their box holds the cell.
  static std::vector<TreeBox> boxes_of(const Mesh<Cell>& mesh) {
    std::vector<TreeBox> boxes;
    boxes.reserve(mesh.cells.size());
    for (const Cell& cell : mesh.cells) {
      const Vec3T<double> first = to_double(mesh.vertices[cell[0]]);
      TreeBox box{first, first};
      for (const Index v : cell)
        for (int axis = 0; axis < 3; ++axis) {
          const double x = static_cast<double>(mesh.vertices[v][axis]);
          box.lower[axis] = min(box.lower[axis], x);
          box.upper[axis] = max(box.upper[axis], x);
        }
      boxes.push_back(box);
    }
    return boxes;
  }

  static std::vector<Index> usable(const Mesh<Cell>& mesh, std::span<const TreeBox> boxes) {
    std::vector<Index> solid, all;
    for (Index c = 0; c < mesh.cells.size(); ++c) {
      const double diagonal = length(boxes[c].upper - boxes[c].lower);
      all.push_back(c);
      if (std::abs(measure(mesh, c)) > kFlat * diagonal * diagonal * diagonal) solid.push_back(c);
    }
    return solid.empty() ? all : solid;
  }

  const Mesh<Cell>& mesh_;
  std::vector<TreeBox> boxes_;
  BoxTree tree_;
  double rounding_;  // of a coordinate [m]
};

template <class Cell>
Embedding embed_all(std::span<const Vec3> points, const Mesh<Cell>& mesh) {
  if (mesh.cells.empty())
    throw Error(formatted("embed: the mesh has no {}; give it at least one", kCellName<Cell>));
  check_indices(mesh);
  check_finite(mesh.vertices);
  for (std::size_t i = 0; i < points.size(); ++i)
    if (const Vec3& p = points[i]; !is_finite(p))
      throw Error(
          formatted("embed: point {} is ({}, {}, {}); it must be finite", i, p.x, p.y, p.z));
  const Embedder<Cell> embedder(mesh);
  Embedding result{.corners = static_cast<int>(std::tuple_size_v<Cell>)};
  result.cells.reserve(points.size());
  result.vertices.reserve(points.size() * std::tuple_size_v<Cell>);
  result.weights.reserve(points.size() * std::tuple_size_v<Cell>);
  for (const Vec3& p : points) embedder.add(p, result);
  return result;
}

}  // namespace

Embedding embed(std::span<const Vec3> points, const TetMesh& mesh) {
  return embed_all(points, mesh);
}
Embedding embed(std::span<const Vec3> points, const HexMesh& mesh) {
  return embed_all(points, mesh);
}

std::vector<Vec3> interpolate(const Embedding& embedding, std::span<const Vec3> vertices) {
  for (const Index v : embedding.vertices)
    if (v >= vertices.size())
      throw Error(
          formatted("interpolate: the embedding refers to vertex {}, but there are only "
                    "{}; pass those of the mesh it was made with",
                    v, vertices.size()));
  std::vector<Vec3> points;
  points.reserve(embedding.size());
  const std::size_t corners = static_cast<std::size_t>(embedding.corners);
  for (std::size_t i = 0; i < embedding.size(); ++i) {
    const Index* v = embedding.vertices.data() + i * corners;
    const Real* w = embedding.weights.data() + i * corners;
    // From corner 0: far from the origin, the weights' rounding would show.
    const Vec3T<double> origin = to_double(vertices[v[0]]);
    Vec3T<double> offset;
    for (std::size_t k = 1; k < corners; ++k)
      offset += (to_double(vertices[v[k]]) - origin) * static_cast<double>(w[k]);
    points.push_back(to_real(origin + offset));
  }
  return points;
}

}  // namespace sinew
