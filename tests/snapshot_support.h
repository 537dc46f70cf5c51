// Going back to a snapshot and on from there, for tests that compare every bit with the first time.
#pragma once

#include <gtest/gtest.h>
#include <sinew/world.h>

#include <string>
#include <vector>

namespace sinew {

// What there is to see of a world.
struct Seen {
  std::uint64_t hash;
  double time, elastic, kinetic;  // the elastic energy knows what the elements remember
  std::int64_t steps;
  std::size_t contact_events, rigid_contacts;
  std::vector<std::vector<Vec3>> positions;  // of soft bodies
  std::vector<double> reports;               // of their solvers
  std::vector<SoftId> soft;
  std::vector<RigidId> rigid;
  std::vector<JointId> joints;

  friend bool operator==(const Seen&, const Seen&) = default;
};

inline Seen see(const World& world) {
  const Energy energy = world.energy();
  Seen seen{.hash = world.state_hash(),
            .time = world.time(),
            .elastic = energy.elastic,
            .kinetic = energy.kinetic,
            .steps = world.step_count(),
            .contact_events = world.contact_events().size(),
            .rigid_contacts = world.rigid_contacts().size(),
            .positions = {},
            .reports = {},
            .soft = world.soft_bodies(),
            .rigid = world.rigid_bodies(),
            .joints = world.joints()};
  for (SoftId id : seen.soft) {
    seen.positions.push_back(world.positions(id));
    const SolverReport report = world.solver_report(id);
    seen.reports.insert(seen.reports.end(), {double(report.evaluations), report.objective});
  }
  return seen;
}

// What differs, for a message.
inline std::string difference(const World& world, const Seen& a, const Seen& b) {
  if (a.soft != b.soft || a.rigid != b.rigid || a.joints != b.joints) return "other handles";
  for (std::size_t i = 0; i < a.soft.size(); ++i)
    if (a.positions[i] != b.positions[i]) return "positions of " + world.name(a.soft[i]);
  if (a.hash != b.hash) return "the hash";
  if (a.elastic != b.elastic) return "the elastic energy";
  return "something else";
}

// Takes a snapshot before every step, and goes back to some of them, to some twice, after
// `meanwhile(world)`. `drive(world, i)` acts before step i.
template <class Drive, class Meanwhile>
void expect_resumes(const std::string& what, World& world, int steps, Drive&& drive,
                    Meanwhile&& meanwhile) {
  std::vector<Snapshot> kept;
  std::vector<Seen> seen;
  const auto go = [&](int i) {
    drive(world, i);
    world.step(Real(1.0 / 60));
  };
  for (int i = 0; i < steps; ++i) {
    kept.push_back(world.snapshot());
    seen.push_back(see(world));
    go(i);
  }
  seen.push_back(see(world));
  ASSERT_NE(seen.front().hash, seen.back().hash) << what << ": nothing moves";
  meanwhile(world);
  for (int from : {steps / 2, 0, steps / 2, steps - 1}) {
    world.restore(kept[0]);  // where least is remembered
    world.restore(kept[from]);
    EXPECT_EQ(kept[from].time(), seen[from].time);
    for (int i = from;; ++i) {
      const Seen now = see(world);
      ASSERT_TRUE(now == seen[i]) << what << ", from step " << from << " at step " << i << ": "
                                  << difference(world, now, seen[i]) << " differs";
      if (i == steps) break;
      go(i);
    }
  }
}

// Of the state after every one of so many steps of a sixtieth of a second.
inline std::vector<std::uint64_t> hashes(World& world, int steps) {
  std::vector<std::uint64_t> all;
  for (int i = 0; i < steps; ++i) {
    world.step(Real(1.0 / 60));
    all.push_back(world.state_hash());
  }
  return all;
}

}  // namespace sinew
