#include "io/uri.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/atomic_file.h"
#include "io/base64.h"

namespace sinew {
namespace {

std::string decode_data(std::string_view text, const JsonView& uri) {
  const auto digits = static_cast<std::size_t>(std::count_if(
      text.begin(), text.end(), [](char c) { return c != '=' && c != ' ' && c != '\n'; }));
  const std::optional<std::string> bytes = decode_base64(text, digits * 3 / 4);
  if (!bytes) uri.fail("has data that are not base64");
  return *bytes;
}

int hex_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

std::string decode_percent(std::string_view text) {
  std::string result;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '%' && i + 2 < text.size() && hex_digit(text[i + 1]) >= 0 &&
        hex_digit(text[i + 2]) >= 0) {
      result.push_back(static_cast<char>(hex_digit(text[i + 1]) * 16 + hex_digit(text[i + 2])));
      i += 2;
    } else {
      result.push_back(text[i]);
    }
  }
  return result;
}

}  // namespace

std::string load_uri(const std::filesystem::path& file, const JsonView& uri) {
  const std::string_view text = uri.text();
  if (text.starts_with("data:")) {
    constexpr std::string_view kMark = ";base64,";
    const std::size_t mark = text.find(kMark);
    if (mark == std::string_view::npos) uri.fail("is a data URI without ;base64");
    return decode_data(text.substr(mark + kMark.size()), uri);
  }
  const std::string name = decode_percent(text);
  const std::filesystem::path relative = name;
  // A model from elsewhere must not make us open any file of the machine.
  const bool leaves = relative.is_absolute() || name.find(':') != std::string::npos ||
                      name.find('\0') != std::string::npos ||
                      std::find(relative.begin(), relative.end(), "..") != relative.end();
  if (name.empty() || leaves)
    uri.fail("must name a file in the folder of this one or below it; move it there");
  const std::filesystem::path path = file.parent_path() / relative;
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(path, ignored))
    uri.fail(
        fmt::format("there is no file {}; it belongs to this one: put it there", path.string()));
  return read_file(path);
}

}  // namespace sinew
