// Flushes denormal numbers to zero while in scope. Velocities that decay towards zero otherwise end
// up in denormals, which cost a hundred cycles each; and all threads must agree for the same bits.
#pragma once

#include <cstdint>

#if defined(__SSE__)
#include <xmmintrin.h>
#endif

namespace sinew {

#if defined(__SSE__)
class FlushDenormals {
 public:
  FlushDenormals() : saved_(_mm_getcsr()) { _mm_setcsr(saved_ | kFlushToZero | kDenormalsAreZero); }
  ~FlushDenormals() { _mm_setcsr(saved_); }

 private:
  static constexpr unsigned kFlushToZero = 1u << 15, kDenormalsAreZero = 1u << 6;
  unsigned saved_;
#elif defined(__aarch64__)
class FlushDenormals {
 public:
  FlushDenormals() {
    asm volatile("mrs %0, fpcr" : "=r"(saved_));
    set(saved_ | (std::uint64_t(1) << 24));
  }
  ~FlushDenormals() { set(saved_); }

 private:
  static void set(std::uint64_t fpcr) { asm volatile("msr fpcr, %0" ::"r"(fpcr)); }
  std::uint64_t saved_;
#else
class FlushDenormals {  // no such mode here (wasm)
 public:
  FlushDenormals() {}
  ~FlushDenormals() {}
#endif
  FlushDenormals(const FlushDenormals&) = delete;
  FlushDenormals& operator=(const FlushDenormals&) = delete;
};

}  // namespace sinew
