// Dantzig's pivoting for box LCPs (lcp.h, Baraff 1994). Unknowns join one at a time. The one that
// joins is driven up or down until its w is zero or it meets its bound; meanwhile those with w = 0
// (basic) follow so as to keep w = 0, and whenever one of them meets a bound, or w of one at a
// bound becomes zero, it changes its place. No place is ever left wrong, so that the last one to
// join solves the problem.
//
// A may be singular. What moves along a null vector changes no w; it meets a bound, or the problem
// has no solution. An unknown may also rest between its bounds with w = 0 without being basic
// (idle): its row depends on the basic ones. As soon as its w would change it can, and does, become
// basic: for a positive semidefinite A the entry by which w_j changes, the Schur complement's S_ji,
// is zero if S_jj is.
#include <sinew/error.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/format.h"
#include "math/dense_lu.h"
#include "math/lcp_scaled.h"

namespace sinew {
namespace {

using lcp::kSingular;
using lcp::kZero;

constexpr double kNoBound = std::numeric_limits<double>::infinity();

enum class Place { kWaiting, kLower, kUpper, kBasic, kIdle };

class Pivoting {
 public:
  explicit Pivoting(const BoxLcp& p) : p_(p), y_(p.size()), place_(p.size(), Place::kWaiting) {}

  LcpStatus solve(int most) {
    for (const bool free : {true, false})  // those that stay basic first
      for (std::size_t i = 0; i < p_.size(); ++i) {
        if (free != (std::isinf(p_.lower[i]) && std::isinf(p_.upper[i]))) continue;
        const LcpStatus status = drive(i, most);
        if (status != LcpStatus::kSolved) return status;
      }
    return LcpStatus::kSolved;
  }

  const std::vector<double>& y() const { return y_; }
  int pivots() const { return pivots_; }

 private:
  // What ends a move: unknown `index` takes `place` after `way`.
  struct Event {
    double way = kNoBound;
    std::size_t index = 0;
    Place place = Place::kWaiting;
  };

  // Until i has its place.
  LcpStatus drive(std::size_t i, int most) {
    for (;;) {
      w_ = lcp_velocity(p_, y_);
      if (settle(i)) return LcpStatus::kSolved;
      if (pivots_ >= most) return LcpStatus::kIterationLimit;
      move_along(i, w_[i] < 0 ? 1.0 : -1.0);
      if (dw_[i] * dy_[i] < -kIndefinite) return LcpStatus::kFailed;
      const Event event = first_event(i);
      if (event.way == kNoBound) return LcpStatus::kNoSolution;
      ++pivots_;
      for (std::size_t j = 0; j < y_.size(); ++j) y_[j] += event.way * dy_[j];
      keep_in_box();
      if (event.place == Place::kLower) y_[event.index] = p_.lower[event.index];
      if (event.place == Place::kUpper) y_[event.index] = p_.upper[event.index];
      place_[event.index] = event.place;
      if (event.index == i) return LcpStatus::kSolved;
    }
  }

  // Whether it is right where it is.
  bool settle(std::size_t i) {
    if (y_[i] == p_.lower[i] && (w_[i] >= -kZero || p_.lower[i] == p_.upper[i]))
      place_[i] = Place::kLower;
    else if (y_[i] == p_.upper[i] && w_[i] <= kZero)
      place_[i] = Place::kUpper;
    else if (std::abs(w_[i]) <= kZero)
      place_[i] = Place::kIdle;
    else
      return false;
    return true;
  }

  // How all move when i does by `direction`: the basic ones so that their w stay.
  void move_along(std::size_t i, double direction) {
    std::vector<std::size_t> basic;
    for (std::size_t j = 0; j < place_.size(); ++j)
      if (place_[j] == Place::kBasic) basic.push_back(j);
    std::vector<double> block, rhs;
    for (const std::size_t j : basic) {
      rhs.push_back(-p_.at(j, i) * direction);
      for (const std::size_t k : basic) block.push_back(p_.at(j, k));
    }
    const std::vector<double> follow =
        DenseLu(std::move(block), basic.size(), kSingular).solve(rhs);
    dy_.assign(y_.size(), 0);
    dy_[i] = direction;
    for (std::size_t k = 0; k < basic.size(); ++k) dy_[basic[k]] = follow[k];
    dw_.assign(y_.size(), 0);
    for (std::size_t j = 0; j < y_.size(); ++j) {
      if (place_[j] == Place::kBasic) continue;
      double terms = 0;  // what cancels in it: below their rounding it is zero
      for (std::size_t k = 0; k < y_.size(); ++k) {
        dw_[j] += p_.at(j, k) * dy_[k];
        terms += std::abs(p_.at(j, k) * dy_[k]);
      }
      if (std::abs(dw_[j]) <= kRounding * terms) dw_[j] = 0;
    }
  }

  // The first of what can happen; of several at once what places i, then the lowest index.
  Event first_event(std::size_t i) const {
    Event first;
    const auto offer = [&](double way, std::size_t j, Place place) {
      if (way < first.way) first = {std::max(0.0, way), j, place};
    };
    if (dw_[i] != 0) offer(-w_[i] / dw_[i], i, Place::kBasic);
    offer_bounds(i, offer);
    for (std::size_t j = 0; j < place_.size(); ++j) {
      if (j == i || p_.lower[j] == p_.upper[j]) continue;
      if (place_[j] == Place::kBasic) offer_bounds(j, offer);
      if (place_[j] == Place::kIdle && dw_[j] != 0) offer(0, j, Place::kBasic);
      if (place_[j] == Place::kLower && dw_[j] < 0) offer(-w_[j] / dw_[j], j, Place::kBasic);
      if (place_[j] == Place::kUpper && dw_[j] > 0) offer(-w_[j] / dw_[j], j, Place::kBasic);
    }
    return first;
  }

  void offer_bounds(std::size_t j, auto& offer) const {
    if (dy_[j] < 0) offer((p_.lower[j] - y_[j]) / dy_[j], j, Place::kLower);
    if (dy_[j] > 0) offer((p_.upper[j] - y_[j]) / dy_[j], j, Place::kUpper);
  }

  void keep_in_box() {
    for (std::size_t j = 0; j < y_.size(); ++j)
      y_[j] = std::max(p_.lower[j], std::min(p_.upper[j], y_[j]));
  }

  static constexpr double kRounding = 1e-11;   // relative, of the way velocities change
  static constexpr double kIndefinite = 1e-9;  // a Schur complement's diagonal below −this

  const BoxLcp& p_;
  std::vector<double> y_, w_;    // where they are
  std::vector<double> dy_, dw_;  // and how they move
  std::vector<Place> place_;
  int pivots_ = 0;
};

void check_symmetric(const BoxLcp& p) {
  constexpr double kRounding = 1e-9;
  for (std::size_t i = 0; i < p.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) {
      const double size = std::max({std::sqrt(std::abs(p.at(i, i) * p.at(j, j))),
                                    std::abs(p.at(i, j)), std::abs(p.at(j, i))});
      if (std::abs(p.at(i, j) - p.at(j, i)) > kRounding * size)
        throw Error(
            formatted("solve_dantzig: A({0}, {1}) is {2}, A({1}, {0}) is {3}; A must be "
                      "symmetric, or else use solve_lemke",
                      i, j, p.at(i, j), p.at(j, i)));
    }
}

}  // namespace

LcpSolution solve_dantzig(const BoxLcp& problem, const PivotOptions& options) {
  check(problem);
  check_symmetric(problem);
  const lcp::Scaled scaled = lcp::scaled(problem);
  Pivoting pivoting(scaled.problem);
  const LcpStatus status = pivoting.solve(lcp::most_pivots(options, problem.size()));
  return lcp::finish(problem, scaled, pivoting.y(), status, pivoting.pivots());
}

}  // namespace sinew
