// Random box LCPs, the same for the same seed on every machine: what tests and experiments try the
// solvers of lcp.h on.
#pragma once

#include <sinew/lcp.h>

#include <cmath>
#include <cstdint>
#include <random>

namespace sinew {

class LcpSamples {
 public:
  explicit LcpSamples(std::uint64_t seed) : generator_(seed) {}

  // In [from, to), from the generator's bits: the standard's distributions differ by library.
  double uniform(double from, double to) {
    return from + (to - from) * static_cast<double>(generator_() >> 11) * 0x1p-53;
  }
  std::size_t below(std::size_t n) { return static_cast<std::size_t>(generator_() % n); }

  // A = G Gᵀ + diagonal: exactly one solution. Bounds of every kind.
  BoxLcp regular(std::size_t n) {
    BoxLcp p = square_of(matrix(n, n), n, n);
    for (std::size_t i = 0; i < n; ++i) {
      p.at(i, i) += 0.5;
      p.b[i] = uniform(-2, 2);
      bound(p, i, below(6));
    }
    return p;
  }

  // As of contacts and joints, J M⁻¹ Jᵀ with more rows than freedoms: singular, and b = J v so that
  // there is a solution. Some rows are equalities, at times more than freedoms; some have a limit.
  BoxLcp redundant(std::size_t n, std::size_t freedoms) {
    const std::vector<double> j = matrix(n, freedoms);
    BoxLcp p = square_of(j, n, freedoms);
    const std::size_t equalities = below(4) == 0 ? n : freedoms;
    for (std::size_t i = 0; i < n; ++i) {
      if (i % 3 != 0 || i >= equalities) p.lower[i] = 0;
      if (i % 3 == 2) p.upper[i] = uniform(0.1, 2);
    }
    for (std::size_t k = 0; k < freedoms; ++k) {
      const double velocity = uniform(-1, 1);
      for (std::size_t i = 0; i < n; ++i) p.b[i] += j[i * freedoms + k] * velocity;
    }
    return p;
  }

 private:
  std::vector<double> matrix(std::size_t rows, std::size_t columns) {
    std::vector<double> entries(rows * columns);
    for (double& e : entries) e = uniform(-1, 1);
    return entries;
  }

  static BoxLcp square_of(const std::vector<double>& g, std::size_t n, std::size_t columns) {
    BoxLcp p = BoxLcp::free_of(n);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j)
        for (std::size_t k = 0; k < columns; ++k)
          p.at(i, j) += g[i * columns + k] * g[j * columns + k];
    return p;
  }

  void bound(BoxLcp& p, std::size_t i, std::size_t kind) {
    const double a = uniform(-1, 1), b = uniform(-1, 1);
    if (kind == 0) return;          // free
    if (kind == 1) p.lower[i] = 0;  // a contact
    if (kind == 2) p.lower[i] = std::fmin(a, b);
    if (kind == 3) p.upper[i] = std::fmax(a, b);
    if (kind >= 4) {
      p.lower[i] = std::fmin(a, b);
      p.upper[i] = kind == 5 && below(4) == 0 ? p.lower[i] : std::fmax(a, b);
    }
  }

  std::mt19937_64 generator_;
};

}  // namespace sinew
