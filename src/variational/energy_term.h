// One term of the potential energy of a body: the elements of its material, its bending, what it
// rests on. Virtual calls happen once per term and evaluation.
#pragma once

#include <sinew/executor.h>

#include <vector>

#include "core/row_packs.h"
#include "core/state_bytes.h"
#include "math/block_matrix.h"
#include "math/sparse_matrix.h"

namespace sinew {

using MetricEntries = std::vector<MatrixEntry<double>>;

class EnergyTerm {
 public:
  virtual ~EnergyTerm() = default;
  // Before a step of length h [s] from x: for what changes in time.
  virtual void begin_step(const Row4<Real>*, Real) {}
  // Returns the energy at x [J], and adds its gradient [N], row by row of the body's particles.
  virtual double add_gradient(const Row4<Real>* x, Row4<Real>* gradient, Executor& executor) = 0;
  virtual double energy(const Row4<Real>* x) const = 0;
  // Of the size of its energy at a strain of one [J]: Σ V k.
  virtual double scale() const { return 0; }
  // Adds its part of the constant matrix, L = Σ w G Gᵀ [N/m], alike for x, y and z: the Hessian of
  // a spring that is as stiff as the term is on the whole (eq. 7.14).
  virtual void add_metric(MetricEntries& entries) const = 0;
  // Whether its metric curves at least as much as it does, everywhere: it is a squared distance to
  // something, w/2 ‖Gᵀx − p(x)‖² with p nearest. Then a full step with the metric never leads up.
  virtual bool projective() const { return false; }
  // Adds its second derivative at x [N/m]; projected: without the directions in which it curves the
  // wrong way.
  virtual void add_hessian(const Row4<Real>* x, bool projected, BlockSymmetric& hessian) const = 0;
  // A part of the second derivative that joins too many vertices for a sparse matrix, but is of
  // rank one: c u uᵀ. Returns c [N/m by u²], not negative, and sets u where it is not zero.
  virtual bool has_rank_one() const { return false; }
  virtual double rank_one(const Row4<Real>* /*x*/, Row4<Real>* /*u*/) const { return 0; }
  // Whether it is the same function of x in the next step.
  virtual bool steady() const { return true; }
  // Whether the energy is kept, and not lost to heat.
  virtual bool stores() const { return true; }
  // Whether it may give energy that nobody had before: pressure, for one.
  virtual bool gives() const { return false; }
  // Whether it holds the body from outside, so that it need not keep its momentum.
  virtual bool external() const { return false; }
  // Everything that a step finds and later ones read.
  virtual void visit_state(StateBytes&) {}
};

}  // namespace sinew
