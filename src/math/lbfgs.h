// The limited-memory BFGS method (Nocedal and Wright, "Numerical optimization", 2006, Algorithm
// 7.4; seed 001, Algorithm 4): a guess at the inverse Hessian, corrected by what the last few steps
// s did to the gradient, y. With A the first guess, −H g is found in two loops about one solution
// of A r = q:
//   before:  from the last pair to the first   αᵢ = ρᵢ sᵢ·q,  q ← q − αᵢ yᵢ
//   after:   from the first pair to the last   r ← r + (αᵢ − ρᵢ yᵢ·r) sᵢ
// with ρ = 1/(s·y). Pairs without positive curvature, s·y ≤ 0, would make H indefinite and are left
// out.
//
// Every dot product waits for the sum before it, and so q and r would be read and written once for
// every pair. With the products sᵢ·yⱼ at hand, those with q and r as they are at the start are
// enough: all are found together, then all αᵢ, then all is added together.
#pragma once

#include <algorithm>
#include <vector>

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
  int count() const { return count_; }

  // What a step did to the gradient; both as differences of two vectors.
  void learn(ConstRows x_before, ConstRows x, ConstRows gradient_before, ConstRows gradient) {
    if (pairs_.empty()) return;
    if (count_ == static_cast<int>(pairs_.size())) drop_first();
    Pair& pair = at(count_);
    for (Pair& other : pairs_) other.product = 0;
    for_each_block(x.size(), [&](std::size_t first, std::size_t size) {
      const Rows step = Rows(pair.step).subspan(first, size);
      const Rows change = Rows(pair.change).subspan(first, size);
      sum_of(x.subspan(first, size), -1, x_before.subspan(first, size), step);
      sum_of(gradient.subspan(first, size), -1, gradient_before.subspan(first, size), change);
      for (int i = 0; i <= count_; ++i)
        at(i).product += quick_dot(ConstRows(at(i).step).subspan(first, size), change);
    });
    const double curvature = pair.product;
    if (!(curvature > 0) || !(1 / curvature < 1e300)) return;
    pair.rho = 1 / curvature;
    for (int i = 0; i < count_; ++i) at(i).with_change[slot(count_)] = at(i).product;
    ++count_;
  }

  void before(Rows q) {
    find_products(q, &Pair::step);
    for (int i = count_ - 1; i >= 0; --i) {
      Pair& pair = at(i);
      for (int j = i + 1; j < count_; ++j) pair.product -= at(j).alpha * pair.with_change[slot(j)];
      pair.alpha = pair.rho * pair.product;
      pair.factor = Real(-pair.alpha);
    }
    add_all(&Pair::change, q);
  }
  void after(Rows r) {
    find_products(r, &Pair::change);
    for (int i = 0; i < count_; ++i) {
      Pair& pair = at(i);
      for (int j = 0; j < i; ++j) pair.product += double(at(j).factor) * at(j).with_change[slot(i)];
      pair.factor = Real(pair.alpha - pair.rho * pair.product);
    }
    add_all(&Pair::step, r);
  }

 private:
  struct Pair {
    std::vector<Row4<Real>> step, change;
    std::vector<double> with_change;  // its step with the changes of later pairs, by their slots
    double rho = 0, alpha = 0;
    double product = 0;  // with what is being worked on
    Real factor = 0;     // by which it is added
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
  void add_all(std::vector<Row4<Real>> Pair::*vector, Rows to) {
    for_each_block(to.size(), [&](std::size_t first, std::size_t size) {
      for (int i = 0; i < count_; ++i)
        add(at(i).factor, ConstRows(at(i).*vector).subspan(first, size), to.subspan(first, size));
    });
  }

  std::vector<Pair> pairs_;
  int first_ = 0, count_ = 0;
};

}  // namespace sinew
