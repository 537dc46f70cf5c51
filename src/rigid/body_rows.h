// The motion of rigid bodies as solvers touch it: rows of eight numbers a body, of velocities, of
// the way of the current step, of poses and of inverse masses, which a lane of a pack loads whole.
// Everything is about the centre of mass, in the world's frame.
#pragma once

#include <vector>

#include "core/row_packs.h"
#include "math/sym3.h"

namespace sinew {

// Index of a body's row; what cannot move has one, too, with inverse masses of zero.
using BodyRow = std::uint32_t;

// Numbers of one body, plain or over packs.
template <class T>
struct Twist {       // a velocity, or a displacement
  Vec3T<T> linear;   // [m/s] or [m]
  Vec3T<T> angular;  // [rad/s] or [rad]
};

template <class T>
struct InverseMass {
  T mass{};          // [1/kg]
  Sym3T<T> inertia;  // in the world's frame [1/(kg m²)]
};

template <class T>
struct BodyPose {
  Vec3T<T> center;  // of mass [m]
  QuatT<T> turn;    // orientation of the body's frame
};

// Rows of all bodies; kernels read and write them through the functions below.
struct BodyRows {
  std::vector<Row8<Real>> velocity;  // linear xyz, angular xyz, -, -
  std::vector<Row8<Real>> way;       // of the step so far: the same of displacements
  std::vector<Row8<Real>> pose;      // now: centre xyz, -, quaternion xyzw
  std::vector<Row8<Real>> mass;      // inverse: xx xy xz yy yz zz, 1/m, -
};

template <class T>
SINEW_INLINE Twist<T> gather_twist(const std::vector<Row8<Real>>& rows, const BodyRow* index) {
  T c[8];
  gather8<T>(rows.data(), index, c);
  return {{c[0], c[1], c[2]}, {c[3], c[4], c[5]}};
}
// Lanes that share an index must not be here, unless they may overwrite each other.
template <class T>
SINEW_INLINE void scatter_twist(std::vector<Row8<Real>>& rows, const BodyRow* index,
                                const Twist<T>& t) {
  const T c[8] = {t.linear.x,  t.linear.y,  t.linear.z, t.angular.x,
                  t.angular.y, t.angular.z, T(Real(0)), T(Real(0))};
  scatter8<T>(rows.data(), index, c);
}
template <class T>
SINEW_INLINE InverseMass<T> gather_mass(const std::vector<Row8<Real>>& rows, const BodyRow* index) {
  T c[8];
  gather8<T>(rows.data(), index, c);
  return {c[6], {c[0], c[1], c[2], c[3], c[4], c[5]}};
}
template <class T>
SINEW_INLINE BodyPose<T> gather_pose(const std::vector<Row8<Real>>& rows, const BodyRow* index) {
  T c[8];
  gather8<T>(rows.data(), index, c);
  return {{c[0], c[1], c[2]}, {c[4], c[5], c[6], c[7]}};
}

}  // namespace sinew
