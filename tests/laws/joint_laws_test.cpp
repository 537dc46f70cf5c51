// Laws of every joint: its rows are the derivatives of its coordinates, it holds where it was
// added, it pushes both bodies oppositely, one sweep solves its equations exactly, and packs do
// what plain numbers do.
#include <gtest/gtest.h>

#include <cmath>

#include "joint_support.h"

namespace sinew::joint_testing {
namespace {

using Vec = Vec3T<double>;
using PoseD = BodyPose<double>;

PoseD to_double(const BodyPose<Real>& p) {
  return {{p.center.x, p.center.y, p.center.z},
          normalized(QuatT<double>{p.turn.x, p.turn.y, p.turn.z, p.turn.w})};
}
// Moved a little: coordinate 0 to 2 is a way, 3 to 5 a turn.
PoseD moved(PoseD p, int coordinate, double by) {
  if (coordinate < 3) return p.center[coordinate] += by, p;
  Vec axis{};
  axis[coordinate - 3] = 1;
  p.turn = QuatT<double>::from_axis_angle(axis, by) * p.turn;
  return p;
}

template <class E>
struct Reference {
  static constexpr int kRows = E::kBlock + E::kLoose;
  using Parameters = typename E::template Parameters<double>;

  // Its numbers in double.
  static Parameters parameters(const typename E::template Parameters<Real>& p) {
    Parameters d;
    for (std::size_t i = 0; i < sizeof(p) / sizeof(Real); ++i) {
      Real number;
      std::memcpy(&number, reinterpret_cast<const std::byte*>(&p) + i * sizeof(Real), sizeof(Real));
      const double wide = number;
      std::memcpy(reinterpret_cast<std::byte*>(&d) + i * sizeof(double), &wide, sizeof(double));
    }
    return d;
  }
  static std::vector<JointRow<double>> rows(Parameters p, const PoseD& a, const PoseD& b) {
    JointRows<double, E::kBlock, E::kLoose> out;
    E::template rows<double>(p, a, b, out);
    std::vector<JointRow<double>> all(out.block.begin(), out.block.end());
    all.insert(all.end(), out.loose.begin(), out.loose.end());
    return all;
  }
};

TEST(JointLaws, RowsAreDerivatives) {
  Random random(1);
  for_each_sample([&]<class E>(const auto& joint) {
    SCOPED_TRACE(joint.kName);
    for (int trial = 0; trial < 20; ++trial) {
      const BodyPose<Real> a = random.pose(), b = random.pose();
      const auto p = Reference<E>::parameters(E::parameters(joint, a, b));
      const PoseD now_a = to_double(random.beside(a, Real(0.4)));
      const PoseD now_b = to_double(random.beside(b, Real(0.4)));
      const auto rows = Reference<E>::rows(p, now_a, now_b);
      constexpr double kStep = 1e-5;
      for (int k = 0; k < 12; ++k) {
        const auto at = [&](double by) {
          return k < 6 ? Reference<E>::rows(p, moved(now_a, k, by), now_b)
                       : Reference<E>::rows(p, now_a, moved(now_b, k - 6, by));
        };
        const auto ahead = at(kStep), behind = at(-kStep);
        for (std::size_t r = 0; r < rows.size(); ++r) {
          const JointRow<double>& row = rows[r];
          const Vec parts[4] = {row.linear_a, row.angular_a, row.linear_b, row.angular_b};
          EXPECT_NEAR((ahead[r].value - behind[r].value) / (2 * kStep), parts[k / 3][k % 3],
                      2e-6 * (1 + std::fabs(parts[k / 3][k % 3])))
              << "row " << r << ", coordinate " << k;
        }
      }
    }
  });
}

TEST(JointLaws, NothingIsWrongWhereItWasAdded) {
  Random random(2);
  const auto executor = make_serial_executor();
  for_each_sample([&]<class E>(const auto& joint) {
    SCOPED_TRACE(joint.kName);
    Bodies bodies;
    const BodyRow a = random.body(bodies), b = random.body(bodies);
    JointSet joints;
    const JointSlot slot = joints.add(joint, a, b, bodies.pose(a), bodies.pose(b));
    joints.prepare(bodies.rows, Real(0.01), Bodies::kScratch, *executor);
    const JointState state = joints.state(slot);
    EXPECT_LT(state.linear_error, 2e-6);
    EXPECT_LT(state.angular_error, 2e-6);
    EXPECT_EQ(length(state.force) + length(state.torque), 0);
  });
}

// Σ m v and Σ (x × m v + I ω).
std::pair<Vec, Vec> momentum(const Bodies& bodies) {
  Vec linear{}, angular{};
  for (BodyRow i = bodies.first(); i < bodies.end(); ++i) {
    const PoseD pose = to_double(bodies.pose(i));
    const Twist<Real> v = bodies.velocity(i);
    const Vec p = sinew::to_double(v.linear) * (1.0 / bodies.rows.mass[i].c[6]);
    linear += p;
    Vec spin = pose.turn.conjugate().rotate(sinew::to_double(v.angular));
    for (int k = 0; k < 3; ++k) spin[k] /= bodies.moments(i)[k];
    angular += cross(pose.center, p) + pose.turn.rotate(spin);
  }
  return {linear, angular};
}

TEST(JointLaws, BothBodiesArePushedOppositely) {
  Random random(3);
  const auto executor = make_serial_executor();
  for_each_sample([&]<class E>(const auto& joint) {
    using J = std::remove_cvref_t<decltype(joint)>;
    // The world holds what these two turn about.
    if (std::is_same_v<J, GearJoint> || std::is_same_v<J, PulleyJoint>) return;
    SCOPED_TRACE(joint.kName);
    Real most = 0;
    for (int trial = 0; trial < 6; ++trial) {
      Bodies bodies;
      const BodyRow a = random.body(bodies), b = random.body(bodies);
      JointSet joints;
      joints.add(joint, a, b, bodies.pose(a), bodies.pose(b));
      // Fast, so that ranges would be left within the substep.
      for (const BodyRow i : {a, b}) bodies.set_velocity(i, {random.vector(9), random.vector(9)});
      const auto [linear, angular] = momentum(bodies);
      const Twist<Real> before = bodies.velocity(a);
      joints.prepare(bodies.rows, Real(0.2), Bodies::kScratch, *executor);
      for (int i = 0; i < 3; ++i) joints.solve(bodies.rows, *executor);
      const Twist<Real> after = bodies.velocity(a);
      most = std::max(most, length(after.linear - before.linear));
      most = std::max(most, length(after.angular - before.angular));
      const auto [linear_after, angular_after] = momentum(bodies);
      EXPECT_LT(length(linear_after - linear), 4e-5);
      EXPECT_LT(length(angular_after - angular), 8e-5);
    }
    EXPECT_GT(most, 0.1);
  });
}

TEST(JointLaws, OneSweepSolvesTheBlock) {
  Random random(4);
  const auto executor = make_serial_executor();
  for_each_sample([&]<class E>(const auto& joint) {
    SCOPED_TRACE(joint.kName);
    if (E::kBlock == 0) return;
    for (int trial = 0; trial < 10; ++trial) {
      Bodies bodies;
      const BodyRow a = random.body(bodies);
      const BodyRow b = trial % 2 == 0 ? random.body(bodies) : Bodies::kWorld;
      const auto p = Reference<E>::parameters(E::parameters(joint, bodies.pose(a), bodies.pose(b)));
      JointSet joints;
      joints.add(joint, a, b, bodies.pose(a), bodies.pose(b));
      // Where it does not quite hold: velocities have to, all the same.
      bodies.set_pose(a, random.beside(bodies.pose(a), Real(0.1)));
      // Made at rest, so that rows do not look ahead to where they will have turned.
      joints.prepare(bodies.rows, Real(0.01), Bodies::kScratch, *executor);
      bodies.set_velocity(a, {random.vector(2), random.vector(2)});
      if (b != Bodies::kWorld) bodies.set_velocity(b, {random.vector(2), random.vector(2)});
      joints.solve(bodies.rows, *executor);
      const Twist<Real> va = bodies.velocity(a), vb = bodies.velocity(b);
      const auto rows = Reference<E>::rows(p, to_double(bodies.pose(a)), to_double(bodies.pose(b)));
      for (int r = 0; r < E::kBlock; ++r) {
        const double speed = dot(rows[r].linear_a, sinew::to_double(va.linear)) +
                             dot(rows[r].angular_a, sinew::to_double(va.angular)) +
                             dot(rows[r].linear_b, sinew::to_double(vb.linear)) +
                             dot(rows[r].angular_b, sinew::to_double(vb.angular));
        EXPECT_NEAR(speed, 0, sizeof(Real) == 4 ? 2e-5 : 1e-13) << "row " << r;
      }
    }
  });
}

template <class E, class W, class J>
Bodies after_a_substep(const J& joint, Executor& executor) {
  Random random(5);
  Bodies bodies;
  std::vector<BodyRow> body;
  for (int i = 0; i < 30; ++i) body.push_back(random.body(bodies));
  RowBatch<E, W> batch;
  for (int i = 0; i + 1 < 30; ++i) {
    const BodyRow b = i % 7 == 3 ? Bodies::kWorld : body[i + 1];
    batch.add(i, body[i], b, E::parameters(joint, bodies.pose(body[i]), bodies.pose(b)));
  }
  for (const BodyRow i : body) {
    bodies.set_pose(i, random.beside(bodies.pose(i), Real(0.05)));
    bodies.set_velocity(i, {random.vector(1), random.vector(1)});
  }
  for (int substep = 0; substep < 2; ++substep) {
    batch.prepare(bodies.rows, Real(0.01), Bodies::kScratch, executor);
    if (substep > 0) batch.warm_start(bodies.rows.velocity, executor);
    for (int i = 0; i < 2; ++i) batch.solve(bodies.rows, executor);
    batch.correct(bodies.rows, Real(0.4), executor);
  }
  return bodies;
}

TEST(JointLaws, PacksDoWhatPlainNumbersDo) {
  const auto executor = make_serial_executor();
  for_each_sample([&]<class E>(const auto& joint) {
    SCOPED_TRACE(joint.kName);
    const Bodies packs = after_a_substep<E, Wide>(joint, *executor);
    const Bodies plain = after_a_substep<E, Real>(joint, *executor);
    double most = 0;
    for (BodyRow i = packs.first(); i < packs.end(); ++i)
      for (int k = 0; k < 6; ++k) {
        const double v = plain.rows.velocity[i].c[k], w = plain.rows.way[i].c[k];
        const double scale = sizeof(Real) == 4 ? 2e-4 : 1e-11;
        EXPECT_NEAR(packs.rows.velocity[i].c[k], v, scale * (1 + std::fabs(v)));
        EXPECT_NEAR(packs.rows.way[i].c[k], w, scale);
        most = std::max(most, std::fabs(w));
        ASSERT_TRUE(std::isfinite(v) && std::isfinite(w));
      }
    // The world stays where it is.
    for (int k = 0; k < 8; ++k) EXPECT_EQ(packs.rows.velocity[Bodies::kWorld].c[k], 0);
    if (E::kBlock > 0) {
      EXPECT_GT(most, 1e-3);
    }
  });
}

// Whatever a motor is told, its joint stays in its range: at its end, and as far as it can go back.
TEST(JointLaws, NoMotorLeavesItsRange) {
  Random random(7);
  const auto executor = make_serial_executor();
  int driven = 0;
  for_each_sample([&]<class E>(const auto& joint) {
    if constexpr (requires(typename E::template Parameters<Real> & p) { E::drive(p, 0); }) {
      SCOPED_TRACE(joint.kName);
      for (const Real target : {Real(30), Real(-30)})
        for (int axis = 0; axis < 6; ++axis) {
          Bodies bodies;
          const BodyRow a = random.body(bodies);
          auto p = E::parameters(joint, bodies.pose(a), {});
          if (!E::drive(p, axis)) continue;
          ++driven;
          JointSet joints;
          const JointSlot slot = joints.add(joint, a, Bodies::kWorld, bodies.pose(a), {});
          joints.set_motor(slot, Motor{.target = target}, axis);
          for (int i = 0; i < 240; ++i) {
            substep(bodies, joints, Real(1.0 / 240), {}, 4, *executor);
            const JointState state = joints.state(slot);
            ASSERT_LT(state.linear_error, 0.02) << axis << ", substep " << i;
            ASSERT_LT(state.angular_error, 0.02) << axis << ", substep " << i;
          }
        }
    }
  });
  EXPECT_GT(driven, 20);
}

// Ends of ranges with a spring push back in proportion to how far they are passed, and not before.
TEST(JointLaws, SoftEndsPushBackInProportion) {
  const auto executor = make_serial_executor();
  const auto force_at = [&](Real past) {
    Bodies bodies;
    const BodyRow a = bodies.add({{}, {}}, 1, {1, 1, 1});
    JointSet joints;
    const JointSlot slot =
        joints.add(SliderJoint{.range = Range{-1, 1}, .spring = Spring{2, Real(0.3)}}, a,
                   Bodies::kWorld, bodies.pose(a), {});
    bodies.set_pose(a, {{1 + past, 0, 0}, {}});
    joints.prepare(bodies.rows, Real(1e-4), Bodies::kScratch, *executor);
    joints.solve(bodies.rows, *executor);
    return double(joints.state(slot).force.x);
  };
  EXPECT_EQ(force_at(Real(-0.01)), 0);
  const double stiffness = std::pow(4 * 3.14159265358979, 2);  // ω² m
  for (const double past : {0.01, 0.02, 0.2})
    EXPECT_NEAR(force_at(Real(past)), stiffness * past, 2e-2 * stiffness * past) << past;
}

// Bodies that cannot turn, or cannot move at all, or of extreme masses: finite, and no NaN.
TEST(JointLaws, WhatCannotMoveDoesNoHarm) {
  Random random(6);
  const auto executor = make_serial_executor();
  const Vec3 none{};
  for_each_sample([&]<class E>(const auto& joint) {
    SCOPED_TRACE(joint.kName);
    for (int kind = 0; kind < 4; ++kind) {
      Bodies bodies;
      const Real mass_b = kind == 3 ? Real(1e-6) : 0;
      const Vec3 inertia_b = kind == 3 ? Vec3{Real(1e-6), 0, Real(1e6)} : none;
      const BodyRow a = bodies.add(random.pose(), kind == 0 ? 0 : kind == 3 ? Real(1e4) : 1, none);
      const BodyRow b = bodies.add(random.pose(), kind == 2 ? 1 : mass_b, inertia_b);
      JointSet joints;
      const JointSlot slot = joints.add(joint, a, b, bodies.pose(a), bodies.pose(b));
      bodies.set_pose(a, random.beside(bodies.pose(a), Real(0.5)));
      bodies.set_velocity(a, {random.vector(2), random.vector(2)});
      for (int i = 0; i < 3; ++i) {
        joints.prepare(bodies.rows, Real(0.01), Bodies::kScratch, *executor);
        joints.warm_start(bodies.rows, *executor);
        joints.solve(bodies.rows, *executor);
        joints.correct(bodies.rows, *executor);
      }
      const JointState state = joints.state(slot);
      EXPECT_TRUE(std::isfinite(length(state.force)) && std::isfinite(length(state.torque)));
      for (const BodyRow i : {a, b})
        for (int k = 0; k < 6; ++k) {
          ASSERT_TRUE(std::isfinite(bodies.rows.velocity[i].c[k])) << kind;
          ASSERT_TRUE(std::isfinite(bodies.rows.way[i].c[k])) << kind;
        }
    }
  });
}

}  // namespace
}  // namespace sinew::joint_testing
