// What sweeps over the rows of joints read and write: rows, the motion of two bodies, and packs of
// joints of one kind (row_solver.h).
#pragma once

#include "rigid/rows.h"

namespace sinew {

// One row as sweeps need it. `turn` is what an impulse of 1 does to the angular velocities.
template <class T, bool kOpposite>
struct RowGeometry;

template <class T>
struct RowGeometry<T, true> {
  Vec3T<T> linear;  // of a; that of b is the opposite
  Vec3T<T> angular_a, angular_b, turn_a, turn_b;

  explicit SINEW_INLINE RowGeometry(const JointRow<T>& row)
      : linear(row.linear_a), angular_a(row.angular_a), angular_b(row.angular_b) {}
  RowGeometry() = default;
  SINEW_INLINE Vec3T<T> linear_b() const { return -linear; }
  // J M⁻¹ Jᵀ with a row that has its turns.
  SINEW_INLINE T response(const RowGeometry& other, const T& mass_a, const T& mass_b) const {
    return dot(linear, other.linear) * (mass_a + mass_b) + dot(angular_a, other.turn_a) +
           dot(angular_b, other.turn_b);
  }
  SINEW_INLINE void subtract(const RowGeometry& other, const T& share) {
    linear -= other.linear * share;
    angular_a -= other.angular_a * share;
    angular_b -= other.angular_b * share;
  }
};

template <class T>
struct RowGeometry<T, false> {
  Vec3T<T> linear, of_b;
  Vec3T<T> angular_a, angular_b, turn_a, turn_b;

  explicit SINEW_INLINE RowGeometry(const JointRow<T>& row)
      : linear(row.linear_a),
        of_b(row.linear_b),
        angular_a(row.angular_a),
        angular_b(row.angular_b) {}
  RowGeometry() = default;
  SINEW_INLINE Vec3T<T> linear_b() const { return of_b; }
  SINEW_INLINE T response(const RowGeometry& other, const T& mass_a, const T& mass_b) const {
    return dot(linear, other.linear) * mass_a + dot(of_b, other.of_b) * mass_b +
           dot(angular_a, other.turn_a) + dot(angular_b, other.turn_b);
  }
  SINEW_INLINE void subtract(const RowGeometry& other, const T& share) {
    linear -= other.linear * share;
    of_b -= other.of_b * share;
    angular_a -= other.angular_a * share;
    angular_b -= other.angular_b * share;
  }
};

// The motion of the two bodies of a joint while its rows are solved.
template <class T, bool kOpposite>
class PairMotion;

// Opposite rows see the difference of the linear velocities alone, and give opposite impulses.
template <class T>
class PairMotion<T, true> {
 public:
  SINEW_INLINE PairMotion(const Twist<T>& a, const Twist<T>& b, const T& mass_a, const T& mass_b)
      : a_(a), b_(b), mass_a_(mass_a), mass_b_(mass_b), mass_(mass_a + mass_b) {
    between_ = a.linear - b.linear;
    push_ = {T(Real(0)), T(Real(0)), T(Real(0))};
  }
  SINEW_INLINE T along(const RowGeometry<T, true>& row) const {
    return (dot(row.linear, between_) + dot(row.angular_a, a_.angular)) +
           dot(row.angular_b, b_.angular);
  }
  SINEW_INLINE void push(const RowGeometry<T, true>& row, const T& impulse) {
    const Vec3T<T> p = row.linear * impulse;
    push_ += p;
    between_ += p * mass_;
    a_.angular += row.turn_a * impulse;
    b_.angular += row.turn_b * impulse;
  }
  SINEW_INLINE Twist<T> a() const { return {a_.linear + push_ * mass_a_, a_.angular}; }
  SINEW_INLINE Twist<T> b() const { return {b_.linear - push_ * mass_b_, b_.angular}; }

 private:
  Twist<T> a_, b_;
  T mass_a_, mass_b_, mass_;
  Vec3T<T> between_, push_;
};

template <class T>
class PairMotion<T, false> {
 public:
  SINEW_INLINE PairMotion(const Twist<T>& a, const Twist<T>& b, const T& mass_a, const T& mass_b)
      : a_(a), b_(b), mass_a_(mass_a), mass_b_(mass_b) {}
  SINEW_INLINE T along(const RowGeometry<T, false>& row) const {
    return (dot(row.linear, a_.linear) + dot(row.of_b, b_.linear)) +
           (dot(row.angular_a, a_.angular) + dot(row.angular_b, b_.angular));
  }
  SINEW_INLINE void push(const RowGeometry<T, false>& row, const T& impulse) {
    a_.linear += row.linear * (impulse * mass_a_);
    b_.linear += row.of_b * (impulse * mass_b_);
    a_.angular += row.turn_a * impulse;
    b_.angular += row.turn_b * impulse;
  }
  SINEW_INLINE const Twist<T>& a() const { return a_; }
  SINEW_INLINE const Twist<T>& b() const { return b_; }

 private:
  Twist<T> a_, b_;
  T mass_a_, mass_b_;
};

// What every sweep reads. `give` is mγ.
template <class T, bool kOpposite>
struct BlockState {
  RowGeometry<T, kOpposite> row;
  T mass, bias, give;  // bias: times m
  T impulse;
};
template <class T, bool kOpposite>
struct LooseState {
  RowGeometry<T, kOpposite> row;
  T mass, give;
  T lower, upper;  // of −J·v, times m
  T most;          // of the impulse, either way
  T impulse;
};

template <class E, class T>
struct alignas(64) JointPack {
  static constexpr int kN = kWidth<T>;
  BodyRow a[kN], b[kN];              // rows to read
  BodyRow write_a[kN], write_b[kN];  // and to write: those that cannot move have none of their own
  T mass_a, mass_b;                  // inverse
  std::array<BlockState<T, E::kOpposite>, E::kBlock> block;
  std::array<LooseState<T, E::kOpposite>, E::kLoose> loose;
};

// What is needed once a substep, or in passes over positions.
template <class E, class T>
struct alignas(64) JointBack {
  static constexpr int kRows = E::kBlock + E::kLoose;
  typename E::template Parameters<T> parameters;
  T share[kRows][E::kBlock > 0 ? E::kBlock : 1] = {};  // L: rows by those of the block
  T start[kRows];                                      // C̃ where the way of the step is 0
  T firm[kRows];                          // m of rows whose error is undone, 0 of the others
  std::array<T, E::kLoose> lower, upper;  // of C
  T error[kRows];                         // how far C is outside, as prepared
  T damping[kRows];                       // of a spring, by J·v: −1 of rows that are none [kg/s]
  T stored;                               // energy that springs took and have not given back [J]
  T refill;                               // 1: springs are new, and hold what they do at their C
  Vec3T<T> arm_b;                         // from b's centre to the joint
  T position;
};

// Of a substep, in all lanes.
template <class T>
struct SubstepSize {
  T h, rate;  // [s], [1/s]
  T keep;     // factor on impulses of the last substep: of its h and this one
};

}  // namespace sinew
