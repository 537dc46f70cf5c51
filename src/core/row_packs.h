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

// Eight numbers as they lie in memory.
template <class T>
struct alignas(8 * sizeof(T)) Row8 {
  T c[8];
};

namespace pack_detail {

// For packs of 8 and 16 lanes: of the groups of four lanes of `a`, then of `b`, every second (16
// lanes) or one (8 lanes), from group `Odd` on.
template <class T, int N, int Odd, int... I>
SINEW_INLINE Raw<T, N> groups_of(Raw<T, N> a, Raw<T, N> b, std::integer_sequence<int, I...>) {
  return __builtin_shufflevector(
      a, b, ((I < N / 2 ? 0 : N) + (I % (N / 2) / 4 * 2 + Odd) * 4 + I % 4)...);
}
template <class T, int N, int Odd>
SINEW_INLINE Raw<T, N> groups_of(Raw<T, N> a, Raw<T, N> b) {
  return groups_of<T, N, Odd>(a, b, std::make_integer_sequence<int, N>());
}
// The inverse: groups of `a` and `b` in turn, from the first (Half 0) or second half of each.
template <class T, int N, int Half, int... I>
SINEW_INLINE Raw<T, N> groups_in_turn(Raw<T, N> a, Raw<T, N> b, std::integer_sequence<int, I...>) {
  return __builtin_shufflevector(
      a, b, ((I / 4 % 2 == 0 ? 0 : N) + Half * (N / 2) + I / 8 * 4 + I % 4)...);
}
template <class T, int N, int Half>
SINEW_INLINE Raw<T, N> groups_in_turn(Raw<T, N> a, Raw<T, N> b) {
  return groups_in_turn<T, N, Half>(a, b, std::make_integer_sequence<int, N>());
}

}  // namespace pack_detail

// Rows of eight to eight packs, one for each column: a load for every lane, and shuffles.
template <class T>
SINEW_INLINE void gather8(const Row8<NumberOf<T>>* base, const std::uint32_t* index, T (&out)[8]) {
  using Number = NumberOf<T>;
  constexpr int N = kWidth<T>;
  if constexpr (N == 1) {
    for (int e = 0; e < 8; ++e) out[e] = base[index[0]].c[e];
  } else if constexpr (N == 4) {
    namespace d = pack_detail;
    typedef Number Four __attribute__((vector_size(4 * sizeof(Number)), may_alias));
    for (int half = 0; half < 2; ++half) {
      typename T::Raw r[4];
      for (int i = 0; i < 4; ++i)
        r[i] = *reinterpret_cast<const Four*>(base[index[i]].c + 4 * half);
      d::transpose_fours<Number, N>(r[0], r[1], r[2], r[3]);
      for (int e = 0; e < 4; ++e) out[4 * half + e] = T::from(r[e]);
    }
  } else {
    namespace d = pack_detail;
    typedef Number Eight __attribute__((vector_size(8 * sizeof(Number)), may_alias));
    const auto row = [&](int i) { return *reinterpret_cast<const Eight*>(base[index[i]].c); };
    typename T::Raw r[2][4];
    for (int half = 0; half < 2; ++half) {
      for (int i = 0; i < 4; ++i) {
        if constexpr (N == 8) r[half][i] = row(4 * half + i);
        if constexpr (N == 16)
          r[half][i] = d::concat<Number, 16>(row(8 * half + i), row(8 * half + i + 4));
      }
      d::transpose_fours<Number, N>(r[half][0], r[half][1], r[half][2], r[half][3]);
    }
    for (int e = 0; e < 4; ++e) {
      out[e] = T::from(d::groups_of<Number, N, 0>(r[0][e], r[1][e]));
      out[e + 4] = T::from(d::groups_of<Number, N, 1>(r[0][e], r[1][e]));
    }
  }
}

// Of lanes that share an index, one wins.
template <class T>
SINEW_INLINE void scatter8(Row8<NumberOf<T>>* base, const std::uint32_t* index, const T (&in)[8]) {
  using Number = NumberOf<T>;
  constexpr int N = kWidth<T>;
  if constexpr (N == 1) {
    for (int e = 0; e < 8; ++e) base[index[0]].c[e] = in[e];
  } else if constexpr (N == 4) {
    namespace d = pack_detail;
    typedef Number Four __attribute__((vector_size(4 * sizeof(Number)), may_alias));
    for (int half = 0; half < 2; ++half) {
      typename T::Raw r[4];
      for (int e = 0; e < 4; ++e) r[e] = in[4 * half + e].v;
      d::transpose_fours<Number, N>(r[0], r[1], r[2], r[3]);
      for (int i = 0; i < 4; ++i) *reinterpret_cast<Four*>(base[index[i]].c + 4 * half) = r[i];
    }
  } else {
    namespace d = pack_detail;
    constexpr auto kEight = std::make_integer_sequence<int, 8>();
    typedef Number Eight __attribute__((vector_size(8 * sizeof(Number)), may_alias));
    const auto put = [&](int i, Eight v) { *reinterpret_cast<Eight*>(base[index[i]].c) = v; };
    typename T::Raw r[2][4];
    for (int e = 0; e < 4; ++e) {
      r[0][e] = d::groups_in_turn<Number, N, 0>(in[e].v, in[e + 4].v);
      r[1][e] = d::groups_in_turn<Number, N, 1>(in[e].v, in[e + 4].v);
    }
    for (int half = 0; half < 2; ++half) {
      d::transpose_fours<Number, N>(r[half][0], r[half][1], r[half][2], r[half][3]);
      for (int i = 0; i < 4; ++i) {
        if constexpr (N == 8) put(4 * half + i, r[half][i]);
        if constexpr (N == 16) {
          put(8 * half + i, d::part<Number, N, 0>(r[half][i], kEight));
          put(8 * half + i + 4, d::part<Number, N, 8>(r[half][i], kEight));
        }
      }
    }
  }
}

}  // namespace sinew
