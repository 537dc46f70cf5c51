// Scenes from files and texts, and worlds from scenes.
#include <fmt/format.h>
#include <sinew/error.h>
#include <sinew/scene.h>

#include "core/atomic_file.h"
#include "io/scene_check.h"
#include "io/scene_overrides.h"
#include "io/scene_read.h"

namespace sinew {
namespace {

[[noreturn]] void fail(const std::string& file, const Error& error, std::string_view blame = "") {
  throw Error(fmt::format("{}: {}{}", file, error.what(), blame));
}

nlohmann::json parse_text(std::string_view text, const std::string& file) {
  try {
    return parse_json(text, file);
  } catch (const SceneProblem& problem) {
    fail(file, problem);
  }
}

void override_values(nlohmann::json& scene, std::span<const std::string> overrides,
                     const std::string& file) {
  try {
    apply_overrides(scene, overrides);
  } catch (const Error& error) {
    fail(file, error);
  }
}

}  // namespace

Scene parse_scene(std::string_view text, const std::filesystem::path& path,
                  std::span<const std::string> overrides) {
  const std::string file = one_line(path.string());
  nlohmann::json json = parse_text(text, file);
  override_values(json, overrides, file);
  try {
    check_scene(json);
    MeshContext context{path.parent_path(), {}};
    SceneFile read = read_scene(json, context);
    return {.name = std::move(read.name),
            .description = std::move(read.description),
            .path = path,
            .world = read.world.settings,
            .dt = read.world.dt,
            .seconds = read.world.seconds,
            .camera = read.camera,
            .bodies = std::move(read.bodies),
            .notes = std::move(context.notes)};
  } catch (const SceneProblem& problem) {
    fail(file, problem, blame_override(problem.pointer(), overrides));
  }
}

Scene load_scene(const std::filesystem::path& path, std::span<const std::string> overrides) {
  return parse_scene(read_file(path), path, overrides);
}

World make_world(const Scene& scene, std::shared_ptr<Executor> executor) {
  std::string pointer = "/world";
  try {
    World world(scene.world, std::move(executor));
    for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
      pointer = pointer_to("/bodies", i);
      std::visit([&](const auto& body) { world.add(body); }, scene.bodies[i]);
    }
    return world;
  } catch (const Error& error) {
    fail(one_line(scene.path.string()), SceneProblem(pointer, one_line(error.what())));
  }
}

}  // namespace sinew
