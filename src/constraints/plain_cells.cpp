#include "constraints/plain_cells.h"

#include <sinew/error.h>

#include "constraints/cell_lengths.h"
#include "constraints/distance.h"
#include "constraints/scalar_batch.h"
#include "constraints_functions.h"

namespace sinew {
namespace {

class Adder {
 public:
  Adder(const PlainCells& definition, BatchList& batches)
      : definition_(definition), batches_(batches) {}

  void operator()(const LineMesh& mesh) {
    check_no_diagonals();
    add_lengths(mesh, lengths_of(mesh).edges, definition_.edge);
    finish_lengths(mesh);
  }
  void operator()(const TriMesh& mesh) {
    check_no_diagonals();
    add_lengths(mesh, lengths_of(mesh).edges, definition_.edge);
    finish_lengths(mesh);
    add_measures<TriangleAreaConstraint>(mesh, definition_.volume);
  }
  void operator()(const TetMesh& mesh) {
    check_no_diagonals();
    add_lengths(mesh, lengths_of(mesh).edges, definition_.edge);
    finish_lengths(mesh);
    add_measures<TetrahedronVolumeConstraint>(mesh, definition_.volume);
  }
  void operator()(const HexMesh& mesh) {
    add_lengths(mesh, lengths_of(mesh).edges, definition_.edge);
    add_lengths(mesh, lengths_of(mesh).faces, definition_.face);
    add_lengths(mesh, lengths_of(mesh).diagonals, definition_.diagonal);
    finish_lengths(mesh);
    add_measures<HexahedronVolumeConstraint<false>>(mesh, definition_.volume / 2);
    add_measures<HexahedronVolumeConstraint<true>>(mesh, definition_.volume / 2);
  }

 private:
  using Lengths = ScalarBatch<DistanceConstraint, Wide>;

  void check_no_diagonals() const {
    if (definition_.face > 0 || definition_.diagonal > 0)
      throw Error("face and diagonal are for hexahedra; leave them out for other meshes");
  }

  template <class Cell>
  void add_lengths(const Mesh<Cell>& mesh, CellPairs pairs, Real k) {
    if (!(k > 0)) return;
    for (const Cell& cell : mesh.cells)
      for (const auto& [a, b] : pairs)
        lengths_.push_back(
            {{cell[a], cell[b]},
             {length(to_double(mesh.vertices[cell[b]]) - to_double(mesh.vertices[cell[a]]))},
             double(k)});
  }
  template <class Cell>
  void finish_lengths(const Mesh<Cell>& mesh) {
    if (lengths_.empty()) return;
    batches_.push_back(
        std::make_unique<Lengths>(lengths_, mesh.vertices.size(), StiffnessKind::kPlain));
  }

  template <class C, class Cell>
  void add_measures(const Mesh<Cell>& mesh, Real k) {
    if (!(k > 0)) return;
    std::vector<typename ScalarBatch<C, Wide>::Item> items;
    for (const Cell& cell : mesh.cells) {
      Vec3T<double> x[C::kNodes], gradient[C::kNodes];
      for (int n = 0; n < C::kNodes; ++n) x[n] = to_double(mesh.vertices[cell[n]]);
      items.push_back(
          {cell, {C::value(typename C::template Rest<double>{0}, x, gradient)}, double(k)});
    }
    batches_.push_back(
        std::make_unique<ScalarBatch<C, Wide>>(items, mesh.vertices.size(), StiffnessKind::kPlain));
  }

  const PlainCells& definition_;
  BatchList& batches_;
  std::vector<Lengths::Item> lengths_;
};

}  // namespace

void add_batches(const PlainCells& definition, const ConstraintSource& body, BatchList& batches) {
  std::visit(Adder(definition, batches), body.mesh);
}

void add_energies(const PlainCells&, const ConstraintSource&, EnergyList&) {
  throw Error(
      "constraint plain_cells has plain stiffnesses, for the solver \"position\"; give the body a "
      "material instead, or take distance and cell_volume");
}

}  // namespace sinew
