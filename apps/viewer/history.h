// The last seconds, to look at and to go on from. Frames are kept as they were sent; of the world,
// only a snapshot now and then, and what hands did since: steps come out the same bit by bit, so
// that any time between two snapshots can be reached again.
#pragma once

#include <deque>
#include <memory>
#include <vector>

#include "stage.h"

namespace sinew::viewer {

class History {
 public:
  using FramePtr = std::shared_ptr<const Frame>;

  void clear();
  // A frame that was shown; the one of the same step is replaced.
  void add(FramePtr frame);
  // A command that was carried out before the step after `step`.
  void add(std::int64_t step, const Command& command);
  // Called after every step: takes a snapshot if it is time for one.
  void observe(const Stage& stage);

  bool empty() const { return frames_.empty(); }
  std::int64_t first_step() const { return frames_.empty() ? 0 : frames_.front().frame->step; }
  std::int64_t last_step() const { return frames_.empty() ? 0 : frames_.back().frame->step; }
  // The last frame that is not later than a step; the first if there is none.
  FramePtr at(std::int64_t step) const;

  // Takes the stage back to a step, and forgets what came after.
  void go_back(Stage& stage, std::int64_t step);

 private:
  struct Kept {
    FramePtr frame;
    std::size_t bytes;   // that no frame before it holds
    std::int64_t deeds;  // that had been done by then, since the beginning
  };
  struct Mark {
    std::int64_t step;
    double time;
    Checkpoint checkpoint;
  };
  struct Deed {
    std::int64_t step;
    Command command;
  };

  void forget_old();

  std::deque<Kept> frames_;
  std::size_t bytes_ = 0;
  std::deque<Mark> marks_;
  std::deque<Deed> deeds_;
  std::int64_t deeds_forgotten_ = 0;
  double mark_cost_ = 0;        // of the last snapshot [s]
  double wall_of_mark_ = -1e9;  // when it was taken [s]
};

}  // namespace sinew::viewer
