// Ctrl-C, kill and a closed terminal, while a command has unfinished files: the command stops at
// the next check() and cleans up on its way out, instead of ending where it stands.
#pragma once

namespace sinew {

// Thrown by check(). Not a std::exception: nothing but main() has business with it.
struct Interrupted {
  int signal;
  int exit_code() const { return 128 + signal; }  // as shells have it
};

// In force while it lives; one at a time.
class InterruptGuard {
 public:
  InterruptGuard();
  ~InterruptGuard();
  InterruptGuard(const InterruptGuard&) = delete;
  InterruptGuard& operator=(const InterruptGuard&) = delete;

  void check() const;
};

}  // namespace sinew
