#include "variational/variational_body.h"

#include <sinew/error.h>

#include <algorithm>
#include <cmath>

#include "core/format.h"
#include "variational/fibres_energy.h"
#include "variational/newton.h"
#include "variational/quasi_newton.h"
#include "variational/regions.h"
#include "variational/viscosity_energy.h"

namespace sinew {
namespace {

// Explicit steps are stable while the fastest vibration turns by less than 2 in one; half of that
// is left for what deformation stiffens.
constexpr double kExplicitAngle = 1;
// More than this are not done: the body is as stiff as so many can bear.
constexpr int kExplicitSubsteps = 1000;

struct Make {
  const SoftBody& body;
  StretchInterval stretches;
  using Result = std::unique_ptr<ElementsEnergy>;

  Result operator()(const TetMesh& mesh) const {
    return body.tetrahedra == TetIntegration::kAveraged
               ? make_averaged_tetrahedra_energy(mesh, body, stretches)
               : make_tetrahedra_energy(mesh, body, stretches);
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
  // Full steps by the matrix alone, which the line search never shortens. But of contact the matrix
  // knows nothing: steps that are short enough for it would be so for all the rest, too.
  void operator()(const Projective& s) const {
    constexpr int kHistoryInContact = 5;
    iterate(s);
    body.finder = std::make_unique<QuasiNewtonDirection>(
        rows, kHistoryInContact, QuasiNewtonDirection::Remembers::kWhileTouching);
  }
  void operator()(const Explicit& s) const {
    body.substeps = s.substeps;
    body.explicit_method = s.method;
    if (s.substeps == 0) body.frequency = body.objective.highest_frequency();
  }
  void operator()(const QuasiNewton& s) const {
    iterate(s);
    body.finder = std::make_unique<QuasiNewtonDirection>(
        rows, s.history, QuasiNewtonDirection::Remembers::kAcrossSteps);
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

// A power of two, some times the size of the body. It is seen from no further than that.
double grid_of(std::span<const Vec3> vertices) {
  constexpr double kSizes = 4;
  double size = 0;
  for (const Vec3& x : vertices)
    size = std::max(size, length(to_double(x) - to_double(vertices[0])));
  int exponent = 0;
  std::frexp(kSizes * size, &exponent);
  return size > 0 ? std::ldexp(1.0, exponent) : 1;
}

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

ElementSummary PartsMeasure::summary(const Row4<Real>* x) const {
  ElementSummary all;
  for (const ElementsEnergy* part : parts) {
    const ElementSummary one = part->summary(x);
    all.volume += one.volume;
    all.inverted += one.inverted;
    all.strain_max = std::max(all.strain_max, one.strain_max);
  }
  return all;
}

int PartsMeasure::count() const {
  int sum = 0;
  for (const ElementsEnergy* part : parts) sum += part->count();
  return sum;
}

int PartsMeasure::slack_count() const {
  int sum = 0;
  for (const ElementsEnergy* part : parts) sum += part->slack_count();
  return sum;
}

int VariationalBody::substeps_in(Real dt) const {
  if (substeps > 0) return substeps;
  const double needed = std::ceil(double(dt) * frequency / kExplicitAngle);
  return static_cast<int>(std::clamp(needed, 1.0, double(kExplicitSubsteps)));
}

double VariationalBody::stiffness_in(Real dt) const {
  if (substeps > 0) return 1;
  const double bearable = kExplicitSubsteps * kExplicitAngle / double(dt);
  return frequency > bearable ? std::pow(bearable / frequency, 2) : 1;
}

Vec3T<double> VariationalBody::move_origin(const Vec3T<double>& place) {
  const Vec3T<double> before = origin;
  for (int k = 0; k < 3; ++k)
    if (std::isfinite(place[k]) && !(std::abs(place[k] - origin[k]) <= grid))
      origin[k] = std::round(place[k] / grid) * grid;
  const Vec3T<double> by = before - origin;
  if (dot(by, by) > 0) {
    descent.move(by);
    move_rows(by, position_before);
  }
  return by;
}

void check_projective(const Solver& solver, const EnergyTerm& term, const std::string& what) {
  if (std::holds_alternative<Projective>(solver) && !term.projective())
    throw Error(
        formatted("{} is not the square of a distance, which the solver \"projective\" needs; use "
                  "\"quasi_newton\"",
                  what));
}

std::unique_ptr<VariationalBody> make_variational_body(
    const SoftBody& body, std::vector<std::unique_ptr<EnergyTerm>> constraints,
    const std::vector<Real>& mass, int packs, Real margin) {
  auto v = std::make_unique<VariationalBody>();
  const std::size_t rows = std::size_t(packs) * kLanes;
  for (const SoftBody& part : parts_of(body)) {
    std::unique_ptr<ElementsEnergy> elements =
        std::visit(Make{part, stretches_of(body.solver)}, part.mesh);
    const char* material = std::visit([](const auto& m) { return m.kName; }, part.material);
    if (!std::holds_alternative<None>(part.material))
      check_projective(
          body.solver, *elements,
          std::holds_alternative<HexMesh>(part.mesh)
              ? "the energy of hexahedra (unlike that of tetrahedra, and of constraints alone with "
                "the material \"none\")"
              : formatted("the energy of the material \"{}\" (unlike \"arap\" and \"none\")",
                          material));
    v->elements.parts.push_back(elements.get());
    v->objective.terms.push_back(std::move(elements));
    add_fibres(part, v->objective.terms);
    const std::size_t before = v->objective.terms.size();
    add_viscosity(part, v->objective.terms);
    for (std::size_t i = before; i < v->objective.terms.size(); ++i)
      check_projective(body.solver, *v->objective.terms[i], "damping");
  }
  if (body.damping > 0 && std::holds_alternative<Explicit>(body.solver))
    throw Error(
        "damping is found at the end of a step, where the solver \"explicit\" does not look; leave "
        "it "
        "out, use drag, or another solver");
  for (auto& term : constraints) v->objective.terms.push_back(std::move(term));
  v->objective.mass = mass;
  v->objective.mass.resize(rows);
  v->descent.resize(rows, v->objective.scale());
  for (auto* r : {&v->rigid, &v->position_before, &v->velocity_before, &v->pushed}) r->resize(rows);
  v->contact.resize(packs, margin);
  v->grid = grid_of(vertices_of(body.mesh));
  std::visit(Chosen{rows, *v}, body.solver);
  return v;
}

}  // namespace sinew
