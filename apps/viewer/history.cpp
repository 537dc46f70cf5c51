#include "history.h"

#include <sinew/error.h>
#include <sinew/log.h>

#include <algorithm>
#include <chrono>

#include "clock.h"

namespace sinew::viewer {
namespace {

constexpr double kSeconds = 10;             // that are kept, of simulated time …
constexpr std::size_t kBytes = 256u << 20;  // … if they fit
constexpr double kMarkEvery = 0.5;          // [s] of simulated time
constexpr double kMarkAfter = 2;            // [s] of real time, up to …
constexpr std::size_t kMostMarks = 40;      // … so many
constexpr double kMarkShare = 0.005;        // of real time, that snapshots may take at most

// What a frame holds that the one before does not.
std::size_t new_bytes(const Frame& frame, const Frame* before) {
  std::size_t bytes = sizeof(Frame) + frame.rigid.size() * sizeof(RigidRecord);
  for (std::size_t i = 0; i < frame.streams.size(); ++i) {
    const StreamFrame& s = frame.streams[i];
    const bool same =
        before && i < before->streams.size() && before->streams[i].vertices == s.vertices;
    if (!same) bytes += s.vertices->size();
    if (s.field) bytes += s.field->size();
  }
  for (const auto* overlay : {&frame.contacts, &frame.joints, &frame.bounds, &frame.pins})
    if (*overlay) bytes += (*overlay)->block->size();
  return bytes;
}

}  // namespace

void History::clear() {
  frames_.clear();
  marks_.clear();
  deeds_.clear();
  deeds_forgotten_ = 0;
  bytes_ = 0;
  wall_of_mark_ = -1e9;
}

void History::add(FramePtr frame) {
  if (!frames_.empty() && frames_.back().frame->step == frame->step) {
    bytes_ -= frames_.back().bytes;
    frames_.pop_back();
  }
  const std::size_t bytes =
      new_bytes(*frame, frames_.empty() ? nullptr : frames_.back().frame.get());
  bytes_ += bytes;
  frames_.push_back(
      {std::move(frame), bytes, deeds_forgotten_ + static_cast<std::int64_t>(deeds_.size())});
  forget_old();
}

void History::add(std::int64_t step, const Command& command) { deeds_.push_back({step, command}); }

// Snapshots of large worlds take their time: they are then taken less often.
void History::observe(const Stage& stage) {
  const double time = stage.world().time(), start = now();
  if (!marks_.empty() &&
      (time - marks_.back().time < kMarkEvery || start - wall_of_mark_ < mark_cost_ / kMarkShare))
    return;
  marks_.push_back({stage.world().step_count(), time, stage.checkpoint()});
  wall_of_mark_ = start;
  mark_cost_ = now() - start;
}

void History::forget_old() {
  const double newest = frames_.back().frame->time;
  while (frames_.size() > 1 &&
         (bytes_ > kBytes || newest - frames_.front().frame->time > kSeconds)) {
    bytes_ -= frames_.front().bytes;
    frames_.pop_front();
  }
  // The oldest frame must be reached from a snapshot that is not later.
  while (marks_.size() > 1 && marks_[1].step <= first_step()) marks_.pop_front();
  while (!deeds_.empty() && !marks_.empty() && deeds_.front().step < marks_.front().step)
    deeds_.pop_front(), ++deeds_forgotten_;
}

History::FramePtr History::at(std::int64_t step) const {
  if (frames_.empty()) return nullptr;
  const auto later =
      std::upper_bound(frames_.begin(), frames_.end(), step,
                       [](std::int64_t s, const Kept& kept) { return s < kept.frame->step; });
  return later == frames_.begin() ? later->frame : std::prev(later)->frame;
}

void History::go_back(Stage& stage, std::int64_t step) {
  if (frames_.empty() || marks_.empty()) return;
  step = std::clamp(step, std::max(first_step(), marks_.front().step), last_step());
  while (frames_.size() > 1 && frames_.back().frame->step > step) {
    bytes_ -= frames_.back().bytes;
    frames_.pop_back();
  }
  // All that had been done when the frame was taken, and nothing of what came after.
  const std::int64_t kept = std::max<std::int64_t>(frames_.back().deeds - deeds_forgotten_, 0);
  if (kept < static_cast<std::int64_t>(deeds_.size())) deeds_.resize(std::size_t(kept));
  while (marks_.size() > 1 && marks_.back().step > step) marks_.pop_back();
  const Mark& mark = marks_.back();
  stage.restore(mark.checkpoint);
  auto deed = std::find_if(deeds_.begin(), deeds_.end(),
                           [&](const Deed& d) { return d.step >= mark.step; });
  for (std::int64_t s = mark.step;; ++s) {
    for (; deed != deeds_.end() && deed->step == s; ++deed) {
      try {
        stage.apply(deed->command);
      } catch (const Error& error) {  // it worked before, and the world is the same
        log_message(LogLevel::kWarning, error.what());
      }
    }
    if (s >= step) break;
    stage.step();
  }
}

}  // namespace sinew::viewer
