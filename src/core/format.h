// Text with values in it, for messages: formatted("{} is {:.3g} m; it must be {}", where, value,
// rule).
//   {}        the next argument; numbers in the shortest form that reads back as the same number
//   {0} {1}   an argument by its position, from 0
//   {:.4g}    four digits; {:.0f} digits after the point, both as printf has them
//   {{ }}     braces
// Arguments are whole numbers, reals, bool, char and strings. The header is cheap to include, and
// every call costs one array of arguments: messages are everywhere, and none is in a hurry.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace sinew {

class FormatArgument {
 public:
  FormatArgument(int v) : kind_(kSigned) { as_.whole = v; }
  FormatArgument(long v) : kind_(kSigned) { as_.whole = v; }
  FormatArgument(long long v) : kind_(kSigned) { as_.whole = v; }
  FormatArgument(unsigned v) : kind_(kUnsigned) { as_.natural = v; }
  FormatArgument(unsigned long v) : kind_(kUnsigned) { as_.natural = v; }
  FormatArgument(unsigned long long v) : kind_(kUnsigned) { as_.natural = v; }
  FormatArgument(float v) : kind_(kFloat) { as_.single = v; }
  FormatArgument(double v) : kind_(kDouble) { as_.real = v; }
  FormatArgument(bool v) : FormatArgument(std::string_view(v ? "true" : "false")) {}
  FormatArgument(char v) : kind_(kChar) { as_.character = v; }
  FormatArgument(const char* v) : FormatArgument(std::string_view(v)) {}
  FormatArgument(const std::string& v) : FormatArgument(std::string_view(v)) {}
  FormatArgument(std::string_view v) : kind_(kString) { as_.string = {v.data(), v.size()}; }

  // `specification` is what stands after the colon.
  void append_to(std::string& text, std::string_view specification) const;

 private:
  enum Kind { kSigned, kUnsigned, kFloat, kDouble, kChar, kString };
  union Value {
    long long whole;
    unsigned long long natural;
    float single;
    double real;
    char character;
    struct {
      const char* data;
      std::size_t size;
    } string;
  };

  Kind kind_;
  Value as_;
};

std::string format_with(std::string_view pattern, std::span<const FormatArgument> arguments);

template <class... Arguments>
std::string formatted(std::string_view pattern, const Arguments&... arguments) {
  const FormatArgument list[] = {FormatArgument(arguments)...};
  return format_with(pattern, list);
}

}  // namespace sinew
