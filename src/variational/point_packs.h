// Packs of cells with one or more points of integration each (shape_points.h), the points of all
// packs one after the other.
#pragma once

#include "elements/shape_points.h"
#include "solvers/coloured_packs.h"

namespace sinew {

// Packs have `first_point` beside what ColouredPacks wants; points have lanes, which
// `set(point, lane, i)` fills in from the point of that number. Points of a pack that repeats its
// first cell repeat it, too.
template <class Pack, class Point, class Cell, class Set>
ColouredPacks<Pack> packs_with_points(const Mesh<Cell>& mesh, int per_cell,
                                      std::vector<Point>& points, Set&& set) {
  return ColouredPacks<Pack>(mesh.cells, mesh.vertices.size(), [&](Pack& e, int lane, Index cell) {
    if (lane == 0) {
      e.first_point = static_cast<int>(points.size());
      points.resize(points.size() + per_cell);
    }
    for (int q = 0; q < per_cell; ++q)
      set(points[e.first_point + q], lane, std::size_t(cell) * per_cell + q);
  });
}

template <int N, class W>
SINEW_INLINE void gather_places(const Row4<Real>* rows, const Index (&node)[N][kWidth<W>],
                                Vec3T<W> (&x)[N]) {
  for (int n = 0; n < N; ++n) x[n] = gather<W>(rows, node[n]).xyz;
}
// Adds to the rows of the nodes.
template <int N, class W>
SINEW_INLINE void add_to_nodes(Row4<Real>* rows, const Index (&node)[N][kWidth<W>],
                               const Vec3T<W> (&what)[N]) {
  for (int n = 0; n < N; ++n) {
    Rows4<W> row = gather<W>(rows, node[n]);
    row.xyz += what[n];
    scatter<W>(rows, node[n], row);
  }
}

}  // namespace sinew
