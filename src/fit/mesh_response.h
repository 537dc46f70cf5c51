// Where a body of plain position-based dynamics comes to rest under constant accelerations. A
// substep predicts u + h²a and applies T, n iterations of a sweep (mesh_sweep.h); at rest
//   u = T (u + h²a).
// That is solved by GMRES (Saad and Schultz 1986), preconditioned by what an implicit step of the
// finite elements would say, (I − T)⁻¹ ≈ I + K⁻¹M/h².
#pragma once

#include <sinew/bodies.h>

#include "fit/mesh_stiffness.h"
#include "fit/mesh_sweep.h"

namespace sinew::fit {

struct SubstepSettings {
  double h = 0;  // [s]
  int iterations = 1;
  SweepOrder order = SweepOrder::kForward;
};

class MeshResponse {
 public:
  MeshResponse(MeshStiffness& stiffness, const BodyMesh& mesh, const SubstepSettings& settings,
               const ClassFlags& active);

  // u ← T u, with q = −log(1 − k) of each class: k′ = 1 − exp(−q/n) in each of n sweeps.
  void substep(const ClassValues& q, Vector& u) const;
  // At rest under accelerations; `u` is where to start from. False if GMRES does not get there.
  bool rest(const ClassValues& q, const Vector& acceleration, Vector& u) const;
  // Whether a disturbance dies out in steps of u ← T(2u − u before), which have no forces.
  bool calm(const ClassValues& q) const;
  const MeshSweep& sweep() const { return sweep_; }

 private:
  Vector precondition(const Vector& v) const;
  Vector disturbance() const;                          // random, the same every time
  ClassValues of_a_sweep(const ClassValues& q) const;  // k′

  MeshStiffness& stiffness_;
  SubstepSettings settings_;
  MeshSweep sweep_;
};

}  // namespace sinew::fit
