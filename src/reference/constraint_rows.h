// Constraints of rigid bodies as textbooks write them: all rows in one dense box LCP with
//   A = J M⁻¹ Jᵀ,
// solved directly or by projected Gauss–Seidel, in double (Kenwright and Morgan, "Constraint
// equations" and code 7). Slow and plain: what the engine's own solver, which never forms A, is
// checked against; and where the forms of a constraint are compared (`sinew reproduce
// constraint-forms`).
//
// A row is c = 0, or c ≥ 0 with lower = 0. Its multiplier λ is a force along Jᵀ; v the velocities:
//   kVelocity       J v⁺ = 0                                     (eq. 12)
//   kBaumgarte      J v⁺ + β (c + λ compliance) = 0              (eq. 25; β in 1/s)
//   kAcceleration   J a + J̇ v + 2α J v + β² (c + λ compliance) = 0
// for v⁺ = v + Δt M⁻¹ (F + Jᵀ λ) and a = M⁻¹ (F + Jᵀ λ). The first two have the impulse Δt λ as
// unknown, the last the force λ. β = 1/Δt mends an error in one step; beyond 2/Δt it is blown up.
#pragma once

#include <sinew/lcp.h>
#include <sinew/math.h>

#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "rigid/body_rows.h"

namespace sinew::reference {

using Vec = Vec3T<double>;

struct Body {
  InverseMass<double> inverse;  // zero: immovable
  Vec position;                 // of the centre of mass [m]
  QuatT<double> turn = {};
  Twist<double> velocity;  // [m/s], [rad/s]
  Vec force, torque;       // from outside [N], [N m]
};

// A point mass: it has no orientation that would matter.
Body point_mass(const Vec& position, double mass);

// Stands for the world in a row.
inline constexpr int kWorld = -1;

struct Row {
  int a = kWorld, b = kWorld;  // indices of bodies
  Twist<double> jacobian_a, jacobian_b;
  double error = 0;  // c [m] or [rad]
  double rate = 0;   // J̇ v, the part of c̈ that no acceleration makes; kAcceleration only
  double lower = -std::numeric_limits<double>::infinity();  // of λ [N] or [N m]
  double upper = std::numeric_limits<double>::infinity();
  double compliance = 0;  // [m/N] or [rad/(N m)]
};

// Point `arm_a` of a stays at point `arm_b` of b, both from the centres, in the world's frame:
// three rows (Kenwright and Morgan eq. 34). With b the world it is a nail at arm_b (eq. 35).
// Erratum: eq. 33 swaps r₀ and r₁; eq. 34 has them right.
void add_ball(std::vector<Row>& rows, std::span<const Body> bodies, int a, const Vec& arm_a, int b,
              const Vec& arm_b);
// The centres of a and b keep their distance (eq. 37); with b the world, a and the point `anchor`.
// Where they coincide the direction is y.
void add_distance(std::vector<Row>& rows, std::span<const Body> bodies, int a, int b, double length,
                  const Vec& anchor = {});
// The same as a limit: they may come nearer. Only there when it is taut ("if c ≤ 0").
void add_rope(std::vector<Row>& rows, std::span<const Body> bodies, int a, int b, double length,
              const Vec& anchor = {});
// a stays above b along the unit vector `normal` (eq. 42): c = gap ≥ 0, pushed only.
// Erratum: eq. 45 spreads the one row of eq. 44 over three, and has = 0 for ≥ 0.
void add_contact(std::vector<Row>& rows, std::span<const Body> bodies, int a, const Vec& arm_a,
                 int b, const Vec& arm_b, const Vec& normal, double gap);

enum class ConstraintForm { kVelocity, kBaumgarte, kAcceleration };

struct Settings {
  ConstraintForm form = ConstraintForm::kBaumgarte;
  double dt = 1.0 / 60;                // [s]
  double alpha = 0;                    // kAcceleration: damping [1/s]
  double beta = 12;                    // kBaumgarte, kAcceleration: [1/s]
  std::optional<PgsOptions> pgs = {};  // none: solve_dantzig()
};

// The LCP of one step; w is the velocity of the rows after it (or their acceleration), with the
// terms of c.
BoxLcp assemble(std::span<const Body> bodies, std::span<const Row> rows, const Settings& settings);

// v⁺ from the unknowns of assemble(), then positions with v⁺.
void advance(std::span<Body> bodies, std::span<const Row> rows, std::span<const double> x,
             const Settings& settings);

// Both, with the LCP solved in between. Where the direct solver finds no solution the bodies move
// with what 50 sweeps of projected Gauss–Seidel make of it; the status is then the direct solver's.
// `start` warms projected Gauss–Seidel.
LcpSolution step(std::span<Body> bodies, std::span<const Row> rows, const Settings& settings,
                 std::span<const double> start = {});

// Kinetic energy plus −F·x of the forces that act now [J].
double energy(std::span<const Body> bodies);

}  // namespace sinew::reference
