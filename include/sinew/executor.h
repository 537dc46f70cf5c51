// Who runs the parallel loops of a step. Sinew cuts work into blocks whose borders do not depend on
// the number of workers, so results are the same bits for any executor. Use the serial one (the
// default), Sinew's thread pool, or derive from Executor to run on your application's own jobs.
#pragma once

#include <memory>

namespace sinew {

// A block of work: task(i) for a block number i. A plain reference to the caller's function, which
// outlives the call; copying it never allocates. Tasks do not throw.
class Task {
 public:
  template <class F>
  explicit Task(const F& function)
      : context_(&function),
        call_([](const void* f, int block) { (*static_cast<const F*>(f))(block); }) {}

  void operator()(int block) const { call_(context_, block); }

 private:
  const void* context_;
  void (*call_)(const void*, int);
};

class Executor {
 public:
  virtual ~Executor() = default;
  // Calls task(i) exactly once for every i in [0, count), on any thread and in any order, and
  // returns when all have returned.
  virtual void run(int count, Task task) = 0;
  // How many blocks may run at once.
  virtual int workers() const = 0;
};

// Runs everything on the calling thread.
std::unique_ptr<Executor> make_serial_executor();
// `threads` counts the calling thread too; 0 means one per core. Throws Error when negative.
std::unique_ptr<Executor> make_thread_pool(int threads);

}  // namespace sinew
