// What came of experiments, for people (text, a Markdown page with plots) and for programs (JSON).
#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "reproduce/experiment.h"

namespace sinew {

struct ExperimentResult {
  const Experiment* experiment;
  ExperimentReport report;
  double seconds;  // that it took
};

// All there are, by name.
std::span<const Experiment* const> experiments();
// Throws Error that names those there are.
const Experiment& find_experiment(std::string_view id);
ExperimentResult run_experiment(const Experiment& experiment, const ExperimentOptions& options);

struct ClaimCount {
  int hold = 0, miss = 0;
};
ClaimCount count_claims(std::span<const ExperimentResult> results);

std::string to_text(const ExperimentResult& result);
nlohmann::ordered_json to_json(const ExperimentResult& result);
// A section for each; plots are shown from plots/.
std::string to_markdown(std::span<const ExperimentResult> results,
                        const ExperimentOptions& options);
// folder/results.md and folder/plots/ID-NAME.svg
void write_results(const std::filesystem::path& folder, std::span<const ExperimentResult> results,
                   const ExperimentOptions& options);

}  // namespace sinew
