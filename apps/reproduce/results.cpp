#include "reproduce/results.h"

#include <fmt/format.h>
#include <sinew/error.h>

#include <algorithm>
#include <chrono>

#include "core/atomic_file.h"
#include "core/pack.h"
#include "experiment_list.h"

namespace sinew {
namespace {

using Finding = ExperimentReport::Finding;

// Columns that a text takes on a terminal: code points, which is right for what is written here.
std::size_t width(std::string_view text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

std::string padded(const std::string& text, std::size_t columns) {
  return text + std::string(columns - std::min(columns, width(text)), ' ');
}

std::string verdict(const Finding& finding) {
  if (finding.holds) return "✓ holds";
  return finding.reason.empty() ? "✗ does not hold" : "✗ does not hold: " + finding.reason;
}

std::string file_name(const ExperimentResult& result, const std::string& plot) {
  return fmt::format("{}-{}.svg", result.experiment->id, plot);
}

std::string table_text(const Table& table) {
  std::vector<std::size_t> widths(table.columns.size());
  const auto widen = [&](const std::vector<std::string>& row) {
    for (std::size_t i = 0; i < std::min(row.size(), widths.size()); ++i)
      widths[i] = std::max(widths[i], width(row[i]));
  };
  const auto line = [&](const std::vector<std::string>& row) {
    std::string text = "   ";
    for (std::size_t i = 0; i < std::min(row.size(), widths.size()); ++i)
      text.append(1, ' ').append(padded(row[i], widths[i] + 1));
    while (text.back() == ' ') text.pop_back();
    return text.append(1, '\n');
  };
  widen(table.columns);
  for (const auto& row : table.rows) widen(row);
  std::string text = fmt::format("  {}\n{}", table.title, line(table.columns));
  for (const auto& row : table.rows) text += line(row);
  return text;
}

std::string table_row(const std::vector<std::string>& cells) {
  return fmt::format("| {} |\n", fmt::join(cells, " | "));
}

std::string table_markdown(const std::vector<std::string>& columns,
                           const std::vector<std::vector<std::string>>& rows) {
  std::string text =
      table_row(columns) + table_row(std::vector<std::string>(columns.size(), "---"));
  for (const auto& row : rows) text += table_row(row);
  return text;
}

std::string section(const ExperimentResult& result) {
  const ExperimentReport& report = result.report;
  std::string text = fmt::format("## {}\n\n`{}` · {}\n\n", result.experiment->title,
                                 result.experiment->id, result.experiment->source);
  std::vector<std::vector<std::string>> rows;
  for (const Finding& f : report.findings) rows.push_back({f.claim, f.figure, verdict(f)});
  if (!rows.empty()) text += table_markdown({"claim", "measured", ""}, rows) + "\n";
  for (const std::string& note : report.notes) text += note + "\n\n";
  for (const Table& table : report.tables)
    text += fmt::format("{}:\n\n{}\n", table.title, table_markdown(table.columns, table.rows));
  for (const auto& [name, plot] : report.plots)
    text += fmt::format("![{}](plots/{})\n\n", plot.title, file_name(result, name));
  return text;
}

// The claims that do not hold, by experiment; empty where all hold.
std::string misses_list(std::span<const ExperimentResult> results) {
  std::string text;
  for (const ExperimentResult& result : results)
    for (const Finding& f : result.report.findings)
      if (!f.holds)
        text += fmt::format("- `{}`: {}. Measured: {}. {}\n", result.experiment->id, f.claim,
                            f.figure, f.reason);
  return text.empty() ? text : "## Claims that do not hold\n\n" + text + "\n";
}

}  // namespace

std::span<const Experiment* const> experiments() { return kExperiments; }

const Experiment& find_experiment(std::string_view id) {
  std::vector<std::string_view> ids;
  for (const Experiment* experiment : kExperiments) {
    if (id == experiment->id) return *experiment;
    ids.push_back(experiment->id);
  }
  throw Error(fmt::format("there is no experiment '{}'; there are: {}", id, fmt::join(ids, ", ")));
}

ExperimentResult run_experiment(const Experiment& experiment, const ExperimentOptions& options) {
  ExperimentResult result{&experiment, {}, 0};
  const auto start = std::chrono::steady_clock::now();
  experiment.run(options, result.report);
  result.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return result;
}

ClaimCount count_claims(std::span<const ExperimentResult> results) {
  ClaimCount count;
  for (const ExperimentResult& result : results)
    for (const Finding& f : result.report.findings) ++(f.holds ? count.hold : count.miss);
  return count;
}

std::string to_text(const ExperimentResult& result) {
  const ExperimentReport& report = result.report;
  std::string text = fmt::format("{}: {} ({})\n", result.experiment->id, result.experiment->title,
                                 result.experiment->source);
  for (const Finding& f : report.findings)
    text += fmt::format("  {}  {}\n{:>5}{}{}\n", f.holds ? "✓" : "✗", f.claim, "", f.figure,
                        f.holds ? "" : fmt::format("\n{:>5}{}", "", verdict(f)));
  for (const std::string& note : report.notes) text += fmt::format("  {}\n", note);
  for (const Table& table : report.tables) text.append(1, '\n').append(table_text(table));
  return text + fmt::format("\n  {:.1f} s\n", result.seconds);
}

nlohmann::ordered_json to_json(const ExperimentResult& result) {
  using Json = nlohmann::ordered_json;
  const ExperimentReport& report = result.report;
  Json findings = Json::array(), tables = Json::array(), plots = Json::array();
  for (const Finding& f : report.findings)
    findings.push_back({{"claim", f.claim},
                        {"figure", f.figure},
                        {"holds", f.holds},
                        {"timed", f.timed},
                        {"reason", f.reason}});
  for (const Table& t : report.tables)
    tables.push_back({{"title", t.title}, {"columns", t.columns}, {"rows", t.rows}});
  for (const auto& [name, plot] : report.plots) {
    Json series = Json::array();
    for (const Series& s : plot.series)
      series.push_back({{"label", s.label}, {"x", s.x}, {"y", s.y}});
    plots.push_back({{"name", name},
                     {"title", plot.title},
                     {"x", plot.x.label},
                     {"y", plot.y.label},
                     {"series", series}});
  }
  return {{"id", result.experiment->id},
          {"title", result.experiment->title},
          {"source", result.experiment->source},
          {"seconds", result.seconds},
          {"findings", findings},
          {"notes", report.notes},
          {"tables", tables},
          {"plots", plots}};
}

std::string to_markdown(std::span<const ExperimentResult> results,
                        const ExperimentOptions& options) {
  std::vector<std::string> ids;
  std::string sections;
  for (const ExperimentResult& result : results) {
    ids.push_back(result.experiment->id);
    sections += section(result);
  }
  const ClaimCount count = count_claims(results);
  return fmt::format(
             "# Results\n\nThe literature's figures and tables, run again on Sinew: {} claims "
             "hold, "
             "{} do not. Written by "
             "`sinew reproduce {}{} --out DIR` ({}, packs of {}, {} thread{}).\n\n",
             count.hold, count.miss, fmt::join(ids, " "), options.small ? " --small" : "",
             sizeof(Real) == 4 ? "float" : "double", kLanes, options.threads,
             options.threads == 1 ? "" : "s") +
         misses_list(results) + sections;
}

void write_results(const std::filesystem::path& folder, std::span<const ExperimentResult> results,
                   const ExperimentOptions& options) {
  std::error_code failure;
  std::filesystem::create_directories(folder / "plots", failure);
  if (failure)
    throw Error(
        fmt::format("{}: cannot be made: {}", (folder / "plots").string(), failure.message()));
  for (const ExperimentResult& result : results)
    for (const auto& [name, plot] : result.report.plots)
      write_file(folder / "plots" / file_name(result, name), to_svg(plot));
  std::string page = to_markdown(results, options);
  while (page.ends_with("\n\n")) page.pop_back();
  write_file(folder / "results.md", page);
}

}  // namespace sinew
