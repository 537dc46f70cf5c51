// Hexahedra into tetrahedra. Both splits agree on a face that two cells share when the mesh lets
// them:
// - five: vertices are coloured alternately black and white along the edges; in each cell the four
//   black corners are one tetrahedron, and each white corner is cut off as another. So a face is
//   always split between its two black corners. Fits when every closed path along edges is even.
// - six: the tetrahedra go round the diagonal from corner 0 to 6 (Kuhn, Freudenthal). A face is
//   split between its corners nearest to 0 and to 6, so neighbours must number their corners alike.
#include "geometry/split.h"

#include <numeric>

#include "core/format.h"
#include "geometry/cells.h"

namespace sinew {
namespace {

// Corners 0 2 5 7 are black in the first row, 1 3 4 6 in the second.
constexpr int kFiveOf[2][5][4] = {
    {{0, 2, 7, 5}, {1, 2, 0, 5}, {3, 0, 2, 7}, {4, 7, 5, 0}, {6, 5, 7, 2}},
    {{1, 3, 4, 6}, {0, 1, 3, 4}, {2, 3, 1, 6}, {5, 4, 6, 1}, {7, 6, 4, 3}}};
constexpr int kSixOf[6][4] = {{0, 1, 2, 6}, {0, 5, 1, 6}, {0, 2, 3, 6},
                              {0, 3, 7, 6}, {0, 4, 5, 6}, {0, 7, 4, 6}};
constexpr bool kOddCorner[8] = {false, true, false, true, true, false, true, false};

// Union-find that also knows whether a vertex has the colour of its root.
class Alternation {
 public:
  explicit Alternation(std::size_t count) : parent_(count), differs_(count, 0) {
    std::iota(parent_.begin(), parent_.end(), Index{0});
  }

  // False when a and b are already known to be otherwise.
  bool join(Index a, Index b, bool differ) {
    const auto [root_a, differs_a] = find(a);
    const auto [root_b, differs_b] = find(b);
    const bool roots_differ = (differs_a != differs_b) != differ;
    if (root_a == root_b) return !roots_differ;
    // The smaller vertex leads, so that the first vertex of the mesh is black.
    parent_[std::max(root_a, root_b)] = std::min(root_a, root_b);
    differs_[std::max(root_a, root_b)] = roots_differ;
    return true;
  }

  bool is_white(Index v) { return find(v).second; }

 private:
  std::pair<Index, bool> find(Index v) {
    bool differs = false;
    while (parent_[v] != v) {
      const Index up = parent_[v];
      differs_[v] = differs_[v] != differs_[up];  // path halving: skip one generation
      parent_[v] = parent_[up];
      differs = differs != (differs_[v] != 0);
      v = parent_[v];
    }
    return {v, differs};
  }

  std::vector<Index> parent_;
  std::vector<char> differs_;
};

template <std::size_t N>
void append(std::vector<Tetrahedron>& tets, const Hexahedron& h, const int (&pattern)[N][4]) {
  for (const auto& t : pattern) tets.push_back({h[t[0]], h[t[1]], h[t[2]], h[t[3]]});
}

void split_in_five(const HexMesh& mesh, std::vector<Tetrahedron>& tets) {
  Alternation colour(mesh.vertices.size());
  for (std::size_t c = 0; c < mesh.cells.size(); ++c)
    for (int k = 1; k < 8; ++k)
      if (!colour.join(mesh.cells[c][0], mesh.cells[c][k], kOddCorner[k]))
        throw Error(
            formatted("split: hexahedron {} closes a ring of an odd number of cells, where five "
                      "tetrahedra each "
                      "cannot alternate; split them into six, or use an even number",
                      c));
  tets.reserve(5 * mesh.cells.size());
  for (const Hexahedron& h : mesh.cells) append(tets, h, kFiveOf[colour.is_white(h[0])]);
}

}  // namespace

TetMesh split_fitting(const HexMesh& mesh, Split split) {
  TetMesh result{mesh.vertices, {}};
  if (split == Split::kFive) {
    split_in_five(mesh, result.cells);
  } else {
    result.cells.reserve(6 * mesh.cells.size());
    for (const Hexahedron& h : mesh.cells) append(result.cells, h, kSixOf);
  }
  return result;
}

TetMesh split(const HexMesh& mesh, Split split) {
  check_indices(mesh);
  TetMesh result = split_fitting(mesh, split);
  // Where neighbours split their common face differently, its triangles are left without partner.
  if (split == Split::kSix && boundary(result).cells.size() != boundary(mesh).cells.size())
    throw Error(
        "split: neighbouring hexahedra number their corners differently, so that six tetrahedra "
        "each cut "
        "their common faces along different diagonals; split them into five, or renumber the "
        "corners");
  return result;
}

}  // namespace sinew
