#include "plot/scale.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

constexpr double kGreatest = 1e300;  // differences of such numbers are still finite
constexpr int kTicksWanted = 6;
constexpr double kLittleRoom = 0.06;  // of the span, at either end

// 1, 2 or 5 times a power of ten.
double nice_step(double span) {
  const double raw = span / kTicksWanted;
  const double power = std::pow(10, std::floor(std::log10(raw)));
  for (const double factor : {1.0, 2.0, 5.0})
    if (factor * power >= raw * (1 - 1e-9)) return factor * power;
  return 10 * power;
}

std::string superscript(int number) {
  static constexpr const char* kDigits[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  std::string text;
  for (const char c : std::to_string(number)) text += c == '-' ? "⁻" : kDigits[c - '0'];
  return text;
}

std::string with_minus(std::string text) {
  return text.starts_with('-') ? "−" + text.substr(1) : text;
}

// Ticks are `step` apart, and the greatest is `most`: as many decimals as tell them apart.
std::string label(double value, double step, double most) {
  if (std::abs(value) < step * 1e-6) return "0";
  const int exponent = int(std::floor(std::log10(most) + 1e-9));
  const int decimals = int(std::ceil(-std::log10(step) - 1e-9));
  if (exponent <= 4 && exponent >= -3)
    return with_minus(fmt::format("{:.{}f}", value, std::clamp(decimals, 0, 15)));
  const double mantissa = value / std::pow(10, exponent);
  return with_minus(fmt::format("{:.{}f}·10{}", mantissa, std::clamp(decimals + exponent, 0, 15),
                                superscript(exponent)));
}

std::string decade_label(int exponent) {
  if (exponent >= -2 && exponent <= 3) return fmt::format("{:g}", std::pow(10, exponent));
  return "10" + superscript(exponent);
}

}  // namespace

bool drawable(double value, bool logarithmic) {
  return std::abs(value) <= kGreatest && (!logarithmic || value >= 1 / kGreatest);
}

Scale::Scale(double least, double most, bool logarithmic, bool whole_ticks)
    : logarithmic_(logarithmic), lower_(least), upper_(most) {
  if (logarithmic_) {
    if (upper_ < lower_ * 1.001) lower_ /= 2, upper_ *= 2;
    decade_ticks(whole_ticks);
  } else {
    // Equal values, or nearly, still get an axis round them.
    const double least_span = std::max(std::abs(lower_), std::abs(upper_)) * 1e-9;
    if (upper_ - lower_ <= least_span) {
      const double half = lower_ == 0 ? 1 : std::abs(lower_) / 2;
      lower_ -= half, upper_ += half;
    }
    linear_ticks(whole_ticks);
  }
}

void Scale::linear_ticks(bool whole_ticks) {
  const double step = nice_step(upper_ - lower_);
  const double room = kLittleRoom * (upper_ - lower_);
  const double below = std::floor(lower_ / step + 1e-9) * step;
  const double above = std::ceil(upper_ / step - 1e-9) * step;
  if (whole_ticks || lower_ - below <= room) lower_ = std::min(lower_, below);
  if (whole_ticks || above - upper_ <= room) upper_ = std::max(upper_, above);
  const double most = std::max(std::abs(lower_), std::abs(upper_));
  const double first = std::ceil(lower_ / step - 1e-6);
  for (int i = 0; (first + i) * step <= upper_ + step * 1e-6; ++i)
    ticks_.push_back({(first + i) * step, label((first + i) * step, step, most)});
}

void Scale::decade_ticks(bool whole_ticks) {
  const double decades = std::log10(upper_ / lower_);
  const int first = int(std::floor(std::log10(lower_) + 1e-9));
  const int last = int(std::ceil(std::log10(upper_) - 1e-9));
  if (whole_ticks || decades > 1.5) {
    // To the nearest of 1, 2, 5 in the decade, or to whole decades when there are many.
    const auto nice = [&](double value, int exponent, bool up) {
      const double power = std::pow(10, exponent);
      if (decades > 3) return up ? std::max(value, power * 10) : std::min(value, power);
      double best = up ? power * 10 : power;
      for (const double factor : {1.0, 2.0, 5.0})
        if (up ? factor * power >= value * (1 - 1e-9) && factor * power < best
               : factor * power <= value * (1 + 1e-9) && factor * power > best)
          best = factor * power;
      return best;
    };
    lower_ = nice(lower_, first, false);
    const int top = int(std::floor(std::log10(upper_) + 1e-9));
    if (upper_ > std::pow(10, top) * (1 + 1e-9)) upper_ = nice(upper_, top, true);
  }
  const int stride = std::max(1, (last - first) / 8);
  for (int exponent = first; exponent <= last; ++exponent)
    for (int digit = 1; digit <= 9; ++digit) {
      const double value = digit * std::pow(10, exponent);
      if (value < lower_ * (1 - 1e-9) || value > upper_ * (1 + 1e-9)) continue;
      const bool whole = digit == 1 && (exponent - first) % stride == 0;
      const bool numbered = whole || (decades < 1.5 && (digit == 2 || digit == 5)) || decades < 0.7;
      if (!numbered && (digit != 1 && last - first > 5)) continue;
      std::string text;
      if (numbered)
        text = digit == 1 ? decade_label(exponent)
               : exponent >= -3 && exponent <= 3
                   ? fmt::format("{:g}", value)
                   : fmt::format("{}·10{}", digit, superscript(exponent));
      ticks_.push_back({value, std::move(text)});
    }
}

double Scale::transformed(double value) const { return logarithmic_ ? std::log10(value) : value; }

double Scale::place(double value) const {
  const double from = transformed(lower_);
  return (transformed(value) - from) / (transformed(upper_) - from);
}

}  // namespace sinew
