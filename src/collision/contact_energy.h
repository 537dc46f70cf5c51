// Contact of a variational body's particles with immovable shapes, as an energy:
//   E = Σ ½ k d²,  where d < 0,   k = κ m/h²
// d is the distance to the nearest shape. It gives way by the load over k, a few tenths of a
// millimetre for bodies at rest. Friction follows after the step, as in static_contact.h.
#pragma once

#include <sinew/bodies.h>

#include <algorithm>
#include <span>
#include <vector>

#include "variational/energy_term.h"

namespace sinew {

struct Obstacle {
  const StaticBody* body;
  Real friction;  // of the pair
};

class ContactEnergy final : public EnergyTerm {
 public:
  // Of particles in whole packs. `margin` is how far the surface is from them [m].
  void resize(int packs, Real margin);
  // What may be touched in a step of length h; `target` has the inverse masses. Particles are seen
  // from `origin`.
  void begin(std::span<const Obstacle> obstacles, const Row4<Real>* target, Real h,
             const Vec3T<double>& origin);
  bool active() const { return !obstacles_.empty(); }
  // Whether anything touched when the gradient was asked for last.
  bool touched() const {
    return active() &&
           std::any_of(energy_.begin(), energy_.end(), [](double energy) { return energy > 0; });
  }

  double add_gradient(const Row4<Real>* x, Row4<Real>* gradient, Executor& executor) override;
  double energy(const Row4<Real>* x) const override;
  void add_metric(MetricEntries&) const override {}
  void add_hessian(const Row4<Real>* x, bool projected, BlockSymmetric& hessian) const override;

  // Coulomb friction: takes sliding motion since `previous` away from x. Whether there was any.
  bool rub(Row4<Real>* x, const Row4<Real>* previous) const;

 private:
  struct Nearest;
  Nearest nearest(const Vec3T<Wide>& x) const;

  Vec3 place_of(const StaticBody& body) const;

  std::span<const Obstacle> obstacles_;
  const Row4<Real>* target_ = nullptr;
  Vec3T<double> origin_{};
  Real h_ = 1, margin_ = 0;
  int packs_ = 0;
  std::vector<double> energy_;  // of each block, of the last evaluation
};

}  // namespace sinew
