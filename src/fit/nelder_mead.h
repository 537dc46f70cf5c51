// Nelder and Mead's simplex search in a box, with the coefficients of Lagarias et al. 1998 (the
// method of the fitting thesis §4.1). Trial points outside the box are moved onto it. A simplex
// that has flattened is started afresh round its best point until that no longer helps. No random
// numbers: the same function gives the same answer. Infinite values mark what is not allowed.
#pragma once

#include <algorithm>
#include <cmath>
#include <utility>

#include "fit/dense.h"

namespace sinew::fit {

struct Box {
  Vector lower, upper;
  Vector clamp(Vector v) const {
    for (std::size_t i = 0; i < v.size(); ++i) v[i] = std::clamp(v[i], lower[i], upper[i]);
    return v;
  }
};

struct Minimum {
  Vector at;
  double value = 0;
};

template <class F>
class NelderMead {
 public:
  NelderMead(F function, Box box) : function_(std::move(function)), box_(std::move(box)) {}

  Minimum minimise(const Vector& start, double first_step) {
    Minimum best = evaluate(start);
    double step = first_step;
    for (int restart = 0; restart < kRestarts; ++restart, step *= 0.5) {
      const Minimum found = search(best.at, step);
      const bool better = found.value < best.value * (1 - kWorthwhile);
      if (found.value < best.value) best = found;
      if (!better && restart > 1) break;
    }
    return best;
  }

 private:
  static constexpr int kRestarts = 12, kStepsMax = 600;
  static constexpr double kWorthwhile = 1e-8, kFlat = 1e-12;

  Minimum evaluate(Vector v) {
    v = box_.clamp(std::move(v));
    const double value = function_(v);
    return {std::move(v), std::isnan(value) ? INFINITY : value};
  }

  // centre + t (vertex − centre)
  static Vector along(const Vector& centre, const Vector& vertex, double t) {
    Vector v(centre.size());
    for (std::size_t i = 0; i < v.size(); ++i) v[i] = centre[i] + t * (vertex[i] - centre[i]);
    return v;
  }

  Minimum search(const Vector& start, double step) {
    std::vector<Minimum> simplex{evaluate(start)};
    for (std::size_t i = 0; i < start.size(); ++i) {
      Vector v = start;
      // Away from the nearer bound, in proportion: stiffnesses for many iterations are small.
      const double size = step * std::max(std::abs(v[i]), 0.02);
      v[i] += v[i] + size <= box_.upper[i] ? size : -size;
      simplex.push_back(evaluate(std::move(v)));
    }
    const auto order = [](const Minimum& a, const Minimum& b) { return a.value < b.value; };
    for (int i = 0; i < kStepsMax; ++i) {
      std::stable_sort(simplex.begin(), simplex.end(), order);
      if (size(simplex) < kFlat) break;
      improve(simplex);
    }
    return *std::min_element(simplex.begin(), simplex.end(), order);
  }

  static double size(const std::vector<Minimum>& simplex) {
    double largest = 0;
    for (const Minimum& m : simplex)
      for (std::size_t i = 0; i < m.at.size(); ++i)
        largest = std::max(largest, std::abs(m.at[i] - simplex[0].at[i]));
    return largest;
  }

  // One step on a sorted simplex: reflect, expand, contract or shrink.
  void improve(std::vector<Minimum>& simplex) {
    const Minimum &best = simplex.front(), &second = simplex[simplex.size() - 2];
    Minimum& worst = simplex.back();
    Vector centre(worst.at.size());
    for (std::size_t v = 0; v + 1 < simplex.size(); ++v)
      for (std::size_t i = 0; i < centre.size(); ++i)
        centre[i] += simplex[v].at[i] / double(simplex.size() - 1);

    Minimum reflected = evaluate(along(centre, worst.at, -1));
    if (reflected.value < best.value) {
      Minimum expanded = evaluate(along(centre, worst.at, -2));
      worst = expanded.value < reflected.value ? std::move(expanded) : std::move(reflected);
      return;
    }
    if (reflected.value < second.value) {
      worst = std::move(reflected);
      return;
    }
    const bool outside = reflected.value < worst.value;
    Minimum contracted = evaluate(along(centre, worst.at, outside ? -0.5 : 0.5));
    if (contracted.value < (outside ? reflected : worst).value) {
      worst = std::move(contracted);
      return;
    }
    for (std::size_t v = 1; v < simplex.size(); ++v)
      simplex[v] = evaluate(along(best.at, simplex[v].at, 0.5));
  }

  F function_;
  Box box_;
};

}  // namespace sinew::fit
