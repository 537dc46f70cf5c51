#include "variational/variational_body.h"

#include <fmt/format.h>
#include <sinew/error.h>

#include "variational/newton.h"
#include "variational/quasi_newton.h"

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
  Result operator()(const HexMesh&) const { return nullptr; }
  Result operator()(const LineMesh&) const { return nullptr; }
};

struct Chosen {
  std::size_t rows;
  VariationalBody& body;

  void operator()(const Position&) const {}
  // Full steps by the matrix alone, which the line search never shortens. But of contact the matrix
  // knows nothing: steps that are short enough for it would be so for all the rest, too.
  void operator()(const Projective& s) const {
    constexpr int kHistoryInContact = 5;
    body.substeps = s.substeps;
    body.stop = {s.iterations, double(s.tolerance)};
    body.finder = std::make_unique<QuasiNewtonDirection>(rows, kHistoryInContact, true);
  }
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

void check_projective(const Solver& solver, const EnergyTerm& term, const std::string& what) {
  if (std::holds_alternative<Projective>(solver) && !term.projective())
    throw Error(fmt::format(
        "{} is not the square of a distance, which the solver \"projective\" needs; use "
        "\"quasi_newton\"",
        what));
}

std::unique_ptr<VariationalBody> make_variational_body(
    const SoftBody& body, std::vector<std::unique_ptr<EnergyTerm>> constraints,
    const std::vector<Real>& mass, int packs, Real margin) {
  auto v = std::make_unique<VariationalBody>();
  const std::size_t rows = std::size_t(packs) * kLanes;
  std::unique_ptr<ElementsEnergy> elements =
      std::visit(Make{body, stretches_of(body.solver)}, body.mesh);
  if (!elements)
    throw Error("its solver is for tetrahedra and triangles; use \"position\" for other meshes");
  const char* material = std::visit([](const auto& m) { return m.kName; }, body.material);
  check_projective(
      body.solver, *elements,
      fmt::format("the energy of the material \"{}\" (unlike \"arap\" and \"none\")", material));
  v->objective.terms.push_back(std::move(elements));
  for (auto& term : constraints) v->objective.terms.push_back(std::move(term));
  v->objective.mass = mass;
  v->objective.mass.resize(rows);
  v->descent.resize(rows, v->objective.scale());
  v->contact.resize(packs, margin);
  std::visit(Chosen{rows, *v}, body.solver);
  return v;
}

}  // namespace sinew
