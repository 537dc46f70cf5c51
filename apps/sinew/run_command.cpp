// sinew run: simulate a scene, measure it, record it, draw it.
#include <fmt/format.h>
#include <sinew/error.h>
#include <sinew/log.h>
#include <sinew/scene.h>

#include <chrono>
#include <cmath>
#include <optional>

#include "commands.h"
#include "core/atomic_file.h"
#include "metrics.h"
#include "outputs.h"
#include "progress.h"

namespace sinew {
namespace {

struct RunOptions {
  std::string scene;
  std::vector<std::string> overrides;
  double seconds = 0;  // 0: as the scene says
  int threads = 1;
  std::string record, metrics;
  double fps = 30;
  PictureRequest picture;
  bool profile = false, json = false, quiet = false;
};

void check_positive(const char* option, double value, const char* unit) {
  if (!(std::isfinite(value) && value > 0))
    throw Error(fmt::format("{} is {} {}; it must be greater than 0", option, value, unit));
}

void report_events(const World& world) {
  for (const Event& event : world.events())
    if (event.kind == Event::Kind::kFrozen)
      log_message(LogLevel::kWarning,
                  fmt::format("soft body \"{}\" was frozen at {:.4f} s: it would have become non-finite",
                              world.name(event.body), world.time()));
}

void run(const RunOptions& options) {
  if (options.seconds != 0) check_positive("--seconds", options.seconds, "s");
  check_positive("--fps", options.fps, "1/s");
  if (options.picture.every_s != 0)
    check_positive("--picture-every", options.picture.every_s, "s");
  const Scene scene = load_scene(options.scene, options.overrides);
  if (!options.quiet)
    for (const std::string& note : scene.notes) log_message(LogLevel::kInfo, note);
  World world = make_world(scene, make_thread_pool(options.threads));
  world.enable_profile(options.profile);

  std::vector<std::unique_ptr<Output>> outputs;
  if (!options.record.empty())
    outputs.push_back(make_recording(options.record, world, options.fps));
  if (!options.picture.path.empty()) outputs.push_back(make_picture(options.picture, scene));
  std::optional<AtomicFile> metrics_file;
  if (!options.metrics.empty()) metrics_file.emplace(options.metrics);
  for (auto& output : outputs) output->observe(world);

  const double seconds = options.seconds > 0 ? options.seconds : double(scene.seconds);
  const auto steps = std::max(1ll, std::llround(seconds / double(scene.dt)));
  Metrics metrics;
  {
    Progress progress(!options.quiet);
    for (long long i = 0; i < steps; ++i) {
      const auto start = std::chrono::steady_clock::now();
      world.step(scene.dt);
      const auto end = std::chrono::steady_clock::now();
      metrics.observe(world, std::chrono::duration<double, std::milli>(end - start).count());
      report_events(world);
      for (auto& output : outputs) output->observe(world);
      progress.show(world.time(), seconds, "s");
    }
  }
  for (auto& output : outputs) output->finish(world);

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
}

}  // namespace

void add_run_command(CLI::App& app) {
  CLI::App* command = app.add_subcommand("run", "Simulate a scene");
  auto o = std::make_shared<RunOptions>();
  command->add_option("scene", o->scene, "Scene file (JSON)")->required();
  command->add_option("--seconds", o->seconds, "Simulated time, instead of the scene's own [s]");
  command->add_option("--threads", o->threads, "Threads; 0: one per core. The result is the same")
      ->capture_default_str();
  command->add_option("--set", o->overrides, "Change the scene, e.g. --set /world/substeps=20")
      ->type_name("POINTER=VALUE")
      ->expected(1)
      ->take_all();
  command->add_option("--record", o->record, "Record: .glb (animated glTF) or .pvd (ParaView)");
  command->add_option("--fps", o->fps, "Frames per second of the recording")->capture_default_str();
  command->add_option("--picture", o->picture.path, "Draw the last frame as .png");
  command->add_option("--picture-every", o->picture.every_s,
                      "Draw one picture every so many seconds: NAME_0000.png, …");
  command->add_option("--width", o->picture.width, "Width of pictures [pixels]")->capture_default_str();
  command->add_option("--height", o->picture.height, "Height of pictures [pixels]")
      ->capture_default_str();
  command->add_option("--metrics", o->metrics, "Write the metrics to a file (JSON)");
  command->add_flag("--profile", o->profile, "Print where the time went");
  command->add_flag("--json", o->json, "Print the metrics as JSON instead of a summary");
  command->add_flag("--quiet", o->quiet, "Print nothing but errors and warnings");
  command->callback([o] { run(*o); });
}

}  // namespace sinew
