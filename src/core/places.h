// Where particles are, to twice the digits of a number: a row of positions, and a row of what those
// lost by rounding. A substep moves particles by less than a float tells apart (h²g is 2e-8 m at
// h = 1/24000 s, and 10 km from the origin a float is good to 1 mm). Solvers therefore work on
// the displacements within a substep, and see each other's particles by differences of places.
#pragma once

#include <span>
#include <vector>

#include "core/row_packs.h"

namespace sinew {

struct Places {
  const Row4<Real>* position = nullptr;
  const Row4<Real>* low = nullptr;  // what position lost by rounding; null: nothing

  Vec3T<double> operator[](std::size_t i) const {
    const Row4<Real>& x = position[i];
    if (!low) return {x.x, x.y, x.z};
    const Row4<Real>& l = low[i];
    return {double(x.x) + l.x, double(x.y) + l.y, double(x.z) + l.z};
  }
};

// A number, and what it lost by rounding.
struct SplitNumber {
  Real high, low;
  explicit SplitNumber(double x) : high(Real(x)), low(Real(x - double(Real(x)))) {}
};
// A place, as its two rows; w is `w` and 0.
inline void set_place(const Vec3T<double>& x, Real w, Row4<Real>& position, Row4<Real>& low) {
  const SplitNumber a(x.x), b(x.y), c(x.z);
  position = {a.high, b.high, c.high, w};
  low = {a.low, b.low, c.low, 0};
}

// A point of a body, in the world.
inline Vec3T<double> to_world(const Pose& pose, const Vec3& local) {
  const Quat& q = pose.orientation;
  const auto turn = normalized(QuatT<double>{q.x, q.y, q.z, q.w});
  return to_double(pose.position) + turn.rotate(to_double(local));
}

// x + low ← x + low + by, by Knuth's exact sum of two numbers.
template <class W>
SINEW_INLINE void move_place(const W& by, W& x, W& low) {
  const W sum = x + by, taken = sum - x;
  const W rest = low + ((x - (sum - taken)) + (by - taken));
  x = sum + rest;
  low = rest - (x - sum);
}
template <class W>
SINEW_INLINE void move_place(const Vec3T<W>& by, Vec3T<W>& x, Vec3T<W>& low) {
  for (int k = 0; k < 3; ++k) move_place(by[k], x[k], low[k]);
}

// Nodes seen from the first of them, x[0] = 0: differences keep their digits wherever the body is.
template <class W, int N>
SINEW_INLINE void gather_seen_from_first(const Places& at,
                                         const std::uint32_t (&node)[N][kWidth<W>],
                                         Vec3T<W> (&x)[N]) {
  const Vec3T<W> first = gather<W>(at.position, node[0]).xyz;
  x[0] = {W(0), W(0), W(0)};
  for (int i = 1; i < N; ++i) x[i] = gather<W>(at.position, node[i]).xyz - first;
  if (!at.low) return;
  const Vec3T<W> first_low = gather<W>(at.low, node[0]).xyz;
  for (int i = 1; i < N; ++i) x[i] += gather<W>(at.low, node[i]).xyz - first_low;
}

// The nodes of a pack of elements at the start of a substep, seen from the first of each.
template <class W, int N>
struct StartShape {
  Vec3T<W> from_first[N - 1];

  SINEW_INLINE void set(const Vec3T<W> (&x)[N]) {
    for (int i = 1; i < N; ++i) from_first[i - 1] = x[i];
  }
  SINEW_INLINE void get(Vec3T<W> (&x)[N]) const {
    x[0] = {W(0), W(0), W(0)};
    for (int i = 1; i < N; ++i) x[i] = from_first[i - 1];
  }
  // After displacements u, seen from the first node as it is then.
  SINEW_INLINE void moved(const Rows4<W> (&u)[N], Vec3T<W> (&x)[N]) const {
    x[0] = {W(0), W(0), W(0)};
    for (int i = 1; i < N; ++i) x[i] = from_first[i - 1] + (u[i].xyz - u[0].xyz);
  }
};

// All particles of a body, seen from one of them at the start of the substep, for what looks at the
// body as a whole.
class SeenRows {
 public:
  void resize(std::size_t count) { start_.resize(count), rows_.resize(count); }
  std::size_t size() const { return start_.size(); }

  // The rows at the start; `u` has the inverse masses.
  const Row4<Real>* begin(const Places& start, const Row4<Real>* u) {
    if (start_.empty()) return nullptr;
    const Vec3T<double> origin = start[0];
    for (std::size_t i = 0; i < start_.size(); ++i) {
      const Vec3T<double> x = start[i] - origin;
      start_[i] = {Real(x.x), Real(x.y), Real(x.z), u[i].w};
    }
    return start_.data();
  }
  // And after displacements u.
  const Row4<Real>* moved(const Row4<Real>* u) {
    for (std::size_t i = 0; i < start_.size(); ++i) {
      const Row4<Real>& x = start_[i];
      rows_[i] = {x.x + u[i].x, x.y + u[i].y, x.z + u[i].z, u[i].w};
    }
    return rows_.data();
  }

 private:
  std::vector<Row4<Real>> start_, rows_;
};

// The rows of `count` particles, seen from the first: for what is measured, not for steps.
inline std::vector<Row4<Real>> rows_seen_from_first(const Places& at, std::size_t count) {
  std::vector<Row4<Real>> rows(count);
  for (std::size_t i = 0; i < count; ++i) {
    const Vec3T<double> x = at[i] - at[0];
    rows[i] = {Real(x.x), Real(x.y), Real(x.z), at.position[i].w};
  }
  return rows;
}

}  // namespace sinew
