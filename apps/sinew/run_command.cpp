// sinew run: simulate a scene, measure it, record it, draw it.
#include <fmt/format.h>
#include <sinew/error.h>
#include <sinew/log.h>
#include <sinew/scene.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <map>
#include <optional>

#include "commands.h"
#include "core/atomic_file.h"
#include "interrupt.h"
#include "io/scene_json.h"
#include "metrics/metrics.h"
#include "outputs.h"
#include "progress.h"
#include "scene_options.h"

namespace sinew {
namespace {

struct RunOptions {
  std::string scene;
  std::vector<std::string> overrides;
  std::optional<double> seconds;  // else as the scene says
  int threads = 1;
  std::optional<std::string> record, picture, metrics;
  double fps = 30;
  std::optional<double> picture_every;
  PictureRequest picture_request;
  bool profile = false, json = false, quiet = false;
};

void check_positive(const char* option, double value, const char* unit) {
  if (!(std::isfinite(value) && value > 0))
    throw Error(fmt::format("{} is {} {}; it must be greater than 0", option, value, unit));
}

std::filesystem::path real_path(const std::string& path) {
  std::error_code failure;
  const std::filesystem::path real =
      std::filesystem::weakly_canonical(std::filesystem::absolute(path), failure);
  return failure ? std::filesystem::path(path) : real;
}

// No output may take the place of the scene or of another output.
void check_paths(const RunOptions& o) {
  struct Output {
    const char* option;
    const std::optional<std::string>& path;
  };
  const Output outputs[] = {
      {"--record", o.record}, {"--picture", o.picture}, {"--metrics", o.metrics}};
  std::map<std::filesystem::path, const char*> taken{{real_path(o.scene), "the scene"}};
  for (const Output& output : outputs) {
    if (!output.path) continue;
    if (output.path->empty()) throw Error(fmt::format("{} is empty; name a file", output.option));
    const auto [other, is_new] = taken.emplace(real_path(*output.path), output.option);
    if (!is_new)
      throw Error(fmt::format("{}: is {} and {}; name another file", *output.path, other->second,
                              output.option));
  }
}

long long step_count(const Scene& scene, double seconds) {
  constexpr double kStepsMax = 1e8;  // each leaves a few bytes in the metrics
  const double steps = std::round(seconds / double(scene.dt));
  if (!(steps <= kStepsMax))
    throw Error(fmt::format("{}: {} s are {:.3g} steps of {} s; at most {:.0e} are possible",
                            scene.path.string(), seconds, steps, double(scene.dt), kStepsMax));
  return std::max(1ll, static_cast<long long>(steps));
}

// Joints are made to break, so that is no warning.
void report_events(const World& world, bool quiet) {
  for (const Event& event : world.events()) {
    const bool soft = world.contains(event.body);
    const auto body = [&] {
      return fmt::format("{} body \"{}\"", soft ? "soft" : "rigid",
                         one_line(soft ? world.name(event.body) : world.name(event.rigid)));
    };
    switch (event.kind) {
      case Event::Kind::kBroken:
        if (!quiet)
          log_message(LogLevel::kInfo, fmt::format("a joint broke at {:.4f} s", world.time()));
        break;
      case Event::Kind::kFrozen:
        log_message(LogLevel::kWarning,
                    fmt::format("{} was frozen at {:.4f} s: it would have become non-finite",
                                body(), world.time()));
        break;
      case Event::Kind::kSoftened:
        log_message(LogLevel::kWarning,
                    fmt::format("{} is softer than its material from {:.4f} s on: its substeps are "
                                "too long; raise substeps_max",
                                body(), world.time()));
        break;
      case Event::Kind::kCalmed:  // the metric energy_taken counts it
        break;
    }
  }
}

void run(const RunOptions& options) {
  if (options.seconds) check_positive("--seconds", *options.seconds, "s");
  check_positive("--fps", options.fps, "1/s");
  if (options.picture_every) check_positive("--picture-every", *options.picture_every, "s");
  check_paths(options);
  const Scene scene = load_scene(options.scene, options.overrides);
  if (!options.quiet)
    for (const std::string& note : scene.notes) log_message(LogLevel::kInfo, note);
  World world = make_world(scene, make_thread_pool(options.threads));
  world.enable_profile(options.profile);

  const double seconds = options.seconds.value_or(double(scene.seconds));
  const long long steps = step_count(scene, seconds);

  const InterruptGuard interrupt;
  std::vector<std::unique_ptr<Output>> outputs;
  if (options.record) outputs.push_back(make_recording(*options.record, scene, world, options.fps));
  if (options.picture) {
    PictureRequest request = options.picture_request;
    request.path = *options.picture;
    request.every_s = options.picture_every.value_or(0);
    outputs.push_back(make_picture(request, scene));
  }
  std::optional<AtomicFile> metrics_file;
  if (options.metrics) metrics_file.emplace(*options.metrics);
  for (auto& output : outputs) output->observe(world);

  Metrics metrics;
  {
    Progress progress(!options.quiet);
    for (long long i = 0; i < steps; ++i) {
      const auto start = std::chrono::steady_clock::now();
      world.step(scene.dt);
      const auto end = std::chrono::steady_clock::now();
      metrics.observe(world, std::chrono::duration<double, std::milli>(end - start).count());
      report_events(world, options.quiet);
      for (auto& output : outputs) output->observe(world);
      progress.show(world.time(), seconds, "s");
      interrupt.check();
    }
  }
  for (auto& output : outputs) {
    output->finish(world);
    interrupt.check();
  }

  const std::string json = metrics.json(world, double(scene.dt)).dump(2) + "\n";
  if (metrics_file) {
    metrics_file->stream() << json;
    metrics_file->commit();
  }
  if (options.json)
    fmt::print("{}", json);
  else if (!options.quiet)
    fmt::print("{}", metrics.summary(world, double(scene.dt)));
  if (options.profile) fmt::print(options.json ? stderr : stdout, "\n{}", profile_table(world));
  if (!world.finite())
    throw Error(
        fmt::format("{}: not all bodies lived to the end (see the warnings); try more "
                    "substeps or less extreme parameters",
                    scene.path.string()));
}

}  // namespace

void add_run_command(CLI::App& app) {
  CLI::App* command = app.add_subcommand("run", "Simulate a scene");
  auto o = std::make_shared<RunOptions>();
  command->add_option("scene", o->scene, "Scene file (JSON)")->required();
  command->add_option("--seconds", o->seconds, "Simulated time, instead of the scene's own [s]");
  add_scene_options(*command, o->threads, o->overrides);
  CLI::Option* record = command->add_option(
      "--record", o->record, "Record: .glb (animated glTF), .pvd (ParaView) or .snr (sinew view)");
  command->add_option("--fps", o->fps, "Frames per second of the recording")
      ->capture_default_str()
      ->needs(record);
  CLI::Option* picture =
      command->add_option("--picture", o->picture, "Draw the last frame as .png");
  command
      ->add_option("--picture-every", o->picture_every,
                   "Draw one picture every so many seconds: NAME_0000.png, …")
      ->needs(picture);
  command->add_option("--width", o->picture_request.width, "Width of pictures [pixels]")
      ->capture_default_str()
      ->needs(picture);
  command->add_option("--height", o->picture_request.height, "Height of pictures [pixels]")
      ->capture_default_str()
      ->needs(picture);
  command->add_option("--metrics", o->metrics, "Write the metrics to a file (JSON)");
  command->add_flag("--profile", o->profile, "Print where the time went");
  command->add_flag("--json", o->json, "Print the metrics as JSON instead of a summary");
  command->add_flag("--quiet", o->quiet, "Print nothing but errors and warnings");
  command->callback([o] { run(*o); });
}

}  // namespace sinew
