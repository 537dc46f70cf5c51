// Packs: N numbers that go through the same arithmetic side by side, from the compiler's vector
// extensions (GCC and clang on x86, ARM and wasm). Generic code is written once over a number type
// T and runs on float, double or Pack; the plain instantiation is the reference in tests. Square
// roots and divisions are the exact ones, never the CPU's approximations, so that results do not
// depend on the make of the CPU.
#pragma once

#include <sinew/math.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <utility>

#if defined(__SSE2__)
#include <immintrin.h>
#endif

namespace sinew {

// Lanes of the packs that the library's loops use: what the CPU's registers hold, at least 4; or 1
// (plain numbers) in a build with SINEW_CPU=scalar.
#if defined(SINEW_LANES)
inline constexpr int kLanes = SINEW_LANES;
#elif defined(__AVX512F__)
inline constexpr int kLanes = 64 / sizeof(Real);
#elif defined(__AVX__)
inline constexpr int kLanes = 32 / sizeof(Real);
#else
inline constexpr int kLanes = 4;
#endif

// Kernels are one function each, so that packs stay in registers. Under sanitizers that would take
// the compiler minutes a file.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SINEW_INLINE inline
#define SINEW_FLATTEN
#else
#define SINEW_INLINE inline __attribute__((always_inline))
#define SINEW_FLATTEN __attribute__((flatten))
#endif

template <class T, int N>
struct PackMask {
  using Int = std::conditional_t<sizeof(T) == 4, std::int32_t, std::int64_t>;
  typedef Int Raw __attribute__((vector_size(N * sizeof(T))));  // all bits set: true
  Raw m;

  SINEW_INLINE PackMask operator&(PackMask b) const { return {m & b.m}; }
  SINEW_INLINE PackMask operator|(PackMask b) const { return {m | b.m}; }
  SINEW_INLINE PackMask operator!() const { return {~m}; }
};

template <class T, int N>
struct Pack {
  static_assert(N == 4 || N == 8 || N == 16);
  typedef T Raw __attribute__((vector_size(N * sizeof(T))));
  using Mask = PackMask<T, N>;
  Raw v;

  Pack() = default;
  static SINEW_INLINE Pack from(const Raw& raw) {
    Pack p;
    p.v = raw;
    return p;
  }
  SINEW_INLINE Pack(T value) : v(value - Raw{}) {}  // the same in every lane

  SINEW_INLINE T lane(int i) const { return v[i]; }
  SINEW_INLINE void set_lane(int i, T value) { v[i] = value; }

  SINEW_INLINE Pack operator-() const { return from(-v); }
  SINEW_INLINE Pack& operator+=(Pack b) { return v += b.v, *this; }
  SINEW_INLINE Pack& operator-=(Pack b) { return v -= b.v, *this; }
  SINEW_INLINE Pack& operator*=(Pack b) { return v *= b.v, *this; }
  friend SINEW_INLINE Pack operator+(Pack a, Pack b) { return from(a.v + b.v); }
  friend SINEW_INLINE Pack operator-(Pack a, Pack b) { return from(a.v - b.v); }
  friend SINEW_INLINE Pack operator*(Pack a, Pack b) { return from(a.v * b.v); }
  friend SINEW_INLINE Pack operator/(Pack a, Pack b) { return from(a.v / b.v); }
  friend SINEW_INLINE Mask operator<(Pack a, Pack b) { return {a.v < b.v}; }
  friend SINEW_INLINE Mask operator>(Pack a, Pack b) { return {a.v > b.v}; }
  friend SINEW_INLINE Mask operator<=(Pack a, Pack b) { return {a.v <= b.v}; }
  friend SINEW_INLINE Mask operator>=(Pack a, Pack b) { return {a.v >= b.v}; }
};

// --- number of lanes, access to one lane; the same for plain numbers -----------------------------
template <class T>
struct PackTraits {
  using Number = T;
  static constexpr int kWidth = 1;
};
template <class T, int N>
struct PackTraits<Pack<T, N>> {
  using Number = T;
  static constexpr int kWidth = N;
};
template <class T>
inline constexpr int kWidth = PackTraits<T>::kWidth;
template <class T>
using NumberOf = typename PackTraits<T>::Number;

// What the library's loops run on.
using Wide = std::conditional_t<kLanes == 1, Real, Pack<Real, kLanes == 1 ? 4 : kLanes>>;

template <Scalar T>
T lane(T a, int) {
  return a;
}
template <Scalar T>
void set_lane(T& a, int, T value) {
  a = value;
}
template <class T, int N>
SINEW_INLINE T lane(Pack<T, N> a, int i) {
  return a.lane(i);
}
template <class T, int N>
SINEW_INLINE void set_lane(Pack<T, N>& a, int i, T value) {
  a.set_lane(i, value);
}

// One lane of vectors, matrices and quaternions; values are taken over from double or back to it.
template <class T>
void set_lane(Vec3T<T>& a, int i, const Vec3T<double>& value) {
  for (int k = 0; k < 3; ++k) set_lane(a[k], i, NumberOf<T>(value[k]));
}
template <class T>
void set_lane(Mat3T<T>& a, int i, const Mat3T<double>& value) {
  for (int k = 0; k < 3; ++k) set_lane(a.c[k], i, value.c[k]);
}
template <class T>
void set_lane(QuatT<T>& a, int i, const QuatT<double>& value) {
  set_lane(a.x, i, NumberOf<T>(value.x));
  set_lane(a.y, i, NumberOf<T>(value.y));
  set_lane(a.z, i, NumberOf<T>(value.z));
  set_lane(a.w, i, NumberOf<T>(value.w));
}
template <class T>
Vec3T<double> lane(const Vec3T<T>& a, int i) {
  return {double(lane(a.x, i)), double(lane(a.y, i)), double(lane(a.z, i))};
}
template <class T>
Mat3T<double> lane(const Mat3T<T>& a, int i) {
  return {{lane(a.c[0], i), lane(a.c[1], i), lane(a.c[2], i)}};
}

// --- the functions of math.h, on packs -----------------------------------------------------------
template <class T, int N>
SINEW_INLINE Pack<T, N> select(PackMask<T, N> mask, Pack<T, N> yes, Pack<T, N> no) {
  return Pack<T, N>::from(mask.m ? yes.v : no.v);
}

namespace pack_detail {

template <class T, int N>
using Raw = typename Pack<T, N>::Raw;

template <class T, int N, int From, int... I>
SINEW_INLINE auto part(Raw<T, N> v, std::integer_sequence<int, I...>) {
  return __builtin_shufflevector(v, v, (From + I)...);
}
template <class T, int N, class Half, int... I>
SINEW_INLINE Raw<T, N> concat(Half a, Half b, std::integer_sequence<int, I...>) {
  return __builtin_shufflevector(a, b, I...);
}
template <class T, int N, class Half>
SINEW_INLINE Raw<T, N> concat(Half a, Half b) {
  return concat<T, N>(a, b, std::make_integer_sequence<int, N>());
}

// One instruction each of what the compiler's vectors have no operator for, on a CPU's registers.
// least and most return their second argument when the two are equal or not comparable.
#if defined(__SSE2__)
SINEW_INLINE __m128 root(__m128 a) { return _mm_sqrt_ps(a); }
SINEW_INLINE __m128 least(__m128 a, __m128 b) { return _mm_min_ps(a, b); }
SINEW_INLINE __m128 most(__m128 a, __m128 b) { return _mm_max_ps(a, b); }
#endif
#if defined(__AVX__)
SINEW_INLINE __m256 root(__m256 a) { return _mm256_sqrt_ps(a); }
SINEW_INLINE __m256 least(__m256 a, __m256 b) { return _mm256_min_ps(a, b); }
SINEW_INLINE __m256 most(__m256 a, __m256 b) { return _mm256_max_ps(a, b); }
SINEW_INLINE __m256d root(__m256d a) { return _mm256_sqrt_pd(a); }
SINEW_INLINE __m256d least(__m256d a, __m256d b) { return _mm256_min_pd(a, b); }
SINEW_INLINE __m256d most(__m256d a, __m256d b) { return _mm256_max_pd(a, b); }
#endif
#if defined(__AVX512F__)
// With a mask of all lanes: without one, GCC 12's headers begin from a register that is not set,
// and its own warnings stumble over that. The instructions are the same.
inline constexpr __mmask16 kAllFloats = 0xffff;
inline constexpr __mmask8 kAllDoubles = 0xff;
SINEW_INLINE __m512 root(__m512 a) { return _mm512_maskz_sqrt_ps(kAllFloats, a); }
SINEW_INLINE __m512 least(__m512 a, __m512 b) { return _mm512_maskz_min_ps(kAllFloats, a, b); }
SINEW_INLINE __m512 most(__m512 a, __m512 b) { return _mm512_maskz_max_ps(kAllFloats, a, b); }
SINEW_INLINE __m512d root(__m512d a) { return _mm512_maskz_sqrt_pd(kAllDoubles, a); }
SINEW_INLINE __m512d least(__m512d a, __m512d b) { return _mm512_maskz_min_pd(kAllDoubles, a, b); }
SINEW_INLINE __m512d most(__m512d a, __m512d b) { return _mm512_maskz_max_pd(kAllDoubles, a, b); }
#endif
// Elsewhere, on plain numbers.
SINEW_INLINE float root(float a) { return std::sqrt(a); }
SINEW_INLINE double root(double a) { return std::sqrt(a); }
SINEW_INLINE float least(float a, float b) { return a < b ? a : b; }
SINEW_INLINE double least(double a, double b) { return a < b ? a : b; }
SINEW_INLINE float most(float a, float b) { return a > b ? a : b; }
SINEW_INLINE double most(double a, double b) { return a > b ? a : b; }

// The register that holds N numbers; no Type where there is none.
template <class T, int N>
struct RegisterT {};
#if defined(__SSE2__)
template <>
struct RegisterT<float, 4> {
  using Type = __m128;
};
#endif
#if defined(__AVX__)
template <>
struct RegisterT<float, 8> {
  using Type = __m256;
};
template <>
struct RegisterT<double, 4> {
  using Type = __m256d;
};
#endif
#if defined(__AVX512F__)
template <>
struct RegisterT<float, 16> {
  using Type = __m512;
};
template <>
struct RegisterT<double, 8> {
  using Type = __m512d;
};
#endif

// f on whole registers; wider packs are halved, and what is left is done number by number.
template <class T, int N, class F, class... Raws>
SINEW_INLINE Raw<T, N> by_registers(F&& f, const Raws&... a) {
  if constexpr (requires { typename RegisterT<T, N>::Type; }) {
    return Raw<T, N>(f(typename RegisterT<T, N>::Type(a)...));
  } else if constexpr (N > 4) {
    constexpr auto kHalf = std::make_integer_sequence<int, N / 2>();
    return concat<T, N>(by_registers<T, N / 2>(f, part<T, N, 0>(a, kHalf)...),
                        by_registers<T, N / 2>(f, part<T, N, N / 2>(a, kHalf)...));
  } else {
    Raw<T, N> r;
    for (int i = 0; i < N; ++i) r[i] = f(a[i]...);
    return r;
  }
}

// One shuffle of two registers, the same in every group of four lanes. Pattern digits 0..3 take
// from a, 4..7 from b.
template <class T, int N, int P0, int P1, int P2, int P3, int... I>
SINEW_INLINE Raw<T, N> shuffle_fours(Raw<T, N> a, Raw<T, N> b, std::integer_sequence<int, I...>) {
  constexpr int kPattern[4] = {P0, P1, P2, P3};
  return __builtin_shufflevector(
      a, b,
      (kPattern[I % 4] < 4 ? I / 4 * 4 + kPattern[I % 4] : N + I / 4 * 4 + kPattern[I % 4] - 4)...);
}
template <class T, int N, int P0, int P1, int P2, int P3>
SINEW_INLINE Raw<T, N> shuffle_fours(Raw<T, N> a, Raw<T, N> b) {
  return shuffle_fours<T, N, P0, P1, P2, P3>(a, b, std::make_integer_sequence<int, N>());
}

// Transposes the 4×4 blocks that the four registers hold side by side.
template <class T, int N>
SINEW_INLINE void transpose_fours(Raw<T, N>& a, Raw<T, N>& b, Raw<T, N>& c, Raw<T, N>& d) {
  const Raw<T, N> ab_low = shuffle_fours<T, N, 0, 4, 1, 5>(a, b);
  const Raw<T, N> ab_high = shuffle_fours<T, N, 2, 6, 3, 7>(a, b);
  const Raw<T, N> cd_low = shuffle_fours<T, N, 0, 4, 1, 5>(c, d);
  const Raw<T, N> cd_high = shuffle_fours<T, N, 2, 6, 3, 7>(c, d);
  a = shuffle_fours<T, N, 0, 1, 4, 5>(ab_low, cd_low);
  b = shuffle_fours<T, N, 2, 3, 6, 7>(ab_low, cd_low);
  c = shuffle_fours<T, N, 0, 1, 4, 5>(ab_high, cd_high);
  d = shuffle_fours<T, N, 2, 3, 6, 7>(ab_high, cd_high);
}

}  // namespace pack_detail

template <class T, int N>
SINEW_INLINE Pack<T, N> sqrt(Pack<T, N> a) {
  return Pack<T, N>::from(
      pack_detail::by_registers<T, N>([](auto x) { return pack_detail::root(x); }, a.v));
}
// Of a number and none (NaN), min and max return the first.
template <class T, int N>
SINEW_INLINE Pack<T, N> min(Pack<T, N> a, Pack<T, N> b) {
  return Pack<T, N>::from(pack_detail::by_registers<T, N>(
      [](auto x, auto y) { return pack_detail::least(x, y); }, b.v, a.v));
}
template <class T, int N>
SINEW_INLINE Pack<T, N> max(Pack<T, N> a, Pack<T, N> b) {
  return Pack<T, N>::from(pack_detail::by_registers<T, N>(
      [](auto x, auto y) { return pack_detail::most(x, y); }, b.v, a.v));
}
template <class T, int N>
SINEW_INLINE Pack<T, N> abs(Pack<T, N> a) {
  using Ints = typename PackMask<T, N>::Raw;
  constexpr auto kMost = std::numeric_limits<typename PackMask<T, N>::Int>::max();
  return Pack<T, N>::from((typename Pack<T, N>::Raw)(Ints(a.v) & kMost));
}
template <class T, int N>
SINEW_INLINE Pack<T, N> rsqrt(Pack<T, N> a) {
  return Pack<T, N>(T(1)) / sqrt(a);
}

// Natural logarithm of positive normal numbers: a = 2ᵉ·m with m in [√½, √2), log m = 2 artanh(s),
// s = (m-1)/(m+1), by its odd series (to 1e-7 with 5 terms, 1e-16 with 11).
template <class T, int N>
SINEW_INLINE Pack<T, N> log(Pack<T, N> a) {
  using Mask = PackMask<T, N>;
  using Int = typename Mask::Int;
  using Ints = typename Mask::Raw;
  constexpr bool kSingle = sizeof(T) == 4;
  constexpr int kMantissa = kSingle ? 23 : 52;
  constexpr Int kRootHalf = kSingle ? Int(0x3f3504f3) : Int(0x3fe6a09e667f3bcd);
  const Ints exponent = (Ints(a.v) - kRootHalf) >> kMantissa;
  const auto m = Pack<T, N>::from((typename Pack<T, N>::Raw)(Ints(a.v) - (exponent << kMantissa)));
  const Pack<T, N> s = (m - T(1)) / (m + T(1));
  const Pack<T, N> s2 = s * s;
  Pack<T, N> series(T(0));
  for (int k = kSingle ? 9 : 21; k >= 1; k -= 2) series = series * s2 + Pack<T, N>(T(1) / T(k));
  const auto e = Pack<T, N>::from(__builtin_convertvector(exponent, typename Pack<T, N>::Raw));
  return e * Pack<T, N>(T(0.69314718055994530942)) + s * series * T(2);
}

// --- horizontal ----------------------------------------------------------------------------------
template <class T, int N>
SINEW_INLINE bool any(PackMask<T, N> mask) {
#if defined(__AVX512DQ__)
  if constexpr (sizeof(mask.m) == 64 && sizeof(T) == 4)
    return _mm512_movepi32_mask((__m512i)mask.m) != 0;
  if constexpr (sizeof(mask.m) == 64 && sizeof(T) == 8)
    return _mm512_movepi64_mask((__m512i)mask.m) != 0;
#endif
#if defined(__AVX__)
  if constexpr (sizeof(mask.m) == 32) return !_mm256_testz_si256((__m256i)mask.m, (__m256i)mask.m);
#endif
  // In words of eight bytes: half as many or fewer.
  constexpr int kWords = std::max<int>(sizeof(mask.m) / 8, 1);
  std::uint64_t words[kWords] = {};
  std::memcpy(words, &mask.m, sizeof(mask.m));
  std::uint64_t bits = 0;
  for (std::uint64_t word : words) bits |= word;
  return bits != 0;
}
template <class T, int N>
SINEW_INLINE bool all(PackMask<T, N> mask) {
  return !any(!mask);
}
// Σ of the first `count` lanes, in double.
template <class T>
double sum(const T& a, int count) {
  double total = 0;
  for (int i = 0; i < count; ++i) total += lane(a, i);
  return total;
}
// Of all lanes, in halves: none waits for more than log₂ N others.
template <Scalar T>
double sum(T a) {
  return a;
}
template <int N>
SINEW_INLINE double sum_of_halves(pack_detail::Raw<double, N> v) {
  if constexpr (N > 4) {
    constexpr auto kHalf = std::make_integer_sequence<int, N / 2>();
    return sum_of_halves<N / 2>(pack_detail::part<double, N, 0>(v, kHalf) +
                                pack_detail::part<double, N, N / 2>(v, kHalf));
  } else {
    return (v[0] + v[2]) + (v[1] + v[3]);
  }
}
template <class T, int N>
SINEW_INLINE double sum(const Pack<T, N>& a) {
  return sum_of_halves<N>(__builtin_convertvector(a.v, pack_detail::Raw<double, N>));
}

// --- numbers that lie one after the other, wherever they begin -----------------------------------
template <class T>
SINEW_INLINE T load_lanes(const NumberOf<T>* from) {
  if constexpr (kWidth<T> == 1) {
    return *from;
  } else {
    T r;
    std::memcpy(&r.v, from, sizeof(r.v));
    return r;
  }
}
template <class T>
SINEW_INLINE void store_lanes(NumberOf<T>* to, const T& value) {
  if constexpr (kWidth<T> == 1)
    *to = value;
  else
    std::memcpy(to, &value.v, sizeof(value.v));
}

}  // namespace sinew
