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
// correct() is the same for small errors of positions, with a larger ε for larger ones (K.
// Levenberg, 1944), for J tells of small turns only. Large errors come of joints that contradict
// each other, and are left to sweeps: the nearest place that one would reach by J may be far away.
//
// Tension T turns a link of length L and inertia I back with the stiffness TL, which the direction
// of J knows at the beginning of a substep only: light links that bear much would swing by more
// than ω = √(TL/I) < 2/h allows, and break loose. While the rows are made, stiffen() therefore adds
// as much inertia to such bodies as keeps ωh near 1, and none to those that swing more slowly (S.
// Andrews, M. Teichmann and P. Kry, "Geometric stiffness for real-time constrained multi-body
// dynamics", 2017).
//
// Rows that say the same twice leave their impulses undetermined: those grow against each other,
// from rounding, until floats do not cancel any more. A component whose impulses, each alone, would
// make bodies faster than 10 km/s is left to sweeps from then on.
//
// Components are independent, so they run in parallel with the same result.
#pragma once

#include <sinew/rigid_settings.h>

#include "math/panel_cholesky.h"
#include "rigid/joint_set.h"

namespace sinew {

class DirectJoints {
 public:
  // Before JointSet::prepare() in a substep of h; relax() after prepare() undoes it.
  void stiffen(const JointSet& joints, BodyRows& bodies, Real h);
  void relax(BodyRows& bodies);
  // After JointSet::prepare() with h: reads and factors, for solve() or for correct().
  enum class Use { kSolve, kCorrect };
  void prepare(const JointSet& joints, const BodyRows& bodies, Real h, Use use, JointSolver choice,
               Executor& executor);
  // One exact solution for the velocities as they are.
  void solve(JointSet& joints, BodyRows& bodies, Executor& executor);
  // Undoes errors, to first order as they are after the way of the step so far.
  void correct(BodyRows& bodies, Executor& executor);

  bool empty() const { return components_.empty(); }
  int rows() const;

 private:
  // A row in double; eight numbers to a body, the last two zero.
  struct Row {
    double j[2][8], w[2][8];  // J, M⁻¹Jᵀ
    double start;
    Vec3T<double> arm[2];  // from the centres to the joint
    double length;         // |∂C/∂x|, or 0 of a turn
    double drift;          // what C may have changed by in a substep, though J·v = 0
    double bias;           // rate at which solve() undoes that
    double error;          // by the size of its arms, or as an angle
    bool on;
  };
  // A row's part in the pattern.
  struct Ends {
    BodyRow body[2];
    int local[2];  // among the bodies of the component, −1: cannot move
  };
  // K(place) += J of one row · M⁻¹Jᵀ of another, at a body of both.
  struct Term {
    int row, side, other, other_side;
    std::size_t place;
  };
  struct Group {  // of rows of one kind of joints
    int kind, first, count;
  };
  struct Component {
    std::vector<Group> groups;
    std::vector<RowPlace> places;
    std::vector<Ends> ends;
    std::vector<BodyRow> bodies;  // that can move
    std::vector<int> begin, row;  // pattern of K
    std::vector<Term> terms;
    std::vector<std::size_t> diagonal;
    PanelCholesky factor;
    std::vector<HardRow> read;
    std::vector<Row> rows;
    std::vector<double> impulse;
    std::vector<Symmetric<double>> stiffness;  // of the bodies' turns [N m]
    std::vector<double> change;                // of motion, eight numbers to a body
    double size = 0;                           // how far its bodies are from the first [m]
    double share = 0;                          // of errors that correct() undoes
    bool factored = false;
    bool retired = false;  // rows that say the same twice have wound up: left to sweeps
    bool cleared = false;  // and their impulses are gone
  };
  struct Candidate;

  void rebuild(const JointSet& joints, const BodyRows& bodies, JointSolver choice);
  static bool worth_it(const Candidate& candidate, JointSolver choice);
  static void make_pattern(Component& c);
  static void find_terms(Component& c);
  static void read(Component& c, const JointSet& joints, const BodyRows& bodies, double h);
  static void find_drift(const HardRow& from, const Ends& ends, const BodyRows& bodies, double h,
                         Row& to);
  static void factor(Component& c, Use use);
  static void find_stiffness(Component& c);
  static bool wound_up(const Component& c);
  static void move(Component& c, std::vector<Row8<Real>>& motion, double bound);

  struct Stiffened {
    BodyRow body;
    Row8<Real> mass;  // as it was
  };

  std::vector<Component> components_;
  std::vector<Stiffened> stiffened_;
  int builds_ = -1;
  JointSolver choice_ = JointSolver::kAutomatic;
};

}  // namespace sinew
