#include "fit_scene.h"

#include <fmt/format.h>
#include <sinew/error.h>
#include <sinew/fit.h>
#include <sinew/scene.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "core/atomic_file.h"

namespace sinew {
namespace {

using Json = nlohmann::ordered_json;

// Which of the scene's bodies: the one of that name, or the only soft one.
std::size_t find_body(const Scene& scene, const std::optional<std::string>& name) {
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < scene.bodies.size(); ++i)
    if (const auto* soft = std::get_if<SoftBody>(&scene.bodies[i]))
      if (!name || soft->name == *name) found.push_back(i);
  if (found.size() == 1) return found[0];
  throw Error(fmt::format("{}: has {} soft bodies{}; name one with --body", scene.path.string(),
                          found.size(), name ? fmt::format(" named \"{}\"", *name) : ""));
}

Json rounded(Real value) { return Json::parse(fmt::format("{:.6g}", value)); }

Json json_of(const PlainCells& cells) {
  return {{"type", "plain_cells"},
          {"edge", rounded(cells.edge)},
          {"face", rounded(cells.face)},
          {"diagonal", rounded(cells.diagonal)},
          {"volume", rounded(cells.volume)}};
}

// The scene with that body held together by plain constraints instead of its material.
void write_scene(const SceneFitOptions& o, std::size_t index, const Json& constraint) {
  namespace fs = std::filesystem;
  if (fs::absolute(*o.output).parent_path() != fs::absolute(*o.scene).parent_path())
    throw Error(fmt::format(
        "{}: is in another folder than the scene; write it beside the scene, where the files that "
        "it names are found",
        *o.output));
  std::ifstream file(*o.scene);
  std::stringstream text;
  text << file.rdbuf();
  Json scene = Json::parse(text.str());
  Json& body = scene["bodies"][index];
  body["material"] = {{"type", "none"}};
  if (!body.contains("constraints")) body["constraints"] = Json::array();
  body["constraints"].push_back(constraint);
  AtomicFile out(*o.output);
  out.stream() << scene.dump(2) << '\n';
  out.commit();
}

}  // namespace

void fit_scene(const SceneFitOptions& o) {
  const Scene scene = load_scene(*o.scene);
  const std::size_t index = find_body(scene, o.body);
  const SoftBody& body = std::get<SoftBody>(scene.bodies[index]);
  const int substeps = scene.world.substeps;  // plain constraints never ask for more
  const BodyFit fit = fit_body(body, {.substep = double(scene.dt) / substeps,
                                      .iterations = scene.world.iterations,
                                      .gravity = scene.world.gravity});
  const Json constraint = json_of(fit.constraint);
  if (o.output) write_scene(o, index, constraint);
  if (!fit.reachable)
    fmt::print(stderr,
               "warning: {:g} Pa is out of reach of {} substeps with {} iterations: the body sags "
               "{:.2f} times as far as finite elements{}; take more substeps\n",
               fit.young, substeps, scene.world.iterations, fit.sag_ratio,
               fit.calm ? "" : ", and shakes");
  if (o.json) {
    const Json json = {{"body", body.name},      {"young_Pa", fit.young},
                       {"poisson", fit.poisson}, {"constraint", constraint},
                       {"error", fit.error},     {"sag_ratio", fit.sag_ratio},
                       {"calm", fit.calm},       {"reachable", fit.reachable}};
    fmt::print("{}\n", json.dump(2));
    return;
  }
  fmt::print("{}: {:g} Pa, Poisson's ratio {:.3g}, {} substeps of {:.4g} ms, {} iterations\n",
             body.name, fit.young, fit.poisson, substeps, 1e3 * double(scene.dt) / substeps,
             scene.world.iterations);
  fmt::print("{:<22}{:>8}   of displacements under loads\n", "error",
             fmt::format("{:.2f} %", 100 * fit.error));
  fmt::print("{:<22}{:.4f}     of that of finite elements\n", "sag", fit.sag_ratio);
  const Json parts = {{"material", {{"type", "none"}}}, {"constraints", Json::array({constraint})}};
  fmt::print("\nin the body:\n{}\n", parts.dump(2));
}

}  // namespace sinew
