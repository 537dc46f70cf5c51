// Parallel loops over fixed blocks: the borders depend on the size alone, never on the number of
// workers, so every block does the same arithmetic wherever it runs.
#pragma once

#include <sinew/executor.h>

#include <algorithm>

#include "core/denormals.h"

namespace sinew {

// Calls body(begin, end) for consecutive ranges of at most `block` items that cover [0, items).
template <class Body>
void parallel_for(Executor& executor, int items, int block, Body&& body) {
  const auto run_block = [&](int i) {
    const FlushDenormals scope;
    body(i * block, std::min(items, (i + 1) * block));
  };
  const int blocks = (items + block - 1) / block;
  if (blocks == 1) return run_block(0);  // not worth waking anyone
  executor.run(blocks, Task(run_block));
}

}  // namespace sinew
