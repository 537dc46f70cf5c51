// What stabilises nodal strains (elements/nodal_points.h), for the position-based solver: one
// element in each tetrahedron, drawn to what is about it. As Σₑ ωₑ (Fₑ − Fₙ) = 0 at every vertex, a
// change of Fₙ does no work in Σₑ Σₙ ωₑ αₙ μ ‖Fₑ − Fₙ‖², and the stress of a tetrahedron is
//   Pₑ = 2μ (ᾱₑ Fₑ − ¼ Σₙ αₙ Fₙ),      ᾱₑ = ¼ Σₙ αₙ
// with Fₙ as its points have left it. While those stay, what is in it is no less than the energy:
// each sweep goes down a bound of it, and no multiplier is shared between tetrahedra and points.
// Viscosity acts here, too, where every motion is seen.
//
// Means of tetrahedra that are inside out may look sound, and then stay so for ever. What is nearly
// flat is therefore guarded:
//   Ψₑ = 4μ (J₀ − J)²,   J = det Fₑ < J₀ = 0.1.
// Of eight bars with random vertices one stays tangled then, without the guard five, and with 10μ
// from J₀ = 0.5 on all. Nothing is added at strains that mean anything, so that sags are the same.
#pragma once

#include <sinew/mesh.h>

#include <memory>
#include <vector>

#include "solvers/batch.h"

namespace sinew {

// 2μ αₙ/4 Fₙ of each vertex [Pa], in one line of the cache: three rows are its columns, and the
// fourth number of the first is the factor. So means over tetrahedra are sums of whole lines.
class NodalMeans {
 public:
  struct alignas(16 * sizeof(Real)) Line {
    Row4<Real> row[4];
  };

  explicit NodalMeans(std::size_t vertices) : lines_(vertices) {}
  const Line& operator[](std::size_t vertex) const { return lines_[vertex]; }

  template <class W>
  SINEW_INLINE void set(const Index (&vertex)[kWidth<W>], const W& factor, const Mat3T<W>& f) {
    Index at[kWidth<W>];
    for (int i = 0; i < kWidth<W>; ++i) at[i] = 4 * vertex[i];
    for (int c = 0; c < 3; ++c) scatter<W>(lines_.data()->row + c, at, {f.c[c] * factor, factor});
  }

 private:
  std::vector<Line> lines_;
};

class NodalStabiliser {
 public:
  virtual ~NodalStabiliser() = default;
  // As of Batch, with `means` at the start of the substep and as they are.
  virtual void predict(const Substep& substep, const NodalMeans& means) = 0;
  virtual void solve(const Substep& substep, const NodalMeans& means) = 0;
  virtual void extrapolate(Real omega, bool first) = 0;
  virtual double energy(const Places& at, const NodalMeans& means) const = 0;
  virtual double stiffness(const Row4<Real>* rest, const NodalMeans& means) const = 0;
  virtual ElementSummary summary(const Row4<Real>* position) const = 0;
  virtual int count() const = 0;
  virtual int slack_count() const = 0;
};
// `mu`: of the material, for viscosity.
std::unique_ptr<NodalStabiliser> make_nodal_stabiliser(const TetMesh& mesh, Real mu);

}  // namespace sinew
