// Scenes: a world written down as JSON. The format is described in docs/scenes.md, and for editors
// in docs/scene.schema.json; both come from the same descriptions as the reader (describe.h).
//   Scene scene = load_scene("scenes/hello.json");
//   World world = make_world(scene);
//   while (world.time() < scene.seconds) world.step(scene.dt);
#pragma once

#include <sinew/bodies.h>
#include <sinew/executor.h>
#include <sinew/world.h>

#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace sinew {

// From where a picture of the scene is taken.
struct Camera {
  static constexpr const char* kName = "camera";
  static constexpr const char* kDoc = "From where pictures of the scene are taken.";

  Vec3 eye{3, 2, 4};             // [m]
  Vec3 target{0, Real(0.5), 0};  // [m]
  Real fov_deg = 35;             // vertical field of view [°]

  template <class Visitor>
  void describe(Visitor& v) {
    v.field("eye", eye, {.doc = "Where the camera is", .unit = "m"});
    v.field("target", target, {.doc = "What it looks at", .unit = "m"});
    v.field("fov_deg", fov_deg,
            {.doc = "Vertical field of view",
             .unit = "°",
             .min = 0,
             .max = 180,
             .exclusive_min = true,
             .exclusive_max = true});
  }
};

using SceneBody = std::variant<StaticBody, RigidBody, SoftBody>;

// A joint between bodies that have no handles yet: it names them.
struct SceneJoint {
  Joint joint = {};    // without its bodies
  std::string a = {};  // names of static or rigid bodies
  std::string b = {};  // none: the world
};

struct Scene {
  std::string name = {}, description = {};
  std::filesystem::path path = {};  // the file it came from, for messages
  WorldSettings world = {};
  Real dt = Real(1.0 / 60);           // length of a step [s]
  Real seconds = 5;                   // how long to run [s]
  std::optional<Camera> camera = {};  // none: whatever shows all of the scene
  std::vector<SceneBody> bodies = {};
  std::vector<SceneJoint> joints = {};
  std::vector<std::string> notes = {};  // what was mended in its meshes
};

// Each override is "POINTER=VALUE", such as "/bodies/0/material/young=2e5": a JSON pointer into the
// scene and a JSON value to put there (what is not valid JSON is taken as a string). Parts of the
// scene that were left to their defaults can be overridden too.
// Errors are one line: "FILE:LINE:COLUMN: broken JSON: …" or "FILE: /bodies/0/density: is -3 kg/m³;
// it must be greater than 0".
Scene load_scene(const std::filesystem::path& path, std::span<const std::string> overrides = {});

// The same from a text. `path` is the file it is from: messages start with it, and the paths in the
// scene are relative to its folder.
Scene parse_scene(std::string_view text, const std::filesystem::path& path,
                  std::span<const std::string> overrides = {});

// Throws Error with the place of what cannot be used: "FILE: /joints/3/b: there is no rigid body
// named "dor"; did you mean "door"?"
World make_world(const Scene& scene, std::shared_ptr<Executor> executor = nullptr);

std::string scene_schema();         // the JSON Schema of scene files
std::string scene_documentation();  // the same for people, in Markdown

}  // namespace sinew
