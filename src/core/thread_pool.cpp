// The two executors that come with Sinew. Every thread of the pool has a share of the blocks, the
// same in every loop over as many, so that what it wrote in the last loop is still in its cache in
// the next; when it is done with it, it helps the others. A share is one atomic ticket: a worker
// that wakes late finds nothing to take and holds nobody up, because the caller waits for finished
// blocks, not for workers.
#include <sinew/error.h>
#include <sinew/executor.h>

#include <atomic>
#include <cstdint>
#include <mutex>
#include <thread>
#include <vector>

#include "core/assert.h"
#include "core/format.h"

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace sinew {
namespace {

// Waits a little (10 to 50 ns), and leaves the core to the other thread on it.
inline void relax() {
#if defined(__SSE2__)
  _mm_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

class SerialExecutor final : public Executor {
 public:
  void run(int count, Task task) override {
    for (int i = 0; i < count; ++i) task(i);
  }
  int workers() const override { return 1; }
};

class ThreadPool final : public Executor {
 public:
  explicit ThreadPool(int threads) : shares_(threads) {
    for (int i = 1; i < threads; ++i) threads_.emplace_back([this, i] { work(i); });
  }

  ~ThreadPool() override {
    stop_.store(true);
    epoch_.fetch_add(1);  // a changed value, so that no waiter misses it
    epoch_.notify_all();
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
    const std::uint32_t epoch = epoch_.load(std::memory_order_relaxed) + 1;
    const std::int64_t sharers = static_cast<std::int64_t>(shares_.size());
    for (std::int64_t i = 0; i < sharers; ++i)
      shares_[i].ticket.store(
          ticket(epoch, int(count * i / sharers), int(count * (i + 1) / sharers)),
          std::memory_order_release);
    epoch_.store(epoch, std::memory_order_release);
    epoch_.notify_all();
    take_blocks(0, epoch);
    wait_until(finished_, count);
  }

  int workers() const override { return static_cast<int>(shares_.size()); }

 private:
  // What is left of the blocks of one thread: epoch | next | end.
  struct alignas(64) Share {
    std::atomic<std::uint64_t> ticket{0};
  };
  static constexpr int kBits = 20;
  static constexpr int kMaxBlocks = (1 << kBits) - 1;
  static constexpr std::uint64_t kOneBlock = std::uint64_t(1) << kBits;
  static constexpr int kSpins = 2000;  // about 10 µs: colours of one body follow each other closely

  static std::uint64_t ticket(std::uint32_t epoch, int next, int end) {
    return std::uint64_t(epoch) << (2 * kBits) | std::uint64_t(next) << kBits | std::uint64_t(end);
  }
  static int next_of(std::uint64_t ticket) { return int((ticket >> kBits) & kMaxBlocks); }
  static int end_of(std::uint64_t ticket) { return int(ticket & kMaxBlocks); }
  static bool is_of(std::uint64_t ticket, std::uint32_t epoch) {
    return ticket >> (2 * kBits) == (epoch & 0xffffffu);
  }

  // The blocks of the thread's own share, then those that others have not got to.
  void take_blocks(int self, std::uint32_t epoch) {
    int done = 0;
    for (std::size_t k = 0; k < shares_.size(); ++k) {
      std::atomic<std::uint64_t>& share = shares_[(self + k) % shares_.size()].ticket;
      std::uint64_t now = share.load(std::memory_order_acquire);
      while (is_of(now, epoch) && next_of(now) < end_of(now)) {
        if (!share.compare_exchange_weak(now, now + kOneBlock, std::memory_order_acq_rel,
                                         std::memory_order_acquire))
          continue;
        (*task_)(next_of(now));
        ++done;
        now = share.load(std::memory_order_acquire);
      }
    }
    if (done == 0) return;
    finished_.fetch_add(done, std::memory_order_acq_rel);
    finished_.notify_one();
  }

  void work(int self) {
    std::uint32_t seen = 0;
    while (!stop_.load(std::memory_order_relaxed)) {
      const std::uint32_t epoch = epoch_.load(std::memory_order_acquire);
      if (epoch != seen) {
        seen = epoch;
        take_blocks(self, epoch);
        continue;
      }
      int spins = 0;
      while (epoch_.load(std::memory_order_acquire) == seen && ++spins < kSpins) relax();
      if (spins == kSpins && !stop_.load()) epoch_.wait(seen, std::memory_order_acquire);
    }
  }

  static void wait_until(std::atomic<int>& value, int target) {
    for (int spins = 0; spins < kSpins; ++spins, relax())
      if (value.load(std::memory_order_acquire) == target) return;
    for (int now = value.load(std::memory_order_acquire); now != target;
         now = value.load(std::memory_order_acquire))
      value.wait(now, std::memory_order_acquire);
  }

  std::vector<Share> shares_;
  std::vector<std::thread> threads_;
  std::mutex run_mutex_;
  const Task* task_ = nullptr;
  alignas(64) std::atomic<std::uint32_t> epoch_{0};
  alignas(64) std::atomic<int> finished_{0};
  std::atomic<bool> stop_{false};
};

}  // namespace

std::unique_ptr<Executor> make_serial_executor() { return std::make_unique<SerialExecutor>(); }

std::unique_ptr<Executor> make_thread_pool(int threads) {
  if (threads < 0 || threads > 1024)
    throw Error(formatted("threads is {}; give 0 (one per core) to 1024", threads));
  if (threads == 0) threads = static_cast<int>(std::max(1u, std::thread::hardware_concurrency()));
  if (threads == 1) return make_serial_executor();
  return std::make_unique<ThreadPool>(threads);
}

}  // namespace sinew
