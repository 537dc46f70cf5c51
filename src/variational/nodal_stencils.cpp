#include "variational/nodal_stencils.h"

#include "core/parallel.h"

namespace sinew {
namespace {

constexpr int kBlock = 256;  // vertices

typedef Real Four __attribute__((vector_size(4 * sizeof(Real)), may_alias));

SINEW_INLINE const Four& four(const Row4<Real>& row) { return reinterpret_cast<const Four&>(row); }
SINEW_INLINE Four& four(Row4<Real>& row) { return reinterpret_cast<Four&>(row); }

}  // namespace

NodalStencils::NodalStencils(const NodalPoints& all, double mu, std::size_t vertex_count) {
  const std::size_t count = all.points.size();
  std::vector<Links> reached(vertex_count);
  for (std::size_t p = 0; p < count; ++p) {
    const NodalPoint& point = all.points[p];
    vertex_of_.push_back(point.vertex);
    nodes_of_.push_back({point.begin, point.end});
    Row4<Real> own{};
    for (int k = point.begin; k < point.end; ++k) {
      const NodalNode& n = all.nodes[k];
      const Row4<Real> b{Real(n.gradient.x), Real(n.gradient.y), Real(n.gradient.z),
                         Real(mu * n.laplacian)};
      nodes_.add(b, n.vertex);
      reached[n.vertex].add({b.x, b.y, b.z, 0}, static_cast<Index>(p));
      own = {own.x - b.x, own.y - b.y, own.z - b.z, 0};
    }
    own_.push_back(own);
    reached[point.vertex].add(own, static_cast<Index>(p));

    const int lane = static_cast<int>(p % kLanes);
    if (lane == 0) packs_.push_back({{}, Wide(Real(0)), Wide(Real(0)), 0});
    Pack& pack = packs_.back();
    for (int i = lane; i < kLanes; ++i) pack.node[0][i] = point.vertex;
    set_lane(pack.weight, lane, Real(point.weight));
    set_lane(pack.stabiliser, lane, Real(2 * point.share * mu * point.weight));
    pack.count = lane + 1;
  }
  for (std::size_t p = 0; p < count;) {
    const Index v = vertex_of_[p];
    const int first = static_cast<int>(p), begin = static_cast<int>(reached_by_.to.size());
    while (p < count && vertex_of_[p] == v) ++p;
    for (std::size_t k = 0; k < reached[v].to.size(); ++k)
      reached_by_.add(reached[v].b[k], reached[v].to[k]);
    vertices_.push_back(
        {v, {begin, static_cast<int>(reached_by_.to.size())}, {first, static_cast<int>(p)}});
  }
}

void NodalStencils::deform(std::size_t pack, const Row4<Real>* x, NodalRows* rows) const {
  const std::size_t first = pack * kLanes;
  const int count = packs_[pack].count;
  for (int i = 0; i < count; ++i) {
    const Range range = nodes_of_[first + i];
    const Four at = four(x[vertex_of_[first + i]]);
    Four f0{}, f1{}, f2{}, pull{}, energy{};
    for (int k = range.begin; k < range.end; ++k) {
      const Four b = four(nodes_.b[k]), d = four(x[nodes_.to[k]]) - at;
      f0 += d * b[0];
      f1 += d * b[1];
      f2 += d * b[2];
      pull += d * b[3];
      energy += d * d * b[3];
    }
    four(rows[i].column[0]) = f0;
    four(rows[i].column[1]) = f1;
    four(rows[i].column[2]) = f2;
    four(rows[i].laplacian) = -pull;
    rows[i].laplacian.w = (energy[0] + energy[1] + energy[2]) * Real(0.25);
  }
  for (int i = count; i < kLanes; ++i)
    rows[i] = {{{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}}, {0, 0, 0, 0}};
}

void NodalStencils::add_forces(const NodalRows* rows, Row4<Real>* gradient,
                               Executor& executor) const {
  parallel_for(executor, static_cast<int>(vertices_.size()), kBlock, [&](int begin, int end) {
    for (int i = begin; i < end; ++i) {
      const Vertex& v = vertices_[i];
      Four force{};
      for (int p = v.own.begin; p < v.own.end; ++p) force += four(rows[p].laplacian);
      Four f0{}, f1{}, f2{};
      for (int k = v.reached.begin; k < v.reached.end; ++k) {
        const NodalRows& from = rows[reached_by_.to[k]];
        const Four b = four(reached_by_.b[k]);
        f0 += four(from.column[0]) * b[0];
        f1 += four(from.column[1]) * b[1];
        f2 += four(from.column[2]) * b[2];
      }
      force += f0 + f1 + f2;
      force[3] = 0;
      four(gradient[v.vertex]) += force;
    }
  });
}

void NodalStencils::spread(std::vector<char>& marked, std::vector<char>& scratch) const {
  scratch = marked;
  for (std::size_t p = 0; p < vertex_of_.size(); ++p)
    for (int k = nodes_of_[p].begin; k < nodes_of_[p].end; ++k)
      if (marked[nodes_.to[k]]) scratch[vertex_of_[p]] = 1;
  marked.swap(scratch);
}

// f(vertex, b); the Laplacian is 0 for the point's own vertex.
template <class F>
void NodalStencils::for_each_node(std::size_t point, F&& f) const {
  f(vertex_of_[point], own_[point]);
  for (int k = nodes_of_[point].begin; k < nodes_of_[point].end; ++k) f(nodes_.to[k], nodes_.b[k]);
}

void NodalStencils::add_hessian(std::size_t point, const Real (&tangent)[9][9],
                                BlockSymmetric& hessian) const {
  const Pack& pack = packs_[point / kLanes];
  const int in_pack = static_cast<int>(point % kLanes);
  const Real weight = lane(pack.weight, in_pack), stabiliser = lane(pack.stabiliser, in_pack);
  const Index own = vertex_of_[point];
  for_each_node(point, [&](Index i, const Row4<Real>& bi) {
    Real half[3][9];  // ω bᵢ C
    for (int r = 0; r < 3; ++r)
      for (int c = 0; c < 9; ++c)
        half[r][c] =
            weight * (bi.x * tangent[r][c] + bi.y * tangent[3 + r][c] + bi.z * tangent[6 + r][c]);
    for_each_node(point, [&](Index j, const Row4<Real>& bj) {
      if (j > i) return;
      const Real less = stabiliser * (bi.x * bj.x + bi.y * bj.y + bi.z * bj.z);
      Mat3 block;
      for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 3; ++c)
          block(r, c) = half[r][c] * bj.x + half[r][3 + c] * bj.y + half[r][6 + c] * bj.z -
                        (r == c ? less : 0);
      hessian.add(static_cast<int>(i), static_cast<int>(j), block);
    });
    // The other half of what joins the two comes from the point at the other end.
    const Real l = bi.w;
    hessian.add(static_cast<int>(own), static_cast<int>(own), Mat3::diagonal({l, l, l}));
    if (i != own)
      hessian.add(static_cast<int>(own), static_cast<int>(i),
                  Mat3::diagonal({-l / 2, -l / 2, -l / 2}));
  });
}

void NodalStencils::add_pattern(MetricEntries& entries) const {
  for (std::size_t p = 0; p < vertex_of_.size(); ++p)
    for_each_node(p, [&](Index i, const Row4<Real>&) {
      for_each_node(p, [&](Index j, const Row4<Real>&) {
        if (j <= i) entries.push_back({static_cast<int>(i), static_cast<int>(j), 0});
      });
    });
}

}  // namespace sinew
