// Line plots as SVG: what `sinew fit` and `sinew reproduce` draw. The files are small, plain text,
// the same bytes for the same data, and readable on a light and on a dark page.
#pragma once

#include <string>
#include <vector>

namespace sinew {

struct Series {
  std::string label = {};  // in the legend; empty: not listed there
  std::vector<double> x = {}, y = {};
  bool line = true, markers = false;
  bool dashed = false;
  int colour = -1;  // 0 to 7, to share one with another series; -1: by its place in the list
};

struct Axis {
  std::string label;  // with the unit in brackets: "deflection [mm]"
  bool logarithmic = false;
};

struct Plot {
  std::string title;
  Axis x, y;
  std::vector<Series> series;
};

// Points that are not finite, or not positive on a logarithmic axis, are left out and break the
// line.
std::string to_svg(const Plot& plot);

}  // namespace sinew
