// Packs against plain numbers, for every width and both precisions.
#include <gtest/gtest.h>

#include <random>
#include <vector>

#include "core/row_packs.h"

namespace sinew {
namespace {

template <class P>
class PackTest : public testing::Test {
 public:
  using Number = NumberOf<P>;
  P random(Number low, Number high) {
    std::uniform_real_distribution<Number> number(low, high);
    P p;
    for (int i = 0; i < kWidth<P>; ++i) set_lane(p, i, number(generator_));
    return p;
  }

 private:
  std::mt19937 generator_{7};
};

using Packs = testing::Types<Pack<float, 4>, Pack<float, 8>, Pack<float, 16>, Pack<double, 4>,
                             Pack<double, 8>, float, double>;
TYPED_TEST_SUITE(PackTest, Packs);

TYPED_TEST(PackTest, ArithmeticIsLaneByLane) {
  using N = NumberOf<TypeParam>;
  const TypeParam a = this->random(-3, 3), b = this->random(1, 2);
  for (int i = 0; i < kWidth<TypeParam>; ++i) {
    const N x = lane(a, i), y = lane(b, i);
    EXPECT_EQ(lane(TypeParam(a + b), i), x + y);
    EXPECT_EQ(lane(TypeParam(a - b), i), x - y);
    EXPECT_EQ(lane(TypeParam(a * b), i), x * y);
    EXPECT_EQ(lane(TypeParam(a / b), i), x / y);
    EXPECT_EQ(lane(TypeParam(-a), i), -x);
    EXPECT_EQ(lane(min(a, b), i), std::min(x, y));
    EXPECT_EQ(lane(max(a, b), i), std::max(x, y));
    EXPECT_EQ(lane(abs(a), i), std::abs(x));
    EXPECT_EQ(lane(sqrt(b), i), std::sqrt(y));
    EXPECT_NEAR(lane(rsqrt(b), i), 1 / std::sqrt(y), std::numeric_limits<N>::epsilon() * 2);
    EXPECT_EQ(lane(select(a < b, a, b), i), x < y ? x : y);
    EXPECT_EQ(lane(TypeParam(N(2.5)), i), N(2.5));
  }
}

TYPED_TEST(PackTest, LogarithmIsAccurateOverTheWholeRange) {
  using N = NumberOf<TypeParam>;
  for (N magnitude : {N(1e-30), N(1e-3), N(0.5), N(0.99), N(1.01), N(4), N(1e6), N(1e30)}) {
    const TypeParam a = this->random(magnitude, magnitude * N(1.7));
    for (int i = 0; i < kWidth<TypeParam>; ++i) {
      const N exact = std::log(lane(a, i));
      EXPECT_NEAR(lane(log(a), i), exact,
                  std::numeric_limits<N>::epsilon() * (4 + std::abs(exact)));
    }
  }
}

TYPED_TEST(PackTest, AnyAllAndSum) {
  using N = NumberOf<TypeParam>;
  TypeParam a(N(1));
  EXPECT_TRUE(all(a > TypeParam(N(0))));
  EXPECT_FALSE(any(a < TypeParam(N(0))));
  set_lane(a, kWidth<TypeParam> - 1, N(-5));
  EXPECT_TRUE(any(a < TypeParam(N(0))));
  EXPECT_FALSE(all(a > TypeParam(N(0))));
  EXPECT_EQ(sum(a), kWidth<TypeParam> - 1 - 5.0);
  EXPECT_EQ(sum(TypeParam(N(2)), 1), 2.0);
}

TYPED_TEST(PackTest, GatherAndScatterTransposeRows) {
  using N = NumberOf<TypeParam>;
  constexpr int kWide = kWidth<TypeParam>;
  std::vector<Row4<N>> rows(100);
  for (int i = 0; i < 100; ++i) rows[i] = {N(i), N(i) + N(0.25), N(i) + N(0.5), -N(i)};
  std::uint32_t index[16];
  for (int i = 0; i < kWide; ++i) index[i] = (37 * i + 11) % 100;
  Rows4<TypeParam> r = gather<TypeParam>(rows.data(), index);
  for (int i = 0; i < kWide; ++i) {
    EXPECT_EQ(lane(r.xyz.x, i), N(index[i]));
    EXPECT_EQ(lane(r.xyz.y, i), N(index[i]) + N(0.25));
    EXPECT_EQ(lane(r.xyz.z, i), N(index[i]) + N(0.5));
    EXPECT_EQ(lane(r.w, i), -N(index[i]));
  }
  r.xyz.y += TypeParam(N(1000));
  scatter<TypeParam>(rows.data(), index, r);
  double changed = 0;
  for (int i = 0; i < 100; ++i) {
    EXPECT_EQ(rows[i].x, N(i));
    EXPECT_EQ(rows[i].w, -N(i));
    changed += rows[i].y > 900;
  }
  EXPECT_EQ(changed, kWide);

  const Rows4<TypeParam> consecutive = load<TypeParam>(rows.data() + 16);
  for (int i = 0; i < kWide; ++i) EXPECT_EQ(lane(consecutive.xyz.x, i), N(16 + i));
}

TYPED_TEST(PackTest, MatricesOnPacksMatchPlainOnes) {
  using N = NumberOf<TypeParam>;
  Mat3T<TypeParam> m, k;
  for (int r = 0; r < 3; ++r)
    for (int c = 0; c < 3; ++c) {
      m(r, c) = this->random(-1, 1) + TypeParam(N(r == c ? 2 : 0));
      k(r, c) = this->random(-1, 1);
    }
  const Mat3T<TypeParam> product = m * k, inv = inverse(m), cof = cofactor(m);
  const TypeParam det = determinant(m), contracted = contract(m, k);
  for (int i = 0; i < kWidth<TypeParam>; ++i) {
    Mat3T<N> a, b;
    for (int r = 0; r < 3; ++r)
      for (int c = 0; c < 3; ++c) a(r, c) = lane(m(r, c), i), b(r, c) = lane(k(r, c), i);
    const N tolerance = std::numeric_limits<N>::epsilon() * 20;
    const Mat3T<N> ab = a * b, a_inv = inverse(a), a_cof = cofactor(a);
    for (int r = 0; r < 3; ++r)
      for (int c = 0; c < 3; ++c) {
        EXPECT_NEAR(lane(product(r, c), i), ab(r, c), tolerance);
        EXPECT_NEAR(lane(inv(r, c), i), a_inv(r, c), tolerance);
        EXPECT_NEAR(lane(cof(r, c), i), a_cof(r, c), tolerance);
      }
    EXPECT_NEAR(lane(det, i), determinant(a), tolerance);
    EXPECT_NEAR(lane(contracted, i), contract(a, b), tolerance);
    const Mat3T<N> identity = a * a_inv;
    for (int r = 0; r < 3; ++r)
      for (int c = 0; c < 3; ++c) EXPECT_NEAR(identity(r, c), r == c, tolerance);
  }
}

}  // namespace
}  // namespace sinew
