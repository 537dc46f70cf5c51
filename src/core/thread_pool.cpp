// The two executors that come with Sinew. The pool hands out block numbers from one atomic ticket
// (epoch | next block | number of blocks): a worker that wakes late finds nothing to take and holds
// nobody up, because the caller waits for finished blocks, not for workers.
#include <fmt/format.h>
#include <sinew/error.h>
#include <sinew/executor.h>

#include <atomic>
#include <cstdint>
#include <mutex>
#include <thread>
#include <vector>

#include "core/assert.h"

namespace sinew {
namespace {

class SerialExecutor final : public Executor {
 public:
  void run(int count, Task task) override {
    for (int i = 0; i < count; ++i) task(i);
  }
  int workers() const override { return 1; }
};

class ThreadPool final : public Executor {
 public:
  explicit ThreadPool(int threads) {
    for (int i = 1; i < threads; ++i) threads_.emplace_back([this] { work(); });
  }

  ~ThreadPool() override {
    stop_.store(true);
    ticket_.fetch_add(kOneEpoch);  // a changed value, so that no waiter misses it
    ticket_.notify_all();
    for (std::thread& t : threads_) t.join();
  }

  void run(int count, Task task) override {
    SINEW_ASSERT(count <= kMaxBlocks);
    if (count <= 0) return;
    if (count == 1 || threads_.empty()) {
      for (int i = 0; i < count; ++i) task(i);
      return;
    }
    const std::lock_guard<std::mutex> one_loop_at_a_time(run_mutex_);
    task_ = &task;
    finished_.store(0, std::memory_order_relaxed);
    const std::uint64_t epoch = (ticket_.load(std::memory_order_relaxed) & kEpochMask) + kOneEpoch;
    ticket_.store(epoch | static_cast<std::uint64_t>(count), std::memory_order_release);
    ticket_.notify_all();
    while (take_block()) {
    }
    wait_until(finished_, count);
  }

  int workers() const override { return static_cast<int>(threads_.size()) + 1; }

 private:
  static constexpr int kBits = 20;
  static constexpr int kMaxBlocks = (1 << kBits) - 1;
  static constexpr std::uint64_t kOneBlock = std::uint64_t(1) << kBits;
  static constexpr std::uint64_t kOneEpoch = std::uint64_t(1) << (2 * kBits);
  static constexpr std::uint64_t kEpochMask = ~(kOneEpoch - 1);
  static constexpr int kSpins = 2000;  // about 10 µs: colours of one body follow each other closely

  static int next_of(std::uint64_t ticket) { return int((ticket >> kBits) & kMaxBlocks); }
  static int count_of(std::uint64_t ticket) { return int(ticket & kMaxBlocks); }

  bool take_block() {
    std::uint64_t ticket = ticket_.load(std::memory_order_acquire);
    while (next_of(ticket) < count_of(ticket)) {
      if (ticket_.compare_exchange_weak(ticket, ticket + kOneBlock, std::memory_order_acq_rel,
                                        std::memory_order_acquire)) {
        (*task_)(next_of(ticket));
        if (finished_.fetch_add(1, std::memory_order_acq_rel) + 1 == count_of(ticket))
          finished_.notify_one();
        return true;
      }
    }
    return false;
  }

  void work() {
    while (!stop_.load(std::memory_order_relaxed)) {
      if (take_block()) continue;
      const std::uint64_t seen = ticket_.load(std::memory_order_acquire);
      if (next_of(seen) < count_of(seen)) continue;
      int spins = 0;
      while (ticket_.load(std::memory_order_acquire) == seen && ++spins < kSpins) {
      }
      if (spins == kSpins && !stop_.load()) ticket_.wait(seen, std::memory_order_acquire);
    }
  }

  static void wait_until(std::atomic<int>& value, int target) {
    for (int spins = 0; spins < kSpins; ++spins)
      if (value.load(std::memory_order_acquire) == target) return;
    for (int now = value.load(std::memory_order_acquire); now != target;
         now = value.load(std::memory_order_acquire))
      value.wait(now, std::memory_order_acquire);
  }

  std::vector<std::thread> threads_;
  std::mutex run_mutex_;
  const Task* task_ = nullptr;
  alignas(64) std::atomic<std::uint64_t> ticket_{0};
  alignas(64) std::atomic<int> finished_{0};
  std::atomic<bool> stop_{false};
};

}  // namespace

std::unique_ptr<Executor> make_serial_executor() { return std::make_unique<SerialExecutor>(); }

std::unique_ptr<Executor> make_thread_pool(int threads) {
  if (threads < 0 || threads > 1024)
    throw Error(fmt::format("threads is {}; give 0 (one per core) to 1024", threads));
  if (threads == 0) threads = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
  if (threads == 1) return make_serial_executor();
  return std::make_unique<ThreadPool>(threads);
}

}  // namespace sinew
