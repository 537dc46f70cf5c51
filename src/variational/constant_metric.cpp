#include "variational/constant_metric.h"

namespace sinew {
namespace {

constexpr Real kLeastExtra = sizeof(Real) == 4 ? Real(1e-6) : Real(1e-14);

}  // namespace

bool ConstantMetric::prepare(const Objective& objective, ConstRows target, Real h) {
  bool same = h == h_ && held_.size() == target.size();
  for (std::size_t i = 0; same && i < target.size(); ++i) same = held_[i] == !(target[i].w > 0);
  if (same) return usable_;

  const SparseSymmetric<double> a = objective.metric(target, h);
  SparseSymmetric<Real> rounded{a.begin, a.row, {a.value.begin(), a.value.end()}};
  if (held_.empty()) factor_.analyse(rounded);
  held_.resize(target.size());
  for (std::size_t i = 0; i < target.size(); ++i) held_[i] = !(target[i].w > 0);
  h_ = h;
  ++version_;
  // What is too stiff for its step and its masses has no factor in float. A little more on the
  // diagonal, and it has one; it then takes more iterations to fall.
  for (Real extra = kLeastExtra; factor_.factor(rounded); extra *= 10) {
    if (!(extra < 1)) return usable_ = false;
    for (int i = 0; i < rounded.size(); ++i) rounded.value[rounded.begin[i]] *= 1 + extra;
  }
  return usable_ = true;
}

}  // namespace sinew
