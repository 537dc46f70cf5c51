// Joints that hang together and are solved at once (direct_joints.h): what they are, how their
// equations are connected, and the numbers of a substep. Nothing but contacts is allocated once it
// is made.
#pragma once

#include "rigid/held_contacts.h"
#include "rigid/joint_set.h"

namespace sinew {

struct RigidWorld;
struct Pair;

struct DirectComponent {
  struct Joint {
    int first, rows;
    BodyRow body[2];
    int local[2];  // among the bodies of the component, −1: cannot move
  };
  struct Group {  // of joints of one kind
    int kind, first, rows, first_joint, joints;
  };

  // --- what it is --------------------------------------------------------------------------------
  std::vector<Group> groups;
  std::vector<Joint> joints;
  std::vector<JointSlot> slots;  // of joints
  std::vector<RowPlace> places;  // of rows
  std::vector<RowPlace> leads;   // of the first rows of joints
  std::vector<BodyRow> bodies;   // that can move
  double total = 0;              // mass of those that are free to go [kg]

  // --- its pattern -------------------------------------------------------------------------------
  std::vector<int> begin, row;  // of K
  PanelCholesky factor;
  std::vector<std::size_t> diagonal;
  // For each body the rows that it takes part in, 2·row + side, and where what two of them, or one
  // with itself, add to K belongs: (0, 0), (1, 0), (1, 1), (2, 0), …
  std::vector<int> part_begin, part;
  std::vector<std::size_t> entry;

  // --- numbers of a substep ----------------------------------------------------------------------
  // Of joints and of rows, filled up to whole packs.
  struct OfJoints {
    std::vector<double> arm_a, arm_b, apart, between, spin_a, spin_b;  // squares
    std::vector<double> arcs, turns, size;
  };
  struct OfRows {
    std::vector<double> start;   // error where the way of the step is 0
    std::vector<double> value;   // and now
    std::vector<double> on;      // 1, or 0: says nothing at present
    std::vector<double> square;  // of |∂C/∂x|
    std::vector<double> arcs, turns, size;
    std::vector<double> drift;           // what C may have changed by in a substep, though J·v = 0
    std::vector<double> bias;            // rate at which solve() undoes that
    std::vector<double> error;           // by the size of its arms, or as an angle
    std::vector<double> inverse_length;  // or the component's size for a turn: from errors to ways
  };
  std::vector<HardRow> j;
  std::vector<HardError> read;
  std::vector<HardArms> arms;
  OfJoints of_joints;
  OfRows rows;
  std::vector<double> response;             // J M⁻¹ Jᵀ of each row alone
  std::vector<double> impulse;              // errors, then what undoes them
  std::vector<double> spin;                 // of bodies, squares [rad²/s²]
  std::vector<std::array<double, 8>> mass;  // inverse, as in BodyRows
  std::vector<std::array<double, 8>> push;  // on bodies, then their change of motion
  std::vector<Sym3T<double>> stiffness;     // of the bodies' turns, times h [N m s]
  std::vector<Sym3T<double>> stiffness_before;
  std::vector<double> stiffened;  // by which share
  double speed = 0, reach = 0;    // of the fastest body, and the farthest coordinate
  double mended = 0;              // share of errors that correct() undoes
  bool factored = false;
  bool moved = false;     // by the last solve()
  bool retired = false;   // rows that say the same twice have wound up: left to sweeps
  bool swept = true;      // by those who sweep
  bool doubtful = false;  // some of its joints have wound up in another component
  bool changed = false;   // other joints than a substep ago

  // --- contacts that are solved with it (held_contacts.h) ----------------------------------------
  std::vector<HeldContact> held;
  HeldProblem held_problem;
  bool responded = false;  // its C is that of the factor

  void make_pattern();
  void find_parts();

  void load(const JointSet& set, const BodyRows& all, double h);
  // With `caution` added to ε. False: not positive definite, whatever ε.
  bool factorise(double caution);
  // Undo J·v, or errors of the way so far. False: there is nothing to undo.
  bool solve(BodyRows& all);
  bool correct(BodyRows& all, double slop, double share, double most);
  double largest_error() const;

  // Of the component `own`; `home` tells that of a body.
  void find_held(RigidWorld& world, double h, std::span<const int> home, int own);
  void add_held() const;

  void read_impulses(const JointSet& set);
  void add_impulses(JointSet& set) const;
  // Leaves it to sweeps.
  void retire(JointSet& set);
  // A share of them.
  void forget_impulses(JointSet& set, double share);
  bool wound_up() const;
  void find_stiffness(double h);
  void damp_bending(BodyRows& all, double h) const;

 private:
  void hold_pair(RigidWorld& world, const Pair& pair, double h, int light, bool inside);
  void respond_held();
  void push_held();
  double velocity_of_held(const BodyRows& all);
  double overlap_of_held(const BodyRows& all, double slop, double share, double most);
  void move_held(std::vector<Row8<Real>>& motion, double share);
  void measure_joint(std::size_t n, const BodyRows& all);
  void find_drift(double h, double across);
  // From errors in `impulse` to impulses, and what they do to the motion: less, if it were farther
  // than `bound` times all errors, or a larger turn.
  void move(std::vector<Row8<Real>>& motion, double bound, double most_turn);
};

inline Sym3T<double> sum(const Sym3T<double>& a, const Sym3T<double>& b, double share) {
  return {a.xx + share * b.xx, a.xy + share * b.xy, a.xz + share * b.xz,
          a.yy + share * b.yy, a.yz + share * b.yz, a.zz + share * b.zz};
}
template <class Numbers>
Sym3T<double> inverse_inertia(const Numbers& mass) {
  return {mass[0], mass[1], mass[2], mass[3], mass[4], mass[5]};
}

}  // namespace sinew
