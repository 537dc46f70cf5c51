// An axis of a plot: which values it spans, where its ticks are, how they are written.
#pragma once

#include <string>
#include <vector>

namespace sinew {

// Can the value be drawn on such an axis?
bool drawable(double value, bool logarithmic);

class Scale {
 public:
  struct Tick {
    double value;
    std::string label;  // empty: a fine line without a number
  };

  // For values from `least` to `most`, which are drawable. The span is widened to whole ticks, if
  // `whole_ticks` or if that takes little room.
  Scale(double least, double most, bool logarithmic, bool whole_ticks);

  // 0 at the lower end, 1 at the upper.
  double place(double value) const;
  const std::vector<Tick>& ticks() const { return ticks_; }

 private:
  void linear_ticks(bool whole_ticks);
  void decade_ticks(bool whole_ticks);
  double transformed(double value) const;

  bool logarithmic_;
  double lower_, upper_;
  std::vector<Tick> ticks_;
};

}  // namespace sinew
