// Recordings as animated glTF. A deformable body of n shapes is a mesh (its first shape) with n - 1
// morph targets, each the difference of one shape from the first. With wᵢ the weight of target i,
// a viewer shows x₀ + Σ wᵢ (xᵢ - x₀); at a key the weight of its shape is 1 and all others are 0,
// so that between keys the viewer's linear interpolation blends just the two neighbours.
#include <fmt/format.h>
#include <sinew/error.h>
#include <sinew/recording.h>

#include <algorithm>
#include <limits>

#include "core/atomic_file.h"
#include "geometry/vertex_normals.h"
#include "io/glb_builder.h"

namespace sinew {

namespace {

double squared_norm(const Quat& q) {
  return double(q.x) * q.x + double(q.y) * q.y + double(q.z) * q.z + double(q.w) * q.w;
}

// The same rotation as a unit quaternion, on the side of `near`, so that interpolation between the
// two goes the short way.
Quatf unit_near(const Quat& q, const Quatf& near) {
  const double side =
      double(q.x) * near.x + double(q.y) * near.y + double(q.z) * near.z + double(q.w) * near.w;
  const double s = (side < 0 ? -1 : 1) / std::sqrt(squared_norm(q));
  return {float(q.x * s), float(q.y * s), float(q.z * s), float(q.w * s)};
}

std::vector<Vec3f> difference(std::vector<Vec3f> a, const std::vector<Vec3f>& b) {
  for (std::size_t i = 0; i < a.size(); ++i) a[i] -= b[i];
  return a;
}

// Keys that linear interpolation needs: all but those equal to both neighbours.
template <class T>
std::vector<std::size_t> needed_keys(const std::vector<T>& values) {
  std::vector<std::size_t> keys;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const bool inside_rest =
        i > 0 && i + 1 < values.size() && values[i] == values[i - 1] && values[i] == values[i + 1];
    if (!inside_rest) keys.push_back(i);
  }
  return keys;
}
template <class T>
std::vector<T> pick(const std::vector<T>& values, const std::vector<std::size_t>& keys) {
  std::vector<T> picked;
  picked.reserve(keys.size());
  for (const std::size_t key : keys) picked.push_back(values[key]);
  return picked;
}
template <class T>
bool changes(const std::vector<T>& values) {
  return std::any_of(values.begin(), values.end(), [&](const T& v) { return v != values[0]; });
}

void check_body(const RecordedBody& body) {
  const auto fail = [&](const std::string& what) {
    throw Error(fmt::format("recording of '{}': {}", body.name, what));
  };
  const std::size_t vertex_count = body.surface.vertices.size();
  if (body.surface.cells.empty())
    fail("the surface has no triangle; give the body a surface or leave it out");
  for (const Triangle& t : body.surface.cells)
    for (const Index v : t)
      if (v >= vertex_count)
        fail(fmt::format("a triangle of the surface uses vertex {} of {}", v, vertex_count));
  if (!std::all_of(body.surface.vertices.begin(), body.surface.vertices.end(), is_finite_as_float))
    fail("a vertex of the surface is not finite");
  for (const Real value : {body.colour.x, body.colour.y, body.colour.z, body.roughness})
    if (!(value >= 0 && value <= 1))
      fail(fmt::format("colour and roughness must be from 0 to 1, not {}", value));
  if (!(body.crease_angle >= 0))
    fail(fmt::format("crease_angle must be 0 or more [rad], not {}", body.crease_angle));
}

}  // namespace

// One body: how it looks, and where it was in each frame.
struct GlbRecorder::Track {
  explicit Track(RecordedBody body);

  void check(const FrameBody& frame, double time_s) const;
  void add(const FrameBody& frame, Real still_distance);
  void write(GlbBuilder& glb, const std::vector<float>& times) const;

 private:
  using Shape = std::vector<Vec3f>;

  Shape shape_of(std::span<const Vec3> vertices) const;
  std::vector<Vec3f> normals_of(const Shape& shape) const;
  void write_rigid(GlbBuilder& glb, const std::vector<float>& times) const;
  void write_deformable(GlbBuilder& glb, const std::vector<float>& times) const;
  std::vector<float> weights(const std::vector<std::size_t>& keys) const;

  RecordedBody body_;
  ShadedSurface shaded_;

  // Deformable: the shapes that differ, over shaded_'s vertices, and the shape in each frame.
  std::vector<Shape> shapes_;
  std::vector<std::size_t> shape_in_frame_;
  // Rigid: the pose in each frame.
  std::vector<Vec3f> translations_;
  std::vector<Quatf> rotations_;
};

GlbRecorder::Track::Track(RecordedBody body) : body_(std::move(body)) {
  check_body(body_);
  shaded_ = split_creases(body_.surface, body_.crease_angle);
}

void GlbRecorder::Track::check(const FrameBody& frame, double time_s) const {
  const auto fail = [&](const std::string& what) {
    throw Error(fmt::format("recording of '{}' at {} s: {}", body_.name, time_s, what));
  };
  if (!body_.deformable) {
    const double n2 = squared_norm(frame.pose.orientation);
    if (!is_finite_as_float(frame.pose.position)) fail("the position is not finite");
    if (!(n2 > 1e-12 && n2 < 1e12)) fail("the orientation is not a unit quaternion");
    return;
  }
  if (frame.vertices.size() != body_.surface.vertices.size())
    fail(fmt::format("{} vertices were given, but its surface has {}", frame.vertices.size(),
                     body_.surface.vertices.size()));
  for (const Index v : shaded_.source)
    if (!is_finite_as_float(frame.vertices[v])) fail(fmt::format("vertex {} is not finite", v));
}

void GlbRecorder::Track::add(const FrameBody& frame, Real still_distance) {
  if (!body_.deformable) {
    translations_.push_back(to_float(frame.pose.position));
    const Quatf previous = rotations_.empty() ? Quatf{} : rotations_.back();
    rotations_.push_back(unit_near(frame.pose.orientation, previous));
    return;
  }
  Shape shape = shape_of(frame.vertices);
  const auto still = [&](const Vec3f& a, const Vec3f& b) {
    return length(a - b) <= float(still_distance);
  };
  const bool rests =
      !shapes_.empty() && std::equal(shape.begin(), shape.end(), shapes_.back().begin(), still);
  if (!rests) shapes_.push_back(std::move(shape));
  shape_in_frame_.push_back(shapes_.size() - 1);
}

GlbRecorder::Track::Shape GlbRecorder::Track::shape_of(std::span<const Vec3> vertices) const {
  Shape shape;
  shape.reserve(shaded_.source.size());
  for (const Index v : shaded_.source) shape.push_back(to_float(vertices[v]));
  return shape;
}

std::vector<Vec3f> GlbRecorder::Track::normals_of(const Shape& shape) const {
  return vertex_normals(std::span<const Vec3f>(shape), shaded_.triangles);
}

void GlbRecorder::Track::write(GlbBuilder& glb, const std::vector<float>& times) const {
  body_.deformable ? write_deformable(glb, times) : write_rigid(glb, times);
}

void GlbRecorder::Track::write_rigid(GlbBuilder& glb, const std::vector<float>& times) const {
  const Shape shape = shape_of(body_.surface.vertices);
  const GlbBuilder::Id mesh =
      glb.add_mesh({glb.add_positions(shape), glb.add_normals(normals_of(shape))},
                   glb.add_indices(shaded_.triangles, shape.size()),
                   glb.add_material({body_.colour, body_.roughness}));
  const GlbBuilder::Id node =
      glb.add_node(body_.name, mesh, translations_.front(), rotations_.front());
  const auto add_channel = [&](const char* path, const auto& values, auto add_values) {
    if (!changes(values)) return;
    const std::vector<std::size_t> keys = needed_keys(values);
    glb.add_channel(node, path, glb.add_times(pick(times, keys)),
                    (glb.*add_values)(pick(values, keys)));
  };
  add_channel("translation", translations_, &GlbBuilder::add_translations);
  add_channel("rotation", rotations_, &GlbBuilder::add_rotations);
}

void GlbRecorder::Track::write_deformable(GlbBuilder& glb, const std::vector<float>& times) const {
  const Shape& base = shapes_.front();
  const std::vector<Vec3f> base_normals = normals_of(base);
  std::vector<GlbBuilder::Attributes> targets;
  for (std::size_t s = 1; s < shapes_.size(); ++s)
    targets.push_back({glb.add_positions(difference(shapes_[s], base)),
                       glb.add_normals(difference(normals_of(shapes_[s]), base_normals))});
  const GlbBuilder::Id mesh =
      glb.add_mesh({glb.add_positions(base), glb.add_normals(base_normals)},
                   glb.add_indices(shaded_.triangles, base.size()),
                   glb.add_material({body_.colour, body_.roughness}), targets);
  const GlbBuilder::Id node = glb.add_node(body_.name, mesh);
  if (targets.empty()) return;
  const std::vector<std::size_t> keys = needed_keys(shape_in_frame_);
  glb.add_channel(node, "weights", glb.add_times(pick(times, keys)),
                  glb.add_weights(weights(keys)));
}

// For each key, the weights of all targets; shape s is target s - 1, the first is the mesh itself.
std::vector<float> GlbRecorder::Track::weights(const std::vector<std::size_t>& keys) const {
  const std::size_t target_count = shapes_.size() - 1;
  std::vector<float> result(keys.size() * target_count);
  for (std::size_t k = 0; k < keys.size(); ++k)
    if (const std::size_t shape = shape_in_frame_[keys[k]]; shape > 0)
      result[k * target_count + shape - 1] = 1;
  return result;
}

GlbRecorder::GlbRecorder(std::vector<RecordedBody> bodies, const RecordingOptions& options)
    : options_(options) {
  if (bodies.empty()) throw Error("recording: there is no body to record; give at least one");
  if (!(options.still_distance >= 0))
    throw Error(fmt::format("recording: still_distance must be 0 or more [m], not {}",
                            options.still_distance));
  tracks_.reserve(bodies.size());
  for (RecordedBody& body : bodies) tracks_.emplace_back(std::move(body));
}
GlbRecorder::~GlbRecorder() = default;
GlbRecorder::GlbRecorder(GlbRecorder&&) noexcept = default;
GlbRecorder& GlbRecorder::operator=(GlbRecorder&&) noexcept = default;

void GlbRecorder::add_frame(double time_s, std::span<const FrameBody> bodies) {
  if (!std::isfinite(time_s)) throw Error(fmt::format("recording: a frame at {} s", time_s));
  const double start_s = times_.empty() ? time_s : start_s_;
  const auto time = static_cast<float>(time_s - start_s);
  if (!times_.empty() && !(time > times_.back()))
    throw Error(fmt::format("recording: the frame at {} s is not later than the one before ({} s)",
                            time_s, start_s_ + double(times_.back())));
  if (!std::isfinite(time)) throw Error(fmt::format("recording: a frame at {} s", time_s));
  if (bodies.size() != tracks_.size())
    throw Error(fmt::format("recording at {} s: {} bodies were given, but {} are recorded", time_s,
                            bodies.size(), tracks_.size()));
  for (std::size_t i = 0; i < bodies.size(); ++i) tracks_[i].check(bodies[i], time_s);

  start_s_ = start_s;
  times_.push_back(time);
  for (std::size_t i = 0; i < bodies.size(); ++i)
    tracks_[i].add(bodies[i], options_.still_distance);
}

void GlbRecorder::write(const std::filesystem::path& path) const {
  if (times_.empty())
    throw Error(
        fmt::format("{}: the recording has no frame; add one before writing", path.string()));
  GlbBuilder glb;
  for (const Track& track : tracks_) track.write(glb, times_);
  AtomicFile file(path);
  glb.write(file.stream());
  file.commit();
}

}  // namespace sinew
