#include "fit/displacements.h"

#include <sinew/error.h>

#include <limits>

namespace sinew::fit {
namespace {

constexpr int kLoads = 128;  // every other one is for training, the rest for the test

// Indices of the freedoms that are not held.
std::vector<int> free_freedoms(const Cell& cell) {
  std::vector<int> indices;
  for (int i = 0; i < cell.freedoms(); ++i)
    if (!cell.held[std::size_t(i / cell.dimension)]) indices.push_back(i);
  return indices;
}

Matrix restricted(const Matrix& whole, const std::vector<int>& indices) {
  Matrix part(int(indices.size()));
  for (int i = 0; i < part.size(); ++i)
    for (int j = 0; j < part.size(); ++j)
      part(i, j) = whole(indices[std::size_t(i)], indices[std::size_t(j)]);
  return part;
}

// Points that fill the cube [-1, 1)^d evenly, so that a few dozen loads weigh all directions alike:
// multiples of (1/φ, 1/φ², …), modulo 1, with φ^(d+1) = φ + 1 (the additive sequence of Roberts).
class EvenPoints {
 public:
  explicit EvenPoints(int dimension) : at_(std::size_t(dimension), 0.5) {
    double phi = 1.5;
    for (int i = 0; i < 60; ++i) phi = std::pow(1 + phi, 1.0 / (dimension + 1));
    for (int i = 1; i <= dimension; ++i) stride_.push_back(std::pow(phi, -i));
  }
  Vector next() {
    Vector point;
    for (std::size_t i = 0; i < at_.size(); ++i) {
      at_[i] = std::fmod(at_[i] + stride_[i], 1);
      point.push_back(2 * at_[i] - 1);
    }
    return point;
  }

 private:
  Vector at_, stride_;
};

// Loads that vary linearly over the cell, as a smooth traction does: pulls, shears, bends and
// twists in all proportions.
std::vector<LoadCase> make_cases(const Cell& cell, const Cholesky& element) {
  const int dimension = cell.dimension;
  EvenPoints points(dimension * (1 + dimension));
  std::vector<LoadCase> cases;
  for (int i = 0; i < kLoads; ++i) {
    const Vector coefficients = points.next();
    Vector load;
    for (std::size_t node = 0; node < cell.rest.size(); ++node)
      for (int axis = 0; axis < dimension && !cell.held[node]; ++axis) {
        const double* c = &coefficients[std::size_t(axis * (1 + dimension))];
        double force = *c;
        for (int along = 0; along < dimension; ++along) force += *++c * cell.rest[node][along];
        load.push_back(force);
      }
    Vector displacement = element.solve(load);
    cases.push_back({std::move(load), std::move(displacement)});
  }
  return cases;
}

Matrix weighted_sum(const std::vector<Matrix>& matrices, const Vector& k) {
  Matrix sum(matrices[0].size());
  for (std::size_t i = 0; i < matrices.size(); ++i) sum.add(k[i], matrices[i]);
  return sum;
}

}  // namespace

DisplacementProblem::DisplacementProblem(const Cell& cell, const Matrix& element,
                                         std::vector<Matrix> projections, int iterations)
    : projections_(std::move(projections)),
      iterations_(iterations),
      // (1 − a)ⁿ > −1/3 for odd n; |1 − a| < 1 for even n.
      projection_max_(iterations % 2 == 0 ? 2 : 1 + std::pow(1.0 / 3, 1.0 / iterations)) {
  const std::vector<int> free = free_freedoms(cell);
  for (const ConstraintClass& c : cell.classes)
    free_projections_.push_back(restricted(projection_matrix(cell, c, cell.held), free));
  // Positive definite for every ν between −1 and ½, but near those limits not in floating point.
  const auto factor = Cholesky::factor(restricted(element, free));
  if (!factor) throw Error("fit: poisson is too close to -1 or 0.5 to compute displacements");
  for (LoadCase& load : make_cases(cell, *factor))
    (training_.size() == test_.size() ? training_ : test_).push_back(std::move(load));
}

std::optional<DisplacementProblem::Response> DisplacementProblem::response(const Vector& k) const {
  // The cell must be stable, whether it is free or held.
  for (const std::vector<Matrix>* projections : {&projections_, &free_projections_}) {
    Matrix margin((*projections)[0].size());
    margin.add(projection_max_, identity(margin.size())).add(-1, weighted_sum(*projections, k));
    if (!Cholesky::factor(margin)) return std::nullopt;
  }

  const int n = free_projections_[0].size();
  Matrix steps = power(identity(n).add(-1, weighted_sum(free_projections_, k)), iterations_);
  auto stiffness = Cholesky::factor(identity(n).add(-1, steps));
  if (!stiffness) return std::nullopt;
  return Response{std::move(*stiffness), std::move(steps)};
}

Vector DisplacementProblem::Response::displacement(double stretch, const Vector& load) const {
  Vector prediction = load;
  for (double& g : prediction) g *= stretch;
  return stiffness.solve(steps * prediction);
}

std::optional<Vector> DisplacementProblem::displacement(const Vector& k, double stretch,
                                                        const Vector& load) const {
  const auto found = response(k);
  if (!found) return std::nullopt;
  return found->displacement(stretch, load);
}

double DisplacementProblem::error(const std::vector<LoadCase>& cases, const Vector& k,
                                  double stretch) const {
  const auto found = response(k);
  if (!found) return std::numeric_limits<double>::infinity();
  double sum = 0;
  for (const LoadCase& c : cases) {
    Vector difference = found->displacement(stretch, c.load);
    for (std::size_t i = 0; i < difference.size(); ++i) difference[i] -= c.displacement[i];
    sum += dot(difference, difference) / dot(c.displacement, c.displacement);
  }
  return std::sqrt(sum / double(cases.size()));
}

double DisplacementProblem::training_error(const Vector& k, double stretch) const {
  return error(training_, k, stretch);
}
double DisplacementProblem::test_error(const Vector& k, double stretch) const {
  return error(test_, k, stretch);
}

}  // namespace sinew::fit
