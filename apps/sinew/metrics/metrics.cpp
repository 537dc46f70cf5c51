#include "metrics.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "io/scene_json.h"

namespace sinew {
namespace {

using Json = nlohmann::ordered_json;

template <class T>
Json triple(const Vec3T<T>& v) {
  return Json::array({v.x, v.y, v.z});
}

// The value below which a share of the samples lies.
double quantile(std::vector<double> samples, double share) {
  if (samples.empty()) return 0;
  const std::size_t i = std::min(samples.size() - 1, std::size_t(share * double(samples.size())));
  std::nth_element(samples.begin(), samples.begin() + std::ptrdiff_t(i), samples.end());
  return samples[i];
}

// Nothing when all of them stand still.
std::string rigid_line(const World& world) {
  int count = 0;
  for (RigidId id : world.rigid_bodies()) count += !world.state(id).is_static;
  if (count == 0) return "";
  double deepest = 0;  // [m]
  for (const RigidContact& contact : world.rigid_contacts())
    for (int i = 0; i < contact.count; ++i)
      deepest = std::max(deepest, -double(contact.separation[i]));
  const ContactState contacts = world.contacts();
  return fmt::format("rigid      {} bodies, {} asleep, {} pairs touch, deepest {:.3f} mm\n", count,
                     contacts.asleep, contacts.rigid_count, deepest * 1e3);
}

}  // namespace

void Metrics::observe_state(const World& world) {
  const ContactState contacts = world.contacts();
  contact_count_max_ = std::max(contact_count_max_, contacts.count);
  rigid_count_max_ = std::max(rigid_count_max_, contacts.rigid_count);
  penetration_max_ = std::max(penetration_max_, contacts.penetration_max);
  for (JointId id : world.joints()) {
    const JointState state = world.state(id);
    linear_error_max_ = std::max(linear_error_max_, double(state.linear_error));
    angular_error_max_ = std::max(angular_error_max_, double(state.angular_error));
  }
}

Json Metrics::json(const World& world, double dt) const {
  const double total = std::accumulate(wall_ms_.begin(), wall_ms_.end(), 0.0);
  const Energy energy = world.energy();
  const Momentum momentum = world.momentum();
  const ContactState contacts = world.contacts();
  Json soft = Json::array(), rigid = Json::array();
  for (SoftId id : world.soft_bodies()) {
    const SoftState s = world.state(id);
    const SolverReport solver = world.solver_report(id);
    const bool variational = solver.evaluations > 0;
    soft.push_back({{"name", world.name(id)},
                    {"volume_ratio", s.volume_ratio},
                    {"inverted", s.inverted},
                    {"strain_max", s.strain_max},
                    {"iterations", solver.total_iterations},
                    {"objective", variational ? Json(solver.objective) : Json()},
                    {"residual", variational ? Json(solver.residual) : Json()},
                    {"converged", variational ? Json(solver.converged) : Json()},
                    {"frozen", s.frozen},
                    {"stiffness_share", s.stiffness_share},
                    {"energy_taken", s.energy_taken}});
  }
  for (RigidId id : world.rigid_bodies()) {
    const RigidState s = world.state(id);
    rigid.push_back({{"name", world.name(id)},
                     {"position", triple(s.pose.position)},
                     {"velocity", triple(s.velocity)},
                     {"asleep", s.asleep}});
  }
  return {
      {"steps", world.step_count()},
      {"dt", dt},
      {"wall_ms",
       {{"mean", wall_ms_.empty() ? 0 : total / double(wall_ms_.size())},
        {"median", quantile(wall_ms_, 0.5)},
        {"p99", quantile(wall_ms_, 0.99)},
        {"max", quantile(wall_ms_, 1)}}},
      {"state_hash", fmt::format("{:016x}", world.state_hash())},
      {"finite", world.finite()},
      {"energy",
       {{"kinetic", energy.kinetic}, {"gravity", energy.gravity}, {"elastic", energy.elastic}}},
      {"momentum", {{"linear", triple(momentum.linear)}, {"angular", triple(momentum.angular)}}},
      {"contacts",
       {{"count_max", contact_count_max_},
        {"penetration_max", penetration_max_},
        {"count", contacts.count},
        {"penetration", contacts.penetration_max},
        {"rigid_count_max", rigid_count_max_},
        {"rigid_count", contacts.rigid_count},
        {"asleep", contacts.asleep}}},
      {"joints",
       {{"count", world.joints().size()},
        {"linear_error_max", linear_error_max_},
        {"angular_error_max", angular_error_max_}}},
      {"soft", soft},
      {"rigid", rigid}};
}

std::string Metrics::summary(const World& world, double dt) const {
  const Json m = json(world, dt);
  std::string text = fmt::format(
      "{} steps of {:.3f} ms: {:.2f} s simulated\n"
      "step       {:.2f} ms median, {:.2f} ms at most ({:.1f}× real time)\n"
      "energy     {:.4g} J kinetic, {:.4g} J elastic, {:.4g} J gravity\n"
      "contacts   {} vertices touch, deepest {:.3f} mm now, {:.3f} mm at most\n",
      world.step_count(), dt * 1e3, world.time(), m["wall_ms"]["median"].get<double>(),
      m["wall_ms"]["max"].get<double>(),
      dt * 1e3 / std::max(m["wall_ms"]["mean"].get<double>(), 1e-9),
      m["energy"]["kinetic"].get<double>(), m["energy"]["elastic"].get<double>(),
      m["energy"]["gravity"].get<double>(), m["contacts"]["count"].get<int>(),
      m["contacts"]["penetration"].get<double>() * 1e3, penetration_max_ * 1e3);
  for (const Json& s : m["soft"]) {
    const std::string name = one_line(s["name"].get<std::string>());
    const double share = s["stiffness_share"].get<double>();
    const std::string softer =
        share < 1 ? fmt::format(", SOFTER than its material (share {:.3f})", share) : "";
    text += fmt::format("{:<10} volume {:.4f} of rest, strain ≤ {:.3f}, {} inverted{}{}\n",
                        name.empty() ? "soft body" : name, s["volume_ratio"].get<double>(),
                        s["strain_max"].get<double>(), s["inverted"].get<int>(),
                        s["frozen"].get<bool>() ? ", FROZEN" : "", softer);
  }
  text += rigid_line(world);
  if (!world.joints().empty())
    text +=
        fmt::format("joints     {}, off by {:.3f} mm and {:.3f}° at most\n", world.joints().size(),
                    linear_error_max_ * 1e3, angular_error_max_ * 180 / M_PI);
  text += fmt::format("finite     {}\nstate hash {}\n", world.finite() ? "yes" : "NO",
                      m["state_hash"].get<std::string>());
  return text;
}

std::string profile_table(const World& world) {
  double total = 0;
  for (const StageTime& stage : world.profile()) total += stage.seconds;
  std::string text = fmt::format("{:<14}{:>10}{:>12}{:>14}{:>8}\n", "stage", "calls", "total ms",
                                 "µs per call", "share");
  for (const StageTime& stage : world.profile())
    text += fmt::format("{:<14}{:>10}{:>12.2f}{:>14.2f}{:>7.1f}%\n", stage.name, stage.calls,
                        stage.seconds * 1e3, stage.seconds * 1e6 / double(stage.calls),
                        100 * stage.seconds / std::max(total, 1e-12));
  return text;
}

}  // namespace sinew
