// Recordings for the page (.snr): the messages that a client would have got, one after the other
// (docs/viewer_protocol.md). The file appears whole when it is finished.
#pragma once

#include <sinew/scene.h>

#include <filesystem>

#include "core/atomic_file.h"
#include "world_view.h"

namespace sinew::viewer {

class SnrRecorder {
 public:
  SnrRecorder(const std::filesystem::path& path, const Scene& scene, const World& world);

  void add_frame(const World& world, double step_ms = 0);
  void finish() { file_.commit(); }

 private:
  void write(const Message& message);

  AtomicFile file_;
  WorldView view_;
  Known known_;
  std::uint64_t frames_ = 0;
};

}  // namespace sinew::viewer
