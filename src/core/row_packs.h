// Rows of four numbers, as particles lie in memory, to packs of x, of y and of z, and back: every
// lane's row is one load or store, and the rest is done in registers.
#pragma once

#include <array>
#include <cstdint>
#include <utility>

#include "core/pack.h"

namespace sinew {

// Four numbers as they lie in memory: a position and a fourth that rides along.
template <class T>
struct alignas(4 * sizeof(T)) Row4 {
  T x, y, z, w;
};

template <class T>
struct Rows4 {  // the same, one pack for each column
  Vec3T<T> xyz;
  T w;
};

template <class T>
SINEW_INLINE Rows4<T> gather(const Row4<NumberOf<T>>* base, const std::uint32_t* index) {
  using Number = NumberOf<T>;
  if constexpr (kWidth<T> == 1) {
    const Row4<Number>& r = base[index[0]];
    return {{r.x, r.y, r.z}, r.w};
  } else {
    namespace d = pack_detail;
    constexpr int N = kWidth<T>;
    typedef Number Four __attribute__((vector_size(4 * sizeof(Number)), may_alias));
    const auto row = [&](int i) { return *reinterpret_cast<const Four*>(base + index[i]); };
    typename T::Raw r[4];
    for (int i = 0; i < 4; ++i) {
      if constexpr (N == 4) r[i] = row(i);
      if constexpr (N == 8) r[i] = d::concat<Number, 8>(row(i), row(i + 4));
      if constexpr (N == 16)
        r[i] = d::concat<Number, 16>(d::concat<Number, 8>(row(i), row(i + 4)),
                                     d::concat<Number, 8>(row(i + 8), row(i + 12)));
    }
    d::transpose_fours<Number, N>(r[0], r[1], r[2], r[3]);
    return {{T::from(r[0]), T::from(r[1]), T::from(r[2])}, T::from(r[3])};
  }
}

// Lanes that share an index must carry the same values.
template <class T>
SINEW_INLINE void scatter(Row4<NumberOf<T>>* base, const std::uint32_t* index,
                          const Rows4<T>& rows) {
  using Number = NumberOf<T>;
  if constexpr (kWidth<T> == 1) {
    base[index[0]] = {rows.xyz.x, rows.xyz.y, rows.xyz.z, rows.w};
  } else {
    namespace d = pack_detail;
    constexpr int N = kWidth<T>;
    constexpr auto kFour = std::make_integer_sequence<int, 4>();
    typedef Number Four __attribute__((vector_size(4 * sizeof(Number)), may_alias));
    typename T::Raw r[4] = {rows.xyz.x.v, rows.xyz.y.v, rows.xyz.z.v, rows.w.v};
    d::transpose_fours<Number, N>(r[0], r[1], r[2], r[3]);
    const auto put = [&](int i, Four v) { *reinterpret_cast<Four*>(base + index[i]) = v; };
    for (int i = 0; i < 4; ++i) {
      put(i, d::part<Number, N, 0>(r[i], kFour));
      if constexpr (N >= 8) put(i + 4, d::part<Number, N, 4>(r[i], kFour));
      if constexpr (N == 16) put(i + 8, d::part<Number, N, 8>(r[i], kFour));
      if constexpr (N == 16) put(i + 12, d::part<Number, N, 12>(r[i], kFour));
    }
  }
}

// Particles of several nodes.
template <class W, int N>
SINEW_INLINE void gather_nodes(const Row4<NumberOf<W>>* rows,
                               const std::uint32_t (&node)[N][kWidth<W>], Rows4<W> (&p)[N]) {
  for (int i = 0; i < N; ++i) p[i] = gather<W>(rows, node[i]);
}

// Adds to the rows of all lanes, one after the other: they may share an index.
template <class T>
SINEW_INLINE void add_to_rows(Row4<NumberOf<T>>* base, const std::uint32_t* index,
                              const Vec3T<T>& v) {
  using Number = NumberOf<T>;
  if constexpr (kWidth<T> == 1) {
    Row4<Number>& row = base[index[0]];
    row.x += v.x, row.y += v.y, row.z += v.z;
  } else {
    namespace d = pack_detail;
    constexpr int N = kWidth<T>;
    constexpr auto kFour = std::make_integer_sequence<int, 4>();
    typedef Number Four __attribute__((vector_size(4 * sizeof(Number)), may_alias));
    typename T::Raw r[4] = {v.x.v, v.y.v, v.z.v, T(Number(0)).v};
    d::transpose_fours<Number, N>(r[0], r[1], r[2], r[3]);
    const auto put = [&](int i, Four four) { *reinterpret_cast<Four*>(base + index[i]) += four; };
    for (int i = 0; i < 4; ++i) {
      put(i, d::part<Number, N, 0>(r[i], kFour));
      if constexpr (N >= 8) put(i + 4, d::part<Number, N, 4>(r[i], kFour));
      if constexpr (N == 16) put(i + 8, d::part<Number, N, 8>(r[i], kFour));
      if constexpr (N == 16) put(i + 12, d::part<Number, N, 12>(r[i], kFour));
    }
  }
}

// The same for rows that lie one after the other.
template <class T>
inline constexpr std::array<std::uint32_t, 16> kConsecutive = {0, 1, 2,  3,  4,  5,  6,  7,
                                                               8, 9, 10, 11, 12, 13, 14, 15};
template <class T>
SINEW_INLINE Rows4<T> load(const Row4<NumberOf<T>>* rows) {
  return gather<T>(rows, kConsecutive<T>.data());
}
template <class T>
SINEW_INLINE void store(Row4<NumberOf<T>>* rows, const Rows4<T>& value) {
  scatter<T>(rows, kConsecutive<T>.data(), value);
}

// The sums of the lanes of each of the four.
template <class T>
SINEW_INLINE Row4<NumberOf<T>> row_sum(const Rows4<T>& rows) {
  using Number = NumberOf<T>;
  if constexpr (kWidth<T> == 1) {
    return {rows.xyz.x, rows.xyz.y, rows.xyz.z, rows.w};
  } else {
    namespace d = pack_detail;
    constexpr int N = kWidth<T>;
    constexpr auto kFour = std::make_integer_sequence<int, 4>();
    typename T::Raw r[4] = {rows.xyz.x.v, rows.xyz.y.v, rows.xyz.z.v, rows.w.v};
    d::transpose_fours<Number, N>(r[0], r[1], r[2], r[3]);
    const typename T::Raw fours = (r[0] + r[1]) + (r[2] + r[3]);
    auto sum = d::part<Number, N, 0>(fours, kFour);
    if constexpr (N >= 8) sum = sum + d::part<Number, N, 4>(fours, kFour);
    if constexpr (N == 16)
      sum = sum + (d::part<Number, N, 8>(fours, kFour) + d::part<Number, N, 12>(fours, kFour));
    return {sum[0], sum[1], sum[2], sum[3]};
  }
}

}  // namespace sinew
