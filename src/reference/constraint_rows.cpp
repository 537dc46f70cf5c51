// The textbook's engine: rows to a dense LCP, and a step of semi-implicit Euler (Kenwright and
// Morgan, eq. 19 to 24). Errata: eq. 16 line 2 must be x + v⁺ Δt; eq. 20 line 1 has ω for the
// torque.
#include "reference/constraint_rows.h"

#include <sinew/error.h>

#include <cmath>

#include "core/format.h"

namespace sinew::reference {
namespace {

constexpr Vec kAxes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};

double product(const Twist<double>& j, const Twist<double>& v) {
  return dot(j.linear, v.linear) + dot(j.angular, v.angular);
}

Twist<double> inverse_mass_times(const Body& body, const Twist<double>& impulse) {
  return {impulse.linear * body.inverse.mass, body.inverse.inertia * impulse.angular};
}

void check(std::span<const Body> bodies, std::span<const Row> rows, const Settings& settings) {
  if (!(settings.dt > 0 && std::isfinite(settings.dt)))
    throw Error(formatted("reference: dt is {}; it must be positive", settings.dt));
  const int n = static_cast<int>(bodies.size());
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (const int body : {rows[i].a, rows[i].b})
      if (body < kWorld || body >= n)
        throw Error(formatted("reference: row {} is of body {}; there are {}", i, body, n));
}

// One body's part in a row.
struct Side {
  int body;
  const Twist<double>* jacobian;
};

std::vector<Side> sides(const Row& row) {
  std::vector<Side> both;
  if (row.a != kWorld) both.push_back({row.a, &row.jacobian_a});
  if (row.b != kWorld) both.push_back({row.b, &row.jacobian_b});
  return both;
}

double velocity_of(std::span<const Body> bodies, const Row& row) {
  double sum = 0;
  for (const Side& side : sides(row))
    sum += product(*side.jacobian, bodies[std::size_t(side.body)].velocity);
  return sum;
}

double acceleration_of(std::span<const Body> bodies, const Row& row) {
  double sum = 0;
  for (const Side& side : sides(row)) {
    const Body& body = bodies[std::size_t(side.body)];
    sum += product(*side.jacobian, inverse_mass_times(body, {body.force, body.torque}));
  }
  return sum;
}

const Body& body_or_world(std::span<const Body> bodies, int index) {
  static const Body world{};
  return index == kWorld ? world : bodies[std::size_t(index)];
}

// ω × (ω × arm): how a point of a turning body falls to its centre.
Vec centripetal(const Body& body, const Vec& arm) {
  return cross(body.velocity.angular, cross(body.velocity.angular, arm));
}

// c = sign (distance − length), along the line from b to a.
Row along_line(std::span<const Body> bodies, int a, int b, double length, const Vec& anchor,
               double sign) {
  const Body &first = body_or_world(bodies, a), &second = body_or_world(bodies, b);
  const Vec d = first.position - (b == kWorld ? anchor : second.position);
  const double distance = sinew::length(d);
  const Vec n = distance > 0 ? d / distance : Vec{0, 1, 0};
  const Vec v = first.velocity.linear - second.velocity.linear;
  const double along = dot(n, v);
  const double across2 = std::fmax(0, dot(v, v) - along * along);
  return {.a = a,
          .b = b,
          .jacobian_a = {n * sign, {}},
          .jacobian_b = {n * -sign, {}},
          .error = sign * (distance - length),
          .rate = distance > 0 ? sign * across2 / distance : 0};
}

}  // namespace

Body point_mass(const Vec& position, double mass) {
  Body body;
  body.inverse.mass = mass > 0 ? 1 / mass : 0;
  body.position = position;
  return body;
}

void add_ball(std::vector<Row>& rows, std::span<const Body> bodies, int a, const Vec& arm_a, int b,
              const Vec& arm_b) {
  const Body &first = body_or_world(bodies, a), &second = body_or_world(bodies, b);
  const Vec error = first.position + arm_a - second.position - arm_b;
  const Vec rate = centripetal(first, arm_a) - centripetal(second, arm_b);
  for (int axis = 0; axis < 3; ++axis)
    rows.push_back({.a = a,
                    .b = b,
                    .jacobian_a = {kAxes[axis], cross(arm_a, kAxes[axis])},
                    .jacobian_b = {-kAxes[axis], -cross(arm_b, kAxes[axis])},
                    .error = error[axis],
                    .rate = rate[axis]});
}

void add_distance(std::vector<Row>& rows, std::span<const Body> bodies, int a, int b, double length,
                  const Vec& anchor) {
  rows.push_back(along_line(bodies, a, b, length, anchor, 1));
}

void add_rope(std::vector<Row>& rows, std::span<const Body> bodies, int a, int b, double length,
              const Vec& anchor) {
  Row row = along_line(bodies, a, b, length, anchor, -1);
  row.lower = 0;
  if (row.error <= 0) rows.push_back(row);
}

void add_contact(std::vector<Row>& rows, std::span<const Body> bodies, int a, const Vec& arm_a,
                 int b, const Vec& arm_b, const Vec& normal, double gap) {
  const Body &first = body_or_world(bodies, a), &second = body_or_world(bodies, b);
  rows.push_back({.a = a,
                  .b = b,
                  .jacobian_a = {normal, cross(arm_a, normal)},
                  .jacobian_b = {-normal, -cross(arm_b, normal)},
                  .error = gap,
                  .rate = dot(normal, centripetal(first, arm_a) - centripetal(second, arm_b)),
                  .lower = 0});
}

BoxLcp assemble(std::span<const Body> bodies, std::span<const Row> rows, const Settings& settings) {
  check(bodies, rows, settings);
  const double dt = settings.dt, beta = settings.beta;
  BoxLcp lcp = BoxLcp::free_of(rows.size());
  for (std::size_t i = 0; i < rows.size(); ++i) {
    for (std::size_t j = 0; j < rows.size(); ++j)
      for (const Side& left : sides(rows[i]))
        for (const Side& right : sides(rows[j]))
          if (left.body == right.body)
            lcp.at(i, j) +=
                product(*left.jacobian,
                        inverse_mass_times(bodies[std::size_t(left.body)], *right.jacobian));
    const Row& row = rows[i];
    const double v = velocity_of(bodies, row), a = acceleration_of(bodies, row);
    const bool forces = settings.form == ConstraintForm::kAcceleration;
    lcp.lower[i] = forces ? row.lower : row.lower * dt;
    lcp.upper[i] = forces ? row.upper : row.upper * dt;
    switch (settings.form) {
      case ConstraintForm::kVelocity:
        lcp.b[i] = v + dt * a;
        break;
      case ConstraintForm::kBaumgarte:
        lcp.b[i] = v + dt * a + beta * row.error;
        lcp.at(i, i) += beta * row.compliance / dt;
        break;
      case ConstraintForm::kAcceleration:
        lcp.b[i] = a + row.rate + 2 * settings.alpha * v + beta * beta * row.error;
        lcp.at(i, i) += beta * beta * row.compliance;
        break;
    }
  }
  return lcp;
}

void advance(std::span<Body> bodies, std::span<const Row> rows, std::span<const double> x,
             const Settings& settings) {
  const double dt = settings.dt;
  for (Body& body : bodies) {
    const Twist<double> change = inverse_mass_times(body, {body.force * dt, body.torque * dt});
    body.velocity.linear += change.linear;
    body.velocity.angular += change.angular;
  }
  const double impulse = settings.form == ConstraintForm::kAcceleration ? dt : 1;
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (const Side& side : sides(rows[i])) {
      Body& body = bodies[std::size_t(side.body)];
      const Twist<double> change = inverse_mass_times(body, *side.jacobian);
      body.velocity.linear += change.linear * (x[i] * impulse);
      body.velocity.angular += change.angular * (x[i] * impulse);
    }
  for (Body& body : bodies) {
    body.position += body.velocity.linear * dt;
    const Vec h = body.velocity.angular * (dt / 2);
    const QuatT<double> q = body.turn, spin = QuatT<double>{h.x, h.y, h.z, 0} * q;
    body.turn = normalized(QuatT<double>{q.x + spin.x, q.y + spin.y, q.z + spin.z, q.w + spin.w});
  }
}

LcpSolution step(std::span<Body> bodies, std::span<const Row> rows, const Settings& settings,
                 std::span<const double> start) {
  const BoxLcp lcp = assemble(bodies, rows, settings);
  LcpSolution solution = settings.pgs ? solve_pgs(lcp, *settings.pgs, start) : solve_dantzig(lcp);
  if (!settings.pgs && solution.status != LcpStatus::kSolved) {
    const LcpSolution nearly = solve_pgs(lcp, {.sweeps = 50});
    solution.x = nearly.x;
    solution.residual = nearly.residual;
  }
  advance(bodies, rows, solution.x, settings);
  return solution;
}

double energy(std::span<const Body> bodies) {
  double sum = 0;
  for (const Body& body : bodies) {
    const auto& [v, spin] = body.velocity;
    if (body.inverse.mass > 0)
      sum += dot(v, v) / body.inverse.mass / 2 - dot(body.force, body.position);
    const Sym3T<double>& i = body.inverse.inertia;
    const Mat3T<double> m{{{i.xx, i.xy, i.xz}, {i.xy, i.yy, i.yz}, {i.xz, i.yz, i.zz}}};
    if (determinant(m) > 0) sum += dot(spin, inverse(m) * spin) / 2;
  }
  return sum;
}

}  // namespace sinew::reference
