// Matrices that L-BFGS may start from (Liu, §7.3), to compare the constant one with.
#pragma once

#include <memory>

#include "math/block_cholesky.h"
#include "math/conjugate_gradients.h"
#include "math/incomplete_cholesky.h"
#include "math/lbfgs.h"
#include "math/polar_rotation.h"
#include "variational/constant_metric.h"
#include "variational/descent.h"

namespace sinew {

// The constant matrix as one of blocks: a I each.
inline void add_constant(const SparseSymmetric<double>& metric, BlockSymmetric& out) {
  for (int j = 0; j < metric.size(); ++j)
    for (int k = metric.begin[j]; k < metric.begin[j + 1]; ++k) {
      const Real a = Real(metric.value[k]);
      out.add(metric.row[k], j, Mat3::diagonal({a, a, a}));
    }
}

class InitialMatrix {
 public:
  virtual ~InitialMatrix() = default;
  // What is done once and for all, before any frame.
  virtual bool prepare(const Objective& objective, ConstRows target, Real h) = 0;
  // What is done in every frame, where it starts.
  virtual bool begin_frame(Objective&, ConstRows /*x*/) { return true; }
  // r ← A⁻¹ r
  virtual void solve(Rows r) = 0;
  // What a step did to the gradient.
  virtual void learn(double /*step_by_change*/, double /*change_by_change*/) {}
};

// L-BFGS from any of them.
class LbfgsFrom final : public DirectionFinder {
 public:
  LbfgsFrom(std::unique_ptr<InitialMatrix> matrix, std::size_t rows, int history)
      : matrix_(std::move(matrix)), step_(rows), change_(rows) {
    history_.resize(rows, history);
  }

  bool begin(const Objective& objective, ConstRows target, Real h) override {
    history_.forget();
    begun_ = false;
    return matrix_->prepare(objective, target, h);
  }
  bool find(Objective& objective, ConstRows x, ConstRows gradient, Rows direction,
            Executor&) override {
    if (!begun_ && !matrix_->begin_frame(objective, x)) return false;
    begun_ = true;
    history_.before(gradient, direction);
    matrix_->solve(direction);
    history_.after(direction);
    return true;
  }
  void learn(ConstRows x_before, ConstRows x, ConstRows gradient_before,
             ConstRows gradient) override {
    history_.learn(x_before, x, gradient_before, gradient);
    sum_of(x, -1, x_before, step_);
    sum_of(gradient, -1, gradient_before, change_);
    matrix_->learn(dot(step_, change_), dot(change_, change_));
  }
  bool forget() override {
    const bool learnt = history_.count() > 0;
    history_.forget();
    return learnt;
  }

 private:
  std::unique_ptr<InitialMatrix> matrix_;
  Lbfgs history_;
  std::vector<Row4<Real>> step_, change_;
  bool begun_ = false;
};

// Nocedal and Wright's scaled identity, A = (y·y)/(s·y) I of the last step; before the first, the
// mean diagonal of the constant matrix.
class ScaledIdentity final : public InitialMatrix {
 public:
  bool prepare(const Objective& objective, ConstRows target, Real h) override {
    const SparseSymmetric<double> metric = objective.metric(target, h);
    double sum = 0;
    int count = 0;
    for (int i = 0; i < metric.size(); ++i)
      if (target[i].w > 0) sum += metric.value[metric.begin[i]], ++count;
    first_ = inverse_ = count / sum;
    return true;
  }
  bool begin_frame(Objective&, ConstRows) override {
    inverse_ = first_;
    return true;
  }
  void solve(Rows r) override {
    const Real s = Real(inverse_);
    for (Row4<Real>& v : r) v = {s * v.x, s * v.y, s * v.z, 0};
  }
  void learn(double step_by_change, double change_by_change) override {
    if (step_by_change > 0) inverse_ = step_by_change / change_by_change;
  }

 private:
  double first_ = 1, inverse_ = 1;
};

// M/h² + ∂²E at rest.
class RestHessian : public InitialMatrix {
 public:
  explicit RestHessian(ConstRows rest) : rest_(rest.begin(), rest.end()) {}

  bool prepare(const Objective& objective, ConstRows target, Real h) override {
    if (prepared_) return true;
    BlockSymmetric hessian(objective.metric(target, h));
    objective.hessian(rest_, true, hessian);
    return prepared_ = factor_.factor(hessian);
  }
  void solve(Rows r) override { factor_.solve(r); }

 protected:
  std::vector<Row4<Real>> rest_;

 private:
  BlockCholesky factor_;
  bool prepared_ = false;
};

// The same, turned with every vertex (Müller et al., "Stable real-time deformations", 2002):
// A⁻¹ = R K⁻¹ Rᵀ, R the rotations of the elements around it, on the whole.
class WarpedRestHessian final : public RestHessian {
 public:
  WarpedRestHessian(ConstRows rest, const TetMesh& mesh)
      : RestHessian(rest), mesh_(mesh), rotation_(rest.size()) {}

  bool begin_frame(Objective&, ConstRows x) override {
    std::fill(rotation_.begin(), rotation_.end(), Mat3{});
    for (const Tetrahedron& cell : mesh_.cells) {
      Mat3 rest, now;  // edges; the sums are weighted by volume
      for (int k = 0; k < 3; ++k) {
        rest.c[k] = edge(rest_, cell, k);
        now.c[k] = edge(x, cell, k);
      }
      const Mat3 f = now * transpose(cofactor(rest));
      for (const Index i : cell) rotation_[i] = rotation_[i] + f;
    }
    for (Mat3& r : rotation_) r = PolarRotation<Real>::of(r).rotation;
    return true;
  }
  void solve(Rows r) override {
    turn(r, [](const Mat3& rotation) { return transpose(rotation); });
    RestHessian::solve(r);
    turn(r, [](const Mat3& rotation) { return rotation; });
  }

 private:
  static Vec3 edge(ConstRows x, const Tetrahedron& cell, int k) {
    const Row4<Real>&a = x[cell[k + 1]], &b = x[cell[0]];
    return {a.x - b.x, a.y - b.y, a.z - b.z};
  }
  template <class F>
  void turn(Rows r, F&& matrix) const {
    for (std::size_t i = 0; i < r.size(); ++i) {
      const Vec3 v = matrix(rotation_[i]) * Vec3{r[i].x, r[i].y, r[i].z};
      r[i] = {v.x, v.y, v.z, 0};
    }
  }

  const TetMesh& mesh_;
  std::vector<Mat3> rotation_;
};

// M/h² + ∂²E where the frame starts, made positive definite element by element.
class FrameHessian final : public InitialMatrix {
 public:
  bool prepare(const Objective& objective, ConstRows target, Real h) override {
    if (hessian_.size() == 0) hessian_ = BlockSymmetric(objective.metric(target, h));
    return true;
  }
  bool begin_frame(Objective& objective, ConstRows x) override {
    objective.hessian(x, true, hessian_);
    return factor_.factor(hessian_);
  }
  void solve(Rows r) override { factor_.solve(r); }

 private:
  BlockSymmetric hessian_;
  BlockCholesky factor_;
};

// The constant matrix.
class Constant final : public InitialMatrix {
 public:
  bool prepare(const Objective& objective, ConstRows target, Real h) override {
    return metric_.prepare(objective, target, h);
  }
  void solve(Rows r) override { metric_.solve(r); }

 private:
  ConstantMetric metric_;
};

// The constant matrix, solved by so many iterations of conjugate gradients with its diagonal as the
// preconditioner, instead of with a factor.
class ConstantByGradients final : public InitialMatrix {
 public:
  ConstantByGradients(std::size_t rows, int iterations) : iterations_(iterations), x_(rows) {
    gradients_.resize(rows);
  }
  bool prepare(const Objective& objective, ConstRows target, Real h) override {
    const SparseSymmetric<double> metric = objective.metric(target, h);
    metric_ = {metric.begin, metric.row, {metric.value.begin(), metric.value.end()}};
    return true;
  }
  void solve(Rows r) override {
    gradients_.solve(
        r, x_, 0, iterations_, [&](ConstRows p, Rows out) { multiply(p, out); },
        [&](ConstRows p, Rows out) {
          for (std::size_t i = 0; i < p.size(); ++i) {
            const Real s = 1 / metric_.value[metric_.begin[i]];
            out[i] = {s * p[i].x, s * p[i].y, s * p[i].z, 0};
          }
        });
    std::copy(x_.begin(), x_.end(), r.begin());
  }

 private:
  void multiply(ConstRows p, Rows out) const {
    std::fill(out.begin(), out.end(), Row4<Real>{});
    for (int j = 0; j < metric_.size(); ++j)
      for (int k = metric_.begin[j]; k < metric_.begin[j + 1]; ++k) {
        const int i = metric_.row[k];
        const Real a = metric_.value[k];
        out[i].x += a * p[j].x, out[i].y += a * p[j].y, out[i].z += a * p[j].z;
        if (i == j) continue;
        out[j].x += a * p[i].x, out[j].y += a * p[i].y, out[j].z += a * p[i].z;
      }
  }

  int iterations_;
  SparseSymmetric<Real> metric_;
  ConjugateGradients gradients_;
  std::vector<Row4<Real>> x_;
};

// An incomplete factor of the rest-pose Hessian, or of the constant matrix.
class IncompleteFactor final : public InitialMatrix {
 public:
  // Of the Hessian at `rest`; of the constant matrix if that is empty.
  explicit IncompleteFactor(ConstRows rest) : rest_(rest.begin(), rest.end()) {}

  bool prepare(const Objective& objective, ConstRows target, Real h) override {
    if (prepared_) return true;
    const SparseSymmetric<double> metric = objective.metric(target, h);
    BlockSymmetric matrix(metric);
    if (rest_.empty())
      add_constant(metric, matrix);
    else
      objective.hessian(rest_, true, matrix);
    copy_.resize(target.size());
    return prepared_ = factor_.factor(matrix);
  }
  void solve(Rows r) override {
    std::copy(r.begin(), r.end(), copy_.begin());
    factor_.solve(copy_, r);
  }

 private:
  std::vector<Row4<Real>> rest_, copy_;
  IncompleteCholesky factor_;
  bool prepared_ = false;
};

// The Hessian where the frame starts, solved by so many iterations of conjugate gradients.
class FrameHessianByGradients final : public InitialMatrix {
 public:
  FrameHessianByGradients(std::unique_ptr<InitialMatrix> preconditioner, std::size_t rows,
                          int iterations)
      : preconditioner_(std::move(preconditioner)), iterations_(iterations), x_(rows) {
    gradients_.resize(rows);
  }
  bool prepare(const Objective& objective, ConstRows target, Real h) override {
    if (hessian_.size() == 0) hessian_ = BlockSymmetric(objective.metric(target, h));
    return preconditioner_->prepare(objective, target, h);
  }
  bool begin_frame(Objective& objective, ConstRows x) override {
    objective.hessian(x, true, hessian_);
    return preconditioner_->begin_frame(objective, x);
  }
  void solve(Rows r) override {
    gradients_.solve(
        r, x_, 0, iterations_, [&](ConstRows p, Rows out) { hessian_.multiply(p, out); },
        [&](ConstRows p, Rows out) {
          std::copy(p.begin(), p.end(), out.begin());
          preconditioner_->solve(out);
        });
    std::copy(x_.begin(), x_.end(), r.begin());
  }

 private:
  std::unique_ptr<InitialMatrix> preconditioner_;
  int iterations_;
  BlockSymmetric hessian_;
  ConjugateGradients gradients_;
  std::vector<Row4<Real>> x_;
};

}  // namespace sinew
