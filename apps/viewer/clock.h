// Time that passes, whatever the clock on the wall says.
#pragma once

#include <chrono>

namespace sinew::viewer {

// [s]
inline double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace sinew::viewer
