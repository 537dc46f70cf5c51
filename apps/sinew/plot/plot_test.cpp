// What a reader of a plot relies on: it is well-formed, complete, small, and its axes tell the
// truth.
#include "plot/plot.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <regex>

#include "plot/scale.h"
#include "support.h"

namespace sinew {
namespace {

Plot parabola() {
  Plot plot{.title = "A title", .x = {.label = "x [m]"}, .y = {.label = "y [N]"}, .series = {}};
  Series s{.label = "parabola", .x = {}, .y = {}, .markers = true};
  for (int i = 0; i <= 10; ++i) s.x.push_back(i), s.y.push_back(i * i);
  plot.series.push_back(s);
  return plot;
}

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = 0; (at = text.find(part, at)) != std::string::npos; at += part.size())
    ++found;
  return found;
}

std::vector<std::string> labels(const Scale& scale) {
  std::vector<std::string> result;
  for (const Scale::Tick& tick : scale.ticks())
    if (!tick.label.empty()) result.push_back(tick.label);
  return result;
}
using Texts = std::vector<std::string>;

// Every element that is opened is closed, in order.
void expect_well_formed(const std::string& svg) {
  static const std::regex kTag("<(/?)([a-z]+)([^<>]*?)(/?)>");
  std::vector<std::string> open;
  for (std::sregex_iterator tag(svg.begin(), svg.end(), kTag), end; tag != end; ++tag) {
    if ((*tag)[1].length()) {
      ASSERT_FALSE(open.empty());
      EXPECT_EQ(open.back(), (*tag)[2].str());
      open.pop_back();
    } else if (!(*tag)[4].length()) {
      open.push_back((*tag)[2].str());
    }
  }
  EXPECT_TRUE(open.empty());
  EXPECT_FALSE(contains(svg, "nan"));
  EXPECT_FALSE(contains(svg, "inf"));
  EXPECT_LT(svg.size(), 100'000u);
}

TEST(Plot, HasTitleLabelsLegendAndAllPoints) {
  const std::string svg = to_svg(parabola());
  expect_well_formed(svg);
  for (const char* part : {">A title<", ">x [m]<", ">y [N]<", ">parabola<", ">100<",
                           "prefers-color-scheme:dark", "class=\"line s0\""})
    EXPECT_PRED2(contains, svg, part);
  EXPECT_EQ(count(svg, "a4 4 0 1 0 8 0"), 11u + 1);  // and the one in the legend
  EXPECT_EQ(svg, to_svg(parabola()));
  Plot other = parabola();
  other.series[0].colour = 3;
  other.series[0].dashed = true;
  EXPECT_PRED2(contains, to_svg(other), "class=\"line s3 dash\"");
  EXPECT_PRED2(contains, to_svg(other), "class=\"mark m3\"");
}

TEST(Plot, DrawsPointsWhereTheyBelong) {
  // The axes are the ends of the data: the line runs from corner to corner.
  Plot plot = parabola();
  plot.series[0] = {.label = "", .x = {0, 10}, .y = {0, 100}};
  EXPECT_PRED2(contains, to_svg(plot), "d=\"M78.0 392.0L692.0 52.0\"");
  plot.x.logarithmic = plot.y.logarithmic = true;
  plot.series[0] = {.label = "", .x = {1, 10, 100}, .y = {0.01, 0.1, 1}};
  EXPECT_PRED2(contains, to_svg(plot), "d=\"M78.0 392.0L385.0 222.0L692.0 52.0\"");
}

TEST(Plot, EscapesText) {
  Plot plot = parabola();
  plot.title = "a < b & \"c\" > d\n";
  plot.series[0].label = "<script>";
  const std::string svg = to_svg(plot);
  expect_well_formed(svg);
  EXPECT_PRED2(contains, svg, "a &lt; b &amp; &quot;c&quot; &gt; d ");
  EXPECT_PRED2(contains, svg, "&lt;script&gt;");
}

TEST(Plot, GapsBreakTheLine) {
  Plot plot = parabola();
  plot.series[0].markers = false;
  const auto strokes = [&] {
    const std::string svg = to_svg(plot);
    const std::size_t at = svg.find("class=\"line s0\"");
    return count(svg.substr(at, svg.find("/>", at) - at), "M");
  };
  EXPECT_EQ(strokes(), 1u);
  plot.series[0].y[4] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(strokes(), 2u);
  plot.series[0].x[8] = std::numeric_limits<double>::infinity();
  EXPECT_EQ(strokes(), 3u);
  plot.y.logarithmic = true;  // the first point is (0, 0)
  EXPECT_EQ(strokes(), 3u);
  expect_well_formed(to_svg(plot));
}

TEST(Plot, StrangeDataIsDrawnAsFarAsItGoes) {
  const double huge = std::numeric_limits<double>::max(), tiny = 5e-324;
  for (const bool logarithmic : {false, true})
    for (const std::vector<double>& values : {std::vector<double>{},
                                              {1},
                                              {0, 0},
                                              {-1, -1},
                                              {3, 3},
                                              {1e300, -1e300},
                                              {huge, -huge},
                                              {tiny, 2 * tiny},
                                              {1, 1 + 1e-15},
                                              {1e-300, 1e300},
                                              {5, 6, 7},
                                              {1e-12, 3e-12}}) {
      Plot plot{.title = "", .x = {}, .y = {.label = "", .logarithmic = logarithmic}, .series = {}};
      plot.series.push_back({.label = "s",
                             .x = std::vector<double>(values.size(), 1.0),
                             .y = values,
                             .markers = true});
      expect_well_formed(to_svg(plot));
      std::swap(plot.series[0].x, plot.series[0].y), std::swap(plot.x, plot.y);
      expect_well_formed(to_svg(plot));
    }
  expect_well_formed(to_svg({}));
}

TEST(Plot, ManyPointsStaySmallAndKeepTheirPeaks) {
  Plot plot = parabola();
  plot.series.clear();
  for (int s = 0; s < 12; ++s) {
    Series series{.label = "a series with quite a long name", .x = {}, .y = {}};
    for (int i = 0; i < 20'000; ++i)
      series.x.push_back(i), series.y.push_back(std::sin(i * (s + 1) * 0.37));
    series.y[12'345] = 10;
    plot.series.push_back(series);
  }
  const std::string svg = to_svg(plot);
  expect_well_formed(svg);
  // y = 10 is at the top: four rows of legend below the title.
  EXPECT_GE(count(svg, " " + std::to_string(52 + 22 * 6) + ".0"), 12u);
}

TEST(Plot, RefusesUnequalLengths) {
  Plot plot = parabola();
  plot.series[0].y.pop_back();
  expect_error([&] { to_svg(plot); }, {"A title", "parabola", "11 values of x", "10 of y"});
}

TEST(Scale, LinearTicksAreRound) {
  EXPECT_EQ(labels(Scale(0, 0.49, false, true)), (Texts{"0", "0.1", "0.2", "0.3", "0.4", "0.5"}));
  EXPECT_EQ(labels(Scale(-3, 7, false, true)), (Texts{"−4", "−2", "0", "2", "4", "6", "8"}));
  EXPECT_EQ(labels(Scale(0, 5e6, false, true)).back(), "5·10⁶");
  EXPECT_EQ(labels(Scale(0, 2e-6, false, true)).back(), "2.0·10⁻⁶");
  EXPECT_EQ(Scale(1, 20, false, false).place(20), 1);
  for (const auto& [least, most] : {std::pair{0.0, 1.0}, {1.0, 20.0}, {-5e9, 1.0}, {0.1, 0.1003}}) {
    const Scale scale(least, most, false, true);
    EXPECT_GE(labels(scale).size(), 3u);
    EXPECT_LE(labels(scale).size(), 12u);
    const double slack = 1e-8 * (most - least);
    EXPECT_LE(scale.ticks().front().value, least + slack);
    EXPECT_GE(scale.ticks().back().value, most - slack);
  }
}

TEST(Scale, LogarithmicTicksAreDecades) {
  EXPECT_EQ(labels(Scale(1e-6, 1, true, true)),
            (Texts{"10⁻⁶", "10⁻⁵", "10⁻⁴", "10⁻³", "0.01", "0.1", "1"}));
  EXPECT_EQ(labels(Scale(1, 20, true, true)), (Texts{"1", "2", "5", "10", "20"}));
  EXPECT_LE(labels(Scale(1e-200, 1e200, true, true)).size(), 12u);
  EXPECT_GE(labels(Scale(3, 4, true, true)).size(), 2u);
}

}  // namespace
}  // namespace sinew
