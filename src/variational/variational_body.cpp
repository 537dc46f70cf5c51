#include "variational/variational_body.h"

#include <algorithm>
#include <cmath>

#include "variational/fibres_energy.h"
#include "variational/newton.h"
#include "variational/quasi_newton.h"
#include "variational/viscosity_energy.h"

namespace sinew {
namespace {

// Explicit steps are stable while the fastest vibration turns by less than 2 in one; half of that
// is left for what deformation stiffens.
constexpr double kExplicitAngle = 1;
constexpr int kExplicitSubsteps = 100000;

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
  void operator()(const Explicit& s) const {
    body.substeps = s.substeps;
    body.explicit_method = s.method;
    if (s.substeps == 0) body.frequency = body.objective.highest_frequency();
  }
  void operator()(const QuasiNewton& s) const {
    iterate(s);
    body.finder = std::make_unique<QuasiNewtonDirection>(rows, s.history);
  }
  void operator()(const Newton& s) const {
    iterate(s);
    body.finder = std::make_unique<NewtonDirection>(rows, s);
  }

  template <class Implicit>
  void iterate(const Implicit& s) const {
    body.substeps = s.substeps;
    body.stop = {s.iterations, double(s.tolerance), double(s.budget) * 1e-6};
    body.integrator = s.integrator;
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

int VariationalBody::substeps_in(Real dt) const {
  if (substeps > 0) return substeps;
  const double needed = std::ceil(double(dt) * frequency / kExplicitAngle);
  return static_cast<int>(std::clamp(needed, 1.0, double(kExplicitSubsteps)));
}

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
  for (auto* r : {&v->rigid, &v->position_before, &v->velocity_before}) r->resize(rows);
  v->contact.resize(packs, margin);
  std::visit(Chosen{rows, *v}, body.solver);
  return v;
}

}  // namespace sinew
