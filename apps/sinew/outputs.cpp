#include "outputs.h"

#include <fmt/format.h>
#include <sinew/error.h>
#include <sinew/pvd_recorder.h>
#include <sinew/recording.h>

#include <cmath>
#include <optional>

#include "appearance/appearance.h"
#include "core/atomic_file.h"
#include "snr_recorder.h"

namespace sinew {
namespace {

// Times 0, period, 2·period, …: due() when one or more have passed.
class Sampler {
 public:
  explicit Sampler(double period_s) : period_(period_s) {}
  bool due(double time_s) {
    // A step of 0.01 s is a little less when rounded to float, and so is the sum of a hundred.
    const double passed = time_s / period_ * (1 + 1e-6);
    if (passed < next_) return false;
    next_ = std::floor(passed) + 1;
    return true;
  }

 private:
  double period_, next_ = 0;
};

std::string name_or(const std::string& name, const char* kind, std::size_t index) {
  return name.empty() ? fmt::format("{}_{}", kind, index) : name;
}

std::string name_of(const World& world, RigidId id, std::size_t index) {
  return name_or(world.name(id), world.state(id).is_static ? "static" : "rigid", index);
}

decltype(PvdBody::cells) cells_of(const BodyMesh& mesh) {
  return std::visit(
      []<class Cell>(const Mesh<Cell>& m) -> decltype(PvdBody::cells) {
        return std::span<const Cell>(m.cells);
      },
      mesh);
}

class GlbOutput final : public Output {
 public:
  GlbOutput(std::filesystem::path path, const World& world, double frames_per_second)
      : path_(std::move(path)), sampler_(1 / frames_per_second) {
    const AtomicFile writable(path_);
    std::vector<RecordedBody> bodies;
    Colours colours;
    for (RigidId id : world.rigid_bodies())
      bodies.push_back({.name = name_of(world, id, bodies.size()),
                        .surface = visible_surface(world, id),
                        .colour = linear_colour(colours.of(world, id))});
    for (SoftId id : world.soft_bodies()) {
      const SoftSkin& skin = skins_.emplace_back(world, id);
      bodies.push_back({.name = name_or(world.name(id), "soft", bodies.size()),
                        .surface = {skin.vertices(world), skin.triangles()},
                        .deformable = true,
                        .colour = linear_colour(colours.next())});
    }
    recorder_.emplace(std::move(bodies));
  }

  void observe(const World& world) override {
    if (!sampler_.due(world.time())) return;
    std::vector<FrameBody> frame;
    for (RigidId id : world.rigid_bodies()) frame.push_back({world.pose(id), {}});
    std::vector<std::vector<Vec3>> positions;
    for (const SoftSkin& skin : skins_) positions.push_back(skin.vertices(world));
    for (const auto& p : positions) frame.push_back({{}, p});
    recorder_->add_frame(world.time(), frame);
  }

  void finish(const World&) override { recorder_->write(path_); }

 private:
  std::filesystem::path path_;
  Sampler sampler_;
  std::vector<SoftSkin> skins_;
  std::optional<GlbRecorder> recorder_;
};

// A rigid body as ParaView gets it: its surface in the world, and how fast each point of that
// moves.
class RigidSkin {
 public:
  RigidSkin(const World& world, RigidId id, std::string name)
      : id_(id), name_(std::move(name)), surface_(visible_surface(world, id)) {
    place(world.state(id));
  }

  void follow(const World& world) {
    const RigidState state = world.state(id_);
    if (!state.is_static) place(state);
  }

  // Valid until the next follow().
  PvdBody body() {
    field_ = {"velocity", velocities_};
    return {.name = name_,
            .points = points_,
            .cells = std::span<const Triangle>(surface_.cells),
            .point_vectors = {&field_, 1}};
  }

 private:
  void place(const RigidState& state) {
    points_.clear(), velocities_.clear();
    for (const Vec3& v : surface_.vertices) {
      const Vec3& x = points_.emplace_back(state.pose.to_world(v));
      velocities_.push_back(state.velocity +
                            cross(state.angular_velocity, x - state.center_of_mass));
    }
  }

  RigidId id_;
  std::string name_;
  TriMesh surface_;  // in the body's frame
  std::vector<Vec3> points_, velocities_;
  NamedVectors field_ = {};
};

class PvdOutput final : public Output {
 public:
  PvdOutput(const std::filesystem::path& path, const World& world, double frames_per_second)
      : recorder_(path), sampler_(1 / frames_per_second) {
    std::size_t index = 0;
    for (RigidId id : world.rigid_bodies())
      rigid_.emplace_back(world, id, name_of(world, id, index++));
    for (SoftId id : world.soft_bodies())
      soft_names_.push_back(name_or(world.name(id), "soft", index++));
  }

  void observe(const World& world) override {
    if (!sampler_.due(world.time())) return;
    std::vector<PvdBody> frame;
    for (RigidSkin& skin : rigid_) {
      skin.follow(world);
      frame.push_back(skin.body());
    }
    const std::vector<SoftId> ids = world.soft_bodies();
    std::vector<std::vector<Vec3>> positions, velocities;
    std::vector<NamedVectors> fields(ids.size());
    for (SoftId id : ids) {
      positions.push_back(world.positions(id));
      velocities.push_back(world.velocities(id));
    }
    for (std::size_t i = 0; i < ids.size(); ++i) {
      fields[i] = {"velocity", velocities[i]};
      frame.push_back({.name = soft_names_[i],
                       .points = positions[i],
                       .cells = cells_of(world.rest_mesh(ids[i])),
                       .point_vectors = {&fields[i], 1}});
    }
    recorder_.add_frame(world.time(), frame);
  }

  void finish(const World&) override { recorder_.finish(); }

 private:
  PvdRecorder recorder_;
  Sampler sampler_;
  std::vector<RigidSkin> rigid_;
  std::vector<std::string> soft_names_;
};

class SnrOutput final : public Output {
 public:
  SnrOutput(const std::filesystem::path& path, const Scene& scene, const World& world,
            double frames_per_second)
      : recorder_(path, scene, world), sampler_(1 / frames_per_second) {}

  void observe(const World& world) override {
    if (sampler_.due(world.time())) recorder_.add_frame(world);
  }
  void finish(const World&) override { recorder_.finish(); }

 private:
  viewer::SnrRecorder recorder_;
  Sampler sampler_;
};

class PictureOutput final : public Output {
 public:
  PictureOutput(const PictureRequest& request, const Scene& scene)
      : request_(request), renderer_({.width = request.width, .height = request.height}) {
    if (request_.path.extension() != ".png")
      throw Error(request_.path.string() + ": pictures are written as .png");
    const AtomicFile writable(request_.path);
    if (scene.camera)
      camera_ = PictureCamera{.eye = scene.camera->eye,
                              .target = scene.camera->target,
                              .fov = scene.camera->fov_deg * Real(M_PI / 180)};
    if (request_.every_s > 0) sampler_.emplace(request_.every_s);
  }

  void observe(const World& world) override {
    if (!sampler_ || !sampler_->due(world.time())) return;
    std::filesystem::path path = request_.path;
    path.replace_filename(fmt::format("{}_{:04}{}", request_.path.stem().string(), number_++,
                                      request_.path.extension().string()));
    draw(world, path);
  }

  void finish(const World& world) override {
    if (!sampler_) draw(world, request_.path);
  }

 private:
  void draw(const World& world, const std::filesystem::path& path) {
    PictureScene picture = picture_of(world);
    picture.camera = camera_;
    write_png(path, renderer_.render(picture));
  }

  PictureRequest request_;
  PictureRenderer renderer_;
  std::optional<PictureCamera> camera_;
  std::optional<Sampler> sampler_;
  int number_ = 0;
};

}  // namespace

std::unique_ptr<Output> make_recording(const std::filesystem::path& path, const Scene& scene,
                                       const World& world, double frames_per_second) {
  if (world.rigid_bodies().empty() && world.soft_bodies().empty())
    throw Error(path.string() + ": there is no body to record in this scene");
  if (path.extension() == ".glb")
    return std::make_unique<GlbOutput>(path, world, frames_per_second);
  if (path.extension() == ".pvd")
    return std::make_unique<PvdOutput>(path, world, frames_per_second);
  if (path.extension() == ".snr")
    return std::make_unique<SnrOutput>(path, scene, world, frames_per_second);
  throw Error(path.string() +
              ": recordings are .glb (animated glTF), .pvd (ParaView) or .snr (sinew view)");
}

std::unique_ptr<Output> make_picture(const PictureRequest& request, const Scene& scene) {
  return std::make_unique<PictureOutput>(request, scene);
}

}  // namespace sinew
