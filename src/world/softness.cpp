#include "world/softness.h"

#include <algorithm>
#include <cmath>

#include "solvers/stress_multiplier.h"

namespace sinew {
namespace {

// Between all and what elements may do together, by h²k/m: no jump where substeps become too long.
constexpr double kCutOff = 1.25 * kExplicitStiffness;
// A body that predicts less than this is softer than its material, to be seen by eye.
constexpr Real kSoftened = Real(0.9);

// What the stiffest element, or constraint, predicts of its force, at rest.
Real share_of_force(const SoftRuntime& body, Real h) {
  const double h2 = double(h) * h;
  double limit = kExplicitStiffness, share = prediction_share(body, h);
  if (body.solver.order == SweepOrder::kJacobi) {
    limit *= double(body.chebyshev.prediction()) / body.chebyshev.sharing();
    share = std::min(1.0, share / body.chebyshev.prediction());
  }
  const auto of = [&](double stiffness, double most) {
    return stiffness * h2 > most ? most / (stiffness * h2) : 1.0;
  };
  return Real(std::min(of(body.element_stiffness, limit * share), of(body.stiffness, limit)));
}

}  // namespace

Real prediction_share(const SoftRuntime& body, Real h) {
  const double stiffness = body.element_stiffness * double(h) * h;
  if (!(stiffness > kExplicitStiffness * (1 + 1e-5))) return 1;  // as many substeps as it needs
  const double beyond = std::log(stiffness / kExplicitStiffness),
               cut = std::log(kCutOff / kExplicitStiffness);
  return Real(std::pow(body.crowding, -std::min(beyond / cut, 1.0)));
}

void tell_softness(const StepContext& c) {
  c.world.soft.for_each([&](SoftId id, SoftRuntime& body) {
    if (body.frozen || body.variational) return;
    body.stiffness_share = share_of_force(body, c.h);
    const bool soft = body.stiffness_share < kSoftened;
    if (soft && !body.softened)
      c.world.events.push_back({.kind = Event::Kind::kSoftened, .body = id});
    body.softened = soft;
  });
}

}  // namespace sinew
