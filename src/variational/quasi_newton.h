// Directions by L-BFGS from the constant matrix (Liu, Algorithm 4); without a history, by the
// matrix alone (Algorithm 3). If all energies are projective, that is to alternate local and global
// steps (eq. 7.11): x − A⁻¹∇g = A⁻¹(M/h² y + J p).
//
// The matrix is far too stiff for bending: an energy that does not change with rotation bends a bar
// by EI k⁴, and the matrix by EA k². Ten iterations that start from nothing in every step do not
// make up for that. From one step to the next the Hessian hardly changes, so pairs are kept. They
// are dropped when the objective becomes another one (the step, what is held), while a hand pulls,
// and when the body has turned by some tenths of a radian since, as they do not turn with it.
#pragma once

#include <cstdint>
#include <cstring>

#include "math/lbfgs.h"
#include "variational/constant_metric.h"
#include "variational/descent.h"
#include "variational/grab_metric.h"
#include "variational/rank_one.h"

namespace sinew {

class QuasiNewtonDirection final : public DirectionFinder {
 public:
  enum class Remembers { kWithinSteps, kWhileTouching, kAcrossSteps };

  // `kWhileTouching`: only in steps with a passing term, as contact is.
  QuasiNewtonDirection(std::size_t rows, int history, Remembers remembers = Remembers::kWithinSteps)
      : remembers_(history > 0 ? remembers : Remembers::kWithinSteps) {
    history_.resize(rows, history);
  }

  bool begin(const Objective& objective, ConstRows target, Real h) override {
    target_ = target;
    learns_ = remembers_ != Remembers::kWhileTouching || objective.has_passing();
    if (!metric_.prepare(objective, target, h)) return false;
    grabs_.prepare(objective.grabs(), target, metric_);
    const std::uint64_t key = key_of(objective, target, h);
    if (!carries() || key != key_ || !objective.grabs().empty()) history_.forget();
    key_ = key;
    return true;
  }
  bool carries() const override { return remembers_ == Remembers::kAcrossSteps; }
  void turn(double angle) override {
    turned_ += angle;
    history_.forget_before(turned_ - kStale);
  }
  bool find(Objective& objective, ConstRows x, ConstRows gradient, Rows direction,
            Executor&) override {
    grabs_.weigh(x);
    const auto solve = [&](Rows r) {
      metric_.solve(r);
      grabs_.correct(r);
    };
    rank_one_.prepare(objective, x, target_, false, solve);
    history_.before(gradient, direction);
    solve(direction);
    rank_one_.correct(direction);
    history_.after(direction);
    return true;
  }
  void learn(ConstRows x_before, ConstRows x, ConstRows gradient_before,
             ConstRows gradient) override {
    if (learns_) history_.learn(x_before, x, gradient_before, gradient, turned_);
  }
  void lengthen(double times) override {
    if (learns_) history_.lengthen(times);
  }
  void meet(ConstRows gradient) override { history_.meet(gradient); }
  bool forget() override {
    const bool learnt = history_.count() > 0;
    history_.forget();
    return learnt;
  }
  void visit_state(StateBytes& state) override {
    if (carries()) state(history_, key_, turned_);
  }

 private:
  static constexpr double kStale = 0.3;  // [rad]

  // Another one for another objective (Fowler, Noll and Vo's hash).
  static std::uint64_t key_of(const Objective& objective, ConstRows target, Real h) {
    std::uint64_t key = 14695981039346656037u;
    const auto mix = [&](const auto& value) {
      std::uint32_t bits = 0;
      static_assert(sizeof(value) <= 8);
      std::memcpy(&bits, &value, std::min(sizeof(bits), sizeof(value)));
      key = (key ^ bits) * 1099511628211u;
    };
    mix(float(h));
    for (std::size_t i = 0; i < target.size(); ++i)
      if (!(target[i].w > 0)) mix(static_cast<std::uint32_t>(i));
    mix(static_cast<std::uint32_t>(objective.grabs().size()));
    return key;
  }

  ConstRows target_;
  ConstantMetric metric_;
  GrabMetric grabs_;
  RankOneParts rank_one_;
  Lbfgs history_;
  Remembers remembers_;
  bool learns_ = true;
  std::uint64_t key_ = 0;
  double turned_ = 0;  // by the body since it was made [rad]
};

}  // namespace sinew
