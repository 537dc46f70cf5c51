// Sets of vertices (edges, faces, whole cells) brought together when they are the same set,
// whatever the order of the corners: the one tool behind adjacency, boundaries and duplicates. A
// counting sort by the smallest corner leaves only short runs to compare, so that it is linear in
// practice.
#pragma once

#include <cstdint>
#include <vector>

#include "geometry/cells.h"

namespace sinew {

template <std::size_t N>
struct Keyed {
  std::array<Index, N> key;  // ascending
  std::uint64_t owner;       // whose it is; decides the order among equal keys

  friend auto operator<=>(const Keyed&, const Keyed&) = default;
};

template <std::size_t N>
Keyed<N> keyed(std::array<Index, N> corners, std::uint64_t owner) {
  std::sort(corners.begin(), corners.end());
  return {corners, owner};
}

// Sorts by key, then owner. Every corner must be less than `vertex_count`.
template <std::size_t N>
std::vector<Keyed<N>> sorted(const std::vector<Keyed<N>>& items, std::size_t vertex_count) {
  std::vector<std::size_t> start(vertex_count + 1, 0);
  for (const Keyed<N>& item : items) ++start[item.key[0] + 1];
  for (std::size_t v = 0; v < vertex_count; ++v) start[v + 1] += start[v];

  std::vector<Keyed<N>> result(items.size());
  std::vector<std::size_t> next(start.begin(), start.end() - 1);
  for (const Keyed<N>& item : items) result[next[item.key[0]]++] = item;
  for (std::size_t v = 0; v < vertex_count; ++v)
    std::sort(result.begin() + static_cast<std::ptrdiff_t>(start[v]),
              result.begin() + static_cast<std::ptrdiff_t>(start[v + 1]));
  return result;
}

// Calls visit(span of items) for every run of equal keys.
template <std::size_t N, class Visit>
void for_each_group(const std::vector<Keyed<N>>& sorted_items, Visit visit) {
  for (std::size_t first = 0, end = 0; first < sorted_items.size(); first = end) {
    while (end < sorted_items.size() && sorted_items[end].key == sorted_items[first].key) ++end;
    visit(std::span<const Keyed<N>>(&sorted_items[first], end - first));
  }
}

// The edges of all triangles, sorted; edge k of triangle t runs from corner k to the next and has
// the owner 3t + k.
std::vector<Keyed<2>> sorted_edges(const TriMesh& mesh);

inline Index edge_start(const TriMesh& mesh, std::uint64_t edge) {
  return mesh.cells[edge / 3][edge % 3];
}
// Whether the edge runs from the smaller vertex number to the larger.
inline bool runs_upwards(const TriMesh& mesh, const Keyed<2>& edge) {
  return edge_start(mesh, edge.owner) == edge.key[0];
}

}  // namespace sinew
