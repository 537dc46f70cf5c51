#include "reproduce/convergence.h"

#include <sinew/error.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "elements/tetrahedron.h"
#include "reproduce/bodies.h"
#include "solvers/line_measure.h"
#include "solvers/material_at.h"
#include "variational/newton.h"

namespace sinew {
namespace {

// Newton's method has come to rest when an iteration wins less than this share of what there was.
// It is quadratic there: what is left to win is far less.
constexpr double kAtRest = Frame::kFloor;
constexpr double kSame = 1e-4;               // energies in float and in double
constexpr int kFirstTry = 8, kLastTry = 32;  // iterations
// What is small can be solved to the end, however long that takes.
constexpr std::size_t kSmall = 2000;
constexpr int kLastTryIfSmall = 512;

// Keeps where another has been.
class Followed final : public DirectionFinder {
 public:
  Followed(DirectionFinder& other, std::vector<std::vector<Row4<Real>>>& places)
      : other_(other), places_(places) {}

  bool begin(const Objective& objective, ConstRows target, Real h) override {
    return other_.begin(objective, target, h);
  }
  bool find(Objective& objective, ConstRows x, ConstRows gradient, Rows direction,
            Executor& executor) override {
    if (places_.empty()) places_.emplace_back(x.begin(), x.end());
    return other_.find(objective, x, gradient, direction, executor);
  }
  void learn(ConstRows x_before, ConstRows x, ConstRows gradient_before,
             ConstRows gradient) override {
    places_.emplace_back(x.begin(), x.end());
    other_.learn(x_before, x, gradient_before, gradient);
  }
  bool forget() override { return other_.forget(); }

 private:
  DirectionFinder& other_;
  std::vector<std::vector<Row4<Real>>>& places_;
};

Vec3T<double> place(const Row4<Real>& row) { return {row.x, row.y, row.z}; }

// κ/2 (‖F d‖ − 1)²
double density(const Fibres& fibres, const Mat3T<double>& f) {
  const double stretch = length(f * normalized(to_double(fibres.direction))) - 1;
  return 0.5 * fibres.stiffness * stretch * stretch;
}

// EA L/2 (l/L − 1)²
double energy_of_springs(const SoftBody& body, const LineMesh& mesh, ConstRows x) {
  const double force = young_of(body.material) * mass_per_measure(body) / body.density;  // EA [N]
  double total = 0;
  for (std::size_t i = 0; i < mesh.cells.size(); ++i) {
    const double rest = measure(mesh, i);
    const double stretch =
        length(place(x[mesh.cells[i][1]]) - place(x[mesh.cells[i][0]])) / rest - 1;
    total += 0.5 * force * rest * stretch * stretch;
  }
  return total;
}

template <class M>
double energy_of_solid(const SoftBody& body, const TetMesh& mesh, const M& material, ConstRows x) {
  double total = 0;
  if constexpr (M::kElastic)
    for (const Tetrahedron& cell : mesh.cells) {
      Vec3T<double> rest_nodes[4], nodes[4];
      for (int n = 0; n < 4; ++n) {
        rest_nodes[n] = to_double(mesh.vertices[cell[n]]);
        nodes[n] = place(x[cell[n]]);
      }
      const auto rest = TetrahedronElement::rest(rest_nodes);
      const Mat3T<double> f = TetrahedronElement::deformation_gradient(rest, nodes);
      total += rest.volume * response_at(material, f).density;
      for (const Fibres& fibres : body.fibres) total += rest.volume * density(fibres, f);
    }
  return total;
}

}  // namespace

Frame::Frame(const SoftBody& body, const FrameStart& start) : definition_(body), h_(start.h) {
  const std::vector<Real> mass = std::visit(
      [&](const auto& mesh) { return lumped_masses(mesh, mass_per_measure(body)); }, body.mesh);
  const std::size_t packs = (mass.size() + kLanes - 1) / kLanes;
  body_ = make_variational_body(body, {}, mass, static_cast<int>(packs), 0);
  previous_.resize(packs * kLanes);
  target_.resize(packs * kLanes);
  for (std::size_t i = 0; i < mass.size(); ++i) {
    const Vec3 &x = start.position[i], v = start.velocity[i];
    const Vec3 y = x + (v + start.gravity * h_) * h_;
    previous_[i] = {x.x, x.y, x.z, 1 / mass[i]};
    target_[i] = {y.x, y.y, y.z, 1 / mass[i]};
  }
  for (const PinPlace& pin : start.pins) {
    const Vec3& x = pin.position;
    target_[pin.vertex] = {x.x, x.y, x.z, 0};
    previous_[pin.vertex].w = 0;
  }
  objective().begin_step(previous_, h_);
  objective().begin(target_, h_);
}

double Frame::exact(ConstRows x) const {
  double inertia = 0;
  for (std::size_t i = 0; i < x.size(); ++i)
    if (target_[i].w > 0) {
      const Vec3T<double> d = place(x[i]) - place(target_[i]);
      inertia += 0.5 * body_->objective.mass[i] * dot(d, d);
    }
  inertia /= double(h_) * h_;
  if (passing_) inertia += passing_->energy(x.data());
  if (const auto* lines = std::get_if<LineMesh>(&definition_.mesh))
    return inertia + energy_of_springs(definition_, *lines, x);
  const TetMesh& solid = std::get<TetMesh>(definition_.mesh);
  const auto energy = [&](const auto& material) {
    return energy_of_solid(definition_, solid, prepared(material), x);
  };
  return inertia + std::visit(energy, definition_.material);
}

Convergence Frame::minimise(DirectionFinder& finder, const StopAt& stop, int repeats) {
  const auto executor = make_serial_executor();
  const auto run = [&](DirectionFinder& with) {
    std::vector<Row4<Real>> x = target_;
    if (!with.begin(objective(), target_, h_)) throw Error("a solver has no factor of its matrix");
    body_->descent.minimise(objective(), with, stop, target_, x, *executor);
  };
  Convergence c;
  std::vector<DescentRecord> history;
  body_->descent.record(&history);
  std::vector<std::vector<Row4<Real>>> places;
  Followed followed(finder, places);
  run(followed);
  // An element that is inside out is not made of its material for a while (variational/recovery.h).
  const double start = history.front().objective;
  const bool known = std::abs(exact(target_) - start) <= kSame * start;
  for (std::size_t i = 0; i < places.size(); ++i)
    c.objective.push_back(known ? exact(places[i]) : history[i].objective);

  c.seconds.assign(places.size(), std::numeric_limits<double>::infinity());
  for (int r = 0; r < repeats; ++r) {
    run(finder);
    for (std::size_t i = 0; i < c.seconds.size(); ++i)
      c.seconds[i] = std::min(c.seconds[i], history[i].seconds);
  }
  body_->descent.record(nullptr);
  return c;
}

double Frame::minimum() {
  const int last_try = rows() <= kSmall ? kLastTryIfSmall : kLastTry;
  for (int tried = kFirstTry; !solved_; tried *= 2) {
    NewtonDirection newton(rows(), {});
    const Convergence c = minimise(newton, {tried}, 0);
    start_ = c.objective.front();
    minimum_ = *std::min_element(c.objective.begin(), c.objective.end());
    const std::size_t n = c.objective.size();
    solved_ = tried == last_try || static_cast<int>(n) <= tried ||
              std::abs(c.objective[n - 1] - c.objective[n - 2]) <= kAtRest * (start_ - minimum_);
  }
  return minimum_;
}

double Frame::error(const Convergence& c, std::size_t iterations) {
  const double g = c.objective[std::min(iterations, c.objective.size() - 1)];
  return std::max((g - minimum()) / (start_ - minimum_), kFloor);
}

std::vector<double> Frame::errors(const Convergence& c) {
  std::vector<double> all;
  for (std::size_t i = 0; i < c.objective.size(); ++i) all.push_back(error(c, i));
  return all;
}

double iterations_to(const std::vector<double>& errors, double error) {
  const auto at = std::find_if(errors.begin(), errors.end(), [&](double e) { return e <= error; });
  return at == errors.end() ? std::numeric_limits<double>::infinity() : double(at - errors.begin());
}

double milliseconds_to(const Convergence& c, const std::vector<double>& errors, double error) {
  const double iterations = iterations_to(errors, error);
  return std::isfinite(iterations) ? 1e3 * c.seconds[std::size_t(iterations)] : iterations;
}

ErrorPlots::ErrorPlots(const std::string& of)
    : by_iterations{of + ": error by iterations", {"iterations"}, {"relative error", true}, {}},
      by_time{of + ": error by time", {"time [ms]", true}, {"relative error", true}, {}} {}

void ErrorPlots::add(const std::string& label, const Convergence& c,
                     const std::vector<double>& errors) {
  Series iterations{.label = label}, time{.label = label};
  for (std::size_t i = 0; i < errors.size(); ++i) {
    iterations.x.push_back(double(i));
    time.x.push_back(1e3 * c.seconds[i]);
  }
  iterations.y = time.y = errors;
  by_iterations.series.push_back(std::move(iterations));
  by_time.series.push_back(std::move(time));
}

TwistingBar twisting_bar(const TetMesh& mesh, const Material& material, int frames, Real rate) {
  constexpr Real kEnds = Real(0.02);  // of the length
  TwistingBar bar;
  bar.body = {
      .mesh = mesh, .material = material, .solver = QuasiNewton{.iterations = 20, .substeps = 1}};
  bar.start.gravity = {0, Real(-9.81), 0};
  const Bounds box = bounds(mesh.vertices);
  const Vec3 size = box.upper - box.lower, middle = (box.lower + box.upper) * Real(0.5);
  const Real end = kEnds * size.x;
  bar.body.pins = select_vertices(mesh.vertices, [&](const Vec3& x) {
    return x.x < box.lower.x + end || x.x > box.upper.x - end;
  });
  const auto turned = [&](Index vertex, int frame) -> Vec3 {
    const Vec3 r = mesh.vertices[vertex] - middle;
    const Real angle = (r.x > 0 ? rate : -rate) * Real(frame);
    const Real c = std::cos(angle), s = std::sin(angle);
    return middle + Vec3{r.x, c * r.y - s * r.z, s * r.y + c * r.z};
  };
  World world({.gravity = bar.start.gravity});
  const SoftId id = world.add(bar.body);
  for (int frame = 1; frame <= frames; ++frame) {
    for (const Index i : bar.body.pins) world.move_pin(id, i, turned(i, frame));
    world.step(bar.start.h);
  }
  bar.start.position = world.positions(id);
  bar.start.velocity = world.velocities(id);
  for (const Index i : bar.body.pins) bar.start.pins.push_back({i, turned(i, frames + 1)});
  return bar;
}

TetMesh bar_mesh(const ExperimentOptions& options) {
  return data_mesh(options, "bar-16600.mesh",
                   [&] { return bar_tets(3, 1, 1, options.small ? 6 : 11); });
}

}  // namespace sinew
