// The points of nodal strains (elements/nodal_points.h) as kernels read them. Their stencils differ
// in size, so that sums over them go vertex by vertex, one row of four numbers at a time: first
// what each point gathers, then, when it has its stress, what each vertex gathers from the points
// about it. Nobody writes what another reads, so that no colours are needed. Materials are asked in
// between, on packs of points.
#pragma once

#include <sinew/executor.h>

#include "core/row_packs.h"
#include "elements/nodal_points.h"
#include "math/block_matrix.h"
#include "variational/energy_term.h"

namespace sinew {

// Of a point: F, or what stress there is, column by column; and of the stabiliser's Laplacian the
// force on its vertex, with the energy.
struct alignas(16 * sizeof(Real)) NodalRows {
  Row4<Real> column[3];
  Row4<Real> laplacian;
};

inline constexpr auto kEveryFourth = [] {
  std::array<std::uint32_t, 16> index{};
  for (std::uint32_t i = 0; i < 16; ++i) index[i] = 4 * i;
  return index;
}();
template <class W>
SINEW_INLINE Mat3T<W> load_columns(const NodalRows* rows) {
  Mat3T<W> m;
  for (int c = 0; c < 3; ++c) m.c[c] = gather<W>(&rows->column[c], kEveryFourth.data()).xyz;
  return m;
}
template <class W>
SINEW_INLINE void store_columns(NodalRows* rows, const Mat3T<W>& m) {
  for (int c = 0; c < 3; ++c)
    scatter<W>(&rows->column[c], kEveryFourth.data(), {m.c[c], W(Real(0))});
}

class NodalStencils {
 public:
  // A pack of points.
  struct Pack {
    Index node[1][kLanes];  // their vertices
    Wide weight;            // ω [m³]; 0: not in use
    Wide stabiliser;        // 2 α μ ω [J]
    int count;              // lanes in use
  };

  NodalStencils(const NodalPoints& all, double mu, std::size_t vertex_count);

  const std::vector<Pack>& packs() const { return packs_; }

  // F of the points of a pack, and the stabiliser's Laplacian. Lanes not in use are at rest.
  void deform(std::size_t pack, const Row4<Real>* x, NodalRows* rows) const;
  // Adds to the gradient what the points do to their vertices; `rows` of all points, with the
  // stress times ω.
  void add_forces(const NodalRows* rows, Row4<Real>* gradient, Executor& executor) const;

  // Marks the vertices of all stencils in which one is marked.
  void spread(std::vector<char>& marked, std::vector<char>& scratch) const;

  // ω C, C = ∂P/∂F by columns of F, of one point, and the stabiliser.
  void add_hessian(std::size_t point, const Real (&tangent)[9][9], BlockSymmetric& hessian) const;
  // Entries of nothing wherever add_hessian() has something.
  void add_pattern(MetricEntries& entries) const;

 private:
  // What joins points and vertices.
  struct Links {
    std::vector<Row4<Real>> b;  // with the Laplacian, times μ [N/m], from points to vertices
    std::vector<Index> to;

    void add(const Row4<Real>& gradient, Index end) { b.push_back(gradient), to.push_back(end); }
  };
  struct Range {
    int begin, end;
  };
  // A vertex with the points that reach it, and of them its own, whose Laplacian acts on it.
  struct Vertex {
    Index vertex;
    Range reached, own;
  };

  template <class F>
  void for_each_node(std::size_t point, F&& f) const;

  std::vector<Pack> packs_;
  std::vector<Index> vertex_of_;  // of each point
  std::vector<Row4<Real>> own_;   // gradient of a point by its own vertex
  std::vector<Range> nodes_of_;
  Links nodes_;  // from points to vertices
  std::vector<Vertex> vertices_;
  Links reached_by_;  // from vertices to points
};

}  // namespace sinew
