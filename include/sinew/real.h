// The number type of the whole library: float, or double in a build with -DSINEW_DOUBLE=ON.
#pragma once

#include <sinew/config.h>

namespace sinew {

#if SINEW_DOUBLE
using Real = double;
#else
using Real = float;
#endif

}  // namespace sinew
