// How the elements of a pack are deformed, for ElementBatch::summary().
#pragma once

#include <algorithm>
#include <cmath>

#include "math/stretches.h"
#include "solvers/batch.h"

namespace sinew {

// Adds deformation gradients f of rest volumes V, and notes which are inverted. Where V is zero
// nothing is known.
template <class W>
void add_deformation(const Mat3T<W>& f, const W& volume, int count, bool (&inverted)[kWidth<W>],
                     ElementSummary& s) {
  const W det = determinant(f);
  s.volume += sum(W(det * volume), count);
  for (int i = 0; i < count; ++i) {
    if (lane(volume, i) == 0) continue;
    inverted[i] = inverted[i] || lane(det, i) < 0;
    for (double stretch : principal_stretches(lane(f, i)))
      s.strain_max = std::max(s.strain_max, std::abs(stretch - 1));
  }
}

template <class W>
void add_inverted(const bool (&inverted)[kWidth<W>], int count, ElementSummary& s) {
  s.inverted += static_cast<int>(std::count(inverted, inverted + count, true));
}

// One gradient for each element.
template <class W>
void add_elements(const Mat3T<W>& f, const W& volume, int count, ElementSummary& s) {
  bool inverted[kWidth<W>] = {};
  add_deformation(f, volume, count, inverted, s);
  add_inverted<W>(inverted, count, s);
}

}  // namespace sinew
