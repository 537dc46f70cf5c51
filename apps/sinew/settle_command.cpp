// sinew settle: moves the soft bodies of a scene to where their forces are in balance, and writes a
// scene in which they start there. Rest shapes stay what they were: the new scene names, beside
// each mesh, a file with the places of its vertices (key `start`).
#include <fmt/format.h>
#include <sinew/error.h>
#include <sinew/log.h>
#include <sinew/scene.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>

#include "commands.h"
#include "core/atomic_file.h"
#include "interrupt.h"
#include "io/vtu_writer.h"
#include "progress.h"

namespace sinew {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

struct SettleOptions {
  std::string scene, output;
  EquilibriumSettings balance{.iterations = 2000};
  int threads = 1;
  bool json = false, quiet = false;
};

struct Settled {
  std::size_t index;  // in the scene
  SoftId id = {};
  std::string name;
  Equilibrium balance = {};
  double moved = 0;  // the furthest of its vertices, from where the scene starts it [m]
};

std::string label(const Settled& body) {
  return body.name.empty() ? fmt::format("body {}", body.index) : body.name;
}

// The same body by a solver that knows its energy: where forces are in balance does not depend on
// the solver.
SoftBody by_energy(const SoftBody& body, const std::string& where) {
  if (body.plasticity)
    throw Error(
        fmt::format("{}: has plasticity: what flows under its load has no single balance; "
                    "run the scene, or settle it without",
                    where));
  SoftBody twin = body;
  twin.velocity = twin.angular_velocity = {};
  if (!std::holds_alternative<Newton>(body.solver)) twin.solver = QuasiNewton{};
  return twin;
}

double furthest(std::span<const Vec3> a, std::span<const Vec3> b) {
  double most = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    most = std::max(most, length(to_double(a[i]) - to_double(b[i])));
  return most;
}

// L-BFGS at first, in rounds between which it can be interrupted; what is left to Newton's method,
// which needs a factor for every iteration, but few of them.
Equilibrium find(World& world, SoftId id, SoftBody twin, const EquilibriumSettings& asked,
                 const InterruptGuard& interrupt, Progress& progress) {
  constexpr int kRound = 250;
  Equilibrium found;
  const auto go_on = [&](int most) {
    for (int before = -1; found.iterations < most && found.iterations > before && !found.found;) {
      interrupt.check();
      before = found.iterations;
      EquilibriumSettings round = asked;
      round.iterations = std::min(most - found.iterations, kRound);
      const Equilibrium now = world.find_equilibrium(id, round);
      found.found = now.found;
      found.residual = now.residual;
      found.tolerance = now.tolerance;
      found.iterations += now.iterations;
      progress.show(found.iterations, asked.iterations, "iterations");
    }
  };
  go_on(asked.iterations / 2);
  if (!found.found && !std::holds_alternative<Newton>(twin.solver)) {
    twin.solver = Newton{};
    world.replace(id, std::move(twin));
  }
  go_on(asked.iterations);
  return found;
}

// ------------------------------------------------------------------------------------- output

// All files that a scene names.
void collect_paths(const Json& value, const fs::path& folder, std::set<fs::path>& paths) {
  for (const auto& [key, item] : value.items()) {
    if (item.is_structured()) collect_paths(item, folder, paths);
    if (value.is_object() && key == "path" && item.is_string())
      paths.insert(fs::weakly_canonical(folder / item.get<std::string>()));
  }
}

// "OUT_jelly.vtu" beside the scene OUT.json.
std::string file_name(const fs::path& output, const Settled& body, std::set<std::string>& taken) {
  std::string name = body.name.empty() ? std::to_string(body.index) : body.name.substr(0, 64);
  for (char& c : name)
    if (!std::isalnum(static_cast<unsigned char>(c)) && c != '-') c = '_';
  const std::string stem = output.stem().string() + "_" + name;
  std::string file = stem + ".vtu";
  if (!taken.insert(file).second) taken.insert(file = fmt::format("{}_{}.vtu", stem, body.index));
  return file;
}

// Files that will be there together, or not at all.
class SettledScene {
 public:
  SettledScene(const SettleOptions& o, const std::vector<Settled>& bodies)
      : scene_(Json::parse(read_file(o.scene))) {
    const fs::path output = fs::absolute(o.output), source = fs::absolute(o.scene);
    if (output.parent_path() != source.parent_path())
      throw Error(
          fmt::format("{}: is in another folder than the scene; write it beside the scene, "
                      "where the files that it names are found",
                      o.output));
    std::set<fs::path> named{fs::weakly_canonical(source)};
    collect_paths(scene_, source.parent_path(), named);
    std::set<std::string> taken;
    const auto check = [&](const fs::path& path) {
      if (named.contains(fs::weakly_canonical(path)))
        throw Error(fmt::format("{}: is the scene, or a file that it names; name another output",
                                path.filename().string()));
    };
    check(output);
    for (const Settled& body : bodies) {
      names_.push_back(file_name(output, body, taken));
      const fs::path path = fs::path(o.output).parent_path() / names_.back();
      check(fs::absolute(path));
      meshes_.push_back(std::make_unique<AtomicFile>(path));
    }
    file_ = std::make_unique<AtomicFile>(o.output);
  }

  // `positions` in the world; the file has them in the coordinates of the mesh.
  void add(std::size_t i, const Settled& body, const SoftBody& definition,
           std::span<const Vec3> positions) {
    const Quat& q = definition.pose.orientation;
    const auto back = normalized(QuatT<double>{-q.x, -q.y, -q.z, q.w});
    std::vector<Vec3> start;
    for (const Vec3& x : positions) {
      const auto local = back.rotate(to_double(x) - to_double(definition.pose.position));
      start.push_back({Real(local.x), Real(local.y), Real(local.z)});
    }
    PvdBody grid;
    grid.points = start;
    std::visit([&](const auto& mesh) { grid.cells = std::span(std::as_const(mesh.cells)); },
               definition.mesh);
    write_vtu(meshes_[i]->stream(), grid);
    Json& json = scene_["bodies"][body.index];
    json["start"] = {{"path", names_[i]}};
    json.erase("velocity");
    json.erase("angular_velocity");
  }

  void commit() {
    file_->stream() << scene_.dump(2) << '\n';
    for (const auto& mesh : meshes_) mesh->commit();
    file_->commit();
  }

 private:
  Json scene_;
  std::vector<std::string> names_;
  std::vector<std::unique_ptr<AtomicFile>> meshes_;
  std::unique_ptr<AtomicFile> file_;
};

void report(const std::vector<Settled>& bodies, bool json) {
  if (!json) {
    for (const Settled& b : bodies)
      fmt::print(
          "{:<22}forces within {:.3g} N (tolerance {:.3g} N), {} iterations, moved {:.4g} m\n",
          label(b), b.balance.residual, b.balance.tolerance, b.balance.iterations, b.moved);
    return;
  }
  Json all = Json::array();
  for (const Settled& b : bodies)
    all.push_back({{"body", b.name},
                   {"index", b.index},
                   {"found", b.balance.found},
                   {"residual_N", b.balance.residual},
                   {"tolerance_N", b.balance.tolerance},
                   {"iterations", b.balance.iterations},
                   {"moved_m", b.moved}});
  fmt::print("{}\n", all.dump(2));
}

void check_found(const std::vector<Settled>& bodies, const std::string& scene) {
  std::string list;
  for (const Settled& b : bodies)
    if (!b.balance.found)
      list +=
          fmt::format("{}{}: forces of {:.3g} N are left after {} iterations (tolerance {:.3g} N)",
                      list.empty() ? "" : "; ", label(b), b.balance.residual, b.balance.iterations,
                      b.balance.tolerance);
  if (!list.empty())
    throw Error(
        fmt::format("{}: no balance was found, and nothing written. {}. A body that nothing "
                    "holds has none; else raise --iterations or --tolerance",
                    scene, list));
}

void note_what_stays(const Scene& scene) {
  const auto is_rigid = [](const SceneBody& body) {
    return std::holds_alternative<RigidBody>(body);
  };
  if (std::any_of(scene.bodies.begin(), scene.bodies.end(), is_rigid))
    log_message(
        LogLevel::kInfo,
        "rigid bodies stay where they are: only soft bodies are settled, and the two do not "
        "touch each other yet");
}

void settle(const SettleOptions& o) {
  if (o.balance.iterations < 1)
    throw Error(fmt::format("--iterations is {}; it must be at least 1", o.balance.iterations));
  if (!(o.balance.tolerance >= 0) || !std::isfinite(o.balance.tolerance))
    throw Error(fmt::format("--tolerance is {}; it must be at least 0", o.balance.tolerance));
  const Scene scene = load_scene(o.scene);
  std::vector<Settled> bodies;
  Scene twins = scene;
  for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
    const auto* soft = std::get_if<SoftBody>(&scene.bodies[i]);
    if (!soft) continue;
    bodies.push_back({.index = i, .name = soft->name});
    twins.bodies[i] =
        by_energy(*soft, fmt::format("{}: /bodies/{}/plasticity", scene.path.string(), i));
  }
  if (bodies.empty())
    throw Error(fmt::format("{}: has no soft body; rigid bodies come to rest when the scene is run",
                            scene.path.string()));
  World world = make_world(twins, make_thread_pool(o.threads));
  if (!o.quiet) note_what_stays(scene);
  SettledScene output(o, bodies);

  const InterruptGuard interrupt;
  {
    Progress progress(!o.quiet);
    const std::vector<SoftId> ids = world.soft_bodies();
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      Settled& body = bodies[i];
      body.id = ids[i];
      const std::vector<Vec3> before = world.positions(body.id);
      body.balance = find(world, body.id, std::get<SoftBody>(twins.bodies[body.index]), o.balance,
                          interrupt, progress);
      body.moved = furthest(before, world.positions(body.id));
      // What nothing holds falls until numbers are too coarse to tell forces from nothing.
      constexpr double kFarAway = 1000;  // times its size
      const Bounds box = bounds(before);
      if (!(body.moved <= kFarAway * double(length(box.upper - box.lower))))
        body.balance.found = false;
    }
  }
  check_found(bodies, scene.path.string());
  for (std::size_t i = 0; i < bodies.size(); ++i)
    output.add(i, bodies[i], std::get<SoftBody>(scene.bodies[bodies[i].index]),
               world.positions(bodies[i].id));
  output.commit();
  if (!o.quiet || o.json) report(bodies, o.json);
}

}  // namespace

void add_settle_command(CLI::App& app) {
  CLI::App* command =
      app.add_subcommand("settle", "Write a scene in which soft bodies start in balance");
  auto o = std::make_shared<SettleOptions>();
  command->add_option("scene", o->scene, "Scene file (JSON)")->required();
  command
      ->add_option("-o,--output", o->output,
                   "The new scene, in the same folder; beside it a .vtu file for every soft body")
      ->required();
  command
      ->add_option("--tolerance", o->balance.tolerance,
                   "Forces within this share of a body's weight are in balance")
      ->capture_default_str();
  command->add_option("--iterations", o->balance.iterations, "At most, for every body")
      ->capture_default_str();
  command->add_option("--threads", o->threads, "Threads; 0: one per core. The result is the same")
      ->check(CLI::Range(0, 1024))
      ->capture_default_str();
  command->add_flag("--json", o->json, "Print what was found as JSON");
  command->add_flag("--quiet", o->quiet, "Print nothing but errors and warnings");
  command->callback([o] { settle(*o); });
}

}  // namespace sinew
