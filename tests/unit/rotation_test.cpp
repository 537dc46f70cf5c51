// Every way to get a rotation, for both precisions, on plain numbers and on packs. The matrices are
// made as F = U diag(σ) Vᵀ in double from known U, σ and V, so the nearest rotation is known: U Vᵀ.
#include "math/rotation.h"

#include <gtest/gtest.h>

#include <array>
#include <random>
#include <vector>

#include "math/edge_frames.h"
#include "math/polar_jacobi.h"
#include "math/signed_svd.h"
#include "math/spin.h"

namespace sinew {
namespace {

using Vec3d = Vec3T<double>;
using Mat3d = Mat3T<double>;
using Quatd = QuatT<double>;

constexpr double kPi = 3.14159265358979324;

template <class T>
Vec3T<T> vector_of(const Vec3d& v) {
  using N = NumberOf<T>;
  return {T(N(v.x)), T(N(v.y)), T(N(v.z))};
}
template <class T>
Mat3T<T> matrix_of(const Mat3d& m) {
  return {{vector_of<T>(m.c[0]), vector_of<T>(m.c[1]), vector_of<T>(m.c[2])}};
}
template <class T>
QuatT<T> quat_of(const Quatd& q) {
  using N = NumberOf<T>;
  return {T(N(q.x)), T(N(q.y)), T(N(q.z)), T(N(q.w))};
}
template <class T>
Vec3d lane_of(const Vec3T<T>& v, int i) {
  return {double(lane(v.x, i)), double(lane(v.y, i)), double(lane(v.z, i))};
}
template <class T>
Mat3d lane_of(const Mat3T<T>& m, int i) {
  return {{lane_of(m.c[0], i), lane_of(m.c[1], i), lane_of(m.c[2], i)}};
}
template <class T>
Quatd lane_of(const QuatT<T>& q, int i) {
  return {double(lane(q.x, i)), double(lane(q.y, i)), double(lane(q.z, i)), double(lane(q.w, i))};
}

// The same bits in the first lane.
template <class T>
bool same(const QuatT<T>& a, const QuatT<T>& b) {
  return lane(a.x, 0) == lane(b.x, 0) && lane(a.y, 0) == lane(b.y, 0) &&
         lane(a.z, 0) == lane(b.z, 0) && lane(a.w, 0) == lane(b.w, 0);
}

double norm(const Mat3d& m) { return std::sqrt(contract(m, m)); }
double angle_between(const Quatd& a, const Quatd& b) {
  const Quatd d = normalized(a.conjugate() * b);
  return 2 * std::atan2(std::sqrt(d.x * d.x + d.y * d.y + d.z * d.z), std::abs(d.w));
}
void expect_rotation(const Quatd& q, double tolerance) {
  EXPECT_NEAR(q.x * q.x + q.y * q.y + q.z * q.z + q.w * q.w, 1, tolerance);
}

struct Sample {
  Quatd u, v;
  Vec3d sigma;

  Mat3d f() const { return u.matrix() * Mat3d::diagonal(sigma) * transpose(v.matrix()); }
  Quatd rotation() const { return u * v.conjugate(); }
  // tr(RᵀF) of the nearest rotation, and how far R falls short of it, relative to F.
  double loss(const Quatd& r) const {
    const double most = sigma.x + sigma.y + sigma.z;
    return (most - contract(normalized(r).matrix(), f())) / std::sqrt(dot(sigma, sigma));
  }
};

class Random {
 public:
  double normal() { return normal_(generator_); }
  double uniform(double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(generator_);
  }
  Quatd rotation() { return normalized(Quatd{normal(), normal(), normal(), normal()}); }
  Vec3d direction() { return normalized(Vec3d{normal(), normal(), normal()}); }
  Sample sample(const Vec3d& sigma) { return {rotation(), rotation(), sigma}; }

 private:
  std::mt19937 generator_{11};
  std::normal_distribution<double> normal_;
};

// What elements may look like, with a clear nearest rotation (σ₁ + σ₂ not small).
Vec3d stretches(const std::string& kind, Random& random) {
  const auto some = [&] { return random.uniform(0.3, 2); };
  if (kind == "mild")
    return {random.uniform(0.8, 1.2), random.uniform(0.8, 1.2), random.uniform(0.8, 1.2)};
  if (kind == "stretched") return {some(), some(), some()};
  if (kind == "very thin") return {some(), some(), 1e-6};
  if (kind == "flat") return {some(), some(), 0};
  if (kind == "inverted") return {some() + 1, some() + 1, -random.uniform(0.1, 0.9)};
  if (kind == "inverted flat") return {some(), some(), -1e-6};
  if (kind == "huge") return Vec3d{some(), some(), some()} * 1e36;
  if (kind == "tiny") return Vec3d{some(), some(), some()} * 1e-33;
  ADD_FAILURE() << kind;
  return {};
}
const std::array<const char*, 8> kKinds = {"mild",     "stretched",     "very thin", "flat",
                                           "inverted", "inverted flat", "huge",      "tiny"};

template <class T>
class RotationTest : public testing::Test {
 public:
  using Number = NumberOf<T>;
  static constexpr double kEps = std::numeric_limits<Number>::epsilon();
  Random random;

  Quatd track(const Sample& sample, const Quatd& start, int updates = 1) {
    QuatT<T> q = quat_of<T>(start);
    for (int i = 0; i < updates; ++i) q = RotationTracker::update(matrix_of<T>(sample.f()), q);
    return lane_of(q, 0);
  }
  // A start that is `angle` away from the rotation.
  Quatd beside(const Sample& sample, double angle) {
    return sample.rotation() * Quatd::from_axis_angle(random.direction(), angle);
  }
};

using Numbers = testing::Types<float, double, Pack<float, 8>, Pack<double, 4>>;
TYPED_TEST_SUITE(RotationTest, Numbers);

TYPED_TEST(RotationTest, TrackerFindsTheNearestRotationInOneCallFromNearby) {
  for (const char* kind : kKinds)
    for (int i = 0; i < 300; ++i) {
      const Sample sample = this->random.sample(stretches(kind, this->random));
      const Quatd q = this->track(sample, this->beside(sample, this->random.uniform(0, 1)));
      expect_rotation(q, 4 * this->kEps);
      EXPECT_LT(angle_between(q, sample.rotation()), 400 * this->kEps) << kind << i;
    }
}

TYPED_TEST(RotationTest, TrackerFindsTheNearestRotationInThreeCallsFromAnywhere) {
  for (const char* kind : kKinds)
    for (int i = 0; i < 300; ++i) {
      const Sample sample = this->random.sample(stretches(kind, this->random));
      const Quatd q = this->track(sample, this->random.rotation(), 3);
      EXPECT_LT(angle_between(q, sample.rotation()), 100 * this->kEps) << kind << i;
    }
}

TYPED_TEST(RotationTest, TrackerLeavesSaddlesAndMinima) {
  for (int i = 0; i < 300; ++i) {
    Sample sample = this->random.sample(stretches("stretched", this->random));
    if (i % 2) sample.v = Quatd{0, 0, 0, 1};  // saddles along the axes, without rounding
    if (i % 4 == 1) sample.u = Quatd{0, 0, 0, 1};
    Vec3d axis{0, 0, 0};
    axis[i % 3] = 1;
    const Quatd saddle =
        sample.u * Quatd{axis.x, axis.y, axis.z, 0} * sample.v.conjugate();  // half a turn away
    const Quatd q = this->track(sample, saddle, 3);
    EXPECT_LT(angle_between(q, sample.rotation()), 100 * this->kEps) << i;
  }
}

TYPED_TEST(RotationTest, WithSeveralNearestRotationsTrackerFindsOneAndStaysThere) {
  const double tolerance = this->kEps > 1e-10 ? 2e-6 : 1e-12;
  for (const Vec3d& sigma : {Vec3d{1, 0, 0}, Vec3d{1, 1, -1}, Vec3d{2, 1, -1}, Vec3d{1, 0.5, -0.5}})
    for (int i = 0; i < 200; ++i) {
      const Sample sample = this->random.sample(sigma);
      const Quatd q = this->track(sample, this->random.rotation(), 6);
      expect_rotation(q, 4 * this->kEps);
      EXPECT_LT(sample.loss(q), tolerance) << sigma.x << ' ' << sigma.y << ' ' << sigma.z;
      EXPECT_LT(angle_between(this->track(sample, q), q), 0.2);
    }
}

TYPED_TEST(RotationTest, TrackerKeepsTheStartWhenThereIsNothingToFollow) {
  const auto start = quat_of<TypeParam>(this->random.rotation());
  using N = typename TestFixture::Number;
  for (const N value :
       {N(0), std::numeric_limits<N>::quiet_NaN(), std::numeric_limits<N>::infinity()})
    for (int entry = 0; entry < 9; ++entry) {
      Mat3T<TypeParam> f = matrix_of<TypeParam>(value == N(0) ? Mat3d{} : Mat3d::identity());
      f.c[entry / 3][entry % 3] = TypeParam(value);
      const auto q = RotationTracker::update(f, start);
      EXPECT_TRUE(same(q, start)) << double(value) << ' ' << entry;
    }
}

TYPED_TEST(RotationTest, TrackerFollowsManyTurnsAndHalfTurnsBetweenCalls) {
  for (const double step : {0.1, 1.0, kPi / 2, 3.0, kPi}) {
    Sample sample = this->random.sample({1.4, 1.1, 0.6});
    Quatd q = sample.rotation();
    const Vec3d axis = this->random.direction();
    for (int i = 0; i < 200; ++i) {
      sample.u = normalized(Quatd::from_axis_angle(axis, step) * sample.u);
      q = this->track(sample, q, 2);
      EXPECT_LT(angle_between(q, sample.rotation()), 100 * this->kEps) << step << ' ' << i;
    }
  }
}

TYPED_TEST(RotationTest, RotationOfNeedsNoHistory) {
  for (const char* kind : kKinds)
    for (int i = 0; i < 300; ++i) {
      const Sample sample = this->random.sample(stretches(kind, this->random));
      const Quatd q = lane_of(rotation_of(matrix_of<TypeParam>(sample.f())), 0);
      expect_rotation(q, 4 * this->kEps);
      EXPECT_LT(angle_between(q, sample.rotation()), 100 * this->kEps) << kind;
    }
  EXPECT_EQ(lane_of(rotation_of(Mat3T<TypeParam>{}), 0), (Quatd{0, 0, 0, 1}));
}

// --- signed SVD ----------------------------------------------------------------------------------
TYPED_TEST(RotationTest, SignedSvdPutsAnyMatrixTogetherAgain) {
  const double tolerance = 20 * this->kEps;
  std::vector<Vec3d> sigmas = {{0, 0, 0},  {1, 0, 0},  {1, 1, 1},
                               {1, 1, -1}, {2, 1, -1}, {3, 1e-6, 0}};
  // Squared, the smaller ones drown in the rounding of the largest.
  for (double small = 0.1; small > 1e-10; small /= 2) {
    sigmas.push_back({1, small, small / 3});
    sigmas.push_back({1, small, -small});
    sigmas.push_back({2, 1, -small});
  }
  for (const char* kind : kKinds)
    for (int i = 0; i < 100; ++i) sigmas.push_back(stretches(kind, this->random));
  for (const Vec3d& sigma : sigmas) {
    const Sample sample = this->random.sample(sigma);
    const Mat3T<TypeParam> f = matrix_of<TypeParam>(sample.f());
    const SignedSvd<TypeParam> svd = signed_svd(f);
    const Quatd u = lane_of(svd.u, 0), v = lane_of(svd.v, 0);
    const Vec3d s = lane_of(svd.sigma, 0);
    expect_rotation(u, 4 * this->kEps);
    expect_rotation(v, 4 * this->kEps);
    EXPECT_GE(s.x, s.y * (1 - tolerance));
    EXPECT_GE(s.y, std::abs(s.z) * (1 - tolerance) - tolerance * s.x);
    EXPECT_NEAR(s.x + s.y + s.z, sigma.x + sigma.y + sigma.z, tolerance * norm(sample.f()));
    const Mat3d again = u.matrix() * Mat3d::diagonal(s) * transpose(v.matrix());
    EXPECT_LE(norm(again - lane_of(f, 0)), tolerance * norm(sample.f())) << sigma.z;
  }
}

TYPED_TEST(RotationTest, SignedSvdGivesTheNearestRotation) {
  for (const char* kind : kKinds)
    for (int i = 0; i < 100; ++i) {
      const Sample sample = this->random.sample(stretches(kind, this->random));
      const QuatT<TypeParam> q = SvdRotation::update(matrix_of<TypeParam>(sample.f()), {});
      EXPECT_LT(angle_between(lane_of(q, 0), sample.rotation()), 100 * this->kEps) << kind;
    }
  Mat3T<TypeParam> broken = Mat3T<TypeParam>::identity();
  broken.c[1].z = TypeParam(std::numeric_limits<typename TestFixture::Number>::quiet_NaN());
  const auto start = quat_of<TypeParam>(this->random.rotation());
  EXPECT_TRUE(same(SvdRotation::update(broken, start), start));
}

// --- diagonalisation -----------------------------------------------------------------------------
TYPED_TEST(RotationTest, DiagonalisationGivesReflectionsForInvertedMatrices) {
  const QuatT<TypeParam> identity = quat_of<TypeParam>({0, 0, 0, 1});
  for (const char* kind : kKinds)
    for (int i = 0; i < 100; ++i) {
      const Sample sample = this->random.sample(stretches(kind, this->random));
      const auto polar =
          polar_jacobi(matrix_of<TypeParam>(sample.f()), identity, kJacobiSweeps<TypeParam>);
      const Mat3d u = lane_of(polar.u, 0);
      EXPECT_LT(norm(transpose(u) * u - Mat3d::identity()), 20 * this->kEps) << kind;
      const double reflects = sample.sigma.z < 0 ? -1 : 1;
      const Mat3d exact =
          sample.u.matrix() * Mat3d::diagonal({1, 1, reflects}) * transpose(sample.v.matrix());
      const bool open = std::abs(sample.sigma.z) < 1e-5 * sample.sigma.x;  // no sign in rounding
      if (!open) {
        EXPECT_NEAR(determinant(u), reflects, 20 * this->kEps) << kind;
        EXPECT_LT(norm(u - exact), 100 * this->kEps) << kind;
      }
    }
  for (const Vec3d& sigma : {Vec3d{0, 0, 0}, Vec3d{1, 0, 0}, Vec3d{1, 1, 0}, Vec3d{-1, -1, -1}})
    for (int i = 0; i < 20; ++i) {
      const auto f = matrix_of<TypeParam>(this->random.sample(sigma).f());
      const Mat3d u = lane_of(polar_jacobi(f, identity, kJacobiSweeps<TypeParam>).u, 0);
      EXPECT_LT(norm(transpose(u) * u - Mat3d::identity()), 20 * this->kEps);
    }
}

TYPED_TEST(RotationTest, DiagonalisationStartsFromTheLastEigenvectors) {
  Sample sample = this->random.sample({1.4, 1.1, 0.6});
  QuatT<TypeParam> eigenvectors = quat_of<TypeParam>({0, 0, 0, 1});
  eigenvectors =
      polar_jacobi(matrix_of<TypeParam>(sample.f()), eigenvectors, kJacobiSweeps<TypeParam>)
          .eigenvectors;
  for (int i = 0; i < 100; ++i) {
    sample.v = sample.v * Quatd::from_axis_angle(this->random.direction(), 0.05);
    const auto polar = polar_jacobi(matrix_of<TypeParam>(sample.f()), eigenvectors,
                                    sizeof(typename TestFixture::Number) == 4 ? 2 : 3);
    eigenvectors = polar.eigenvectors;
    EXPECT_LT(norm(lane_of(polar.u, 0) - sample.rotation().matrix()), 100 * this->kEps) << i;
  }
}

// --- spin ----------------------------------------------------------------------------------------
// A group of N particles: rest positions about their barycentre, and where a matrix takes them.
template <int N, class T>
struct Group {
  Vec3T<T> rest[N], position[N];

  Group(Random& random, const Mat3d& f) {
    Vec3d rest_d[N], mean{};
    for (Vec3d& p : rest_d)
      mean += (p = Vec3d{random.normal(), random.normal(), random.normal()}) / N;
    const Vec3d away = random.direction() * 3.0;
    for (int i = 0; i < N; ++i) {
      rest[i] = vector_of<T>(rest_d[i] - mean);
      position[i] = vector_of<T>(f * (rest_d[i] - mean) + away);
    }
  }
};

template <int N, class T>
void follow_rigid_motion(Random& random, double tolerance) {
  for (int i = 0; i < 50; ++i) {
    const Quatd rotation = random.rotation();
    const Group<N, T> group(random, rotation.matrix());
    const Mat3T<T> a = moments(group.position, group.rest);
    const Sym3T<T> inverse_inertia = inverse_rest_inertia(group.rest);
    const Quatd start = rotation * Quatd::from_axis_angle(random.direction(), 0.5);
    QuatT<T> exact = quat_of<T>(start), rest = exact;
    for (int k = 0; k < 5; ++k) {
      exact = SpinExact::update(a, exact);
      rest = SpinRest::update(a, inverse_inertia, rest);
    }
    EXPECT_LT(angle_between(lane_of(exact, 0), rotation), tolerance);
    EXPECT_LT(angle_between(lane_of(rest, 0), rotation), tolerance);
  }
}

TYPED_TEST(RotationTest, SpinFollowsRigidMotionOfTetrahedraAndHexahedra) {
  follow_rigid_motion<4, TypeParam>(this->random, 1000 * this->kEps);
  follow_rigid_motion<8, TypeParam>(this->random, 1000 * this->kEps);
}

TYPED_TEST(RotationTest, SpinOfParticlesIsThatOfTheirMoments) {
  const Sample sample = this->random.sample({1.5, 1, 0.7});
  const Group<8, TypeParam> group(this->random, sample.f());
  const QuatT<TypeParam> q = quat_of<TypeParam>(this->random.rotation());
  const Vec3d s = lane_of(spin(group.position, group.rest, q), 0);
  const Mat3T<TypeParam> b = transpose(q.matrix()) * moments(group.position, group.rest);
  const Vec3d turned = lane_of(q.rotate(spin_detail::axial(b)), 0);
  EXPECT_LT(length(s - turned), 1000 * this->kEps);
  EXPECT_GT(length(s), 1);
}

TYPED_TEST(RotationTest, SpinWithExactInertiaConvergesToTheNearestRotationOfF) {
  for (int i = 0; i < 300; ++i) {
    const Sample sample = this->random.sample(stretches("mild", this->random));
    QuatT<TypeParam> q = quat_of<TypeParam>(this->beside(sample, 0.4));
    for (int k = 0; k < 5; ++k) q = SpinExact::update(matrix_of<TypeParam>(sample.f()), q);
    EXPECT_LT(angle_between(lane_of(q, 0), sample.rotation()), 100 * this->kEps);
  }
}

TYPED_TEST(RotationTest, SpinStaysARotationWhateverComes) {
  using N = typename TestFixture::Number;
  const auto expect_sound = [&](const Mat3T<TypeParam>& f, const QuatT<TypeParam>& start) {
    expect_rotation(lane_of(SpinExact::update(f, start), 0), 4 * this->kEps);
    expect_rotation(lane_of(SpinRest::update(f, start), 0), 4 * this->kEps);
  };
  for (const Vec3d& sigma : {Vec3d{0, 0, 0}, Vec3d{1, 0, 0}, Vec3d{1, 1, -1}, Vec3d{1e36, 1, 0},
                             Vec3d{1e-33, 1e-33, 1e-33}, Vec3d{2, 1, -1}})
    for (int i = 0; i < 100; ++i)
      expect_sound(matrix_of<TypeParam>(this->random.sample(sigma).f()),
                   quat_of<TypeParam>(this->random.rotation()));
  Mat3T<TypeParam> broken = Mat3T<TypeParam>::identity();
  broken.c[1].z = TypeParam(std::numeric_limits<N>::quiet_NaN());
  expect_sound(broken, quat_of<TypeParam>(this->random.rotation()));
  const auto start = quat_of<TypeParam>(this->random.rotation());
  EXPECT_LT(
      angle_between(lane_of(SpinExact::update(Mat3T<TypeParam>{}, start), 0), lane_of(start, 0)),
      4 * this->kEps);
}

TYPED_TEST(RotationTest, ParticlesOnALineHaveAFiniteInverseInertia) {
  const Vec3T<TypeParam> line[4] = {
      vector_of<TypeParam>({-3, 0, 0}), vector_of<TypeParam>({-1, 0, 0}),
      vector_of<TypeParam>({1, 0, 0}), vector_of<TypeParam>({3, 0, 0})};
  const Sym3T<TypeParam> inverse = inverse_rest_inertia(line);
  EXPECT_TRUE(std::isfinite(lane(inverse.xx, 0)));
  EXPECT_NEAR(lane(inverse.yy, 0), 1.0 / 20, 1e-5);
  const Vec3T<TypeParam> point[4] = {};
  EXPECT_EQ(lane(inverse_rest_inertia(point).yy, 0), 0);
}

// --- edge frames ---------------------------------------------------------------------------------
TYPED_TEST(RotationTest, EdgeFramesAreExactForRigidMotionAndAlwaysRotations) {
  for (int i = 0; i < 200; ++i) {
    const Sample rigid = this->random.sample({1, 1, 1});
    const Sample inverted = this->random.sample({1.5, 1, -0.7});
    Vec3d e[3];
    for (Vec3d& edge : e)
      edge = {this->random.normal(), this->random.normal(), this->random.normal()};
    const auto frame = [&](const Mat3d& f) {
      return edge_frame(vector_of<TypeParam>(f * e[0]), vector_of<TypeParam>(f * e[1]),
                        vector_of<TypeParam>(f * e[2]));
    };
    const auto rest = frame(Mat3d::identity());
    const Mat3d r = lane_of(frame_rotation(frame(rigid.f()), rest), 0);
    EXPECT_LT(norm(r - rigid.f()), 1e4 * this->kEps);  // e₁ may lie close to n₁
    const Mat3d other = lane_of(frame_rotation(frame(inverted.f()), rest), 0);
    EXPECT_NEAR(determinant(other), 1, 20 * this->kEps);
  }
  const Vec3T<TypeParam> zero = vector_of<TypeParam>({0, 0, 0}),
                         x = vector_of<TypeParam>({1, 0, 0});
  EXPECT_NEAR(determinant(lane_of(edge_frame(zero, zero, zero), 0)), 1, 20 * this->kEps);
  EXPECT_NEAR(determinant(lane_of(edge_frame(x, x, x), 0)), 1, 20 * this->kEps);
}

// --- packs against plain numbers -----------------------------------------------------------------
template <class Method, class P>
void expect_lanes_as_plain(Random& random) {
  using N = NumberOf<P>;
  std::vector<Sample> samples;
  std::vector<Quatd> starts;
  Mat3T<P> f;
  QuatT<P> start;
  for (int i = 0; i < kWidth<P>; ++i) {
    samples.push_back(random.sample(stretches(kKinds[std::size_t(i) % kKinds.size()], random)));
    starts.push_back(samples.back().rotation() * Quatd::from_axis_angle(random.direction(), 0.3));
    const Mat3T<N> plain = matrix_of<N>(samples.back().f());
    for (int j = 0; j < 9; ++j) set_lane(f.c[j / 3][j % 3], i, plain.c[j / 3][j % 3]);
    const QuatT<N> q = quat_of<N>(starts.back());
    set_lane(start.x, i, q.x), set_lane(start.y, i, q.y);
    set_lane(start.z, i, q.z), set_lane(start.w, i, q.w);
  }
  const QuatT<P> found = Method::update(f, start);
  for (int i = 0; i < kWidth<P>; ++i) {
    const std::size_t k = std::size_t(i);
    const QuatT<N> plain = Method::update(matrix_of<N>(samples[k].f()), quat_of<N>(starts[k]));
    EXPECT_LT(angle_between(lane_of(found, i), lane_of(plain, 0)),
              200 * std::numeric_limits<N>::epsilon())
        << kKinds[k % kKinds.size()];
  }
}

TEST(RotationPacks, EveryLaneIsAsPlain) {
  Random random;
  for (int i = 0; i < 50; ++i) {
    expect_lanes_as_plain<RotationTracker, Pack<float, 8>>(random);
    expect_lanes_as_plain<SvdRotation, Pack<float, 16>>(random);
    expect_lanes_as_plain<SpinExact, Pack<float, 4>>(random);
    expect_lanes_as_plain<SpinRest, Pack<float, 4>>(random);
    expect_lanes_as_plain<RotationTracker, Pack<double, 4>>(random);
    expect_lanes_as_plain<SvdRotation, Pack<double, 8>>(random);
  }
}

}  // namespace
}  // namespace sinew
