// An executor that runs blocks from the last to the first.
#pragma once

#include <sinew/executor.h>

namespace sinew {

class Backwards final : public Executor {
 public:
  void run(int count, Task task) override {
    for (int i = count - 1; i >= 0; --i) task(i);
  }
  int workers() const override { return 1; }
};

}  // namespace sinew
