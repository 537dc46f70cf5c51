// The limited-memory BFGS method (Nocedal and Wright, "Numerical optimization", 2006, Algorithm
// 7.4; Liu, Algorithm 4): a guess at the inverse Hessian, corrected by what the last few steps
// s did to the gradient, y. With A the first guess, −H g is found in two loops about one solution
// of A r = q:
//   before:  from the last pair to the first   αᵢ = ρᵢ sᵢ·q,  q ← q − αᵢ yᵢ
//   after:   from the first pair to the last   r ← r + (αᵢ − ρᵢ yᵢ·r) sᵢ
// with ρ = 1/(s·y). Pairs without positive curvature, s·y ≤ 0, would make H indefinite and are left
// out.
//
// Every dot product waits for the sum before it, and so q and r would be read and written once for
// every pair. With the products sᵢ·yⱼ at hand, those with q and r as they are at the start are
// enough: all are found together, then all αᵢ, then all is added together. And since q starts as
// −g, sᵢ·q is found when g is learnt, while sᵢ is read for sᵢ·y.
//
// Pairs may outlive a minimisation whose successor has nearly the same Hessian: the next gradient
// is met instead of learnt. Those that are too old by another measure than number are dropped
// first.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/state_bytes.h"
#include "math/rows.h"

namespace sinew {

class Lbfgs {
 public:
  // For so many rows and pairs; forgets everything.
  void resize(std::size_t rows, int history) {
    pairs_.assign(history, {});
    for (Pair& pair : pairs_) {
      pair.step.resize(rows);
      pair.change.resize(rows);
      pair.with_change.resize(history);
    }
    forget();
  }
  void forget() { first_ = count_ = 0; }
  // Forgets the pairs that were learnt before the mark was as high.
  void forget_before(double mark) {
    while (count_ > 0 && at(0).mark < mark) drop_first();
  }
  int count() const { return count_; }

  // What a step did to the gradient; both as differences of two vectors.
  void learn(ConstRows x_before, ConstRows x, ConstRows gradient_before, ConstRows gradient,
             double mark = 0) {
    if (pairs_.empty()) return;
    if (count_ == static_cast<int>(pairs_.size())) drop_first();
    Pair& pair = at(count_);
    for (Pair& other : pairs_) {
      other.with_earlier = other.with_gradient;
      other.product = other.with_gradient = 0;
    }
    for_each_block(x.size(), [&](std::size_t first, std::size_t size) {
      const ConstRows to = gradient.subspan(first, size);
      const Rows step = Rows(pair.step).subspan(first, size);
      const Rows change = Rows(pair.change).subspan(first, size);
      sum_of(x.subspan(first, size), -1, x_before.subspan(first, size), step);
      sum_of(to, -1, gradient_before.subspan(first, size), change);
      for (int i = 0; i <= count_; ++i) {
        const ConstRows other = ConstRows(at(i).step).subspan(first, size);
        at(i).product += quick_dot(other, change);
        at(i).with_gradient += quick_dot(other, to);
      }
    });
    const double curvature = pair.product;
    pair.with_earlier = pair.with_gradient - curvature;
    if (!(curvature > 0) || !(1 / curvature < 1e300) || !std::isfinite(curvature)) return;
    pair.rho = 1 / curvature;
    pair.mark = mark;
    for (int i = 0; i < count_; ++i) at(i).with_change[slot(count_)] = at(i).product;
    ++count_;
  }

  // The step that was learnt last goes on to so many times its length, and the gradient with it.
  void lengthen(double times) {
    for (Pair& pair : pairs_)
      pair.with_gradient = pair.with_earlier + times * (pair.with_gradient - pair.with_earlier);
  }
  // Another gradient, of which no pair was made.
  void meet(ConstRows gradient) {
    find_products(gradient, &Pair::step);
    for (Pair& pair : pairs_) pair.with_gradient = pair.product;
  }

  // q, of −g; the gradient must be the one that was learnt or met last, if any was.
  void before(ConstRows gradient, Rows q) {
    for (int i = count_ - 1; i >= 0; --i) {
      Pair& pair = at(i);
      double product = -pair.with_gradient;
      for (int j = i + 1; j < count_; ++j) product -= at(j).alpha * pair.with_change[slot(j)];
      pair.alpha = pair.rho * product;
      pair.factor = Real(-pair.alpha);
    }
    for_each_block(q.size(), [&](std::size_t first, std::size_t size) {
      for (std::size_t i = first; i < first + size; ++i)
        q[i] = {-gradient[i].x, -gradient[i].y, -gradient[i].z, 0};
      add_all(&Pair::change, first, q.subspan(first, size));
    });
  }
  void after(Rows r) {
    find_products(r, &Pair::change);
    for (int i = 0; i < count_; ++i) {
      Pair& pair = at(i);
      for (int j = 0; j < i; ++j) pair.product += double(at(j).factor) * at(j).with_change[slot(i)];
      pair.factor = Real(pair.alpha - pair.rho * pair.product);
    }
    for_each_block(r.size(), [&](std::size_t first, std::size_t size) {
      add_all(&Pair::step, first, r.subspan(first, size));
    });
  }

  // All but the products with the last gradient, so that the next one must be learnt or met.
  void visit_state(StateBytes& state) {
    state(first_, count_);
    for (int i = 0; i < count_; ++i) {
      Pair& pair = at(i);
      state(pair.step, pair.change, pair.with_change, pair.rho, pair.mark);
    }
  }

 private:
  struct Pair {
    std::vector<Row4<Real>> step, change;
    std::vector<double> with_change;  // its step with the changes of later pairs, by their slots
    double rho = 0, alpha = 0;
    double mark = 0;           // how high it was when this was learnt
    double product = 0;        // with what is being worked on
    double with_gradient = 0;  // its step with the last gradient
    double with_earlier = 0;   // … and the one before
    Real factor = 0;           // by which it is added
  };
  int slot(int i) const { return static_cast<int>((first_ + i) % pairs_.size()); }
  Pair& at(int i) { return pairs_[slot(i)]; }

  void drop_first() {
    first_ = slot(1);
    --count_;
  }

  // Blocks of rows that stay in the nearest cache while all pairs pass.
  template <class F>
  static void for_each_block(std::size_t rows, F&& f) {
    constexpr std::size_t kBlock = 256;
    for (std::size_t first = 0; first < rows; first += kBlock)
      f(first, std::min(kBlock, rows - first));
  }
  void find_products(ConstRows with, std::vector<Row4<Real>> Pair::*vector) {
    for (Pair& pair : pairs_) pair.product = 0;
    for_each_block(with.size(), [&](std::size_t first, std::size_t size) {
      for (int i = 0; i < count_; ++i)
        at(i).product +=
            quick_dot(ConstRows(at(i).*vector).subspan(first, size), with.subspan(first, size));
    });
  }
  void add_all(std::vector<Row4<Real>> Pair::*vector, std::size_t first, Rows block) {
    for (int i = 0; i < count_; ++i)
      add(at(i).factor, ConstRows(at(i).*vector).subspan(first, block.size()), block);
  }

  std::vector<Pair> pairs_;
  int first_ = 0, count_ = 0;
};

}  // namespace sinew
