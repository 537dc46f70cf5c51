// Random worlds: every shape, joint, solver, material and constraint, sizes from 1e-3 to 1e3 m,
// bodies that come, go and are changed, grabbed, pinned, pushed. Nothing crashes, every published
// number is finite, no energy comes out of nothing (the budget is told in chaos_world.h), and the
// bits are the same on one and two threads and after going back.
//   SINEW_CHAOS_WORLDS=20000  so many worlds; 200 otherwise
//   SINEW_CHAOS_FIRST=k       from world k on: one world alone with SINEW_CHAOS_WORLDS=1
#include <cstdlib>
#include <ctime>

#include "chaos_acts.h"

namespace sinew::chaos {
namespace {

constexpr int kSteps = 60, kBackTo = 36;

bool finite(double x) { return std::isfinite(x); }
bool finite(const Vec3& v) {
  return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z);
}
bool finite(const Quat& q) { return finite(Vec3{q.x, q.y, q.z}) && std::isfinite(q.w); }
template <class T>
bool all_finite(const std::vector<T>& list) {
  return std::all_of(list.begin(), list.end(), [](const T& one) { return finite(one); });
}

std::string unfinite_rigid(const World& world) {
  for (RigidId id : world.rigid_bodies()) {
    const RigidState s = world.state(id);
    if (!finite(s.pose.position) || !finite(s.pose.orientation) || !finite(s.center_of_mass))
      return fmt::format("pose of rigid {}", id.index);
    if (!finite(s.velocity) || !finite(s.angular_velocity))
      return fmt::format("velocity of rigid {}", id.index);
  }
  for (JointId id : world.joints()) {
    const JointState s = world.state(id);
    const char* const wrong = !finite(s.force)           ? "force"
                              : !finite(s.torque)        ? "torque"
                              : !finite(s.position)      ? "position"
                              : !finite(s.linear_error)  ? "linear error"
                              : !finite(s.angular_error) ? "angular error"
                              : !finite(s.point_a)       ? "point of a"
                              : !finite(s.point_b)       ? "point of b"
                                                         : nullptr;
    if (wrong) return fmt::format("{} of joint {}", wrong, id.index);
  }
  for (const ContactEvent& e : world.contact_events())
    if (!finite(e.impulse)) return "impulse of a contact event";
  for (const RigidContact& c : world.rigid_contacts()) {
    if (!finite(c.normal)) return "normal of a contact";
    for (int i = 0; i < c.count; ++i)
      if (!finite(c.point[i]) || !finite(c.separation[i]) || !finite(c.impulse[i]))
        return "point of a contact";
  }
  return "";
}

std::string unfinite_soft(const World& world) {
  for (SoftId id : world.soft_bodies()) {
    const std::string name = fmt::format(" of soft {}", id.index);
    if (!all_finite(world.positions(id))) return "positions" + name;
    if (!all_finite(world.velocities(id))) return "velocities" + name;
    const SoftState s = world.state(id);
    if (!finite(s.volume_ratio) || !finite(s.strain_max)) return "state" + name;
    const SolverReport report = world.solver_report(id);
    if (!finite(report.objective) || !finite(report.decrement)) return "solver report" + name;
    for (CellField field : {CellField::kStress, CellField::kStrain, CellField::kVolume})
      if (!all_finite(world.cell_field(id, field)))
        return fmt::format("cell field {}{}", int(field), name);
    for (const SoftContact& c : world.soft_contacts(id))
      if (!finite(c.point) || !finite(c.normal) || !finite(c.separation)) return "contact" + name;
    const Bounds b = world.bounds(id);
    if (!finite(b.lower) || !finite(b.upper)) return "bounds" + name;
  }
  for (GrabId id : world.grabs()) {
    const GrabState s = world.state(id);
    if (!finite(s.point) || !finite(s.place) || !finite(s.force)) return "state of a grab";
  }
  return "";
}

// The first published number that is not finite; empty: all are.
std::string unfinite(const World& world) {
  if (const std::string what = unfinite_rigid(world); !what.empty()) return what;
  if (const std::string what = unfinite_soft(world); !what.empty()) return what;
  const Energy e = world.energy();
  if (!finite(e.kinetic) || !finite(e.gravity) || !finite(e.elastic))
    return fmt::format("energy ({}, {}, {})", e.kinetic, e.gravity, e.elastic);
  const Momentum m = world.momentum();
  if (!finite(length(m.linear)) || !finite(length(m.angular))) return "momentum";
  if (!finite(world.contacts().penetration_max)) return "penetration";
  return "";
}

struct Outcome {
  std::string problem = {};  // empty: sound
  int frozen = 0;            // bodies
  double seconds = 0;        // of the processor
};

// Handles of events are of things that are there, or were there in the last step.
std::string dead_events(const World& world) {
  for (const Event& e : world.events())
    if (e.kind == Event::Kind::kFrozen && !world.contains(e.body) && !world.contains(e.rigid))
      return "a frozen body that is not there";
  return "";
}

Outcome run(unsigned number) {
  Outcome out;
  const std::clock_t start = std::clock();
  std::vector<std::uint64_t> hashes;
  ChaosWorld one(number, nullptr);
  std::optional<ChaosWorld::Kept> kept;
  const auto fails = [&](int step, const std::string& what) {
    out.problem =
        fmt::format("{} after step {}\n{}\n  {}", what, step, one.story(), one.energies());
  };
  for (int i = 0; i < kSteps && out.problem.empty(); ++i) {
    if (i == kBackTo) kept = one.keep();
    one.step();
    hashes.push_back(one.world().state_hash());
    out.frozen += int(one.world().events().size());
    if (const std::string what = unfinite(one.world()); !what.empty())
      fails(i, "not finite: " + what);
    else if (const std::string dead = dead_events(one.world()); !dead.empty())
      fails(i, dead);
    else if (const double excess = one.excess(); excess > 1)
      fails(i, fmt::format("energy out of nothing, {:.3g} times what it may have", excess));
  }
  if (!out.problem.empty()) return out;
  one.go_back(*kept);
  for (int i = kBackTo; i < kSteps && out.problem.empty(); ++i) {
    one.step();
    if (one.world().state_hash() != hashes[std::size_t(i)]) fails(i, "other bits after going back");
  }
  ChaosWorld two(number, make_thread_pool(2));
  for (int i = 0; i < kSteps && out.problem.empty(); ++i) {
    two.step();
    if (two.world().state_hash() != hashes[std::size_t(i)]) fails(i, "other bits on two threads");
  }
  out.seconds = double(std::clock() - start) / CLOCKS_PER_SEC;
  return out;
}

int number_in(const char* name, int otherwise) {
  const char* const text = std::getenv(name);
  return text ? std::atoi(text) : otherwise;
}

TEST(Chaos, RandomWorldsHold) {
  const int count = number_in("SINEW_CHAOS_WORLDS", 200), first = number_in("SINEW_CHAOS_FIRST", 0);
  int frozen = 0, failed = 0;
  double slowest = 0, total = 0;
  int slowest_world = 0;
  for (int i = first; i < first + count; ++i) {
    const Outcome out = run(unsigned(i));
    frozen += out.frozen > 0;
    total += out.seconds;
    if (out.seconds > slowest) slowest = out.seconds, slowest_world = i;
    if (out.problem.empty()) continue;
    ++failed;
    ADD_FAILURE() << "world " << i << ": " << out.problem;
  }
  std::printf(
      "%d worlds, %d failed, in %d something froze or broke; slowest: world %d, %.2f s of %.1f s\n",
      count, failed, frozen, slowest_world, slowest, total);
}

}  // namespace
}  // namespace sinew::chaos
