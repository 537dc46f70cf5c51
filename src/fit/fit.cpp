// fit_stiffness() and fit_springs(): the fitting thesis, chapter 4 and §2.2.1.
//
// With ĉ = ∇C/|∇C| at rest, a correction for a small displacement u is −k ĉĉᵀu. By eq. 4.4, with
// the sign that makes it a stiffness, K_PBD = (m/Δt²) Σ k ĉĉᵀ: linear in the stiffnesses, and so
// eq. 4.6 is a convex quadratic in at most four variables between 0 and 1, solved exactly.
#include <sinew/error.h>
#include <sinew/fit.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/format.h"
#include "fit/box_quadratic.h"
#include "fit/cell.h"
#include "fit/displacements.h"
#include "fit/nelder_mead.h"

namespace sinew {
namespace {

using namespace fit;

void check_positive(const char* field, double value, const char* unit) {
  if (!(std::isfinite(value) && value > 0))
    throw Error(formatted("fit: {} is {} {}; it must be greater than 0", field, value, unit));
}

void check_not_negative(const char* field, double value, const char* unit) {
  if (!(std::isfinite(value) && value >= 0))
    throw Error(formatted("fit: {} is {} {}; it must be at least 0", field, value, unit));
}

void check_element(const FitRequest& r) {
  check_positive("young", r.young, "Pa");
  if (!(r.poisson > -1 && r.poisson < 0.5))
    throw Error(
        formatted("fit: poisson is {}; it must be between -1 and 0.5, without them", r.poisson));
  check_positive("size", r.size, "m");
  if (r.cell == FitCell::kTriangle) check_positive("thickness", r.thickness, "m");
}

void check(const FitRequest& r) {
  constexpr int kIterationsMax = 10000;
  check_element(r);
  check_positive("density", r.density, "kg/m³");
  check_not_negative("vertex_mass", r.vertex_mass, "kg");
  check_not_negative("step", r.step, "s");
  if (r.iterations < 1 || r.iterations > kIterationsMax)
    throw Error(
        formatted("fit: iterations is {}; it must be from 1 to {}", r.iterations, kIterationsMax));
  if (r.fit_step && r.objective != FitObjective::kDisplacements)
    throw Error("fit: fit_step is set; only objective displacements can vary the step");
}

// Everything with ‖K_FEM‖ = 1: the stiffnesses depend on the material by ν alone.
struct Problem {
  explicit Problem(const FitRequest& r)
      : cell(make_cell(r.cell)), element(element_stiffness(r.cell, cell, r.poisson, r.shear)) {
    const double raw = norm(element);
    const double scale = r.cell == FitCell::kTriangle ? r.thickness : r.size / kEdge;
    element_norm = r.young * scale * raw;
    if (!(std::isfinite(element_norm) && element_norm > 0))
      throw Error(
          formatted("fit: young is {} Pa; the stiffness is beyond the range of numbers", r.young));
    Matrix unit(element.size());
    element = unit.add(1 / raw, element);
    for (const ConstraintClass& c : cell.classes)
      projections.push_back(r.finite_differences ? projection_matrix_by_differences(cell, c)
                                                 : projection_matrix(cell, c));
  }

  // The stiffnesses up to `upper` for which Σ k_i A_i is nearest to `factor` K/‖K‖.
  Vector nearest(double factor, const Vector& upper) const {
    const int n = int(projections.size());
    Matrix g(n);
    Vector r(projections.size());
    for (int i = 0; i < n; ++i) {
      r[std::size_t(i)] = factor * inner(projections[std::size_t(i)], element);
      for (int j = 0; j < n; ++j)
        g(i, j) = inner(projections[std::size_t(i)], projections[std::size_t(j)]);
    }
    return minimise_in_box(g, r, upper);
  }

  // ‖(I − Sⁿ)/factor − K/‖K‖‖, S = I − Σ k_i A_i: eq. 4.8 with the displacement that all iterations
  // of a step make.
  double matrix_error(double factor, const Vector& k, int iterations) const {
    const Matrix one = identity(element.size());
    Matrix iteration = one;
    for (std::size_t i = 0; i < k.size(); ++i) iteration.add(-k[i], projections[i]);
    Matrix difference = power(std::move(iteration), iterations);
    difference.add(-1, one).add(factor, element);
    return norm(difference) / factor;
  }

  Cell cell;
  Matrix element;       // K_FEM/‖K_FEM‖
  double element_norm;  // [N/m]
  std::vector<Matrix> projections;
};

double vertex_mass(const FitRequest& r, const Cell& cell) {
  if (r.vertex_mass > 0) return r.vertex_mass;
  const double scale = r.size / kEdge;
  const double depth = r.cell == FitCell::kTriangle ? r.thickness : scale;
  return r.density * cell.measure * scale * scale * depth / double(cell.rest.size());
}

// Upper bounds: 1, or 0 for what is not to be used.
Vector stiffness_limits(const FitRequest& r, const Cell& cell, double most) {
  Vector upper;
  for (const ConstraintClass& c : cell.classes)
    upper.push_back(c.kind == ConstraintClass::kVolume && !r.volume ? 0 : most);
  return upper;
}

// §3.2: n corrections by k' leave as much of an error as one by k.
Vector spread(Vector k, int iterations) {
  for (double& value : k) value = -std::expm1(std::log1p(-value) / iterations);
  return k;
}

PbdStiffness named(const Cell& cell, const Vector& k) {
  PbdStiffness result;
  double* const fields[] = {&result.edge, &result.face, &result.diagonal, &result.volume};
  for (std::size_t i = 0; i < k.size(); ++i) *fields[cell.classes[i].kind] = k[i];
  return result;
}

struct Candidate {
  Vector k;
  double stretch;  // Δt² ‖K_FEM‖/m
};

Candidate fit_displacements(const FitRequest& r, const Problem& problem,
                            const DisplacementProblem& displacements, const Vector& matrix_k,
                            double stretch) {
  // With fit_step the last variable is the logarithm of the step against the one to start from.
  constexpr double kLogStepMax = 2.3;  // a factor of ten either way
  const std::size_t n = problem.projections.size();
  fit::Box box{Vector(n), stiffness_limits(r, problem.cell, 1)};
  box.lower.push_back(r.fit_step ? -kLogStepMax : 0);
  box.upper.push_back(r.fit_step ? kLogStepMax : 0);
  if (!r.fit_step) box.lower.pop_back(), box.upper.pop_back();
  const auto candidate = [&](const Vector& v) {
    Candidate c{Vector(v.begin(), v.begin() + std::ptrdiff_t(n)), stretch};
    if (r.fit_step) c.stretch *= std::exp(2 * v[n]);
    return c;
  };
  NelderMead search(
      [&](const Vector& v) {
        const Candidate c = candidate(v);
        return displacements.training_error(c.k, c.stretch);
      },
      box);
  Minimum best{{}, std::numeric_limits<double>::infinity()};
  for (Vector start : {spread(matrix_k, r.iterations), matrix_k}) {
    if (r.fit_step) start.push_back(0);
    Minimum found = search.minimise(start, 0.5);
    if (best.at.empty() || found.value < best.value) best = std::move(found);
  }
  return candidate(best.at);
}

}  // namespace

FitResult fit_stiffness(const FitRequest& request) {
  check(request);
  const Problem problem(request);
  FitResult result;
  result.vertex_mass = vertex_mass(request, problem.cell);
  const double natural_step = std::sqrt(result.vertex_mass / problem.element_norm);
  result.step = request.step > 0 ? request.step : natural_step;
  const double ratio = result.step / natural_step;
  const double stretch = ratio * ratio;
  if (!(std::isfinite(stretch) && stretch > 0))
    throw Error(formatted(
        "fit: step is {} s, too far from √(m/‖K‖), {} s, to be computed with; use a size, "
        "density and step nearer to 1",
        result.step, natural_step));

  const Vector upper = stiffness_limits(request, problem.cell, 1);
  const Vector matrix_k = problem.nearest(stretch, upper);
  const Vector spread_k = spread(matrix_k, request.iterations);
  const DisplacementProblem displacements(problem.cell, problem.element, problem.projections,
                                          request.iterations);
  result.matrix_test_error = displacements.test_error(matrix_k, stretch);
  result.spread_matrix_test_error = displacements.test_error(spread_k, stretch);

  Candidate chosen{spread_k, stretch};
  if (request.objective == FitObjective::kDisplacements) {
    chosen = fit_displacements(request, problem, displacements, matrix_k, stretch);
    result.step = natural_step * std::sqrt(chosen.stretch);
  }
  result.matrix_error = problem.matrix_error(chosen.stretch, chosen.k, request.iterations);
  result.stiffness = named(problem.cell, chosen.k);
  result.training_error = displacements.training_error(chosen.k, chosen.stretch);
  result.test_error = displacements.test_error(chosen.k, chosen.stretch);
  return result;
}

SpringFit fit_springs(const FitRequest& request) {
  check_element(request);
  FitRequest springs = request;
  springs.volume = false;
  const Problem problem(springs);
  // A spring's matrix is [nnᵀ −nnᵀ; −nnᵀ nnᵀ] = 2ĉĉᵀ.
  const Vector k = problem.nearest(
      1, stiffness_limits(springs, problem.cell, std::numeric_limits<double>::infinity()));
  const PbdStiffness unit = named(problem.cell, k);
  const double scale = problem.element_norm / 2;
  return {unit.edge * scale, unit.face * scale, unit.diagonal * scale,
          problem.matrix_error(1, k, 1)};
}

}  // namespace sinew
