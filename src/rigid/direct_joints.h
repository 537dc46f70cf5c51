// Solves the equations of joints that hang together at once, where sweeps would need too many: a
// chain carries an impulse from one end to the other by one link in a sweep, and what is heavy at
// its end must feel the whole of it. With J the rows of a component (joints that are connected by
// bodies that can move), an impulse λ changes velocities by M⁻¹Jᵀλ, so that
//
//   K λ = −J v,  K = J M⁻¹ Jᵀ + ε diag(J M⁻¹ Jᵀ)
//
// makes J v = 0. K has an entry for every two rows that share a body that can move: it is sparse,
// and a tree of joints has no fill at all (D. Baraff, "Linear-time dynamics using Lagrange
// multipliers", 1996). It is factored in every substep by panels (math/panel_cholesky.h), in
// double. ε makes K definite where rows say the same twice: closed loops, doubled joints.
//
// Ranges, springs, motors and contacts stay in the sweeps, with which solve() alternates; impulses
// are those of the joints' packs, so that warm starts, reactions and breaking know nothing of all
// this. What solve() does is a projection of velocities: it never adds energy, whatever the rows.
// It does not depend on what sweeps did to the same rows before, so packs that hold no others are
// not swept; and where nothing else acts on a component, its second solution would be nothing and
// is left out. correct() is the same for small errors of positions, with a larger ε for larger
// ones (K. Levenberg, 1944), for J tells of small turns only. Large errors come of joints that
// contradict each other, and are left to sweeps: the nearest place that one would reach by J may
// be far away.
//
// What light links need under large tension is told in direct_stiffness.cpp.
//
// Rows that say the same twice leave their impulses undetermined: those grow against each other,
// from rounding, until floats do not cancel any more. A component with impulses that are more than
// any load is left to sweeps from then on.
//
// Components are independent, so they run in parallel with the same result.
#pragma once

#include <sinew/rigid_settings.h>

#include "rigid/joint_set.h"

namespace sinew {

struct DirectComponent;  // direct_component.h
struct RigidWorld;

class DirectJoints {
 public:
  DirectJoints();
  ~DirectJoints();
  DirectJoints(const DirectJoints& other);
  DirectJoints(DirectJoints&&) noexcept;
  DirectJoints& operator=(const DirectJoints& other);
  DirectJoints& operator=(DirectJoints&&) noexcept;

  enum class Use { kSolve, kCorrect };
  // Before JointSet::prepare() in a substep of h, or before positions are corrected over a step of
  // `step`; relax() after prepare() undoes it.
  void stiffen(JointSet& joints, BodyRows& bodies, Real h, Real step, Use use);
  void relax(BodyRows& bodies);
  // After JointSet::prepare() with h: reads, and factors for solve().
  void prepare(JointSet& joints, const BodyRows& bodies, Real h, Use use, JointSolver choice,
               Executor& executor);
  // What contacts of a component forget (contact_memory.h), its joints forget, too: they hold each
  // other in balance.
  void forget(JointSet& joints, std::span<const Real> forgotten);
  // Contacts that are solved with the joints until the next prepare() (held_contacts.h).
  void hold(RigidWorld& world, Real h);
  // One exact solution for the velocities as they are.
  void solve(JointSet& joints, BodyRows& bodies, Executor& executor);
  // Undoes errors, to first order as they are after the way of the step so far.
  // Overlaps beyond `slop` of contacts that are held are undone by a share, and `most` at most.
  void correct(BodyRows& bodies, Real slop, Real share, Real most, Executor& executor);

  bool empty() const { return components_.empty(); }
  // There are no joints any more.
  void clear();
  int rows() const;

 private:
  void rebuild(JointSet& joints, const BodyRows& bodies, JointSolver choice);

  struct Stiffened {
    BodyRow body;
    Row8<Real> mass;  // as it was
  };

  std::vector<DirectComponent> components_;
  std::vector<Stiffened> stiffened_;
  std::vector<int> home_;  // component of a body, by rows; −1: none
  int builds_ = -1;
  JointSolver choice_ = JointSolver::kAutomatic;
};

}  // namespace sinew
