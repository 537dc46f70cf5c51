#include "core/format.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstdio>

namespace sinew {
namespace {

// The fewest digits that give `value` back: 0.1, 20000000, 1e+16, 1e-05.
template <class T>
void append_shortest(std::string& text, T value) {
  if (!std::isfinite(value)) {
    text +=
        std::isnan(value) ? (std::signbit(value) ? "-nan" : "nan") : (value < 0 ? "-inf" : "inf");
    return;
  }
  char buffer[40];
  const char* const end =
      std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::scientific).ptr;
  std::string_view number(buffer, std::size_t(end - buffer));
  if (number.front() == '-') {
    text += '-';
    number.remove_prefix(1);
  }
  const std::size_t e = number.find('e');
  const bool negative = number[e + 1] == '-';
  int exponent = 0;
  std::from_chars(number.data() + e + 2, number.data() + number.size(), exponent);
  if (negative) exponent = -exponent;
  std::string digits(1, number[0]);
  if (e > 2) digits += number.substr(2, e - 2);

  constexpr int kLeast = -4, kBeyond = 16;  // outside, powers of ten are written
  const int count = int(digits.size());
  if (exponent < kLeast || exponent >= kBeyond)
    text += number;
  else if (exponent < 0)
    text.append("0.").append(std::size_t(-exponent - 1), '0').append(digits);
  else if (count <= exponent + 1)
    text.append(digits).append(std::size_t(exponent + 1 - count), '0');
  else
    text += digits.insert(std::size_t(exponent + 1), 1, '.');
}

// ".4g", ".0f"
void append_as_printf(std::string& text, double value, std::string_view specification) {
  char buffer[400];
  std::string pattern(1, '%');
  pattern += specification;
  const int length = std::snprintf(buffer, sizeof buffer, pattern.c_str(), value);
  if (length > 0) text.append(buffer, std::min(std::size_t(length), sizeof buffer - 1));
}

template <class T>
void append_real(std::string& text, T value, std::string_view specification) {
  if (specification.empty())
    append_shortest(text, value);
  else
    append_as_printf(text, double(value), specification);
}

}  // namespace

void FormatArgument::append_to(std::string& text, std::string_view specification) const {
  switch (kind_) {
    case kSigned:
      text += std::to_string(as_.whole);
      break;
    case kUnsigned:
      text += std::to_string(as_.natural);
      break;
    case kFloat:
      append_real(text, as_.single, specification);
      break;
    case kDouble:
      append_real(text, as_.real, specification);
      break;
    case kChar:
      text += as_.character;
      break;
    case kString:
      text.append(as_.string.data, as_.string.size);
      break;
  }
}

std::string format_with(std::string_view pattern, std::span<const FormatArgument> arguments) {
  std::string text;
  text.reserve(pattern.size() + 8 * arguments.size());
  std::size_t next = 0;
  for (std::size_t i = 0; i < pattern.size(); ++i) {
    const char c = pattern[i];
    if ((c == '{' || c == '}') && i + 1 < pattern.size() && pattern[i + 1] == c) {
      text += c;
      ++i;
      continue;
    }
    const std::size_t end = c == '{' ? pattern.find('}', i) : pattern.npos;
    if (end == pattern.npos) {
      text += c;
      continue;
    }
    const std::string_view field = pattern.substr(i + 1, end - i - 1);
    const std::size_t colon = std::min(field.find(':'), field.size());
    std::size_t index = next;
    if (colon > 0)
      std::from_chars(field.data(), field.data() + colon, index);
    else
      ++next;
    if (index < arguments.size())
      arguments[index].append_to(text, field.substr(std::min(colon + 1, field.size())));
    else
      text += pattern.substr(i, end - i + 1);  // a mistake, but a message must come through
    i = end;
  }
  return text;
}

}  // namespace sinew
