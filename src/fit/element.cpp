// The linear finite elements that the fit compares with: K = ∫ Bᵀ D B (the fitting thesis §2.1),
// with engineering shear strains.
#include <cmath>

#include "fit/cell.h"

namespace sinew::fit {
namespace {

// Rows and columns: normal strains, then shears.
Matrix elasticity(int dimension, double poisson, FitShear shear) {
  const double nu = poisson;
  const double shear_factor = shear == FitShear::kDoubled ? 2 : 1;
  Matrix d(dimension == 3 ? 6 : 3);
  const double scale = dimension == 3 ? 1 / ((1 + nu) * (1 - 2 * nu)) : 1 / (1 - nu * nu);
  const double along = dimension == 3 ? 1 - nu : 1;  // plane stress: 1
  for (int i = 0; i < dimension; ++i)
    for (int j = 0; j < dimension; ++j) d(i, j) = scale * (i == j ? along : nu);
  for (int i = dimension; i < d.size(); ++i) d(i, i) = shear_factor / (2 * (1 + nu));
  return d;
}

// K += factor Bᵀ D B for the gradients of the shape functions at one point.
void add_point(Matrix& stiffness, const Cell& cell, const std::vector<Point>& gradients,
               const Matrix& d, double factor) {
  const int dimension = cell.dimension, strains = d.size(), freedoms = cell.freedoms();
  std::vector<Vector> b(static_cast<std::size_t>(strains), Vector(std::size_t(freedoms)));
  for (int node = 0; node < int(gradients.size()); ++node) {
    const Point& g = gradients[std::size_t(node)];
    const auto entry = [&](int strain, int axis) -> double& {
      return b[std::size_t(strain)][std::size_t(node * dimension + axis)];
    };
    for (int axis = 0; axis < dimension; ++axis) entry(axis, axis) = g[axis];
    for (int shear = 0; shear < strains - dimension; ++shear) {
      const int i = shear, j = (shear + 1) % dimension;
      entry(dimension + shear, i) = g[j];
      entry(dimension + shear, j) = g[i];
    }
  }
  for (int s = 0; s < strains; ++s)
    for (int t = 0; t < strains; ++t)
      if (d(s, t) != 0)
        for (int i = 0; i < freedoms; ++i)
          for (int j = 0; j < freedoms; ++j)
            stiffness(i, j) += factor * d(s, t) * b[std::size_t(s)][std::size_t(i)] *
                               b[std::size_t(t)][std::size_t(j)];
}

}  // namespace

Matrix element_stiffness(FitCell kind, const Cell& cell, double poisson, FitShear shear) {
  Matrix stiffness(cell.freedoms());
  const Matrix d = elasticity(cell.dimension, poisson, shear);
  std::vector<Point> gradients(cell.rest.size());
  if (kind != FitCell::kHexahedron) {
    // A linear shape function has the gradient of the cell's measure, divided by the measure.
    const Constraint& measure = cell.classes.back().constraints[0];
    measure.evaluate(cell.rest, gradients);
    for (Point& g : gradients) g = g / measure.rest;
    add_point(stiffness, cell, gradients, d, cell.measure);
    return stiffness;
  }
  // N = (1 + x x_i)(1 + y y_i)(1 + z z_i)/8: with edges of 2, places are natural coordinates.
  const double gauss = 1 / std::sqrt(3.0);
  for (const Point& corner : cell.rest) {
    const Point at = corner * gauss;
    for (std::size_t node = 0; node < cell.rest.size(); ++node) {
      const Point& p = cell.rest[node];
      const Point factor{1 + at.x * p.x, 1 + at.y * p.y, 1 + at.z * p.z};
      gradients[node] =
          Point{p.x * factor.y * factor.z, factor.x * p.y * factor.z, factor.x * factor.y * p.z} /
          8.0;
    }
    add_point(stiffness, cell, gradients, d, 1);
  }
  return stiffness;
}

}  // namespace sinew::fit
