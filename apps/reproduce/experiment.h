// One figure or table of the literature, run again on Sinew: what it claims, what was measured, and
// whether the claim holds. Each file in cases/ defines `const Experiment k_NAME`; CMake gathers
// them.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "plot/plot.h"

namespace sinew {

struct Table {
  std::string title;
  std::vector<std::string> columns;  // with units: "time [ns]"
  std::vector<std::vector<std::string>> rows;
};

// What an experiment is asked for.
struct ExperimentOptions {
  bool small = false;  // seconds instead of minutes: smaller meshes, fewer repeats
  int threads = 1;
  std::string data = {};  // folder with meshes of the literature; empty: look-alikes are made
};

// What an experiment found. It is printed, written as JSON, and becomes a section of
// docs/results.md.
class ExperimentReport {
 public:
  struct Finding {
    std::string claim;   // "spin is at least 4× faster than the signed SVD (Lewin §3.4: 4.3×)"
    std::string figure;  // "6.2×: 9.1 ns against 56.4 ns"
    bool holds;
    bool timed;          // by the clock: tests run on busy machines and skip it
    std::string reason;  // why it does not hold, where that is known; empty otherwise
  };

  // A claim that is checked. It must be able to fail. A claim of the document that is known not to
  // hold here is checked all the same: `reason` says why, and is told only while it does not hold.
  // tests/reproduce keeps the list of such claims.
  void check(std::string claim, std::string figure, bool holds, std::string reason = {}) {
    add({std::move(claim), std::move(figure), holds, false, std::move(reason)});
  }
  // A claim about time.
  void check_time(std::string claim, std::string figure, bool holds, std::string reason = {}) {
    add({std::move(claim), std::move(figure), holds, true, std::move(reason)});
  }
  // Something worth saying that is not a claim.
  void note(std::string text) { notes.push_back(std::move(text)); }
  void table(Table t) { tables.push_back(std::move(t)); }
  // `name` becomes the file's: ID-name.svg.
  void plot(std::string name, Plot p) { plots.push_back({std::move(name), std::move(p)}); }

  std::vector<Finding> findings;
  std::vector<std::string> notes;
  std::vector<Table> tables;
  std::vector<std::pair<std::string, Plot>> plots;

 private:
  void add(Finding finding) {
    if (finding.holds) finding.reason.clear();
    findings.push_back(std::move(finding));
  }
};

struct Experiment {
  const char* id;      // "rotation-cost"
  const char* title;   // "What extracting a rotation costs"
  const char* source;  // "Lewin §3.4": author, chapter, figure
  void (*run)(const ExperimentOptions& options, ExperimentReport& report);
};

}  // namespace sinew
