// The textbook's engine of constraints (reference/constraint_rows.h) against what can be had by
// hand: the worked examples of Kenwright and Morgan, recurrences, periods, finite differences.
#include <cmath>
#include <numbers>
#include <random>

#include "reference/constraint_rows.h"
#include "support.h"

namespace sinew::reference {
namespace {

constexpr double kGravity = 9.81;
constexpr double kPi = std::numbers::pi;

Body falling(const Vec& position, double mass = 1) {
  Body body = point_mass(position, mass);
  body.force = {0, -kGravity * mass, 0};
  return body;
}

TEST(ConstraintForms, BodyAtRestIsStopped) {
  // Figure 6: a velocity of −1 and its weight are cancelled.
  std::vector<Body> bodies{falling({}, 2)};
  bodies[0].velocity.linear = {0, -1, 0};
  std::vector<Row> rows;
  add_contact(rows, bodies, 0, {}, kWorld, {}, {0, 1, 0}, 0);
  const LcpSolution s = step(bodies, rows, {.form = ConstraintForm::kVelocity, .dt = 0.1});
  EXPECT_NEAR(s.x[0], 2 * (1 + 0.1 * kGravity), 1e-12);
  EXPECT_NEAR(bodies[0].velocity.linear.y, 0, 1e-12);
}

TEST(ConstraintForms, StackBearsWhatIsAbove) {
  // Figure 7: three equal bodies, the one in the middle moves down with 1 m/s.
  for (const bool direct : {true, false}) {
    std::vector<Body> bodies{falling({0, 0, 0}), falling({0, 1, 0}), falling({0, 2, 0})};
    bodies[1].velocity.linear = {0, -1, 0};
    std::vector<Row> rows;
    for (int i = 0; i < 3; ++i) add_contact(rows, bodies, i, {}, i - 1, {}, {0, 1, 0}, 0);
    Settings settings{.form = ConstraintForm::kVelocity, .dt = 0.1};
    if (!direct) settings.pgs = PgsOptions{.sweeps = 500, .tolerance = 1e-10};
    const LcpSolution s = step(bodies, rows, settings);
    EXPECT_EQ(s.status, LcpStatus::kSolved);
    const double weight = 0.1 * kGravity;
    EXPECT_NEAR(s.x[0], 3 * weight + 1, 1e-7);
    EXPECT_NEAR(s.x[1], 2 * weight + 1, 1e-7);
    EXPECT_NEAR(s.x[2], weight, 1e-7);
    for (const Body& body : bodies) EXPECT_NEAR(body.velocity.linear.y, 0, 1e-7);
  }
}

TEST(ConstraintForms, SeparatingContactsLetGo) {
  std::vector<Body> bodies{falling({})};
  bodies[0].velocity.linear = {0, 3, 0};
  std::vector<Row> rows;
  add_contact(rows, bodies, 0, {}, kWorld, {}, {0, 1, 0}, 0);
  EXPECT_EQ(step(bodies, rows, {.form = ConstraintForm::kVelocity, .dt = 0.1}).x[0], 0);
  EXPECT_NEAR(bodies[0].velocity.linear.y, 3 - 0.1 * kGravity, 1e-14);
}

class RandomBodies : public testing::Test {
 protected:
  double uniform() { return std::uniform_real_distribution<double>(-1, 1)(generator_); }
  Vec vector() { return {uniform(), uniform(), uniform()}; }
  Body body() {
    Body b = point_mass(vector(), 2 + uniform());
    b.velocity = {vector(), vector()};
    b.force = vector();
    b.torque = vector();
    // G Gᵀ + 1
    const Vec g[3] = {vector(), vector(), vector()};
    b.inverse.inertia = {1 + dot(g[0], g[0]), dot(g[0], g[1]), dot(g[0], g[2]),
                         1 + dot(g[1], g[1]), dot(g[1], g[2]), 1 + dot(g[2], g[2])};
    return b;
  }
  std::mt19937 generator_{11};
};

using AssembledRows = RandomBodies;

// J v⁺, by the bodies as they are after the step, is the w the LCP promised.
TEST_F(AssembledRows, KeepTheirPromise) {
  for (int k = 0; k < 20; ++k) {
    std::vector<Body> bodies{body(), body(), body()};
    std::vector<Row> rows;
    add_ball(rows, bodies, 0, vector(), 1, vector());
    add_ball(rows, bodies, 2, vector(), kWorld, vector());
    add_distance(rows, bodies, 0, 2, 1);
    add_contact(rows, bodies, 1, vector(), 2, vector(), normalized(vector()), 0);
    const Settings settings{.form = ConstraintForm::kVelocity, .dt = 0.01};
    const BoxLcp lcp = assemble(bodies, rows, settings);
    std::vector<double> x(rows.size());
    for (double& e : x) e = uniform();
    const std::vector<double> w = lcp_velocity(lcp, x);
    advance(bodies, rows, x, settings);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      double velocity = 0;
      const auto add = [&](int b, const Twist<double>& j) {
        if (b == kWorld) return;
        const Twist<double>& v = bodies[static_cast<std::size_t>(b)].velocity;
        velocity += dot(j.linear, v.linear) + dot(j.angular, v.angular);
      };
      add(rows[i].a, rows[i].jacobian_a);
      add(rows[i].b, rows[i].jacobian_b);
      EXPECT_NEAR(velocity, w[i], 1e-12);
      for (std::size_t j = 0; j < i; ++j) EXPECT_NEAR(lcp.at(i, j), lcp.at(j, i), 1e-13);
    }
  }
}

// c along the free motion of all bodies: its slope is J v, its curvature `rate`.
TEST_F(AssembledRows, AreDerivativesOfTheirErrors) {
  for (int k = 0; k < 20; ++k) {
    const std::vector<Body> start{body(), body()};
    const Vec arm[2] = {vector(), vector()}, normal = normalized(vector());
    const auto rows_at = [&](double t) {
      std::vector<Body> bodies = start;
      Vec arms[2];
      for (int i = 0; i < 2; ++i) {
        Body& b = bodies[static_cast<std::size_t>(i)];
        b.position += b.velocity.linear * t;
        const double speed = length(b.velocity.angular);
        arms[i] = QuatT<double>::from_axis_angle(b.velocity.angular, speed * t).rotate(arm[i]);
      }
      std::vector<Row> rows;
      add_ball(rows, bodies, 0, arms[0], 1, arms[1]);
      add_ball(rows, bodies, 0, arms[0], kWorld, {1, 2, 3});
      add_distance(rows, bodies, 0, 1, 0.5);
      add_distance(rows, bodies, 0, kWorld, 0.5, {3, 3, 3});
      const Vec gap = bodies[0].position + arms[0] - bodies[1].position - arms[1];
      add_contact(rows, bodies, 0, arms[0], 1, arms[1], normal, dot(gap, normal));
      add_rope(rows, bodies, 0, 1, 0.01);  // always taut
      return rows;
    };
    constexpr double kWay = 1e-4;
    const auto before = rows_at(-kWay), now = rows_at(0), after = rows_at(kWay);
    for (std::size_t i = 0; i < now.size(); ++i) {
      double velocity = 0;
      for (const auto& [b, j] :
           {std::pair{now[i].a, now[i].jacobian_a}, std::pair{now[i].b, now[i].jacobian_b}}) {
        if (b == kWorld) continue;
        const Twist<double>& v = start[static_cast<std::size_t>(b)].velocity;
        velocity += dot(j.linear, v.linear) + dot(j.angular, v.angular);
      }
      const double a = before[i].error, b = now[i].error, c = after[i].error;
      EXPECT_NEAR((c - a) / (2 * kWay), velocity, 1e-5) << "row " << i;
      EXPECT_NEAR((a - 2 * b + c) / (kWay * kWay), now[i].rate, 1e-4 * (1 + std::abs(now[i].rate)))
          << "row " << i;
    }
  }
}

TEST(ConstraintForms, VelocityLevelSpiralsOutwards) {
  // Without gravity the impulse acts along the rod, so that L = r × v stays; the step goes along
  // the tangent: r² ← r² + (L Δt / r)².
  const Settings settings{.form = ConstraintForm::kVelocity, .dt = 0.01};
  std::vector<Body> bodies{point_mass({1, 0, 0}, 3)};
  bodies[0].velocity.linear = {0, 2, 0};
  double r2 = 1;
  for (int k = 0; k < 1000; ++k) {
    std::vector<Row> rows;
    add_distance(rows, bodies, 0, kWorld, 1);
    step(bodies, rows, settings);
    r2 += 4 * 1e-4 / r2;
    ASSERT_NEAR(dot(bodies[0].position, bodies[0].position), r2, 1e-9);
  }
  EXPECT_NEAR(r2, std::sqrt(1 + 2 * 4 * 0.01 * 10), 1e-3);  // dr²/dt = L² Δt / r²
}

TEST(ConstraintForms, BaumgarteMendsGeometrically) {
  // A nail's Jacobian is constant: c ← (1 − β Δt) c, also beyond 2, where it grows.
  for (const double per_step : {0.1, 0.5, 1.0, 1.9, 2.1}) {
    const Settings settings{
        .form = ConstraintForm::kBaumgarte, .dt = 0.02, .beta = per_step / 0.02};
    std::vector<Body> bodies{falling({0.3, -0.2, 0.1})};
    for (int k = 1; k <= 20; ++k) {
      std::vector<Row> rows;
      add_ball(rows, bodies, 0, {}, kWorld, {});
      step(bodies, rows, settings);
      EXPECT_NEAR(bodies[0].position.x, 0.3 * std::pow(1 - per_step, k), 1e-12);
      EXPECT_NEAR(bodies[0].position.y, -0.2 * std::pow(1 - per_step, k), 1e-12);
    }
  }
}

TEST(ConstraintForms, AccelerationLevelIsADampedOscillator) {
  // c̈ + 2α ċ + β² c = 0 by semi-implicit Euler, for any force from outside.
  const double dt = 0.01, alpha = 3, beta = 5;
  const Settings settings{
      .form = ConstraintForm::kAcceleration, .dt = dt, .alpha = alpha, .beta = beta};
  std::vector<Body> bodies{falling({0, 1, 0}, 4)};
  double c = 1, rate = 0;
  for (int k = 0; k < 300; ++k) {
    std::vector<Row> rows;
    add_ball(rows, bodies, 0, {}, kWorld, {});
    step(bodies, rows, settings);
    rate += dt * (-2 * alpha * rate - beta * beta * c);
    c += dt * rate;
    ASSERT_NEAR(bodies[0].position.y, c, 1e-12);
  }
  EXPECT_LT(std::abs(c), 1e-3);
}

TEST(ConstraintForms, CompliantNailSagsByItsLoad) {
  for (const ConstraintForm form : {ConstraintForm::kBaumgarte, ConstraintForm::kAcceleration}) {
    const Settings settings{.form = form, .dt = 0.01, .alpha = 20, .beta = 20};
    std::vector<Body> bodies{falling({}, 2)};
    for (int k = 0; k < 1000; ++k) {
      std::vector<Row> rows;
      add_ball(rows, bodies, 0, {}, kWorld, {});
      for (Row& row : rows) row.compliance = 1e-3;
      step(bodies, rows, settings);
    }
    EXPECT_NEAR(bodies[0].position.y, -2 * kGravity * 1e-3, 1e-9);
  }
}

// Time between two passages through the lowest point in the same direction.
template <class AddRows>
double period_of(std::vector<Body> bodies, const Settings& settings, AddRows&& add_rows) {
  std::vector<double> crossings;
  for (int k = 0; crossings.size() < 2 && k < 100000; ++k) {
    const double before = bodies[0].position.x;
    std::vector<Row> rows;
    add_rows(rows, bodies);
    step(bodies, rows, settings);
    const double after = bodies[0].position.x;
    if (before < 0 && after >= 0)
      crossings.push_back((k + before / (before - after)) * settings.dt);
  }
  return crossings.size() == 2 ? crossings[1] - crossings[0] : 0;
}

const Settings kForms[] = {
    {.form = ConstraintForm::kVelocity, .dt = 1e-3},
    {.form = ConstraintForm::kBaumgarte, .dt = 1e-3, .beta = 200},
    {.form = ConstraintForm::kAcceleration, .dt = 1e-3, .alpha = 0, .beta = 0},
    {.form = ConstraintForm::kAcceleration, .dt = 1e-3, .alpha = 20, .beta = 20}};

TEST(ConstraintForms, PendulumHasItsPeriod) {
  const double angle = 0.2, rod = 0.8;
  const double expected = 2 * kPi * std::sqrt(rod / kGravity) * (1 + angle * angle / 16);
  for (const Settings& settings : kForms)
    EXPECT_NEAR(period_of({falling({rod * std::sin(angle), -rod * std::cos(angle), 0})}, settings,
                          [&](std::vector<Row>& rows, const std::vector<Body>& bodies) {
                            add_distance(rows, bodies, 0, kWorld, rod);
                          }),
                expected, 1e-3 * expected);
}

TEST(ConstraintForms, NailedBodyIsACompoundPendulum) {
  // Eq. 35: m = 1 kg, I = 0.1 kg m² nailed at l = 0.5 m from its centre.
  const double angle = 0.2, arm = 0.5, inertia = 0.1;
  const double expected =
      2 * kPi * std::sqrt((inertia + arm * arm) / (kGravity * arm)) * (1 + angle * angle / 16);
  Body body = falling({arm * std::sin(angle), -arm * std::cos(angle), 0});
  body.inverse.inertia = {1 / inertia, 0, 0, 1 / inertia, 0, 1 / inertia};
  body.turn = QuatT<double>::from_axis_angle({0, 0, 1}, angle);
  for (const Settings& settings : kForms)
    EXPECT_NEAR(
        period_of({body}, settings,
                  [&](std::vector<Row>& rows, const std::vector<Body>& bodies) {
                    add_ball(rows, bodies, 0, bodies[0].turn.rotate({0, arm, 0}), kWorld, {});
                  }),
        expected, 2e-3 * expected);
}

// Energy gained in 10 s by a pendulum of 1 m let go lying, in units of m g l.
double gain(const Settings& settings) {
  std::vector<Body> bodies{falling({1, 0, 0})};
  const double start = energy(bodies);
  for (int k = 0; k < 10 / settings.dt; ++k) {
    std::vector<Row> rows;
    add_distance(rows, bodies, 0, kWorld, 1);
    step(bodies, rows, settings);
  }
  return (energy(bodies) - start) / kGravity;
}

TEST(ConstraintForms, EnergyDriftHasItsSign) {
  const double dt = 1.0 / 60;
  EXPECT_LT(gain({.form = ConstraintForm::kVelocity, .dt = dt}), -0.5);
  EXPECT_LT(gain({.form = ConstraintForm::kAcceleration, .dt = dt, .beta = 0}), -1);
  EXPECT_LT(std::abs(gain({.form = ConstraintForm::kBaumgarte, .dt = dt, .beta = 1 / dt})), 0.05);
  EXPECT_GT(gain({.form = ConstraintForm::kAcceleration, .dt = dt, .alpha = 10, .beta = 10}), 0.5);
  EXPECT_GT(gain({.form = ConstraintForm::kBaumgarte, .dt = dt, .beta = 2.1 / dt}), 5);
  // All of it is of the first order in Δt.
  const double coarse = gain({.form = ConstraintForm::kVelocity, .dt = dt / 16});
  const double fine = gain({.form = ConstraintForm::kVelocity, .dt = dt / 32});
  EXPECT_NEAR(coarse / fine, 2, 0.2);
}

TEST(ConstraintForms, RopesPullOnly) {
  std::vector<Body> bodies{falling({0.2, 0, 0})};
  double most = 0;
  bool slack = false;
  for (int k = 0; k < 500; ++k) {
    std::vector<Row> rows;
    add_rope(rows, bodies, 0, kWorld, 1);
    slack = slack || rows.empty();
    const LcpSolution s = step(bodies, rows, {.dt = 0.01, .beta = 20});
    for (const double x : s.x) EXPECT_GE(x, 0);
    most = std::max(most, length(bodies[0].position));
  }
  EXPECT_TRUE(slack);
  EXPECT_GT(most, 1);
  EXPECT_LT(most, 1.05);  // a step of 1 cm of free fall, then it is taut
}

// Figure 8: nailed 3 m apart and tied at 1 m.
std::vector<Row> impossible(std::span<const Body> bodies) {
  std::vector<Row> rows;
  add_ball(rows, bodies, 0, {}, kWorld, {-1.5, 0, 0});
  add_ball(rows, bodies, 1, {}, kWorld, {1.5, 0, 0});
  add_distance(rows, bodies, 0, 1, 1);
  return rows;
}

TEST(ConstraintForms, ContradictionsStayBounded) {
  for (const int sweeps : {1, 10, 100}) {
    for (const bool warm : {false, true}) {
      SCOPED_TRACE(testing::Message() << sweeps << " sweeps, warm " << warm);
      Settings settings{.pgs = PgsOptions{.sweeps = sweeps}};
      std::vector<Body> bodies{falling({-1.5, 0, 0}), falling({1.5, 0, 0})};
      std::vector<double> last;
      for (int k = 0; k < 600; ++k) {
        const LcpSolution s = step(bodies, impossible(bodies), settings, last);
        EXPECT_NE(s.status, LcpStatus::kSolved);
        if (warm) last = s.x;
        for (const Body& body : bodies) {
          ASSERT_LT(std::abs(body.position.x), 1.6);
          ASSERT_LT(std::abs(body.position.y), 0.5);
          ASSERT_LT(length(body.velocity.linear), 30);
        }
      }
    }
  }
}

TEST(ConstraintForms, ContradictionsAreTold) {
  std::vector<Body> bodies{falling({-1.5, 0, 0}), falling({1.5, 0, 0})};
  std::vector<Row> rows = impossible(bodies);
  EXPECT_EQ(step(bodies, rows, {}).status, LcpStatus::kNoSolution);
  // The tie with a limit of 100 N pulls as hard as it may, and the nails hold.
  bodies = {falling({-1.5, 0, 0}), falling({1.5, 0, 0})};
  rows.back().lower = -100;
  rows.back().upper = 100;
  const LcpSolution s = step(bodies, rows, {});
  EXPECT_EQ(s.status, LcpStatus::kSolved);
  EXPECT_NEAR(s.x.back() * 60, -100, 1e-9);
  for (const Body& body : bodies) EXPECT_LT(length(body.velocity.linear), 1e-12);
}

TEST(ConstraintForms, ImmovableAndCoincidentBodiesAreFinite) {
  std::vector<Body> bodies{falling({1, 1, 1}), falling({1, 1, 1}), point_mass({1, 1, 1}, 0)};
  for (const ConstraintForm form :
       {ConstraintForm::kVelocity, ConstraintForm::kBaumgarte, ConstraintForm::kAcceleration}) {
    std::vector<Row> rows;
    add_distance(rows, bodies, 0, 1, 0.5);
    add_distance(rows, bodies, 2, kWorld, 0);  // nothing of it can move
    step(bodies, rows, {.form = form, .alpha = 5, .beta = 5});
    for (const Body& body : bodies) EXPECT_TRUE(std::isfinite(length(body.position)));
  }
  EXPECT_EQ(bodies[2].position, (Vec{1, 1, 1}));
}

TEST(ConstraintForms, BadRowsAreNamed) {
  std::vector<Body> bodies{falling({})};
  std::vector<Row> rows;
  add_distance(rows, bodies, 0, kWorld, 1);
  expect_error([&] { assemble(bodies, rows, {.dt = 0}); }, {"dt is 0"});
  rows[0].b = 3;
  expect_error([&] { assemble(bodies, rows, {}); }, {"row 0", "body 3", "there are 1"});
}

}  // namespace
}  // namespace sinew::reference
