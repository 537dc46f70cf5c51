// The equations of RowBatch (joint_batch.h) for those who solve many of them together: where they
// are, what they say, and their impulses.
#pragma once

#include "rigid/joint_batch.h"

namespace sinew {

// One lane where it lies. lane() and set_lane() go by a copy of the whole pack, which waits until
// all that was written to its lanes just before has arrived.
template <class T>
SINEW_INLINE NumberOf<T> number_in(const T& pack, int lane) {
  NumberOf<T> value;
  std::memcpy(&value, reinterpret_cast<const std::byte*>(&pack) + lane * sizeof(value),
              sizeof(value));
  return value;
}
template <class T>
SINEW_INLINE void set_number(T& pack, int lane, NumberOf<T> value) {
  std::memcpy(reinterpret_cast<std::byte*>(&pack) + lane * sizeof(value), &value, sizeof(value));
}
template <class T>
SINEW_INLINE Vec3T<double> numbers_in(const Vec3T<T>& packs, int lane) {
  return {double(number_in(packs.x, lane)), double(number_in(packs.y, lane)),
          double(number_in(packs.z, lane))};
}

template <class E, class W>
bool RowBatch<E, W>::is_hard(const RowPlace& at) const {
  const JointPack<E, W>& p = packs_[at.pack];
  if constexpr (E::kBlock > 0)
    if (at.row < E::kBlock) return !(number_in(p.block[at.row].give, at.lane) > 0);
  if constexpr (E::kLoose > 0) {
    const int i = at.row - E::kBlock;
    const JointBack<E, W>& back = backs_[at.pack];
    return !(number_in(back.lower[i], at.lane) < number_in(back.upper[i], at.lane)) &&
           number_in(back.firm[at.row], at.lane) > 0 &&
           number_in(p.loose[i].most, at.lane) > Real(1e20);
  }
  return false;
}

template <class E, class W>
void RowBatch<E, W>::hard_rows(int index, std::vector<RowPlace>& out) const {
  const Item& item = items_[index];
  if (item.pack < 0) return;
  for (int row = 0; row < kRows; ++row) {
    const RowPlace at{item.pack, item.lane, row};
    if (is_hard(at)) out.push_back(at);
  }
}

template <class E, class W>
void RowBatch<E, W>::read_rows(std::span<const RowPlace> places, HardRow* rows,
                               HardError* errors) const {
  for (const RowPlace& at : places) {
    const JointBack<E, W>& back = backs_[at.pack];
    HardRow& to = *rows++;
    HardError& error = *errors++;
    const int n = std::min(at.row, kRows - 1);  // GCC 12 fears more without it
    error.on = is_hard(at) && number_in(back.firm[n], at.lane) > 0;
    error.start = number_in(back.start[n], at.lane);
    if constexpr (E::kLoose > 0)
      if (n >= E::kBlock) error.start -= number_in(back.lower[n - E::kBlock], at.lane);
    if (!error.on) {
      to = {};
      continue;
    }
    with_row(packs_[at.pack], at.row, [&](const auto& state) {
      const auto& row = state.row;
      for (int k = 0; k < 3; ++k) {
        to.a[k] = number_in(row.linear[k], at.lane);
        if constexpr (E::kOpposite)
          to.b[k] = -to.a[k];
        else
          to.b[k] = number_in(row.of_b[k], at.lane);
        to.a[3 + k] = number_in(row.angular_a[k], at.lane);
        to.b[3 + k] = number_in(row.angular_b[k], at.lane);
      }
    });
  }
}

template <class E, class W>
void RowBatch<E, W>::read_arms(std::span<const RowPlace> places, HardArms* out) const {
  for (const RowPlace& at : places) {
    const JointBack<E, W>& back = backs_[at.pack];
    out->b = numbers_in(back.arm_b, at.lane);
    out->apart = {};
    if constexpr (E::kBlock == 0)
      with_row(packs_[at.pack], at.row, [&](const auto& state) {
        out->apart =
            numbers_in(state.row.linear, at.lane) * double(number_in(back.position, at.lane));
      });
    ++out;
  }
}

template <class E, class W>
void RowBatch<E, W>::read_impulses(std::span<const RowPlace> places, double* out) const {
  for (const RowPlace& at : places)
    with_row(packs_[at.pack], at.row,
             [&](const auto& state) { *out++ = number_in(state.impulse, at.lane); });
}

template <class E, class W>
void RowBatch<E, W>::add_impulses(std::span<const RowPlace> places, const double* impulse) {
  for (const RowPlace& at : places) {
    with_row(packs_[at.pack], at.row, [&](auto& state) {
      const Real sum = Real(double(number_in(state.impulse, at.lane)) + *impulse);
      set_number(state.impulse, at.lane, sum);
      if (at.lane == 0)  // lanes that repeat the first
        for (int l = used_[at.pack]; l < kN; ++l) set_number(state.impulse, l, sum);
    });
    ++impulse;
  }
}

}  // namespace sinew
