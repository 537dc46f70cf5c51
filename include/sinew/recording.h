// Recordings: what happened in a world, as an animated glTF file (.glb) that Blender, web pages and
// the model viewers of operating systems play. Rigid bodies become moving nodes, deformable bodies
// become meshes with one morph target per recorded shape, blended linearly from frame to frame.
//
//   GlbRecorder recorder({{.name = "jelly", .surface = skin, .deformable = true}});
//   for (...) recorder.add_frame(time, {{FrameBody{.vertices = positions}}});
//   recorder.write("jelly.glb");
#pragma once

#include <sinew/mesh.h>

#include <filesystem>

namespace sinew {

struct RecordedBody {
  std::string name{};
  TriMesh surface{};  // [m] rigid: in the body's frame. Deformable: any state of it; the shading's
                      // sharp edges are found here. Vertices in no triangle are not recorded.
  bool deformable = false;
  Vec3 colour{Real(0.8), Real(0.8), Real(0.8)};  // linear red, green, blue, 0 to 1
  Real roughness = Real(0.6);                    // 0 mirror, 1 chalk
  Real crease_angle = Real(0.7);  // [rad] triangles that meet at a larger angle keep a sharp edge
};

// One body in one frame.
struct FrameBody {
  Pose pose{};                       // of a rigid body
  std::span<const Vec3> vertices{};  // [m] of a deformable body, in the world; as many, and in the
                                     // same order, as the vertices of its surface
};

struct RecordingOptions {
  // [m] A deformable body that moved less than this everywhere since the last shape that was kept
  // is taken to rest: its shape serves again and the file does not grow.
  Real still_distance = Real(1e-5);
};

// Keeps the frames in memory as 32-bit floats, and writes them at the end. A deformable body costs
// 12 bytes per vertex and frame in memory; in the file 24 bytes, plus 4·F² bytes for the weights
// of F frames (1.4 MB for 600). Viewers handle some hundred shapes well: 20 s at 30 frames a
// second. Bodies that rest cost next to nothing, and a body that never moves is written without
// animation.
class GlbRecorder {
 public:
  // Throws Error, naming the body, for an empty surface, an index out of range, a coordinate that
  // is not finite, or a colour or roughness outside 0 to 1.
  explicit GlbRecorder(std::vector<RecordedBody> bodies, const RecordingOptions& options = {});
  ~GlbRecorder();
  GlbRecorder(GlbRecorder&&) noexcept;
  GlbRecorder& operator=(GlbRecorder&&) noexcept;

  // One entry per body, in their order. Times [s] must grow; the recording starts at the first.
  // Throws Error, naming the body and the time, and keeps nothing of the frame, when a position or
  // an orientation is not finite or the number of vertices does not fit.
  void add_frame(double time_s, std::span<const FrameBody> bodies);

  std::size_t frame_count() const { return times_.size(); }
  double duration_s() const { return times_.empty() ? 0 : double(times_.back()); }

  // The file appears whole or not at all. Throws Error when there is no frame.
  void write(const std::filesystem::path& path) const;

 private:
  struct Track;
  std::vector<Track> tracks_;
  RecordingOptions options_;
  double start_s_ = 0;
  std::vector<float> times_;  // [s] since start_s_
};

}  // namespace sinew
