// Solves the rows of joints, a pack of joints of one kind at a time.
//
// An impulse λ along a row changes velocities by M⁻¹Jᵀλ. Gauss–Seidel takes row after row and sets
//
//   λ ← λ − m (J·v + bias + γλ),  m = 1/(J M⁻¹ Jᵀ + γ),
//
// within the limits of λ. For the equations of one joint (its block) that would converge slowly,
// where rows push the same way. Instead, prepare() makes them orthogonal to each other with respect
// to M⁻¹ (Gram–Schmidt): J = L J̃ with a unit lower triangle L, so that J̃ M⁻¹ J̃ᵀ is diagonal and
// J v = 0 just where J̃ v = 0. One sweep over orthogonal rows is the exact solution of the block.
// Loose rows (ranges, springs, motors) are made orthogonal to the block, not to each other: they
// then move the bodies only as the block allows, and m is the mass that is felt there. The impulses
// of the rows as they were are λ = L⁻ᵀλ̃; they are what is kept from substep to substep, for L
// changes. Rows that say nothing new, or that no body can follow, have no m and do nothing.
//
// Springs are implicit: with ω = 2πf and the damping ratio ζ, stiffness ω²/(J M⁻¹ Jᵀ) and damping
// 2ζω/(J M⁻¹ Jᵀ) make γ = J M⁻¹ Jᵀ/(hω(hω + 2ζ)), bias = hω/(hω + 2ζ) C/h (Catto, "Soft
// constraints", GDC 2011). A block with a spring has a γ for each of its orthogonal rows, and so
// swings at that frequency in every direction.
//
// C is to stay as it is over the substep, in which rows turn with the bodies:
//   C(x + hv) = C(x) + h J·v + h²/2 J̇·v,
// so that J·v = −½ (J(x + hv) − J(x))·v is asked for, with the velocities of the last substep. That
// makes the step symmetric in time to first order (as SHAKE is: J.-P. Ryckaert et al., 1977), where
// J·v = 0 takes the square of the turn from what swings: a pendulum of 1 m lost a third of its
// energy in 20 s.
//
// Ranges look ahead: C may come as near to a limit as it is in a substep, J·v ≥ −(C − lower)/h, so
// that nothing goes past it. With a spring, what is past it is pulled back as by any spring. A
// motor asks for J·v = speed within the same bounds, so that it never works against its own range.
#pragma once

#include "rigid/joint_pack.h"

namespace sinew {

template <class E, class T>
using MotionOf = PairMotion<T, E::kOpposite>;

template <class E, class T>
SINEW_INLINE MotionOf<E, T> load_motion(const JointPack<E, T>& p,
                                        const std::vector<Row8<Real>>& rows) {
  return {gather_twist<T>(rows, p.a), gather_twist<T>(rows, p.b), p.mass_a, p.mass_b};
}
template <class E, class T>
SINEW_INLINE void store_motion(const JointPack<E, T>& p, const MotionOf<E, T>& motion,
                               std::vector<Row8<Real>>& rows) {
  scatter_twist<T>(rows, p.write_a, motion.a());
  scatter_twist<T>(rows, p.write_b, motion.b());
}

namespace row_solver {

// hω/(hω + 2ζ), the share of the error that a spring takes back in a substep, and γ by J M⁻¹ Jᵀ;
// 2ζω and ω², its damping and stiffness by the mass.
template <class T>
struct Softness {
  T share, gamma, damping, stiffness;
};
template <class T>
SINEW_INLINE Softness<T> softness(const T& frequency, const T& damping, const T& h) {
  constexpr NumberOf<T> kTurn = NumberOf<T>(6.283185307179586477);
  const T zero(Real(0)), one(Real(1));
  const auto soft = frequency > zero;
  const T turn = select(soft, T(kTurn) * frequency * h, one);
  const T inverse = one / (turn + T(Real(2)) * damping);
  const T omega = select(soft, T(kTurn) * frequency, zero);
  return {select(soft, turn * inverse, zero), select(soft, inverse / turn, zero),
          T(Real(2)) * damping * omega, omega * omega};
}

// λ = L⁻ᵀλ̃, and back.
template <class E, class T>
SINEW_INLINE void to_plain(const JointBack<E, T>& back, T* impulse) {
  for (int i = E::kBlock - 1; i >= 0; --i)
    for (int j = i + 1; j < back.kRows; ++j) impulse[i] -= back.share[j][i] * impulse[j];
}
template <class E, class T>
SINEW_INLINE void to_orthogonal(const JointBack<E, T>& back, T* impulse) {
  for (int i = 0; i < E::kBlock; ++i)
    for (int j = i + 1; j < back.kRows; ++j) impulse[i] += back.share[j][i] * impulse[j];
}

template <class E, class T>
SINEW_INLINE void get_impulses(const JointPack<E, T>& p, T* impulse) {
  for (int i = 0; i < E::kBlock; ++i) impulse[i] = p.block[i].impulse;
  for (int i = 0; i < E::kLoose; ++i) impulse[E::kBlock + i] = p.loose[i].impulse;
}

// Gram–Schmidt on the rows; fills in share, values and masses (1/(J̃ M⁻¹ J̃ᵀ), or 0).
template <class E, class T>
SINEW_INLINE void orthogonalise(JointBack<E, T>& back, RowGeometry<T, E::kOpposite>* row, T* value,
                                T* bend, T* mass, const InverseMass<T>& of_a,
                                const InverseMass<T>& of_b) {
  constexpr int kRows = E::kBlock + E::kLoose;
  constexpr auto kLeast = 64 * std::numeric_limits<NumberOf<T>>::epsilon();
  // Of what a row might move, if bodies were free: rows along what is locked have nothing but
  // rounding of it, and an impulse along them would have no end.
  constexpr auto kNothing = kLeast * kLeast;
  T response[kRows], free[kRows];
  for (int i = 0; i < kRows; ++i)
    free[i] = (dot(row[i].linear, row[i].linear) * of_a.mass +
               dot(row[i].linear_b(), row[i].linear_b()) * of_b.mass) +
              (dot(row[i].angular_a, row[i].angular_a) * trace(of_a.inertia) +
               dot(row[i].angular_b, row[i].angular_b) * trace(of_b.inertia));
  for (int i = 0; i < kRows; ++i) {
    row[i].turn_a = of_a.inertia * row[i].angular_a;
    row[i].turn_b = of_b.inertia * row[i].angular_b;
    response[i] = row[i].response(row[i], of_a.mass, of_b.mass);
    T whole = response[i];
    for (int k = 0; k < i && k < E::kBlock; ++k)
      whole += back.share[i][k] * back.share[i][k] * response[k];
    // What is left after subtracting nearly everything is rounding.
    const auto sound = response[i] > max(whole * T(kLeast), free[i] * T(kNothing));
    mass[i] = select(sound, T(Real(1)) / select(sound, response[i], T(Real(1))), T(Real(0)));
    if (i >= E::kBlock) continue;
    for (int j = i + 1; j < kRows; ++j) {
      const T share = row[j].response(row[i], of_a.mass, of_b.mass) * mass[i];
      back.share[j][i] = share;
      row[j].subtract(row[i], share);
      value[j] -= share * value[i];
      bend[j] -= share * bend[i];
    }
  }
}

// What the books of springs know of a row (joint_batch_sums.h). C: past the end of its range.
template <class E, class T, class Mask>
SINEW_INLINE void set_spring(JointBack<E, T>& back, int i, const Softness<T>& soft,
                             const Mask& is_spring, const T& mass, const T& past) {
  const T zero(Real(0)), half(Real(0.5));
  back.damping[i] = select(is_spring, mass * soft.damping, T(Real(-1)));
  const T holds = select(is_spring, half * mass * soft.stiffness * past * past, zero);
  back.stored = select(back.refill > zero, back.stored + holds, back.stored);
}

// An equation, or a spring in its place.
template <class E, class T>
SINEW_INLINE void set_block_row(JointPack<E, T>& p, JointBack<E, T>& back, int i,
                                const JointRows<T, E::kBlock, E::kLoose>& rows,
                                const RowGeometry<T, E::kOpposite>& row, const T& value,
                                const T& bend, const T& mass, const T& impulse,
                                const SubstepSize<T>& s) {
  const T zero(Real(0)), one(Real(1));
  const Softness<T> soft = softness(rows.frequency, rows.damping, s.h);
  const T soft_mass = mass / (one + soft.gamma);
  p.block[i] = {row, soft_mass, soft_mass * (soft.share * value * s.rate + bend),
                soft.gamma / (one + soft.gamma), impulse};
  back.firm[i] = select(soft.share > zero, zero, mass);
  back.error[i] = rows.block[i].value;
  set_spring(back, i, soft, soft.share > zero, mass, value);
}

// A range, a spring into it, or a motor.
template <class E, class T>
SINEW_INLINE void set_loose_row(JointPack<E, T>& p, JointBack<E, T>& back, int i,
                                const LooseRow<T>& loose, const RowGeometry<T, E::kOpposite>& row,
                                const T& value, const T& bend, const T& mass, const T& impulse,
                                const SubstepSize<T>& s) {
  const T zero(Real(0)), one(Real(1));
  const Softness<T> soft = softness(loose.frequency, loose.damping, s.h);
  const T soft_mass = mass / (one + soft.gamma);
  const auto is_driven = loose.driven > zero, is_one = loose.lower >= loose.upper;
  // Rates: inside the range as far as there is room, outside back by the spring's share. A range of
  // one value is an equation: both sides know of the error.
  const T above = value - loose.lower, below = value - loose.upper;
  const T back_up = soft.share * min(above, zero), back_down = soft.share * max(below, zero);
  const T lower = select(is_one, back_up + back_down, max(above, zero) + back_up);
  const T upper = select(is_one, back_up + back_down, min(below, zero) + back_down);
  // A motor's speed leads no farther than the ends of its range.
  const T speed = max(min(loose.speed, -min(below, zero) * s.rate), -max(above, zero) * s.rate);
  p.loose[i] = {row,
                soft_mass,
                soft.gamma / (one + soft.gamma),
                soft_mass * (select(is_driven, -speed, lower * s.rate) + bend),
                soft_mass * (select(is_driven, -speed, upper * s.rate) + bend),
                min(loose.most * s.h, T(kUnbounded)),
                impulse};
  // Springs and motors have no error.
  const int n = E::kBlock + i;
  const T rigid = select(is_driven, zero, select(soft.share > zero, zero, one));
  const T outside = min(loose.value - loose.lower, zero) + max(loose.value - loose.upper, zero);
  back.lower[i] = loose.lower;
  back.upper[i] = loose.upper;
  back.firm[n] = mass * rigid;
  back.error[n] = outside * rigid;
  const auto is_spring = (soft.share > zero) & (loose.powered <= zero);
  set_spring(back, n, soft, is_spring, mass, min(above, zero) + max(below, zero));
}

// Where a body will be at the end of the substep, to first order.
template <class T>
SINEW_INLINE BodyPose<T> moved_on(const BodyPose<T>& pose, const Twist<T>& v, const T& h) {
  const Vec3T<T> half = v.angular * (h * T(Real(0.5)));
  const QuatT<T> turn = QuatT<T>{half.x, half.y, half.z, T(Real(1))} * pose.turn;
  return {pose.center + v.linear * h, normalized(turn)};
}

// ½ (J' − J)·v.
template <class T>
SINEW_INLINE T bend_of(const JointRow<T>& row, const JointRow<T>& ahead, const Twist<T>& a,
                       const Twist<T>& b) {
  return T(Real(0.5)) * ((dot(ahead.linear_a - row.linear_a, a.linear) +
                          dot(ahead.angular_a - row.angular_a, a.angular)) +
                         (dot(ahead.linear_b - row.linear_b, b.linear) +
                          dot(ahead.angular_b - row.angular_b, b.angular)));
}

// What turns far in a substep leaves the ground of ½ (J' − J)·v, which then feeds it.
template <class T>
SINEW_INLINE T bend_share(const Twist<T>& a, const Twist<T>& b, const T& h) {
  const T most(Real(0.5));  // [rad]
  const T turn2 = max(dot(a.angular, a.angular), dot(b.angular, b.angular)) * (h * h);
  return most * most / max(turn2, most * most);
}

// A push along a row of which neither body turns by more than rows are good for.
template <class T, bool kOpposite>
SINEW_INLINE T bounded_push(const RowGeometry<T, kOpposite>& row, const T& push) {
  const T most(Real(0.25));  // [rad]
  const T turn2 = max(dot(row.turn_a, row.turn_a), dot(row.turn_b, row.turn_b)) * (push * push);
  return push * (most / sqrt(max(turn2, most * most)));
}

}  // namespace row_solver

// Rows from the poses as they are. Keeps the impulses, and applies none.
template <class E, class T>
SINEW_INLINE void prepare_joints(JointPack<E, T>& p, JointBack<E, T>& back, const BodyRows& bodies,
                                 const SubstepSize<T>& s) {
  constexpr int kBlock = E::kBlock, kLoose = E::kLoose, kRows = kBlock + kLoose;
  const T zero(Real(0));
  JointRows<T, kBlock, kLoose> rows;
  const BodyPose<T> pose_a = gather_pose<T>(bodies.pose, p.a);
  const BodyPose<T> pose_b = gather_pose<T>(bodies.pose, p.b);
  E::template rows<T>(back.parameters, pose_a, pose_b, rows);
  const Twist<T> motion_a = gather_twist<T>(bodies.velocity, p.a);
  const Twist<T> motion_b = gather_twist<T>(bodies.velocity, p.b);
  JointRows<T, kBlock, kLoose> ahead;
  auto parameters = back.parameters;  // what it remembers is not to know of this
  E::template rows<T>(parameters, row_solver::moved_on(pose_a, motion_a, s.h),
                      row_solver::moved_on(pose_b, motion_b, s.h), ahead);
  back.arm_b = rows.arm_b;
  back.position = rows.position;

  T impulse[kRows];
  row_solver::get_impulses(p, impulse);
  row_solver::to_plain(back, impulse);

  const InverseMass<T> of_a = gather_mass<T>(bodies.mass, p.a);
  const InverseMass<T> of_b = gather_mass<T>(bodies.mass, p.b);
  p.mass_a = of_a.mass;
  p.mass_b = of_b.mass;
  RowGeometry<T, E::kOpposite> row[kRows];
  T value[kRows], bend[kRows], mass[kRows];
  const T share = row_solver::bend_share(motion_a, motion_b, s.h);
  for (int i = 0; i < kBlock; ++i) {
    row[i] = RowGeometry<T, E::kOpposite>(rows.block[i]);
    value[i] = rows.block[i].value;
    bend[i] = row_solver::bend_of(rows.block[i], ahead.block[i], motion_a, motion_b) * share;
  }
  for (int i = 0; i < kLoose; ++i) {
    row[kBlock + i] = RowGeometry<T, E::kOpposite>(rows.loose[i]);
    value[kBlock + i] = rows.loose[i].value;
    bend[kBlock + i] =
        row_solver::bend_of<T>(rows.loose[i], ahead.loose[i], motion_a, motion_b) * share;
  }
  row_solver::orthogonalise<E>(back, row, value, bend, mass, of_a, of_b);
  row_solver::to_orthogonal(back, impulse);

  back.stored = select(back.refill > zero, zero, back.stored);
  const MotionOf<E, T> way = load_motion(p, bodies.way);
  for (int i = 0; i < kRows; ++i) {
    back.start[i] = value[i] - way.along(row[i]);
    impulse[i] = select(mass[i] > zero, impulse[i] * s.keep, zero);
  }
  for (int i = 0; i < kBlock; ++i)
    row_solver::set_block_row(p, back, i, rows, row[i], value[i], bend[i], mass[i], impulse[i], s);
  for (int i = 0; i < kLoose; ++i)
    row_solver::set_loose_row(p, back, i, rows.loose[i], row[kBlock + i], value[kBlock + i],
                              bend[kBlock + i], mass[kBlock + i], impulse[kBlock + i], s);
  back.refill = zero;
}

template <class E, class T>
SINEW_INLINE void warm_start_joints(const JointPack<E, T>& p, std::vector<Row8<Real>>& rows) {
  MotionOf<E, T> motion = load_motion(p, rows);
  for (const auto& state : p.block) motion.push(state.row, state.impulse);
  for (const auto& state : p.loose) motion.push(state.row, state.impulse);
  store_motion<E, T>(p, motion, rows);
}

// One sweep over the rows.
template <class E, class T>
SINEW_INLINE void solve_joints(JointPack<E, T>& p, BodyRows& bodies) {
  const T zero(Real(0));
  MotionOf<E, T> motion = load_motion(p, bodies.velocity);
  for (auto& state : p.loose) {
    const T before = state.impulse;
    const T free = before - state.give * before - state.mass * motion.along(state.row);
    const T wanted = max(free - state.lower, zero) + min(free - state.upper, zero);
    state.impulse = max(min(wanted, state.most), -state.most);
    motion.push(state.row, state.impulse - before);
  }
  for (auto& state : p.block) {
    const T change =
        -(state.mass * motion.along(state.row) + state.bias) - state.give * state.impulse;
    state.impulse += change;
    motion.push(state.row, change);
  }
  store_motion<E, T>(p, motion, bodies.velocity);
}

// Undoes a share of the errors, to first order as they are after the way of the step so far.
template <class E, class T>
SINEW_INLINE void correct_joints(const JointPack<E, T>& p, const JointBack<E, T>& back,
                                 BodyRows& bodies, const T& share) {
  const T zero(Real(0));
  MotionOf<E, T> way = load_motion(p, bodies.way);
  for (int i = 0; i < E::kBlock; ++i) {
    const T error = back.start[i] + way.along(p.block[i].row);
    way.push(p.block[i].row,
             row_solver::bounded_push(p.block[i].row, -share * back.firm[i] * error));
  }
  for (int i = 0; i < E::kLoose; ++i) {
    const T value = back.start[E::kBlock + i] + way.along(p.loose[i].row);
    const T error = min(value - back.lower[i], zero) + max(value - back.upper[i], zero);
    way.push(p.loose[i].row,
             row_solver::bounded_push(p.loose[i].row, -share * back.firm[E::kBlock + i] * error));
  }
  store_motion<E, T>(p, way, bodies.way);
}

}  // namespace sinew
