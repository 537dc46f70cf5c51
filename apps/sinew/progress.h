// A progress bar on a terminal; nothing in a pipe.
#pragma once

#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <string>

namespace sinew {

class Progress {
 public:
  explicit Progress(bool wanted) : on_(wanted && isatty(STDERR_FILENO)) {}
  ~Progress() {
    if (drawn_) std::fputs("\r\033[K", stderr);
  }
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  void show(double done, double total, const char* unit) {
    const auto now = std::chrono::steady_clock::now();
    if (!on_ || (drawn_ && now - last_ < std::chrono::milliseconds(100))) return;
    constexpr int kWidth = 40;
    const int filled = static_cast<int>(kWidth * done / total);
    std::fprintf(stderr, "\r[%s%s] %.2f of %.2f %s", std::string(filled, '=').c_str(),
                 std::string(kWidth - filled, ' ').c_str(), done, total, unit);
    std::fflush(stderr);
    last_ = now;
    drawn_ = true;
  }

 private:
  bool on_, drawn_ = false;
  std::chrono::steady_clock::time_point last_;
};

}  // namespace sinew
