// What the batch and the energy of a user's constraints (sinew/constraints/custom_rows.h) share:
// how they are asked, and what their rows do. Everything is in double, and every constraint is
// asked by itself: what a program wrote knows nothing of packs.
#pragma once

#include <sinew/constraints/custom_rows.h>

#include <algorithm>
#include <array>
#include <limits>
#include <span>
#include <vector>

#include "core/parallel.h"
#include "core/places.h"

namespace sinew {

class CustomRowsSource {
 public:
  using Vec = Vec3T<double>;
  using Cell = std::array<Index, CustomRows::kNodesMax>;

  // A constraint where it was asked. Not finite: nothing else of it may be used.
  struct Answer {
    Vec x[CustomRows::kNodesMax];
    Vec gradient[CustomRows::kRowsMax * CustomRows::kNodesMax];
    double error[CustomRows::kRowsMax];
    bool finite;
  };

  // `start`: where the vertices start. Throws Error for what cannot be used there.
  CustomRowsSource(const CustomRows& definition, std::span<const Vec> start);

  int nodes() const { return definition_.nodes; }
  int rows() const { return definition_.rows; }
  std::size_t count() const { return definition_.vertices.size() / std::size_t(nodes()); }
  const Index* nodes_of(std::size_t i) const { return &definition_.vertices[i * nodes()]; }
  std::size_t row_number(std::size_t i, int r) const { return i * rows() + r; }

  double compliance(std::size_t row) const { return at(definition_.compliance, row, 0); }
  double lower(std::size_t row) const { return at(definition_.lower, row, -kInfinity); }
  double upper(std::size_t row) const { return at(definition_.upper, row, kInfinity); }
  bool bounded() const { return !definition_.lower.empty() || !definition_.upper.empty(); }
  bool keeps_momentum() const { return definition_.keeps_momentum; }
  bool has_rigid_rows() const;
  int crowding() const { return crowding_; }  // the most constraints that share a vertex
  const Answer& start(std::size_t i) const { return start_[i]; }

  // Fills in all but `x`, which says where.
  void ask(std::size_t i, Answer& answer) const;

  // f of a row that is not rigid, and the energy ½ C²/compliance that it comes from: where a limit
  // holds, linear.
  double force(std::size_t row, double error) const {
    const double f = -error / compliance(row);
    return std::max(std::min(f, upper(row)), lower(row));
  }
  double energy(std::size_t row, double error) const {
    const double f = force(row, error);
    return -f * error - f * f * compliance(row) / 2;
  }

  // f(i) for all constraints, colour by colour; those of a colour share no vertices.
  template <class F>
  void for_each(Executor& executor, bool reversed, F&& f) const {
    constexpr int kBlock = 64;
    const int colours = static_cast<int>(colour_begin_.size()) - 1;
    for (int c = 0; c < colours; ++c) {
      const int colour = reversed ? colours - 1 - c : c, first = colour_begin_[colour];
      parallel_for(executor, colour_begin_[colour + 1] - first, kBlock, [&](int begin, int end) {
        for (int k = begin; k < end; ++k) f(order_[first + k]);
      });
    }
  }

 private:
  static constexpr double kInfinity = std::numeric_limits<double>::infinity();

  static double at(const std::vector<double>& values, std::size_t row, double otherwise) {
    return values.empty() ? otherwise : values[values.size() == 1 ? 0 : row];
  }
  void colour(std::size_t vertex_count);

  CustomRows definition_;
  std::vector<std::size_t> order_;  // of the constraints, by colour
  std::vector<int> colour_begin_;   // first of each colour in it, and the end
  std::vector<Answer> start_;       // where the body starts
  int crowding_ = 1;
};

}  // namespace sinew
