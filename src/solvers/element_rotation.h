// The rotation of an element's deformation gradient, followed from substep to substep for the
// materials that need it (Mat::kNeedsRotation), and nothing at all for the others.
#pragma once

#include <type_traits>

#include "math/rotation.h"

namespace sinew {

template <bool kNeeded, class W>
class ElementRotation {
 public:
  // R nearest to f; for materials that need none, anything.
  SINEW_INLINE Mat3T<W> at(const Mat3T<W>& f) const {
    if constexpr (kNeeded)
      return RotationTracker::update(f, last_).matrix();
    else
      return {};
  }
  // The same, remembered as where to start the next time.
  SINEW_INLINE Mat3T<W> follow(const Mat3T<W>& f) {
    if constexpr (kNeeded)
      return (last_ = RotationTracker::update(f, last_)).matrix();
    else
      return {};
  }

 private:
  struct Nothing {};
  [[no_unique_address]] std::conditional_t<kNeeded, QuatT<W>, Nothing> last_;
};

}  // namespace sinew
