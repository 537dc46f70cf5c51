// sinew fit: stiffnesses for plain position-based dynamics, and for springs, from Young's modulus
// and Poisson's ratio: of one cell, or of a body of a scene.
#include <fmt/format.h>
#include <sinew/error.h>
#include <sinew/fit.h>

#include <CLI/CLI.hpp>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>

#include "commands.h"
#include "core/atomic_file.h"
#include "fit_scene.h"
#include "plot/plot.h"

namespace sinew {
namespace {

using Json = nlohmann::ordered_json;

// By the order of FitCell, FitObjective and FitShear.
const std::vector<std::string> kCellNames = {"hexahedron", "tetrahedron", "triangle"};
const std::vector<std::string> kObjectiveNames = {"matrix", "displacements"};
const std::vector<std::string> kShearNames = {"isotropic", "doubled"};

struct FitOptions {
  FitRequest request;
  std::string cell = kCellNames[0], objective = kObjectiveNames[0], shear = kShearNames[0];
  bool no_volume = false, springs = false, sweep = false, json = false;
  std::optional<std::string> csv, plot;
  SceneFitOptions scene;
};

int index_of(const std::vector<std::string>& names, const std::string& name) {
  return int(std::find(names.begin(), names.end(), name) - names.begin());
}

// What a cell of the kind has: name and value.
template <class Number>
using Named = std::vector<std::pair<const char*, Number>>;

Named<double> named(FitCell cell, const PbdStiffness& k) {
  if (cell == FitCell::kHexahedron)
    return {{"edge", k.edge}, {"face", k.face}, {"diagonal", k.diagonal}, {"volume", k.volume}};
  return {{"edge", k.edge}, {"volume", k.volume}};
}

Named<double> named(FitCell cell, const SpringFit& springs) {
  if (cell != FitCell::kHexahedron) return {{"edge", springs.edge}};
  return {{"edge", springs.edge}, {"face", springs.face}, {"diagonal", springs.diagonal}};
}

Json json_of(const Named<double>& values) {
  Json json = Json::object();
  for (const auto& [name, value] : values) json[name] = value;
  return json;
}

// ------------------------------------------------------------------------------- one material

// What a scene says to get this cell: parts of its "world" and of a body. There a stiffness is what
// a substep does, however many iterations it has; here it is what each iteration does.
Json scene_parts(const FitRequest& r, const FitResult& fit) {
  Json constraint = {{"type", "plain_cells"}};
  for (const auto& [name, k] : named(r.cell, fit.stiffness)) {
    // The volume of a hexahedron is kept by two constraints, each with half of the stiffness.
    const double parts = r.cell == FitCell::kHexahedron && name == std::string("volume") ? 2 : 1;
    const double whole = parts * (1 - std::pow(1 - k / parts, r.iterations));
    constraint[name] = Json::parse(fmt::format("{:.6g}", std::min(whole, 1.0)));
  }
  Json parts;
  parts["world"] = {{"dt", Json::parse(fmt::format("{:.6g}", fit.step))},
                    {"substeps", 1},
                    {"iterations", r.iterations}};
  parts["body"] = {{"material", {{"type", "none"}}}, {"constraints", {constraint}}};
  return parts;
}

Json json_of(const FitOptions& o, const FitResult& fit, const std::optional<SpringFit>& springs) {
  const FitRequest& r = o.request;
  Json json = {{"cell", o.cell},
               {"size_m", r.size},
               {"young_Pa", r.young},
               {"poisson", r.poisson},
               {"density_kg_per_m3", r.density},
               {"vertex_mass_kg", fit.vertex_mass},
               {"objective", o.objective},
               {"shear", o.shear},
               {"iterations", r.iterations},
               {"volume", r.volume},
               {"dt", fit.step},
               {"stiffness", json_of(named(r.cell, fit.stiffness))},
               {"scene", scene_parts(r, fit)},
               {"matrix_error", fit.matrix_error},
               {"training_error", fit.training_error},
               {"test_error", fit.test_error},
               {"matrix_fit_test_error", fit.matrix_test_error},
               {"spread_matrix_fit_test_error", fit.spread_matrix_test_error}};
  if (r.cell == FitCell::kTriangle) json["thickness_m"] = r.thickness;
  if (springs) {
    json["springs_N_per_m"] = json_of(named(r.cell, *springs));
    json["springs_matrix_error"] = springs->matrix_error;
  }
  return json;
}

std::string percent(double fraction) { return fmt::format("{:.2f} %", 100 * fraction); }

void print_fit(const FitOptions& o, const FitResult& fit) {
  const FitRequest& r = o.request;
  fmt::print("{} of {:g} m: {:g} Pa, Poisson's ratio {:g}, {:.4g} kg at each vertex\n", o.cell,
             r.size, r.young, r.poisson, fit.vertex_mass);
  fmt::print("fitted by {}, shear {}, {} iteration{} a step{}\n\n", o.objective, o.shear,
             r.iterations, r.iterations == 1 ? "" : "s", r.volume ? "" : ", no volume constraint");
  for (const auto& [name, k] : named(r.cell, fit.stiffness)) fmt::print("{:<22}{:.6f}\n", name, k);
  fmt::print("{:<22}{:.6g} ms\n", "step", fit.step * 1e3);
  fmt::print("{:<22}{:>8}   of the stiffness matrix\n", "error", percent(fit.matrix_error));
  fmt::print("{:<22}{:>8}   of displacements under loads it was not fitted to\n", "",
             percent(fit.test_error));
  if (r.objective == FitObjective::kDisplacements) {
    fmt::print("{:<22}{:>8}   by objective matrix\n", "", percent(fit.matrix_test_error));
    if (r.iterations > 1)
      fmt::print("{:<22}{:>8}   by objective matrix, spread over the iterations\n", "",
                 percent(fit.spread_matrix_test_error));
  }
}

void fit_one(const FitOptions& o) {
  const FitResult fit = fit_stiffness(o.request);
  std::optional<SpringFit> springs;
  if (o.springs) springs = fit_springs(o.request);
  if (o.json) {
    fmt::print("{}\n", json_of(o, fit, springs).dump(2));
    return;
  }
  print_fit(o, fit);
  if (springs) {
    fmt::print("\nsprings with an error of {} of the stiffness matrix\n",
               percent(springs->matrix_error));
    for (const auto& [name, k] : named(o.request.cell, *springs))
      fmt::print("{:<22}{:.6g} N/m\n", name, k);
  }
  const Json parts = scene_parts(o.request, fit);
  fmt::print("\nin a scene's world:\n{}\nand in a body:\n{}\n", parts["world"].dump(2),
             parts["body"].dump(2));
}

// ----------------------------------------------------------------------- over Poisson's ratio

struct SweepRow {
  double poisson;
  FitResult fit;
  std::optional<SpringFit> springs;
};

std::vector<SweepRow> sweep(const FitOptions& o) {
  std::vector<SweepRow> rows;
  for (int percent = 0; percent < 50; ++percent) {
    FitRequest request = o.request;
    request.poisson = percent / 100.0;
    rows.push_back({request.poisson, fit_stiffness(request), std::nullopt});
    if (o.springs) rows.back().springs = fit_springs(request);
  }
  return rows;
}

// Column names with units, and the numbers of a row.
Named<double> columns(const FitOptions& o, const SweepRow& row) {
  Named<double> values = {{"poisson", row.poisson}};
  for (const auto& k : named(o.request.cell, row.fit.stiffness)) values.push_back(k);
  values.insert(values.end(), {{"dt_s", row.fit.step},
                               {"matrix_error", row.fit.matrix_error},
                               {"test_error", row.fit.test_error}});
  if (row.springs) {
    static constexpr const char* kSprings[] = {"spring_edge_N_per_m", "spring_face_N_per_m",
                                               "spring_diagonal_N_per_m"};
    std::size_t i = 0;
    for (const auto& [name, k] : named(o.request.cell, *row.springs))
      values.emplace_back(kSprings[i++], k);
  }
  return values;
}

std::string csv_of(const FitOptions& o, const std::vector<SweepRow>& rows) {
  std::string text;
  for (const SweepRow& row : rows) {
    std::vector<std::string> names, numbers;
    for (const auto& [name, value] : columns(o, row)) {
      names.emplace_back(name);
      numbers.push_back(fmt::format("{}", value));
    }
    if (text.empty()) text = fmt::format("{}\n", fmt::join(names, ","));
    text += fmt::format("{}\n", fmt::join(numbers, ","));
  }
  return text;
}

void print_table(const FitOptions& o, const std::vector<SweepRow>& rows) {
  for (const auto& [name, value] : columns(o, rows[0])) fmt::print("{:>12} ", name);
  fmt::print("\n");
  for (const SweepRow& row : rows) {
    for (const auto& [name, value] : columns(o, row))
      fmt::print("{:>{}.5g} ", value, std::max<std::size_t>(12, std::string_view(name).size()));
    fmt::print("\n");
  }
}

Plot plot_of(const FitOptions& o, const std::vector<SweepRow>& rows) {
  Plot plot{
      .title = fmt::format("Stiffnesses of a {} fitted by {}, {} iteration{} a step", o.cell,
                           o.objective, o.request.iterations, o.request.iterations == 1 ? "" : "s"),
      .x = {.label = "Poisson's ratio [1]"},
      .y = {.label = "stiffness, relative error [1]"},
      .series = {}};
  for (const auto& [name, k] : named(o.request.cell, rows[0].fit.stiffness))
    plot.series.push_back({.label = name, .x = {}, .y = {}});
  plot.series.push_back({.label = "error of the matrix", .x = {}, .y = {}, .dashed = true});
  plot.series.push_back({.label = "error of displacements", .x = {}, .y = {}, .dashed = true});
  for (const SweepRow& row : rows) {
    std::vector<double> values;
    for (const auto& [name, k] : named(o.request.cell, row.fit.stiffness)) values.push_back(k);
    values.insert(values.end(), {row.fit.matrix_error, row.fit.test_error});
    for (std::size_t i = 0; i < values.size(); ++i) {
      plot.series[i].x.push_back(row.poisson);
      plot.series[i].y.push_back(values[i]);
    }
  }
  return plot;
}

void fit_sweep(const FitOptions& o) {
  if (o.csv && o.plot && *o.csv == *o.plot)
    throw Error(fmt::format("{}: is --csv and --plot; name another file", *o.csv));
  if (o.plot && !o.plot->ends_with(".svg"))
    throw Error(fmt::format("{}: plots are written as .svg", *o.plot));
  std::optional<AtomicFile> csv, plot;  // before the work: cannot they be written?
  if (o.csv) csv.emplace(*o.csv);
  if (o.plot) plot.emplace(*o.plot);
  const std::vector<SweepRow> rows = sweep(o);
  if (csv) csv->stream() << csv_of(o, rows);
  if (plot) plot->stream() << to_svg(plot_of(o, rows));
  if (csv) csv->commit();
  if (plot) plot->commit();
  if (!o.json) {
    print_table(o, rows);
    return;
  }
  Json all = Json::array();
  for (const SweepRow& row : rows) {
    FitOptions at = o;
    at.request.poisson = row.poisson;
    all.push_back(json_of(at, row.fit, row.springs));
  }
  fmt::print("{}\n", all.dump(2));
}

}  // namespace

void add_fit_command(CLI::App& app) {
  CLI::App* command =
      app.add_subcommand("fit", "Find stiffnesses for plain position-based dynamics from E and ν");
  auto o = std::make_shared<FitOptions>();
  FitRequest& r = o->request;
  const auto choice = [&](const char* name, std::string& value,
                          const std::vector<std::string>& names, const char* help) {
    command->add_option(name, value, help)->check(CLI::IsMember(names))->capture_default_str();
  };
  const auto number = [&](const char* name, auto& value, const char* help) {
    return command->add_option(name, value, help)->capture_default_str();
  };
  CLI::Option* scene =
      command->add_option("scene", o->scene.scene,
                          "Fit a body of this scene, in its mesh, to its material; else one cell");
  CLI::Option* body =
      command->add_option("--body", o->scene.body, "Name of the body; only one is soft: that")
          ->needs(scene);
  CLI::Option* output = command
                            ->add_option("-o,--output", o->scene.output,
                                         "Write the scene with the fitted body, beside it")
                            ->needs(scene);
  number("--young", r.young, "Young's modulus [Pa]");
  CLI::Option* poisson = number("--poisson", r.poisson, "Poisson's ratio, between -1 and 0.5");
  choice("--cell", o->cell, kCellNames, "A cube, regular tetrahedron or equilateral triangle");
  number("--size", r.size, "Edge of the cell [m]");
  number("--thickness", r.thickness, "Of a triangle [m]");
  const CLI::Validator positive(
      [](const std::string& text) {
        double value = 0;
        return CLI::detail::lexical_cast(text, value) && value > 0
                   ? std::string()
                   : fmt::format("is {}; it must be a number greater than 0", text);
      },
      "");
  CLI::Option* density = number("--density", r.density, "Gives the mass of a vertex [kg/m³]");
  command->add_option("--mass", r.vertex_mass, "Mass of a vertex, instead of the density's [kg]")
      ->excludes(density)
      ->check(positive);
  choice("--objective", o->objective, kObjectiveNames,
         "What is to be as in the finite element: its matrix, or where vertices come to rest");
  number("--iterations", r.iterations, "Of the solver in a step");
  command->add_option("--dt", r.step, "Step, instead of √(m/‖K‖) [s]")->check(positive);
  command->add_flag("--fit-step", r.fit_step, "Objective displacements: fit the step too");
  choice("--shear", o->shear, kShearNames,
         "Shear modulus: isotropic, or twice that as in the fitting thesis");
  command->add_flag("--no-volume", o->no_volume, "Without the constraint on volume or area");
  command->add_flag("--springs", o->springs, "Fit springs as well [N/m]");
  CLI::Option* sweep = command->add_flag("--sweep", o->sweep, "For Poisson's ratios from 0 to 0.49")
                           ->excludes(poisson);
  command->add_option("--csv", o->csv, "Write the sweep as a table")->needs(sweep);
  command->add_option("--plot", o->plot, "Draw the sweep as .svg")->needs(sweep);
  CLI::Option* json = command->add_flag("--json", o->json, "Print JSON, with everything");
  // A scene says all that a cell is asked for.
  for (CLI::Option* other : command->get_options())
    if (other != scene && other != body && other != output && other != json &&
        other != command->get_help_ptr())
      scene->excludes(other);
  command->callback([o] {
    o->request.cell = FitCell(index_of(kCellNames, o->cell));
    o->request.objective = FitObjective(index_of(kObjectiveNames, o->objective));
    o->request.shear = FitShear(index_of(kShearNames, o->shear));
    o->request.volume = !o->no_volume;
    if (o->scene.scene) {
      o->scene.json = o->json;
      return fit_scene(o->scene);
    }
    o->sweep ? fit_sweep(*o) : fit_one(*o);
  });
}

}  // namespace sinew
