// fit_body(): stiffnesses of `plain_cells` with which a body, in its own mesh, held by its own pins
// and swept as its world sweeps it, comes to rest where linear finite elements do.
//
// With q = −log(1 − k), k′ = 1 − exp(−q/n) in each of n sweeps. For small q a substep is one of
// forces (M/h²) Σ q A u, A the corrections of a class: linear in q, and so the first guess is a
// quadratic in a box. From there Levenberg and Marquardt's method goes on with log q as variables,
// and the positions of rest that mesh_response.h finds.
#include <sinew/error.h>
#include <sinew/fit.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "core/format.h"
#include "fit/box_quadratic.h"
#include "fit/mesh_response.h"

namespace sinew {
namespace {

using namespace fit;

constexpr double kRigidQ = 12;  // k = 1 − 6·10⁻⁶ is as good as 1

struct Elasticity {
  double young, poisson;
};

Elasticity elasticity_of(const SoftBody& body) {
  return std::visit(
      [](const auto& material) -> Elasticity {
        const double mu = double(material.lame_mu()), lambda = double(material.lame_lambda());
        if (!(mu > 0))
          throw Error(
              "fit: material resists nothing; give the body one with the Young's modulus and "
              "Poisson's ratio that the fit is to meet");
        return {mu * (3 * lambda + 2 * mu) / (lambda + mu), lambda / (2 * (lambda + mu))};
      },
      body.material);
}

// An acceleration of every vertex, and where finite elements come to rest under it.
struct BodyLoad {
  Vector acceleration, target;
  double weight;  // of its squared relative error
};

double square(const Vector& v) { return dot(v, v); }

class BodyProblem {
 public:
  BodyProblem(const SoftBody& body, const BodyFitSettings& settings)
      : body_(body),
        material_(elasticity_of(body)),
        stiffness_(body, material_.young, material_.poisson),
        substep_{settings.substep, settings.iterations, std::get<Position>(body.solver).order} {
    add_loads(settings.gravity);
  }

  BodyFit solve() {
    const bool hexahedra = std::holds_alternative<HexMesh>(body_.mesh);
    ClassFlags active{true, hexahedra, hexahedra, true};
    upper_ = {kRigidQ, kRigidQ, kRigidQ, hexahedra ? std::numbers::ln2 : kRigidQ};
    ClassValues q = first_guess(active);
    // All classes have a chance. One that is not wanted is then left out, and the rest fitted anew,
    // for the order of sweeps changes with that.
    const double largest = *std::max_element(q.begin(), q.end());
    for (std::size_t i = 0; i < q.size(); ++i)
      if (active[i]) q[i] = std::clamp(q[i], std::min(0.05 * largest, upper_[i]), upper_[i]);
    for (;;) {
      const MeshResponse response(stiffness_, body_.mesh, substep_, active);
      q = refine(response, q, active);
      if (!drop_least(q, active)) return report(response, q, hexahedra);
    }
  }

 private:
  static constexpr double kNegligible = 0.02;   // of the largest q
  static constexpr double kGravityWeight = 60;  // as much as one of every other load

  void add_loads(const Vec3& gravity);
  ClassValues first_guess(const ClassFlags& active);
  ClassValues refine(const MeshResponse& response, ClassValues q, const ClassFlags& active);
  bool residuals(const MeshResponse& response, const ClassValues& q, std::vector<Vector>& at);
  BodyFit report(const MeshResponse& response, const ClassValues& q, bool hexahedra);

  static bool drop_least(ClassValues& q, ClassFlags& active) {
    const double largest = *std::max_element(q.begin(), q.end());
    bool dropped = false;
    for (std::size_t i = 0; i < q.size(); ++i)
      if (active[i] && !(q[i] > kNegligible * largest)) {
        q[i] = 0, active[i] = false;
        dropped = true;
      }
    return dropped;
  }

  const SoftBody& body_;
  Elasticity material_;
  MeshStiffness stiffness_;
  SubstepSettings substep_;
  std::vector<BodyLoad> loads_;
  std::vector<Vector> rest_;  // of every load, for the stiffnesses that were last looked at
  ClassValues upper_{};
};

// Accelerations that are constant or vary linearly over the body: weight, pull, shear, bending and
// torsion. Loads that move the body little count less: squeezed across, a bar of springs grows
// longer whatever Poisson's ratio is, by many times the finite elements' small displacement.
void BodyProblem::add_loads(const Vec3& gravity) {
  const std::span<const Vec3> x = vertices_of(body_.mesh);
  Vec3T<double> centre{};
  double total = 0, reach = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    centre += to_double(x[i]) * stiffness_.mass()[i];
    total += stiffness_.mass()[i];
  }
  centre = centre / total;
  for (const Vec3& p : x) reach = std::max(reach, length(to_double(p) - centre));
  const auto add = [&](auto acceleration_at, double weight) {
    BodyLoad load{Vector(3 * x.size()), {}, weight};
    for (std::size_t i = 0; i < x.size(); ++i) {
      const Vec3T<double> a = acceleration_at((to_double(x[i]) - centre) / reach);
      for (int axis = 0; axis < 3; ++axis)
        load.acceleration[3 * i + std::size_t(axis)] =
            stiffness_.inverse_mass()[i] > 0 ? a[axis] : 0;
    }
    stiffness_.remove_rigid(load.acceleration);
    if (!(square(load.acceleration) > 1e-12 * double(x.size()))) return;
    Vector force = load.acceleration;
    for (std::size_t i = 0; i < force.size(); ++i) force[i] *= stiffness_.mass()[i / 3];
    load.target = stiffness_.solve(force);
    loads_.push_back(std::move(load));
  };
  const double g = length(to_double(gravity));
  if (g > 0) add([&](const auto&) { return to_double(gravity) / g; }, kGravityWeight);
  for (int axis = 0; axis < 3; ++axis) {
    Vec3T<double> e{};
    e[axis] = 1;
    add([&](const auto&) { return e; }, 1);
    for (int along = 0; along < 3; ++along)
      add([&](const auto& place) { return e * place[along]; }, 1);
  }
  double largest = 0;
  for (const BodyLoad& load : loads_) largest = std::max(largest, square(load.target));
  for (BodyLoad& load : loads_) load.weight *= std::pow(square(load.target) / largest, 0.25);
}

// min Σ w |K⁻¹(M/h²) Σ q A u* − u*|²/|u*|²
ClassValues BodyProblem::first_guess(const ClassFlags& active) {
  const MeshSweep sweep(body_.mesh, stiffness_.inverse_mass(), active);
  Matrix g(kMeshClasses);
  Vector right(kMeshClasses);
  for (const BodyLoad& load : loads_) {
    const double weight = load.weight / square(load.target);
    std::vector<Vector> by_class;
    for (int kind = 0; kind < kMeshClasses; ++kind) {
      Vector force = sweep.corrections(kind, load.target);
      for (std::size_t i = 0; i < force.size(); ++i)
        force[i] *= stiffness_.mass()[i / 3] / (substep_.h * substep_.h);
      by_class.push_back(stiffness_.solve(force));
    }
    for (int i = 0; i < kMeshClasses; ++i) {
      const Vector& a = by_class[std::size_t(i)];
      right[std::size_t(i)] += weight * dot(a, load.target);
      for (int j = 0; j < kMeshClasses; ++j) g(i, j) += weight * dot(a, by_class[std::size_t(j)]);
    }
  }
  // Scaled for the factor's least pivot, and not quite singular where a class is missing.
  double largest = 0;
  for (int i = 0; i < kMeshClasses; ++i) largest = std::max(largest, g(i, i));
  Matrix scaled(kMeshClasses);
  scaled.add(1 / largest, g).add(1e-9, identity(kMeshClasses));
  for (double& r : right) r /= largest;
  const Vector k = minimise_in_box(scaled, right, Vector(upper_.begin(), upper_.end()));
  ClassValues q;
  std::copy(k.begin(), k.end(), q.begin());
  return q;
}

// (u − u*)/|u*| of all loads; false where some do not come to rest.
bool BodyProblem::residuals(const MeshResponse& response, const ClassValues& q,
                            std::vector<Vector>& at) {
  if (rest_.empty())
    for (const BodyLoad& load : loads_) rest_.push_back(load.target);
  at.clear();
  for (std::size_t i = 0; i < loads_.size(); ++i) {
    const BodyLoad& load = loads_[i];
    if (!response.rest(q, load.acceleration, rest_[i])) {
      rest_[i] = load.target;
      return false;
    }
    Vector r = rest_[i];
    const double scale = std::sqrt(load.weight / square(load.target));
    for (std::size_t j = 0; j < r.size(); ++j) r[j] = scale * (r[j] - load.target[j]);
    at.push_back(std::move(r));
  }
  return true;
}

double sum_of_squares(const std::vector<Vector>& r) {
  double sum = 0;
  for (const Vector& v : r) sum += square(v);
  return sum;
}

// Levenberg and Marquardt's method on log q.
ClassValues BodyProblem::refine(const MeshResponse& response, ClassValues q,
                                const ClassFlags& active) {
  constexpr int kSteps = 12;
  constexpr double kDifference = 1e-2, kWorthwhile = 2e-3, kLongest = 1;
  std::vector<std::size_t> free;
  for (std::size_t i = 0; i < q.size(); ++i)
    if (active[i]) free.push_back(i);
  std::vector<Vector> now, other;
  // Too soft a start may not come to rest in finite time: stiffer, until it does.
  for (int i = 0; i < 40 && !residuals(response, q, now); ++i)
    for (const std::size_t c : free) q[c] = std::min(1.5 * q[c], upper_[c]);
  if (now.size() != loads_.size()) return q;
  double value = sum_of_squares(now), damping = 1e-3;
  for (int step = 0; step < kSteps; ++step) {
    Matrix normal(int(free.size()));
    Vector slope(free.size());
    std::vector<std::vector<Vector>> jacobian;
    for (const std::size_t c : free) {
      ClassValues moved = q;
      const double by = q[c] >= upper_[c] * 0.99 ? -kDifference : kDifference;
      moved[c] = q[c] * std::exp(by);
      if (!residuals(response, moved, other)) other = now;
      for (std::size_t l = 0; l < other.size(); ++l)
        for (std::size_t j = 0; j < other[l].size(); ++j)
          other[l][j] = (other[l][j] - now[l][j]) / by;
      jacobian.push_back(other);
    }
    for (std::size_t a = 0; a < free.size(); ++a)
      for (std::size_t l = 0; l < now.size(); ++l) {
        slope[a] -= dot(jacobian[a][l], now[l]);
        for (std::size_t b = 0; b < free.size(); ++b)
          normal(int(a), int(b)) += dot(jacobian[a][l], jacobian[b][l]);
      }
    bool better = false;
    for (int trial = 0; trial < 8 && !better; ++trial, damping *= 10) {
      Matrix system = normal;
      for (int a = 0; a < normal.size(); ++a) system(a, a) += damping * normal(a, a) + 1e-9;
      const auto factor = Cholesky::factor(system);
      if (!factor) continue;
      const Vector change = factor->solve(slope);
      ClassValues next = q;
      for (std::size_t a = 0; a < free.size(); ++a)
        next[free[a]] = std::min(q[free[a]] * std::exp(std::clamp(change[a], -kLongest, kLongest)),
                                 upper_[free[a]]);
      if (!residuals(response, next, other)) continue;
      const double found = sum_of_squares(other);
      if (found < value) {
        better = true;
        const bool worthwhile = found < value * (1 - kWorthwhile);
        q = next, value = found, now = other;
        damping = std::max(damping * 1e-2, 1e-6);
        if (!worthwhile) return q;
      }
    }
    if (!better) return q;
  }
  return q;
}

BodyFit BodyProblem::report(const MeshResponse& response, const ClassValues& q, bool hexahedra) {
  BodyFit fit;
  fit.young = material_.young, fit.poisson = material_.poisson;
  std::vector<Vector> at;
  if (!residuals(response, q, at)) return fit;
  const auto k = [&](int c) { return Real(-std::expm1(-q[std::size_t(c)])); };
  fit.constraint = {
      .edge = k(0), .face = k(1), .diagonal = k(2), .volume = k(3) * (hexahedra ? 2 : 1)};
  double weights = 0;
  for (const BodyLoad& load : loads_) weights += load.weight;
  fit.error = std::sqrt(sum_of_squares(at) / weights);
  double along = 0, all = 0;
  for (std::size_t i = 0; i < loads_.size() && (i == 0 || !stiffness_.held()); ++i) {
    const double scale = loads_[i].weight / square(loads_[i].target);
    along += scale * dot(rest_[i], loads_[i].target);
    all += scale * square(loads_[i].target);
  }
  fit.sag_ratio = along / all;
  fit.calm = response.calm(q);
  fit.reachable = fit.calm && std::abs(fit.sag_ratio - 1) < BodyFit::kReachable;
  return fit;
}

}  // namespace

BodyFit fit_body(const SoftBody& body, const BodyFitSettings& settings) {
  if (!(std::isfinite(settings.substep) && settings.substep > 0))
    throw Error(formatted("fit: substep is {} s; it must be greater than 0", settings.substep));
  if (settings.iterations < 1 || settings.iterations > 10000)
    throw Error(
        formatted("fit: iterations is {}; it must be from 1 to 10000", settings.iterations));
  if (!std::holds_alternative<Position>(body.solver))
    throw Error("fit: solver is not \"position\"; only that one sweeps plain constraints");
  const Position& solver = std::get<Position>(body.solver);
  if (solver.order == SweepOrder::kJacobi && solver.chebyshev && settings.iterations > 1)
    throw Error("fit: chebyshev is on; switch it off for Jacobi sweeps that are to be fitted");
  return BodyProblem(body, settings).solve();
}

}  // namespace sinew
