// The cells that stiffnesses are fitted for: particles at the vertices of a cube, a regular
// tetrahedron or an equilateral triangle, and the constraints between them (the fitting thesis
// §4.2). Edges have length 2, the centre is the origin: sizes come in by scaling.
#pragma once

#include <sinew/fit.h>
#include <sinew/math.h>

#include <array>
#include <vector>

#include "fit/dense.h"

namespace sinew::fit {

using Point = Vec3T<double>;
inline constexpr double kEdge = 2;

// A function of the positions that is 0 at rest. With facets it is a measure of what they enclose,
//   C = Σ (p1 × p2) · p3 − rest   (six volumes), or Σ (p1 × p2)_z − rest   (two areas),
// else a distance, C = |p1 − p2| − rest.
struct Constraint {
  std::vector<std::array<int, 3>> facets;  // of a flat cell: two ends, and -1
  std::array<int, 2> ends{};               // of a distance
  double rest = 0;

  // C, and its gradient for each particle.
  double evaluate(const std::vector<Point>& positions, std::vector<Point>& gradient) const;
};

// Constraints that share a stiffness k. Each has the share `weight` of it.
struct ConstraintClass {
  enum Kind { kEdge, kFace, kDiagonal, kVolume } kind;
  std::vector<Constraint> constraints;
  double weight = 1;
};

struct Cell {
  int dimension = 3;  // freedoms of a particle
  std::vector<Point> rest;
  std::vector<bool> held;  // one face, in displacements: no rigid motion is left
  std::vector<ConstraintClass> classes;
  double measure = 0;  // volume, or area

  int freedoms() const { return dimension * int(rest.size()); }
};

Cell make_cell(FitCell kind);

// Particles without mobility, w = 0; empty: none.
using Held = std::vector<bool>;

// The sum of the corrections of a class for stiffness 1 (eq. 3.3, equal masses).
std::vector<Point> project(const ConstraintClass& constraints, const std::vector<Point>& positions,
                           const Held& held = {});

// Σ ĉĉᵀ over the constraints of a class, ĉ = ∇C/|∇C| at rest: minus the derivative of project().
// Gradients of held particles are zero; a constraint between held ones alone does nothing.
Matrix projection_matrix(const Cell& cell, const ConstraintClass& constraints,
                         const Held& held = {});
// The same by central differences of project(), as the fitting thesis does it.
Matrix projection_matrix_by_differences(const Cell& cell, const ConstraintClass& constraints);

// Of the linear finite element with E = 1, edge 2 and, if flat, thickness 1. It grows with E and
// with the edge, or with the thickness.
Matrix element_stiffness(FitCell kind, const Cell& cell, double poisson, FitShear shear);

}  // namespace sinew::fit
