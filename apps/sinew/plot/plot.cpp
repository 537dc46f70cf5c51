// SVG is written as text: a card with title, legend, grid, axes and one path for each line. Colours
// are classes of a style sheet that follows the reader's light or dark page.
#include "plot/plot.h"

#include <fmt/format.h>
#include <sinew/error.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <limits>

#include "plot/scale.h"

namespace sinew {
namespace {

constexpr double kWidth = 720, kPlotHeight = 340;
constexpr double kLeft = 78, kRight = 28, kTop = 52, kBottom = 58;
constexpr double kLegendRow = 22, kLetter = 6.9, kKey = 30, kLegendGap = 22;
constexpr int kColours = 8;
constexpr std::size_t kPointsMax = 4000;  // of all series together: some 50 kB

// Blue, orange, green, red, violet, brown, cyan, grey: told apart by most eyes, and each dark
// enough for white or light enough for black.
constexpr const char* kStyle = R"(<style>
text{font:13px system-ui,-apple-system,"Segoe UI","DejaVu Sans",sans-serif;fill:#3d4451}
.title{font-weight:600;fill:#1b1f27}.label{font-size:13.5px}
.card{fill:#fff;stroke:#d9dee7}.grid{stroke:#e4e8ef}.fine{stroke:#f1f3f7}.axis{stroke:#9aa3b2}
.grid,.fine,.axis{fill:none;stroke-width:1}
.line{fill:none;stroke-width:2;stroke-linejoin:round;stroke-linecap:round}
.dash{stroke-dasharray:7 5}
.mark{stroke:#fff;stroke-width:1;stroke-linejoin:round}
.s0{stroke:#1f6fd1}.s1{stroke:#d9640a}.s2{stroke:#1a8f4c}.s3{stroke:#cf2e3c}
.s4{stroke:#8250c4}.s5{stroke:#8a5a33}.s6{stroke:#0d8a99}.s7{stroke:#69707d}
.m0{fill:#1f6fd1}.m1{fill:#d9640a}.m2{fill:#1a8f4c}.m3{fill:#cf2e3c}
.m4{fill:#8250c4}.m5{fill:#8a5a33}.m6{fill:#0d8a99}.m7{fill:#69707d}
@media (prefers-color-scheme:dark){
text{fill:#b9c1ce}.title{fill:#eef1f6}
.card{fill:#14181f;stroke:#2c333f}.grid{stroke:#2a313c}.fine{stroke:#1e242d}.axis{stroke:#6d7786}
.mark{stroke:#14181f}
.s0{stroke:#62a8ff}.s1{stroke:#ff9d4d}.s2{stroke:#4fce86}.s3{stroke:#ff7280}
.s4{stroke:#b794f4}.s5{stroke:#cf9f74}.s6{stroke:#45c8d8}.s7{stroke:#a3acba}
.m0{fill:#62a8ff}.m1{fill:#ff9d4d}.m2{fill:#4fce86}.m3{fill:#ff7280}
.m4{fill:#b794f4}.m5{fill:#cf9f74}.m6{fill:#45c8d8}.m7{fill:#a3acba}}
</style>
)";

std::string escaped(const std::string& text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;  // not allowed in XML
    }
  }
  return out;
}

// About as wide as it will be drawn: the font is the reader's.
double text_width(const std::string& text) {
  const auto letters = std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0) != 0x80;  // not a continuation in UTF-8
  });
  return kLetter * double(letters);
}

struct Point {
  double x, y;
};
using Run = std::vector<Point>;  // drawn in one stroke

class Drawing {
 public:
  explicit Drawing(const Plot& plot)
      : plot_(plot), x_(span(&Series::x, plot.x, false)), y_(span(&Series::y, plot.y, true)) {
    place_legend();
    top_ = kTop + kLegendRow * legend_rows_;
  }

  std::string svg() {
    const double height = top_ + kPlotHeight + kBottom;
    add(R"(<svg xmlns="http://www.w3.org/2000/svg" width="{:g}" height="{:g}" viewBox="0 0 {:g} {:g}" role="img">)"
        "\n<title>{}</title>\n",
        kWidth, height, kWidth, height, escaped(plot_.title));
    svg_ += kStyle;
    add("<rect class=\"card\" x=\".5\" y=\".5\" width=\"{:g}\" height=\"{:g}\" rx=\"10\"/>\n",
        kWidth - 1, height - 1);
    // A long title is drawn smaller, to stay on the card.
    const double title_size = std::min(16.0, 13 * (kWidth - 90) / (text_width(plot_.title) + 1));
    add("<text x=\"{:.1f}\" y=\"30.0\" text-anchor=\"middle\" class=\"title\" "
        "style=\"font-size:{:.1f}px\">{}</text>\n",
        kWidth / 2, title_size, escaped(plot_.title));
    axes();
    for (std::size_t i = 0; i < plot_.series.size(); ++i) series(i);
    legend();
    return svg_ + "</svg>\n";
  }

 private:
  template <class... Arguments>
  void add(fmt::format_string<Arguments...> format, Arguments&&... arguments) {
    fmt::format_to(std::back_inserter(svg_), format, std::forward<Arguments>(arguments)...);
  }
  void text(double x, double y, const char* anchor, const char* kind, const std::string& content) {
    add("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\" class=\"{}\">{}</text>\n", x, y, anchor,
        kind, escaped(content));
  }

  bool can_draw(const Series& s, std::size_t i) const {
    return drawable(s.x[i], plot_.x.logarithmic) && drawable(s.y[i], plot_.y.logarithmic);
  }

  // From the least to the greatest value that is drawn.
  Scale span(std::vector<double> Series::*values, const Axis& axis, bool whole_ticks) const {
    double least = std::numeric_limits<double>::infinity(), most = -least;
    for (const Series& s : plot_.series)
      for (std::size_t i = 0; i < s.x.size(); ++i)
        if (can_draw(s, i))
          least = std::min(least, (s.*values)[i]), most = std::max(most, (s.*values)[i]);
    if (!(least <= most)) least = axis.logarithmic ? 1 : 0, most = axis.logarithmic ? 10 : 1;
    return {least, most, axis.logarithmic, whole_ticks};
  }

  double across(double value) const { return kLeft + x_.place(value) * (kWidth - kLeft - kRight); }
  double down(double value) const { return top_ + (1 - y_.place(value)) * kPlotHeight; }

  void axes() {
    const double right = kWidth - kRight, bottom = top_ + kPlotHeight;
    for (const Scale::Tick& tick : x_.ticks()) {
      const double x = across(tick.value);
      add("<path class=\"{}\" d=\"M{:.1f} {:.1f}V{:.1f}\"/>\n",
          tick.label.empty() ? "fine" : "grid", x, top_, bottom);
      if (!tick.label.empty()) text(x, bottom + 19, "middle", "tick", tick.label);
    }
    for (const Scale::Tick& tick : y_.ticks()) {
      const double y = down(tick.value);
      add("<path class=\"{}\" d=\"M{:.1f} {:.1f}H{:.1f}\"/>\n",
          tick.label.empty() ? "fine" : "grid", kLeft, y, right);
      if (!tick.label.empty()) text(kLeft - 9, y + 4.5, "end", "tick", tick.label);
    }
    add("<path class=\"axis\" d=\"M{:.1f} {:.1f}V{:.1f}H{:.1f}\"/>\n", kLeft, top_, bottom, right);
    text((kLeft + right) / 2, bottom + 44, "middle", "label", plot_.x.label);
    add("<text transform=\"translate(20 {:.1f}) rotate(-90)\" text-anchor=\"middle\" "
        "class=\"label\">{}</text>\n",
        top_ + kPlotHeight / 2, escaped(plot_.y.label));
  }

  // Where the points of a series are, in runs without gaps.
  std::vector<Run> runs(const Series& s) const {
    std::vector<Run> result(1);
    for (std::size_t i = 0; i < s.x.size(); ++i)
      if (can_draw(s, i))
        result.back().push_back({across(s.x[i]), down(s.y[i])});
      else if (!result.back().empty())
        result.emplace_back();
    return result;
  }

  // At most about `most` points that look the same: of each stretch its ends, top and bottom.
  static Run thinned(const Run& run, std::size_t most) {
    if (run.size() <= most) return run;
    const std::size_t stretches = std::max<std::size_t>(1, most / 4);
    Run result;
    for (std::size_t s = 0; s < stretches; ++s) {
      const std::size_t from = s * run.size() / stretches, to = (s + 1) * run.size() / stretches;
      std::array<std::size_t, 4> keep{from, from, from, to - 1};
      for (std::size_t i = from; i < to; ++i) {
        if (run[i].y < run[keep[1]].y) keep[1] = i;
        if (run[i].y > run[keep[2]].y) keep[2] = i;
      }
      std::sort(keep.begin(), keep.end());
      const auto end = std::unique(keep.begin(), keep.end());
      for (auto i = keep.begin(); i != end; ++i) result.push_back(run[*i]);
    }
    return result;
  }

  // A mark round a point: a disc, square, diamond or triangle, by the series.
  static std::string mark(Point p, std::size_t index) {
    const double x = p.x, y = p.y;
    switch (index % 4) {
      case 0:
        return fmt::format("M{:.1f} {:.1f}a4 4 0 1 0 8 0a4 4 0 1 0-8 0z", x - 4, y);
      case 1:
        return fmt::format("M{:.1f} {:.1f}h7v7h-7z", x - 3.5, y - 3.5);
      case 2:
        return fmt::format("M{:.1f} {:.1f}l5 5-5 5-5-5z", x, y - 5);
      default:
        return fmt::format("M{:.1f} {:.1f}l4.6 8h-9.2z", x, y - 5);
    }
  }

  std::size_t colour(std::size_t index) const {
    const int chosen = plot_.series[index].colour;
    return (chosen < 0 ? index : std::size_t(chosen)) % kColours;
  }

  void stroke(std::size_t index, const std::string& path) {
    add("<path class=\"line s{}{}\" d=\"{}\"/>\n", colour(index),
        plot_.series[index].dashed ? " dash" : "", path);
  }
  void marks(std::size_t index, const std::string& path) {
    add("<path class=\"mark m{}\" d=\"{}\"/>\n", colour(index), path);
  }

  void series(std::size_t index) {
    const Series& s = plot_.series[index];
    std::size_t drawn = 1;
    const std::vector<Run> all = runs(s);
    for (const Run& run : all) drawn += run.size();
    const std::size_t share = kPointsMax / plot_.series.size();
    std::string line, points;
    for (const Run& run : all) {
      const Run few = drawn <= share ? run : thinned(run, share * run.size() / drawn);
      for (std::size_t i = 0; i < few.size(); ++i) {
        fmt::format_to(std::back_inserter(line), "{}{:.1f} {:.1f}", i == 0 ? 'M' : 'L', few[i].x,
                       few[i].y);
        // A point alone is a stroke of no length, which round ends make a dot.
        if (few.size() == 1) line += "h0";
      }
      if (s.markers)
        for (const Point& p : few) points += mark(p, index);
    }
    if (s.line && !line.empty()) stroke(index, line);
    if (!points.empty()) marks(index, points);
  }

  // In rows below the title, each centred.
  void place_legend() {
    double row_width = 0;
    for (std::size_t i = 0; i < plot_.series.size(); ++i) {
      const std::string& label = plot_.series[i].label;
      if (label.empty()) continue;
      const double width = kKey + text_width(label) + kLegendGap;
      if (entries_.empty() || row_width + width > kWidth - 40) ++legend_rows_, row_width = 0;
      entries_.push_back({i, legend_rows_ - 1, row_width});
      row_width += width;
      row_widths_.resize(std::size_t(legend_rows_));
      row_widths_.back() = row_width - kLegendGap;
    }
  }

  void legend() {
    for (const Entry& entry : entries_) {
      const Series& s = plot_.series[entry.series];
      const double x =
          std::max(12.0, (kWidth - row_widths_[std::size_t(entry.row)]) / 2) + entry.offset;
      const double y = kTop + kLegendRow * entry.row + 1;
      if (s.line) stroke(entry.series, fmt::format("M{:.1f} {:.1f}h24", x, y));
      if (s.markers) marks(entry.series, mark({x + 12, y}, entry.series));
      text(x + kKey, y + 4.5, "start", "key", s.label);
    }
  }

  struct Entry {
    std::size_t series;
    int row;
    double offset;
  };

  const Plot& plot_;
  Scale x_, y_;
  std::vector<Entry> entries_;
  std::vector<double> row_widths_;
  int legend_rows_ = 0;
  double top_ = 0;
  std::string svg_;
};

}  // namespace

std::string to_svg(const Plot& plot) {
  for (const Series& s : plot.series)
    if (s.x.size() != s.y.size())
      throw Error(fmt::format("plot \"{}\": series \"{}\" has {} values of x and {} of y",
                              plot.title, s.label, s.x.size(), s.y.size()));
  return Drawing(plot).svg();
}

}  // namespace sinew
