#include "geometry/orient.h"

#include "geometry/keyed.h"

namespace sinew {
namespace {

template <class Cell>
std::size_t orient_solid(Mesh<Cell>& mesh) {
  std::size_t turned = 0;
  for (std::size_t c = 0; c < mesh.cells.size(); ++c)
    if (measure(mesh, c) < 0) {
      mesh.cells[c] = mirrored(mesh.cells[c]);
      ++turned;
    }
  return turned;
}

// Floods a surface patch by patch; a patch is what hangs together by edges of two triangles.
class SurfaceOrienter {
 public:
  explicit SurfaceOrienter(TriMesh& mesh)
      : mesh_(mesh),
        twin_(3 * mesh.cells.size(), kNoEdge),
        visited_(mesh.cells.size(), 0),
        turn_(mesh.cells.size(), 0) {
    for_each_group(sorted_edges(mesh), [&](std::span<const Keyed<2>> same) {
      if (same.size() != 2) return;
      twin_[same[0].owner] = same[1].owner;
      twin_[same[1].owner] = same[0].owner;
    });
  }

  std::size_t run() {
    std::size_t turned = 0;
    for (std::size_t t = 0; t < mesh_.cells.size(); ++t)
      if (!visited_[t]) turned += orient_patch(t);
    return turned;
  }

 private:
  static constexpr std::uint64_t kNoEdge = std::numeric_limits<std::uint64_t>::max();

  std::size_t orient_patch(std::size_t seed) {
    const bool two_sided = flood(seed);
    std::size_t turned = 0;
    for (const std::size_t t : patch_) turned += turn_[t];
    const double volume = two_sided && is_closed() ? signed_volume() : 0;
    const bool reverse = volume < 0 || (volume == 0 && 2 * turned > patch_.size());
    for (const std::size_t t : patch_)
      if (turn_[t] != reverse) mesh_.cells[t] = mirrored(mesh_.cells[t]);
    return reverse ? patch_.size() - turned : turned;
  }

  // Gathers the patch of `seed` and whether each triangle must turn to agree with it. Returns false
  // when that cannot be (a Möbius strip).
  bool flood(std::size_t seed) {
    bool two_sided = true;
    patch_.assign(1, seed);
    visited_[seed] = 1;
    for (std::size_t i = 0; i < patch_.size(); ++i) {
      const std::size_t t = patch_[i];
      for (std::size_t edge = 3 * t; edge < 3 * t + 3; ++edge) {
        if (twin_[edge] == kNoEdge) continue;
        const std::size_t other = twin_[edge] / 3;
        // Neighbours that agree walk their common edge in opposite directions.
        const bool agree = edge_start(mesh_, edge) != edge_start(mesh_, twin_[edge]);
        const char wanted = agree ? turn_[t] : !turn_[t];
        if (visited_[other]) {
          two_sided &= turn_[other] == wanted;
        } else {
          visited_[other] = 1;
          turn_[other] = wanted;
          patch_.push_back(other);
        }
      }
    }
    return two_sided;
  }

  // Edges of more than two triangles (two boxes that touch) do not open a patch which passes there
  // as often up as down.
  bool is_closed() const {
    std::vector<std::pair<std::array<Index, 2>, int>> rim;
    for (const std::size_t t : patch_)
      for (std::size_t k = 0; k < 3; ++k) {
        if (twin_[3 * t + k] != kNoEdge) continue;
        const Index a = mesh_.cells[t][k], b = mesh_.cells[t][(k + 1) % 3];
        rim.push_back({{std::min(a, b), std::max(a, b)}, (a < b) != (turn_[t] != 0) ? 1 : -1});
      }
    std::sort(rim.begin(), rim.end());
    for (std::size_t i = 0; i < rim.size();) {
      int up = 0;
      const std::array<Index, 2> key = rim[i].first;
      for (; i < rim.size() && rim[i].first == key; ++i) up += rim[i].second;
      if (up != 0) return false;
    }
    return true;
  }

  double signed_volume() const {
    const Vec3T<double> origin = to_double(mesh_.vertices[mesh_.cells[patch_[0]][0]]);
    double sum = 0;
    for (const std::size_t t : patch_) {
      const auto [a, b, c] = mesh_.cells[t];
      const double d =
          dot(cross(to_double(mesh_.vertices[a]) - origin, to_double(mesh_.vertices[b]) - origin),
              to_double(mesh_.vertices[c]) - origin);
      sum += turn_[t] ? -d : d;
    }
    return sum / 6;
  }

  TriMesh& mesh_;
  std::vector<std::uint64_t> twin_;  // per edge 3t + k: the same edge in the other triangle
  std::vector<char> visited_, turn_;
  std::vector<std::size_t> patch_;
};

}  // namespace

std::size_t orient(TetMesh& mesh) { return orient_solid(mesh); }
std::size_t orient(HexMesh& mesh) { return orient_solid(mesh); }
std::size_t orient(TriMesh& mesh) { return SurfaceOrienter(mesh).run(); }

}  // namespace sinew
