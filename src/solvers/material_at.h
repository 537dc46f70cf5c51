// Materials asked with the deformation gradient F and its rotation R at hand; those that can do
// without R are given F alone. What is not used costs nothing.
#pragma once

#include <sinew/tangent_bound.h>

namespace sinew {

template <class M, class T>
inline T energy_at(const M& material, const Mat3T<T>& f, [[maybe_unused]] const Mat3T<T>& r) {
  if constexpr (M::kNeedsRotation)
    return material.energy(f, r);
  else
    return material.energy(f);
}

template <class M, class T>
inline Mat3T<T> stress_at(const M& material, const Mat3T<T>& f,
                          [[maybe_unused]] const Mat3T<T>& r) {
  if constexpr (M::kNeedsRotation)
    return material.stress(f, r);
  else
    return material.stress(f);
}

template <class M, class T>
inline TangentBound<T> tangent_bound_at(const M& material, const Mat3T<T>& f,
                                        [[maybe_unused]] const Mat3T<T>& r) {
  if constexpr (M::kNeedsRotation)
    return material.tangent_bound(f, r);
  else
    return material.tangent_bound(f);
}

}  // namespace sinew
