// Where the time of a step goes: one row per stage, in the order of first use.
#pragma once

#include <cstdint>

namespace sinew {

struct StageTime {
  const char* name = "";
  double seconds = 0;  // wall clock, summed over all calls
  std::int64_t calls = 0;
};

}  // namespace sinew
