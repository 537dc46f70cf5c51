// Sums the wall time of named stages. Off by default; then a scope costs one branch.
#pragma once

#include <sinew/profile.h>

#include <array>
#include <chrono>
#include <span>

namespace sinew {

class Profiler {
 public:
  bool enabled = false;

  std::span<const StageTime> stages() const { return {stages_.data(), count_}; }
  void reset() { count_ = 0; }

  class Scope {
   public:
    // `name` must outlive the profiler: a string literal.
    Scope(Profiler& profiler, const char* name)
        : stage_(profiler.enabled ? profiler.stage(name) : nullptr) {
      if (stage_) start_ = Clock::now();
    }
    ~Scope() {
      if (!stage_) return;
      stage_->seconds += std::chrono::duration<double>(Clock::now() - start_).count();
      ++stage_->calls;
    }
    Scope(const Scope&) = delete;
    Scope& operator=(const Scope&) = delete;

   private:
    using Clock = std::chrono::steady_clock;
    StageTime* stage_;
    Clock::time_point start_;
  };

 private:
  StageTime* stage(const char* name) {
    for (std::size_t i = 0; i < count_; ++i)
      if (stages_[i].name == name) return &stages_[i];
    if (count_ == stages_.size()) return nullptr;
    stages_[count_] = {name, 0, 0};
    return &stages_[count_++];
  }

  std::array<StageTime, 32> stages_;
  std::size_t count_ = 0;
};

}  // namespace sinew
