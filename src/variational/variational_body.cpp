#include "variational/variational_body.h"

#include "variational/fibres_energy.h"
#include "variational/newton.h"
#include "variational/quasi_newton.h"
#include "variational/viscosity_energy.h"

namespace sinew {
namespace {

struct Make {
  const SoftBody& body;
  StretchInterval stretches;
  using Result = std::unique_ptr<ElementsEnergy>;

  Result operator()(const TetMesh& mesh) const {
    return make_tetrahedra_energy(mesh, body, stretches);
  }
  Result operator()(const TriMesh& mesh) const {
    return make_triangles_energy(mesh, body, stretches);
  }
  Result operator()(const HexMesh& mesh) const {
    return make_hexahedra_energy(mesh, body, stretches);
  }
  Result operator()(const LineMesh& mesh) const { return make_lines_energy(mesh, body); }
};

struct Chosen {
  std::size_t rows;
  VariationalBody& body;

  void operator()(const Position&) const {}
  void operator()(const QuasiNewton& s) const {
    body.substeps = s.substeps;
    body.stop = {s.iterations, double(s.tolerance)};
    body.finder = std::make_unique<QuasiNewtonDirection>(rows, s.history);
  }
  void operator()(const Newton& s) const {
    body.substeps = s.substeps;
    body.stop = {s.iterations, double(s.tolerance)};
    body.finder = std::make_unique<NewtonDirection>(rows, s);
  }
};

StretchInterval stretches_of(const Solver& solver) {
  return std::visit(
      [](const auto& s) -> StretchInterval {
        if constexpr (requires { s.stretch_min; })
          return {double(s.stretch_min), double(s.stretch_max)};
        else
          return {};
      },
      solver);
}

}  // namespace

std::unique_ptr<VariationalBody> make_variational_body(const SoftBody& body,
                                                       const std::vector<Real>& mass, int packs,
                                                       Real margin) {
  auto v = std::make_unique<VariationalBody>();
  const std::size_t rows = std::size_t(packs) * kLanes;
  v->objective.terms.push_back(std::visit(Make{body, stretches_of(body.solver)}, body.mesh));
  add_fibres(body, v->objective.terms);
  add_viscosity(body, v->objective.terms);
  v->objective.mass = mass;
  v->objective.mass.resize(rows);
  v->descent.resize(rows, v->objective.scale());
  v->contact.resize(packs, margin);
  std::visit(Chosen{rows, *v}, body.solver);
  return v;
}

}  // namespace sinew
