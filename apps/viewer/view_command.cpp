// sinew view: a scene live in the browser, a recording, or a folder with both for a web host.
#include "view_command.h"

#include <fmt/format.h>
#include <sinew/error.h>
#include <sinew/log.h>
#include <sinew/scene.h>
#include <sys/wait.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>

#include "interrupt.h"
#include "outputs.h"
#include "progress.h"
#include "scene_options.h"
#include "server.h"
#include "static_page.h"

namespace sinew {
namespace {

using viewer::Gallery, viewer::Server, viewer::ServerSettings, viewer::Session;

struct ViewOptions {
  std::string scene;  // or a recording
  std::vector<std::string> overrides;
  std::string host = "127.0.0.1";
  std::optional<int> port;
  std::optional<std::string> scenes, export_folder;
  std::optional<double> seconds;
  int threads = 1;
  bool open = false, paused = false;
};

// Of an installed program and of one in its build folder.
std::filesystem::path scenes_folder() {
  std::error_code failure;
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", failure);
  const std::filesystem::path installed =
      program.parent_path().parent_path() / "share/sinew/scenes";
  if (std::filesystem::is_directory(installed, failure)) return installed;
  return SINEW_SCENES;
}

bool is_recording(const std::string& path) {
  return std::filesystem::path(path).extension() == ".snr";
}

void check_recording(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw Error(path + ": no such file");
  char start[8] = {};
  file.read(start, sizeof start);
  if (std::string_view(start, sizeof start) != "SINEWREC")
    throw Error(path + ": is no recording; `sinew run SCENE --record x.snr` makes one");
}

void open_browser(const std::string& url) {
  const pid_t child = fork();
  if (child != 0) {
    if (child > 0) waitpid(child, nullptr, 0);
    return;
  }
  if (fork() == 0) execlp("xdg-open", "xdg-open", url.c_str(), static_cast<char*>(nullptr));
  _exit(0);
}

void record_scene(const ViewOptions& options, const std::filesystem::path& path) {
  const Scene scene = load_scene(options.scene, options.overrides);
  World world = make_world(scene, make_thread_pool(options.threads));
  const double seconds = options.seconds.value_or(double(scene.seconds));
  constexpr double kFramesPerSecond = 60;
  const std::unique_ptr<Output> recording = make_recording(path, scene, world, kFramesPerSecond);
  recording->observe(world);
  const InterruptGuard interrupt;
  Progress progress(true);
  while (world.time() < seconds - 1e-6) {
    world.step(scene.dt);
    recording->observe(world);
    progress.show(world.time(), seconds, "s");
    interrupt.check();
  }
  recording->finish(world);
}

void export_page(const ViewOptions& options) {
  if (options.scene.empty()) throw Error("--export needs a scene or a recording; name one");
  const std::filesystem::path folder = *options.export_folder;
  if (is_recording(options.scene))
    check_recording(options.scene);
  else
    load_scene(options.scene, options.overrides);  // before anything is written
  const std::filesystem::path recording = viewer::write_static_page(folder);
  if (is_recording(options.scene))
    std::filesystem::copy_file(options.scene, recording,
                               std::filesystem::copy_options::overwrite_existing);
  else
    record_scene(options, recording);
  fmt::print("{} can be served by any web host, such as: python3 -m http.server -d {}\n",
             folder.string(), folder.string());
}

void serve(const ViewOptions& options) {
  const Gallery gallery(options.scenes ? std::filesystem::path(*options.scenes) : scenes_folder());
  ServerSettings settings{
      .host = options.host, .port = options.port.value_or(8090), .any_port = !options.port};
  Session session(gallery, options.threads);
  if (is_recording(options.scene)) {
    check_recording(options.scene);
    settings.recording = options.scene;
  } else if (!options.scene.empty()) {
    session.open(options.scene, options.overrides);
    if (options.paused) session.pause();
  }
  Server server(settings, std::move(session), gallery);
  fmt::print("{} shows {}; Ctrl-C ends it\n", server.url(),
             options.scene.empty() ? "the gallery" : options.scene);
  std::fflush(stdout);
  if (options.open) open_browser(server.url());
  const InterruptGuard interrupt;
  server.run([&] {
    try {
      interrupt.check();
      return false;
    } catch (const Interrupted&) {  // the way such a program ends
      return true;
    }
  });
  // There is nothing to tidy up, and a step under way may take its time.
  std::fflush(stdout);
  std::_Exit(0);
}

}  // namespace

void add_view_command(CLI::App& app) {
  CLI::App* command =
      app.add_subcommand("view", "Show a scene live in the browser, or a recording");
  auto o = std::make_shared<ViewOptions>();
  command->add_option("scene", o->scene,
                      "Scene (.json) or recording (.snr); without: a gallery of scenes");
  command->add_option("--port", o->port, "Port; 0: any that is free. Without: 8090 if it is free")
      ->check(CLI::Range(0, 65535));
  command
      ->add_option("--host", o->host,
                   "Address to listen on; others than this machine's own can "
                   "then see and change the scene")
      ->capture_default_str();
  command->add_flag("--open", o->open, "Open the page in the browser");
  command->add_flag("--paused", o->paused, "Wait for play");
  add_scene_options(*command, o->threads, o->overrides);
  command->add_option("--scenes", o->scenes, "Folder of the gallery")->type_name("DIR");
  CLI::Option* to_folder =
      command->add_option("--export", o->export_folder,
                          "Write page and recording to a folder for any web host instead");
  to_folder->type_name("DIR");
  command
      ->add_option("--seconds", o->seconds,
                   "Simulated time of an export, instead of the scene's [s]")
      ->needs(to_folder);
  command->callback([o] {
    if (o->export_folder)
      export_page(*o);
    else
      serve(*o);
  });
}

}  // namespace sinew
