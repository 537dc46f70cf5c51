// What a run is measured by. The JSON form is a contract that other tools rely on; docs/metrics.md
// describes every key.
#pragma once

#include <sinew/world.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace sinew {

class Metrics {
 public:
  // After every step, with the wall time it took.
  void observe(const World& world, double wall_ms) {
    observe_time(wall_ms);
    observe_state(world);
  }
  // The parts of that: the second looks at every vertex, which not everybody has the time for.
  void observe_time(double wall_ms) { wall_ms_.push_back(wall_ms); }
  void observe_state(const World& world);
  nlohmann::ordered_json json(const World& world, double dt) const;
  // A few lines for a person.
  std::string summary(const World& world, double dt) const;

 private:
  std::vector<double> wall_ms_;
  int contact_count_max_ = 0;
  int rigid_count_max_ = 0;
  double penetration_max_ = 0;
  double linear_error_max_ = 0, angular_error_max_ = 0;  // of joints
};

// The table of --profile.
std::string profile_table(const World& world);

}  // namespace sinew
