// SINEW_ASSERT stops a developer at a broken assumption inside the library. It is checked in Debug
// and RelWithDebInfo builds and vanishes from Release builds; what users pass in is checked by
// Error instead, always.
#pragma once

#include <cstdio>
#include <cstdlib>

namespace sinew {

[[noreturn]] inline void assertion_failed(const char* condition, const char* file, int line) {
  std::fprintf(stderr, "%s:%d: assertion failed: %s\n", file, line, condition);
  std::abort();
}

}  // namespace sinew

#ifdef SINEW_ASSERTIONS
#define SINEW_ASSERT(condition) \
  ((condition) ? void(0) : ::sinew::assertion_failed(#condition, __FILE__, __LINE__))
#else
#define SINEW_ASSERT(condition) ((void)sizeof(condition))
#endif
