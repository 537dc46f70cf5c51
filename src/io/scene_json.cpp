#include "io/scene_json.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <numeric>

namespace sinew {
namespace {

using nlohmann::json;

constexpr std::size_t kDepthMax = 64;

// "LINE:COLUMN" of a byte, both from 1; columns count characters, not bytes.
std::string place(std::string_view text, std::size_t byte) {
  const std::string_view before = text.substr(0, std::min(byte, text.size()));
  const auto line = 1 + std::count(before.begin(), before.end(), '\n');
  const std::string_view start = before.substr(before.rfind('\n') + 1);  // npos + 1 = 0
  const auto column =
      1 + std::count_if(start.begin(), start.end(), [](char c) { return (c & 0xC0) != 0x80; });
  return fmt::format("{}:{}", line, column);
}

// The parser's own words without its name, number and place.
std::string reason(std::string_view what) {
  what.remove_prefix(std::min(what.size(), what.find("] ") + 2));
  if (what.substr(0, 11) == "parse error") what.remove_prefix(what.find(": ") + 2);
  return one_line(what);
}

// Builds the document from the events of nlohmann's parser, which would silently let the last of
// equal keys win and does not say where a number is too large.
class Builder {
 public:
  Builder(std::string_view text, std::string_view file) : text_(text), file_(file) {}
  json take() { return std::move(root_); }

  bool null() { return put(nullptr), true; }
  bool boolean(bool value) { return put(value), true; }
  bool number_integer(std::int64_t value) { return put(value), true; }
  bool number_unsigned(std::uint64_t value) { return put(value), true; }
  bool number_float(double value, const std::string&) { return put(value), true; }
  bool string(std::string& value) { return put(std::move(value)), true; }
  bool binary(json::binary_t&) { return false; }  // not in text
  bool start_object(std::size_t) { return open(json::object()); }
  bool end_object() { return open_.pop_back(), true; }
  bool start_array(std::size_t) { return open(json::array()); }
  bool end_array() { return open_.pop_back(), true; }
  bool key(std::string& key) {
    open_.back().key = key;
    if (open_.back().node->contains(key)) throw SceneProblem(pointer(), "is given twice");
    return true;
  }
  bool parse_error(std::size_t position, const std::string&, const json::exception& error) {
    const std::size_t byte = position > 0 ? position - 1 : 0;
    throw Error(
        fmt::format("{}:{}: broken JSON: {}", file_, place(text_, byte), reason(error.what())));
  }

 private:
  struct Open {
    json* node;
    std::string key;  // the last one, in an object
  };

  json* put(json value) {
    if (open_.empty()) return root_ = std::move(value), &root_;
    json& parent = *open_.back().node;
    if (parent.is_array()) return parent.push_back(std::move(value)), &parent.back();
    return &(parent[open_.back().key] = std::move(value));
  }
  bool open(json value) {
    if (open_.size() == kDepthMax)
      throw SceneProblem(pointer(), fmt::format("is nested more than {} deep", kDepthMax));
    open_.push_back({put(std::move(value)), {}});
    return true;
  }
  // Of what comes next: in all open lists but the innermost, the last entry is the one being read.
  std::string pointer() const {
    std::string path;
    for (const Open& level : open_)
      path = level.node->is_array()
                 ? pointer_to(path, level.node->size() - (&level == &open_.back() ? 0 : 1))
                 : pointer_to(path, level.key);
    return path;
  }

  std::string_view text_, file_;
  json root_;
  std::vector<Open> open_;
};

// Levenshtein's distance: insertions, deletions and replacements from one word to the other.
std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t(0));
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = std::exchange(row[0], i + 1);
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, row[j] + 1, row[j + 1] + 1});
    }
  }
  return row.back();
}

}  // namespace

SceneProblem::SceneProblem(std::string pointer, std::string_view message)
    : Error(fmt::format("{}: {}", pointer.empty() ? "the scene" : one_line(pointer), message)),
      pointer_(std::move(pointer)) {}

json parse_json(std::string_view text, std::string_view file) {
  Builder builder(text, file);
  json::sax_parse(text.begin(), text.end(), &builder);
  return builder.take();
}

std::string pointer_to(const std::string& parent, std::string_view key) {
  std::string pointer = parent + '/';
  for (const char c : key) {
    if (c == '~')
      pointer += "~0";
    else if (c == '/')
      pointer += "~1";
    else
      pointer += c;
  }
  return pointer;
}
std::string pointer_to(const std::string& parent, std::size_t index) {
  return fmt::format("{}/{}", parent, index);
}

std::vector<std::string> split_pointer(std::string_view pointer) {
  std::vector<std::string> keys;
  for (std::size_t i = 0; i < pointer.size(); ++i) {
    if (pointer[i] == '/') {
      keys.emplace_back();
    } else if (pointer[i] == '~' && i + 1 < pointer.size() &&
               (pointer[i + 1] == '0' || pointer[i + 1] == '1')) {
      keys.back() += pointer[++i] == '0' ? '~' : '/';
    } else {
      keys.back() += pointer[i];
    }
  }
  return keys;
}

std::string one_line(std::string_view text) {
  // nlohmann's writer knows UTF-8: bad bytes become U+FFFD, control characters escapes.
  const std::string quoted = json(text).dump(-1, ' ', false, json::error_handler_t::replace);
  std::string line;
  for (std::size_t i = 1; i + 1 < quoted.size(); ++i) {
    if (quoted[i] == '\\' && (quoted[i + 1] == '"' || quoted[i + 1] == '\\')) ++i;
    line += quoted[i];
  }
  return line;
}

std::string suggestion(std::string_view word, const std::vector<std::string>& known) {
  if (known.empty()) return "none is known here";
  // A key of hostile length is like no other, whatever comes after its start.
  const std::string_view start = word.substr(0, 64);
  std::vector<std::size_t> distance;
  for (const std::string& other : known) distance.push_back(edit_distance(start, other));
  const auto nearest = std::min_element(distance.begin(), distance.end());
  const std::string& best = known[static_cast<std::size_t>(nearest - distance.begin())];
  if (*nearest <= std::max<std::size_t>(1, best.size() / 2))
    return fmt::format("did you mean \"{}\"?", best);
  constexpr std::size_t kShown = 30;  // more would bury the message
  const auto end = known.begin() + std::ptrdiff_t(std::min(known.size(), kShown));
  return fmt::format("known are {}{}", fmt::join(known.begin(), end, ", "),
                     end == known.end() ? "" : ", …");
}

}  // namespace sinew
