// How fast solvers come down to the minimum of one and the same objective: a frame of a body as the
// variational solvers see it, minimised by any of them from the same start, the free motion y. The
// error is that of the literature (Liu, eq. 5.10 and 7.15),
//   (g(x) − g*) / (g(y) − g*)
// with g* found by Newton's method, iterated until it stands still. A body that is twisted stores
// far more than one frame adds: in float, the energies of its elements are rounded to about as much
// as what is left after a few iterations. Therefore g is worked out in double where solvers have
// been, once they are done. What they reach is limited by their own rounding all the same.
#pragma once

#include <sinew/world.h>

#include "reproduce/experiment.h"
#include "variational/variational_body.h"

namespace sinew {

// Where the pins of a body are to be at the end of the frame.
struct PinPlace {
  Index vertex;
  Vec3 position;
};

struct FrameStart {
  std::vector<Vec3> position, velocity;
  std::vector<PinPlace> pins = {};
  Vec3 gravity = {};
  Real h = Real(1.0 / 30);
};

// What a solver made of a frame, from its start on.
struct Convergence {
  std::vector<double> objective;  // [J]
  std::vector<double> seconds;    // since the start; the least of the repeats
};

class Frame {
 public:
  // Of a solid of tetrahedra, or of springs. The body's solver says which constant matrix, and
  // nothing else.
  Frame(const SoftBody& body, const FrameStart& start);

  std::size_t rows() const { return target_.size(); }
  Objective& objective() { return body_->objective; }
  ConstRows target() const { return target_; }
  ConstRows previous() const { return previous_; }
  Real h() const { return h_; }

  // One more term, as contact is, which the constant matrix does not know.
  void add_passing(EnergyTerm& term) {
    passing_ = &term;
    objective().begin(target_, h_, passing_);
  }

  // Getting `finder` ready is not part of the time.
  Convergence minimise(DirectionFinder& finder, const StopAt& stop, int repeats = 1);
  // g in double, of the material itself: where no element is inside out.
  double exact(ConstRows x) const;
  // g*, by Newton's method. Found once.
  double minimum();
  // The relative error after `iterations`, or where the solver stopped before.
  double error(const Convergence& c, std::size_t iterations);
  // At the start, and after every iteration.
  std::vector<double> errors(const Convergence& c);
  // Errors below this are all the same.
  static constexpr double kFloor = sizeof(Real) == 4 ? 1e-8 : 1e-14;

 private:
  SoftBody definition_;
  std::unique_ptr<VariationalBody> body_;
  std::vector<Row4<Real>> previous_, target_;
  Real h_;
  EnergyTerm* passing_ = nullptr;
  double start_ = 0, minimum_ = 0;
  bool solved_ = false;
};

// After how many iterations, or how much time [ms], the error is at most `error`; infinity: never.
double iterations_to(const std::vector<double>& errors, double error);
double milliseconds_to(const Convergence& c, const std::vector<double>& errors, double error);

// Curves of the error by iterations and by time.
struct ErrorPlots {
  explicit ErrorPlots(const std::string& of);
  void add(const std::string& label, const Convergence& c, const std::vector<double>& errors);

  Plot by_iterations, by_time;
};

// A bar whose ends are turned about its length, by `rate` [rad] a frame each, one to and one fro,
// after so many frames: what is to be solved next.
struct TwistingBar {
  SoftBody body;
  FrameStart start;
};
TwistingBar twisting_bar(const TetMesh& mesh, const Material& material, int frames,
                         Real rate = Real(0.05));
// The material of most of its figures: Neo-Hookean, λ = 5 μ as in Liu, figure 7.2; E = 1 MPa.
inline NeoHookean bar_material() { return {.young = Real(1e6), .poisson = Real(5.0 / 12)}; }
// What is twisted: bar-16600.mesh, or something like it.
TetMesh bar_mesh(const ExperimentOptions& options);

}  // namespace sinew
