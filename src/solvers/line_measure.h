// What the segments of a line say about it, whatever solves it: springs of stiffness EA/L, A the
// area of the round section.
#pragma once

#include <sinew/bodies.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "solvers/batch.h"

namespace sinew {

// Of a line's material [Pa].
inline double young_of(const Material& material) {
  return std::visit(
      [](const auto& m) -> double {
        if constexpr (requires { m.young; })
          return m.young;
        else
          return 0;
      },
      material);
}

class LineMeasure {
 public:
  explicit LineMeasure(const LineMesh& mesh) : segments_(mesh.cells) {
    for (std::size_t i = 0; i < mesh.cells.size(); ++i) rest_length_.push_back(measure(mesh, i));
  }
  ElementSummary summary(const Row4<Real>* position) const {
    ElementSummary s;
    for (std::size_t i = 0; i < segments_.size(); ++i) {
      const Row4<Real>&a = position[segments_[i][0]], &b = position[segments_[i][1]];
      const double now = std::hypot(double(b.x) - a.x, double(b.y) - a.y, double(b.z) - a.z);
      s.volume += now;
      if (rest_length_[i] > 0)
        s.strain_max = std::max(s.strain_max, std::abs(now / rest_length_[i] - 1));
    }
    return s;
  }
  int count() const { return static_cast<int>(segments_.size()); }
  int slack_count() const {
    return static_cast<int>(std::count(rest_length_.begin(), rest_length_.end(), 0.0));
  }

 private:
  std::vector<Segment> segments_;
  std::vector<double> rest_length_;  // [m]
};

}  // namespace sinew
