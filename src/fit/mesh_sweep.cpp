#include "fit/mesh_sweep.h"

#include <sinew/error.h>

#include <algorithm>
#include <variant>

#include "constraints/cell_lengths.h"
#include "constraints/distance.h"
#include "constraints/plain_cells.h"

namespace sinew::fit {
namespace {

constexpr int kEdgeClass = 0, kFaceClass = 1, kDiagonalClass = 2, kVolumeClass = 3;

Vec3T<double> at(const Vector& u, Index node) {
  return {u[3 * node], u[3 * node + 1], u[3 * node + 2]};
}

}  // namespace

MeshSweep::MeshSweep(const BodyMesh& mesh, const std::vector<double>& inverse_mass,
                     const ClassFlags& active)
    : inverse_mass_(inverse_mass) {
  for (const Vec3& x : vertices_of(mesh)) rest_.push_back(to_double(x));
  std::visit(
      [&]<class Cell>(const Mesh<Cell>& m) {
        std::vector<Segment> pairs;
        std::vector<int> kinds;
        const CellLengths lengths = lengths_of(m);
        const CellPairs lists[] = {lengths.edges, lengths.faces, lengths.diagonals};
        for (const int kind : {kEdgeClass, kFaceClass, kDiagonalClass})
          for (const Cell& cell : m.cells)
            for (const auto& [a, b] : lists[kind])
              if (active[std::size_t(kind)])
                pairs.push_back({cell[std::size_t(a)], cell[std::size_t(b)]}),
                    kinds.push_back(kind);
        add_batch<DistanceConstraint>(pairs, kinds);
        if (!active[kVolumeClass]) return;
        kinds.assign(m.cells.size(), kVolumeClass);
        if constexpr (std::is_same_v<Mesh<Cell>, HexMesh>) {
          add_batch<HexahedronVolumeConstraint<false>>(m.cells, kinds);
          add_batch<HexahedronVolumeConstraint<true>>(m.cells, kinds);
        } else if constexpr (std::is_same_v<Mesh<Cell>, TetMesh>) {
          add_batch<TetrahedronVolumeConstraint>(m.cells, kinds);
        }
      },
      mesh);
}

// Colour after colour, as ColouredPacks has it; within a colour the order does not matter.
template <class C, std::size_t N>
void MeshSweep::add_batch(const std::vector<std::array<Index, N>>& cells,
                          const std::vector<int>& kinds) {
  const std::vector<int> colour = colour_cells<std::array<Index, N>>(cells, rest_.size());
  std::vector<Index> order(cells.size());
  for (Index i = 0; i < order.size(); ++i) order[i] = i;
  std::stable_sort(order.begin(), order.end(),
                   [&](Index a, Index b) { return colour[a] < colour[b]; });
  for (const Index i : order) append<C>(kinds[i], cells[i]);
}

template <class C, std::size_t N>
void MeshSweep::append(int kind, const std::array<Index, N>& nodes) {
  Vec3T<double> x[N], gradient[N];
  for (std::size_t n = 0; n < N; ++n) x[n] = rest_[nodes[n]];
  C::value(typename C::template Rest<double>{0}, x, gradient);
  double mobility = 0;
  for (std::size_t n = 0; n < N; ++n)
    mobility += inverse_mass_[nodes[n]] * dot(gradient[n], gradient[n]);
  if (!(mobility > 0)) return;  // nothing of it can move
  constraints_.push_back({kind, int(nodes_.size()), int(N)});
  for (std::size_t n = 0; n < N; ++n) {
    nodes_.push_back(nodes[n]);
    gradients_.push_back(gradient[n]);
    moves_.push_back(gradient[n] * (inverse_mass_[nodes[n]] / mobility));
  }
}

double MeshSweep::violation(const One& one, const Vector& u) const {
  double sum = 0;
  for (int i = one.first; i < one.first + one.count; ++i)
    sum += dot(gradients_[std::size_t(i)], at(u, nodes_[std::size_t(i)]));
  return sum;
}

void MeshSweep::move(const One& one, double by, Vector& u) const {
  for (int i = one.first; i < one.first + one.count; ++i) {
    const Vec3T<double> step = moves_[std::size_t(i)] * by;
    double* const at_node = &u[3 * nodes_[std::size_t(i)]];
    at_node[0] += step.x, at_node[1] += step.y, at_node[2] += step.z;
  }
}

void MeshSweep::forward(const ClassValues& k, Vector& u) const {
  for (const One& one : constraints_) move(one, -k[std::size_t(one.kind)] * violation(one, u), u);
}

void MeshSweep::backward(const ClassValues& k, Vector& u) const {
  for (auto one = constraints_.rbegin(); one != constraints_.rend(); ++one)
    move(*one, -k[std::size_t(one->kind)] * violation(*one, u), u);
}

void MeshSweep::jacobi(const ClassValues& k, double relaxation, Vector& u) const {
  const Vector seen = u;
  for (const One& one : constraints_)
    move(one, -relaxation * k[std::size_t(one.kind)] * violation(one, seen), u);
}

Vector MeshSweep::corrections(int kind, const Vector& u) const {
  Vector sum(u.size());
  for (const One& one : constraints_)
    if (one.kind == kind) move(one, violation(one, u), sum);
  return sum;
}

}  // namespace sinew::fit
