// sinew reproduce: figures and tables of the literature, run again.
#include "reproduce_command.h"

#include <fmt/format.h>
#include <sinew/error.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "reproduce/results.h"

namespace sinew {
namespace {

struct ReproduceOptions {
  std::vector<std::string> ids;
  std::optional<std::string> out, data;
  bool json = false;
  ExperimentOptions experiment;
};

void list(bool as_json) {
  nlohmann::ordered_json all = nlohmann::ordered_json::array();
  for (const Experiment* e : experiments()) {
    all.push_back({{"id", e->id}, {"title", e->title}, {"source", e->source}});
    if (!as_json) fmt::print("{:<24} {} ({})\n", e->id, e->title, e->source);
  }
  if (as_json) fmt::print("{}\n", all.dump(2));
}

// Each once, in the order asked for.
std::vector<const Experiment*> chosen(const std::vector<std::string>& ids) {
  std::vector<const Experiment*> result;
  const auto add = [&](const Experiment* experiment) {
    if (std::find(result.begin(), result.end(), experiment) == result.end())
      result.push_back(experiment);
  };
  for (const std::string& id : ids) {
    if (id == "all")
      for (const Experiment* experiment : experiments()) add(experiment);
    else
      add(&find_experiment(id));
  }
  return result;
}

// Refused before anything runs: an experiment may take a minute.
std::string data_folder(const std::string& given) {
  std::error_code failure;
  if (given.empty()) throw Error("--data is empty; name a folder with meshes");
  if (!std::filesystem::is_directory(given, failure))
    throw Error(fmt::format("--data {}: there is no such folder", given));
  return given;
}

void reproduce(ReproduceOptions o) {
  if (o.experiment.threads < 1)
    throw Error(fmt::format("--threads is {}; it must be at least 1", o.experiment.threads));
  if (o.out && o.out->empty()) throw Error("--out is empty; name a folder");
  if (o.data) o.experiment.data = data_folder(*o.data);
  if (o.ids.empty() || o.ids == std::vector<std::string>{"list"}) return list(o.json);

  std::vector<ExperimentResult> results;
  nlohmann::ordered_json all = nlohmann::ordered_json::array();
  std::vector<std::string> missed;
  for (const Experiment* experiment : chosen(o.ids)) {
    results.push_back(run_experiment(*experiment, o.experiment));
    const ExperimentResult& result = results.back();
    all.push_back(to_json(result));
    if (!o.json) fmt::print("{}\n", to_text(result));
    std::fflush(stdout);
    for (const auto& finding : result.report.findings)
      if (!finding.holds) missed.push_back(fmt::format("{}: {}", experiment->id, finding.claim));
  }
  if (o.json)
    fmt::print("{}\n", all.dump(2, ' ', false, nlohmann::ordered_json::error_handler_t::replace));
  if (o.out) write_results(*o.out, results, o.experiment);
  const ClaimCount count = count_claims(results);
  if (!o.json) fmt::print("{} claims hold, {} do not\n", count.hold, count.miss);
  std::fflush(stdout);
  if (!missed.empty())
    throw Error(fmt::format("{} of {} claims do not hold: {}", count.miss, count.hold + count.miss,
                            fmt::join(missed, "; ")));
}

}  // namespace

void add_reproduce_command(CLI::App& app) {
  CLI::App* command =
      app.add_subcommand("reproduce", "Run figures and tables of the literature again");
  auto o = std::make_shared<ReproduceOptions>();
  command->add_option("ids", o->ids, "Experiments, or: list (the default), all");
  command->add_option("--out", o->out, "Folder for results.md and plots/");
  command->add_option("--data", o->data,
                      "Folder with meshes of the literature (bar-16600.mesh, hippo.mesh); without "
                      "it, look-alikes are made");
  command->add_flag("--small", o->experiment.small, "Smaller and quicker");
  command->add_flag("--json", o->json, "Print JSON");
  command->add_option("--threads", o->experiment.threads, "Threads to use")->capture_default_str();
  command->footer("The exit code is 1 when a claim does not hold, a known one included.");
  command->callback([o] { reproduce(*o); });
}

}  // namespace sinew
