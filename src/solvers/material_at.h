// Materials as batches ask them: some need the rotation R nearest to F beside it, tracked by the
// caller; the others ignore it.
#pragma once

#include <sinew/tangent_bound.h>

namespace sinew {

template <class Mat, class T>
T energy_at(const Mat& material, const Mat3T<T>& f, const Mat3T<T>& r) {
  if constexpr (Mat::kNeedsRotation)
    return material.energy(f, r);
  else
    return material.energy(f);
}
template <class Mat, class T>
TangentBound<T> tangent_bound_at(const Mat& material, const Mat3T<T>& f, const Mat3T<T>& r) {
  if constexpr (Mat::kNeedsRotation)
    return material.tangent_bound(f, r);
  else
    return material.tangent_bound(f);
}

}  // namespace sinew
