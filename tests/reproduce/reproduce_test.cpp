// Every experiment of `sinew reproduce`, at small size: its claims hold, but for those about time,
// which a busy machine may miss. And what is made of the results.
#include "reproduce/results.h"
#include "support.h"

namespace sinew {
namespace {

class Reproduce : public testing::TestWithParam<const Experiment*> {};

TEST_P(Reproduce, EveryClaimHolds) {
  const ExperimentResult result = run_experiment(*GetParam(), {.small = true, .threads = 1});
  EXPECT_FALSE(result.report.findings.empty());
  for (const auto& finding : result.report.findings)
    EXPECT_TRUE(finding.holds || finding.timed) << finding.claim << ": " << finding.figure;
  for (const Table& table : result.report.tables)
    for (const auto& row : table.rows) EXPECT_EQ(row.size(), table.columns.size()) << table.title;
  for (const auto& [name, plot] : result.report.plots)
    for (const Series& series : plot.series) EXPECT_EQ(series.x.size(), series.y.size()) << name;
}

std::string test_name(const testing::TestParamInfo<const Experiment*>& info) {
  std::string name = info.param->id;
  for (char& c : name)
    if (c == '-') c = '_';
  return name;
}

INSTANTIATE_TEST_SUITE_P(Cases, Reproduce,
                         testing::ValuesIn(experiments().begin(), experiments().end()), test_name);

TEST(ReproduceResults, PagesShowFindingsTablesAndPlots) {
  const Experiment experiment{"some-thing", "Some thing", "seed 000, §0", nullptr};
  ExperimentResult result{&experiment, {}, 1.5};
  result.report.check("it is so", "42", true);
  result.report.check_time("it is quick", "1 s", false);
  result.report.note("Worth saying.");
  result.report.table({"Figures", {"size [m]", "σ"}, {{"1", "2"}}});
  result.report.plot("curve", {"A curve", {"x"}, {"y"}, {}});

  const std::string text = to_text(result);
  for (const char* part : {"some-thing", "✓ holds", "✗ misses", "it is quick", "42", "size [m]"})
    EXPECT_PRED2(contains, text, part);

  const std::string page = to_markdown({&result, 1}, {});
  for (const char* part : {"1 of 2 claims", "## Some thing", "| it is so | 42 | ✓ holds |",
                           "![A curve](plots/some-thing-curve.svg)", "| size [m] | σ |"})
    EXPECT_PRED2(contains, page, part);

  const auto json = to_json(result);
  EXPECT_EQ(json["findings"][1]["timed"], true);
  EXPECT_EQ(json["findings"][1]["holds"], false);
  EXPECT_EQ(json["tables"][0]["rows"][0][1], "2");
}

TEST(ReproduceResults, UnknownExperimentsAreNamed) {
  expect_error([] { find_experiment("nothing"); }, {"nothing", "rotation-sweep"});
}

}  // namespace
}  // namespace sinew
