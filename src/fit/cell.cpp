#include "fit/cell.h"

#include <cmath>

namespace sinew::fit {
namespace {

Constraint distance(const std::vector<Point>& rest, int i, int j) {
  Constraint c;
  c.ends = {i, j};
  c.rest = length(rest[std::size_t(i)] - rest[std::size_t(j)]);
  return c;
}

// Facets come in any order of their corners and are turned outward, away from the origin.
Constraint enclosed(const std::vector<Point>& rest, std::vector<std::array<int, 3>> facets) {
  Constraint c;
  for (auto& [i, j, k] : facets) {
    const Point normal = cross(rest[std::size_t(i)], rest[std::size_t(j)]);
    if ((k < 0 ? normal.z : dot(normal, rest[std::size_t(k)])) < 0) std::swap(i, j);
  }
  c.facets = std::move(facets);
  std::vector<Point> gradient;
  c.rest = c.evaluate(rest, gradient);
  return c;
}

// All pairs of particles at a given distance.
ConstraintClass pairs(ConstraintClass::Kind kind, const std::vector<Point>& rest, double apart) {
  ConstraintClass result{kind, {}, 1};
  for (int i = 0; i < int(rest.size()); ++i)
    for (int j = i + 1; j < int(rest.size()); ++j) {
      Constraint c = distance(rest, i, j);
      if (std::abs(c.rest - apart) < 1e-9) result.constraints.push_back(std::move(c));
    }
  return result;
}

// Faces are cut along parallel diagonals on opposite sides; the second constraint takes the other
// diagonal everywhere, so that together they favour no vertex.
ConstraintClass cube_volume(const std::vector<Point>& rest) {
  static constexpr int kFaces[6][4] = {{0, 1, 2, 3}, {4, 5, 6, 7}, {0, 1, 5, 4},
                                       {3, 2, 6, 7}, {1, 2, 6, 5}, {0, 3, 7, 4}};
  ConstraintClass result{ConstraintClass::kVolume, {}, 0.5};
  for (const int first : {0, 1}) {
    std::vector<std::array<int, 3>> facets;
    for (const auto& face : kFaces) {
      const auto corner = [&](int i) { return face[(first + i) % 4]; };
      facets.push_back({corner(0), corner(1), corner(2)});
      facets.push_back({corner(0), corner(2), corner(3)});
    }
    result.constraints.push_back(enclosed(rest, std::move(facets)));
  }
  return result;
}

Cell hexahedron() {
  Cell cell;
  for (const double z : {-1.0, 1.0})
    for (const auto& [x, y] : {std::pair{1.0, -1.0}, {1.0, 1.0}, {-1.0, 1.0}, {-1.0, -1.0}})
      cell.rest.push_back({x, y, z});
  cell.held = {true, true, true, true, false, false, false, false};
  cell.classes = {pairs(ConstraintClass::kEdge, cell.rest, kEdge),
                  pairs(ConstraintClass::kFace, cell.rest, kEdge * std::sqrt(2.0)),
                  pairs(ConstraintClass::kDiagonal, cell.rest, kEdge * std::sqrt(3.0)),
                  cube_volume(cell.rest)};
  cell.measure = kEdge * kEdge * kEdge;
  return cell;
}

Cell tetrahedron() {
  Cell cell;
  const double s = std::sqrt(0.5);  // alternate corners of a cube of side √2
  cell.rest = {{s, s, s}, {s, -s, -s}, {-s, s, -s}, {-s, -s, s}};
  cell.held = {true, true, true, false};
  ConstraintClass volume{ConstraintClass::kVolume, {}, 1};
  volume.constraints = {enclosed(cell.rest, {{0, 1, 2}, {0, 1, 3}, {0, 2, 3}, {1, 2, 3}})};
  cell.measure = volume.constraints[0].rest / 6;
  cell.classes = {pairs(ConstraintClass::kEdge, cell.rest, kEdge), std::move(volume)};
  return cell;
}

Cell triangle() {
  Cell cell;
  cell.dimension = 2;
  const double r = 1 / std::sqrt(3.0);
  cell.rest = {{-1, -r, 0}, {1, -r, 0}, {0, 2 * r, 0}};
  cell.held = {true, true, false};
  ConstraintClass area{ConstraintClass::kVolume, {}, 1};
  area.constraints = {enclosed(cell.rest, {{0, 1, -1}, {1, 2, -1}, {2, 0, -1}})};
  cell.measure = area.constraints[0].rest / 2;
  cell.classes = {pairs(ConstraintClass::kEdge, cell.rest, kEdge), std::move(area)};
  return cell;
}

double squared(const std::vector<Point>& vectors) {
  double sum = 0;
  for (const Point& v : vectors) sum += dot(v, v);
  return sum;
}

}  // namespace

double Constraint::evaluate(const std::vector<Point>& positions,
                            std::vector<Point>& gradient) const {
  gradient.assign(positions.size(), {});
  if (facets.empty()) {
    const auto i = std::size_t(ends[0]), j = std::size_t(ends[1]);
    const Point apart = positions[i] - positions[j];
    const double now = length(apart);
    gradient[i] = apart / now;
    gradient[j] = -gradient[i];
    return now - rest;
  }
  const auto position = [&](int i) { return i < 0 ? Point{0, 0, 1} : positions[std::size_t(i)]; };
  double sum = 0;
  for (const auto& facet : facets) {
    const Point a = position(facet[0]), b = position(facet[1]), c = position(facet[2]);
    sum += dot(cross(a, b), c);
    gradient[std::size_t(facet[0])] += cross(b, c);
    gradient[std::size_t(facet[1])] += cross(c, a);
    if (facet[2] >= 0) gradient[std::size_t(facet[2])] += cross(a, b);
  }
  return sum - rest;
}

Cell make_cell(FitCell kind) {
  switch (kind) {
    case FitCell::kTetrahedron:
      return tetrahedron();
    case FitCell::kTriangle:
      return triangle();
    case FitCell::kHexahedron:
      break;
  }
  return hexahedron();
}

namespace {

// Returns what is left of |∇C|².
double hold(std::vector<Point>& gradient, const Held& held) {
  for (std::size_t i = 0; i < held.size(); ++i)
    if (held[i]) gradient[i] = {};
  return squared(gradient);
}

}  // namespace

std::vector<Point> project(const ConstraintClass& constraints, const std::vector<Point>& positions,
                           const Held& held) {
  std::vector<Point> corrections(positions.size()), gradient;
  for (const Constraint& constraint : constraints.constraints) {
    const double value = constraint.evaluate(positions, gradient);
    const double mobility = hold(gradient, held);
    const double factor = mobility > 0 ? -constraints.weight * value / mobility : 0;
    for (std::size_t i = 0; i < gradient.size(); ++i) corrections[i] += gradient[i] * factor;
  }
  return corrections;
}

Matrix projection_matrix(const Cell& cell, const ConstraintClass& constraints, const Held& held) {
  Matrix sum(cell.freedoms());
  std::vector<Point> gradient;
  for (const Constraint& constraint : constraints.constraints) {
    constraint.evaluate(cell.rest, gradient);
    const double mobility = hold(gradient, held);
    if (!(mobility > 0)) continue;
    Vector flat;
    for (const Point& g : gradient)
      for (int axis = 0; axis < cell.dimension; ++axis) flat.push_back(g[axis]);
    sum.add_square(constraints.weight / mobility, flat);
  }
  return sum;
}

Matrix projection_matrix_by_differences(const Cell& cell, const ConstraintClass& constraints) {
  constexpr double kStep = 1e-6;
  Matrix derivative(cell.freedoms());
  std::vector<Point> positions = cell.rest;
  for (int column = 0; column < cell.freedoms(); ++column) {
    double& moved = positions[std::size_t(column / cell.dimension)][column % cell.dimension];
    const double rest = moved;
    moved = rest + kStep;
    const std::vector<Point> ahead = project(constraints, positions);
    moved = rest - kStep;
    const std::vector<Point> behind = project(constraints, positions);
    moved = rest;
    for (int row = 0; row < cell.freedoms(); ++row) {
      const auto particle = std::size_t(row / cell.dimension);
      const int axis = row % cell.dimension;
      derivative(row, column) = (behind[particle][axis] - ahead[particle][axis]) / (2 * kStep);
    }
  }
  return derivative;
}

}  // namespace sinew::fit
