// Scenes from files and texts, and worlds from scenes.
#include <fmt/format.h>
#include <sinew/error.h>
#include <sinew/scene.h>

#include <map>

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

// Which rigid body a name of a scene stands for.
class RigidNames {
 public:
  void add(const std::string& name, RigidId id) { ids_[name].push_back(id); }

  // `pointer` is the place of the name, for messages.
  RigidId find(const std::string& pointer, const std::string& name) const {
    if (name.empty()) throw SceneProblem(pointer, "is empty; name a rigid body");
    const auto it = ids_.find(name);
    if (it == ids_.end())
      throw SceneProblem(pointer, fmt::format("there is no rigid body named \"{}\"; {}",
                                              one_line(name), suggestion(name, known())));
    if (it->second.size() > 1)
      throw SceneProblem(pointer, fmt::format("{} rigid bodies are named \"{}\"; give the one "
                                              "that is meant a name of its own",
                                              it->second.size(), one_line(name)));
    return it->second[0];
  }

 private:
  std::vector<std::string> known() const {
    std::vector<std::string> names;
    for (const auto& [name, ids] : ids_)
      if (!name.empty()) names.push_back(one_line(name));
    return names;
  }

  std::map<std::string, std::vector<RigidId>> ids_;
};

void add_body(World& world, const SceneBody& body, RigidNames& names) {
  std::visit(
      [&](const auto& one) {
        const auto id = world.add(one);
        if constexpr (std::is_same_v<decltype(id), const RigidId>) names.add(one.name, id);
      },
      body);
}

void add_joint(World& world, const std::string& pointer, const SceneJoint& named,
               const RigidNames& names) {
  Joint joint = named.joint;
  std::visit(
      [&](auto& one) {
        one.a = names.find(pointer_to(pointer, "a"), named.a);
        if constexpr (requires { one.b; })
          if (!named.b.empty()) one.b = names.find(pointer_to(pointer, "b"), named.b);
      },
      joint);
  world.add(joint);
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
            .joints = std::move(read.joints),
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
    RigidNames names;
    for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
      pointer = pointer_to("/bodies", i);
      add_body(world, scene.bodies[i], names);
    }
    for (std::size_t i = 0; i < scene.joints.size(); ++i) {
      pointer = pointer_to("/joints", i);
      add_joint(world, pointer, scene.joints[i], names);
    }
    return world;
  } catch (const SceneProblem& problem) {
    fail(one_line(scene.path.string()), problem);
  } catch (const Error& error) {
    fail(one_line(scene.path.string()), SceneProblem(pointer, one_line(error.what())));
  }
}

}  // namespace sinew
