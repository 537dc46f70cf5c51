// Contacts of a heavy body with light ones that hang together by joints, as a ball in a net. A
// sweep knows the mass of a knot, but not what the rods hold it with: it stops the ball by as much
// as a knot weighs, the joints take back what it did to the knot, and a heavy ball goes on through.
// So these contacts are solved together with the joints. With J, Jᶜ the rows of joints and of
// contacts along their normals,
//
//   C = Jᶜ M⁻¹ Jᶜᵀ − Yᵀ K⁻¹ Y,   Y = J M⁻¹ Jᶜᵀ
//
// tells what impulses of the contacts do to their velocities while the joints hold: a box LCP of a
// few dozen unknowns in every solution. With K = L Lᵀ, C takes L⁻¹Y alone, most of which is zero.
//
// They stay in the sweeps, too, for friction and for what lets go; impulses are those of their
// packs, and each acts where the points of a manifold bear. No two components hold contacts of the
// same body.
#pragma once

#include "math/panel_cholesky.h"
#include "rigid/contact_packs.h"

namespace sinew {

struct HeldContact {
  ContactPack<Wide>* pack;
  int lane;
  BodyRow body[2];
  int local[2];                       // among the bodies of the component; −1: not one of them
  alignas(64) double j[2][8];         // linear, angular, 0, 0
  alignas(64) double response[2][8];  // M⁻¹ Jᶜᵀ
  double share[kPoints];              // of the impulse, by points
  double gap;                         // at the start of the step [m]
  double rate = 0;                    // at which it may close [m/s]
  double wrong = 0;                   // what is to be undone: below zero it closes too fast
  double least = 0;                   // that may be added to its impulse
  double push = 0;                    // that is added
  PanelCholesky::Half half;           // L⁻¹ of its column of Y
};

// Find x ≥ least with w = C x + b ≥ 0, one of them an equality in every row. With memory that is
// kept: nothing is allocated once it is large enough.
struct HeldProblem {
  std::vector<double> c;  // n × n
  std::vector<double> b, least, x;

  // By pivoting: which of them bear is chosen until none is wrong. Where that does not end,
  // projected Gauss–Seidel from there.
  void solve();

 private:
  double velocity(std::size_t i) const;
  // C x = −w for those that bear, by a Cholesky factorisation.
  void solve_bearing();

  std::vector<bool> bears_;
  std::vector<std::size_t> of_;
  std::vector<double> factor_, right_;
};

}  // namespace sinew
