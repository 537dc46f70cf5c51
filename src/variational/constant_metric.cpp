#include "variational/constant_metric.h"

namespace sinew {

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
  usable_ = !factor_.factor(rounded);
  return usable_;
}

}  // namespace sinew
