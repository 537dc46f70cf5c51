// Whether this machine has the instructions that the library was compiled for.
#pragma once

#include <sinew/error.h>

namespace sinew {

// Throws Error instead of letting the program die of an illegal instruction.
inline void check_cpu() {
#if defined(__x86_64__) && defined(__AVX2__) && defined(__FMA__)
  if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma"))
    throw Error(
        "this build of Sinew needs a CPU with AVX2 and FMA; configure with -DSINEW_CPU=scalar");
#endif
#if defined(__x86_64__) && defined(__AVX512F__)
  if (!__builtin_cpu_supports("avx512f"))
    throw Error(
        "this build of Sinew needs a CPU with AVX-512; configure with -DSINEW_CPU=portable");
#endif
}

}  // namespace sinew
