// Records a simulation for ParaView: one .vtu file per body and frame, and a .pvd file that lists
// them with their times.
//   PvdRecorder recorder("out/jelly.pvd");
//   while (…) { world.step(dt); recorder.add_frame(t, bodies); }
//   recorder.finish();
#pragma once

#include <sinew/mesh.h>

#include <filesystem>
#include <memory>
#include <span>
#include <string_view>
#include <variant>

namespace sinew {

struct NamedVectors {
  std::string_view name;  // "velocity"
  std::span<const Vec3> values;
};

struct NamedScalars {
  std::string_view name;  // "strain"
  std::span<const Real> values;
};

// One body as it is in one frame. It only views: what it refers to must live until add_frame
// returns.
struct PvdBody {
  std::string_view name;         // part of the file name
  std::span<const Vec3> points;  // [m]
  std::variant<std::span<const Triangle>, std::span<const Tetrahedron>, std::span<const Hexahedron>,
               std::span<const Segment>>
      cells;
  std::span<const NamedVectors> point_vectors = {};  // one value per point each
  std::span<const NamedScalars> cell_scalars = {};   // one value per cell each
};

// For out/jelly.pvd the frames are in out/jelly/, as jelly_<frame>_<body>.vtu. All of it appears
// when finish() is called, in place of an earlier recording of that name; a recorder that goes away
// without (an exception on the way) leaves nothing behind.
class PvdRecorder {
 public:
  // Throws Error when nothing can be written there.
  explicit PvdRecorder(const std::filesystem::path& path);
  ~PvdRecorder();
  PvdRecorder(PvdRecorder&&) noexcept;
  PvdRecorder& operator=(PvdRecorder&&) noexcept;

  // Times must increase. Throws Error when a body's arrays do not fit together (nothing of the
  // frame is kept then) or the disk is full.
  void add_frame(double time_s, std::span<const PvdBody> bodies);
  // Call it once, after the last frame.
  void finish();

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace sinew
