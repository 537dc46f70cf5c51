// Ways to extract the rotation of a deformation, where a body lets one choose.
#pragma once

#include <sinew/describe.h>

namespace sinew {

enum class RotationMethod {
  kDefault,          // tracked; right for any deformation
  kSvd,              // signed singular value decomposition, without history
  kSpin,             // spin-based tracking from the last rotation
  kSpinCold,         // the same from no rotation, every time
  kDiagonalisation,  // polar decomposition; mirrors what is inside out, which never comes back
};
template <>
struct EnumWords<RotationMethod> {
  static constexpr const char* kWords[] = {"default", "svd", "spin", "spin_cold",
                                           "diagonalisation"};
};

}  // namespace sinew
