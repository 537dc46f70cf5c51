// sinew info: what is in a mesh or scene file, and what would be mended.
#include <fmt/format.h>
#include <sinew/error.h>
#include <sinew/mesh_io.h>
#include <sinew/scene.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <nlohmann/json.hpp>

#include "commands.h"
#include "geometry/shape_mass.h"
#include "io/scene_json.h"

namespace sinew {
namespace {

using Json = nlohmann::ordered_json;

Json triple(const Vec3& v) { return Json::array({v.x, v.y, v.z}); }

template <class Cell>
Json mended(const MeshFile& file, const std::vector<Cell>& cells) {
  Mesh<Cell> mesh{file.vertices, cells};
  MendReport report = mend(mesh);
  if (std::is_same_v<Cell, Triangle> && !(file.tetrahedra.empty() && file.hexahedra.empty()))
    report.unused = 0;  // those inside the solid are not to be mended
  Json info = {{"vertices", mesh.vertices.size()},
               {"cells", mesh.cells.size()},
               {"mended", report.summary()},
               {sizeof(Cell) == sizeof(Triangle) ? "area_m2" : "volume_m3", total_measure(mesh)}};
  if constexpr (std::is_same_v<Cell, Triangle>) {
    try {
      info["enclosed_volume_m3"] = mass_properties(mesh, 1).volume;
    } catch (const Error&) {
      info["enclosed_volume_m3"] = nullptr;  // not closed
    }
  }
  if constexpr (std::is_same_v<Cell, Tetrahedron>) {
    double worst = 1;
    for (std::size_t i = 0; i < mesh.cells.size(); ++i) worst = std::min(worst, quality(mesh, i));
    info["worst_quality"] = worst;
  }
  return info;
}

Json mesh_info(const std::string& path) {
  const MeshFile file = read_mesh(path);
  const Bounds box = bounds(file.vertices);
  Json info = {{"file", path},
               {"format", file.format},
               {"vertices", file.vertices.size()},
               {"triangles", file.triangles.size()},
               {"tetrahedra", file.tetrahedra.size()},
               {"hexahedra", file.hexahedra.size()},
               {"lower", triple(box.lower)},
               {"upper", triple(box.upper)},
               {"warnings", file.warnings}};
  try {
    if (!file.triangles.empty()) info["surface"] = mended(file, file.triangles);
    if (!file.tetrahedra.empty()) info["tetrahedral"] = mended(file, file.tetrahedra);
    if (!file.hexahedra.empty()) info["hexahedral"] = mended(file, file.hexahedra);
  } catch (const Error& error) {  // mend() does not know the file
    throw Error(fmt::format("{}: {}", path, error.what()));
  }
  return info;
}

const char* cells_name(const LineMesh&) { return "segments"; }
const char* cells_name(const TriMesh&) { return "triangles"; }
const char* cells_name(const TetMesh&) { return "tetrahedra"; }
const char* cells_name(const HexMesh&) { return "hexahedra"; }

Json body_info(const SoftBody& body) {
  return std::visit(
      [&](const auto& mesh) -> Json {
        return {{"type", "soft"},
                {"name", body.name},
                {"vertices", mesh.vertices.size()},
                {cells_name(mesh), mesh.cells.size()},
                {"mass_kg", total_measure(mesh) * double(mass_per_measure(body))},
                {"pins", body.pins.size()}};
      },
      body.mesh);
}

Json body_info(const StaticBody& body) { return {{"type", "static"}, {"name", body.name}}; }
Json body_info(const RigidBody& body) {
  Json info = {{"type", "rigid"}, {"name", body.name}};
  if (!body.parts.empty()) info["parts"] = body.parts.size();
  if (body.motion == Motion::kKinematic)
    info["motion"] = "kinematic";
  else if (body.mass)
    info["mass_kg"] = body.mass->mass;
  else
    info["mass_kg"] =
        body.parts.empty() ? mass_of(body.shape, body.density).mass : mass_of(body.parts).mass;
  return info;
}

// `where` is put before errors: a shape may have no mass.
Json body_info(const SceneBody& body, const std::string& where) {
  try {
    return std::visit([](const auto& one) { return body_info(one); }, body);
  } catch (const Error& error) {
    throw Error(fmt::format("{}: {}", where, error.what()));
  }
}

Json joint_info(const SceneJoint& joint) {
  return {{"type", std::visit([](const auto& one) { return one.kName; }, joint.joint)},
          {"a", joint.a},
          {"b", joint.b.empty() ? Json() : Json(joint.b)}};
}

Json scene_info(const std::string& path) {
  const Scene scene = load_scene(path);
  Json bodies = Json::array(), joints = Json::array();
  for (std::size_t i = 0; i < scene.bodies.size(); ++i)
    bodies.push_back(body_info(scene.bodies[i], fmt::format("{}: /bodies/{}", path, i)));
  for (const SceneJoint& joint : scene.joints) joints.push_back(joint_info(joint));
  return {{"file", path},         {"format", "scene"},
          {"name", scene.name},   {"description", scene.description},
          {"dt", scene.dt},       {"seconds", scene.seconds},
          {"notes", scene.notes}, {"bodies", bodies},
          {"joints", joints}};
}

std::string text_of(const Json& value) {
  if (value.is_string()) return one_line(value.get<std::string>());
  if (value.is_null()) return "none";
  if (value.is_number_float()) return fmt::format("{:.6g}", value.get<double>());
  if (!value.is_array()) return value.dump();
  std::vector<std::string> numbers;
  for (const Json& number : value) numbers.push_back(text_of(number));
  return fmt::format("[{}]", fmt::join(numbers, ", "));
}

// "key: value" lines, nested ones indented.
void print(const Json& info, int indent) {
  for (const auto& [key, value] : info.items()) {
    const std::string label = info.is_array() ? "-" : key + ":";
    if (value.is_object() || (value.is_array() && !value.empty() && !value[0].is_number())) {
      fmt::print("{:{}}{}\n", "", indent, label);
      print(value, indent + 2);
    } else if (!(value.is_array() && value.empty())) {
      fmt::print("{:{}}{:<{}} {}\n", "", indent, label, info.is_array() ? 1 : 20, text_of(value));
    }
  }
}

}  // namespace

void add_info_command(CLI::App& app) {
  CLI::App* command = app.add_subcommand("info", "Tell what is in mesh and scene files");
  struct Options {
    std::vector<std::string> files;
    bool json = false;
  };
  auto o = std::make_shared<Options>();
  command->add_option("files", o->files, "Meshes (any format that can be read) and scenes (.json)")
      ->required();
  command->add_flag("--json", o->json, "Print JSON");
  command->callback([o] {
    Json all = Json::array();
    for (const std::string& file : o->files)
      all.push_back(file.ends_with(".json") ? scene_info(file) : mesh_info(file));
    if (o->json) fmt::print("{}\n", all.dump(2, ' ', false, Json::error_handler_t::replace));
    for (const Json& info : all)
      if (!o->json) print(info, 0), fmt::print("\n");
  });
}

}  // namespace sinew
