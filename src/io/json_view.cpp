#include "io/json_view.h"

#include <fmt/format.h>
#include <sinew/error.h>

#include <cmath>

namespace sinew {

void JsonView::fail(std::string_view what) const {
  throw Error(fmt::format("{}: {}: {}", file_->string(), pointer_.empty() ? "/" : pointer_, what));
}

void JsonView::require(bool right_type, const char* expected) const {
  if (!right_type) fail(fmt::format("is {}; it must be {}", value_->type_name(), expected));
}

bool JsonView::has(const char* key) const {
  require(value_->is_object(), "an object");
  return value_->contains(key);
}

JsonView JsonView::at(const char* key) const {
  if (!has(key)) fail(fmt::format("has no \"{}\", which is required", key));
  return {*file_, value_->find(key).value(), pointer_ + "/" + key};
}

std::size_t JsonView::size() const {
  require(value_->is_array(), "an array");
  return value_->size();
}

JsonView JsonView::at(std::size_t i) const {
  if (i >= size()) fail(fmt::format("has {} entries; number {} was looked for", size(), i));
  return {*file_, (*value_)[i], pointer_ + "/" + std::to_string(i)};
}

double JsonView::number() const {
  require(value_->is_number(), "a number");
  return value_->get<double>();
}

std::uint64_t JsonView::count() const {
  constexpr double kLargest = 9007199254740992.0;  // 2⁵³: JSON readers keep whole numbers to here
  const double n = number();                       // 24.0 is a whole number in JSON
  if (!(n >= 0 && n <= kLargest && n == std::floor(n)))
    fail(fmt::format("is {}; it must be a whole number, 0 or more", n));
  return static_cast<std::uint64_t>(n);
}

const std::string& JsonView::text() const {
  require(value_->is_string(), "a string");
  return value_->get_ref<const std::string&>();
}

bool JsonView::flag() const {
  require(value_->is_boolean(), "true or false");
  return value_->get<bool>();
}

std::uint64_t JsonView::count_or(const char* key, std::uint64_t otherwise) const {
  return has(key) ? at(key).count() : otherwise;
}

bool JsonView::flag_or(const char* key, bool otherwise) const {
  return has(key) ? at(key).flag() : otherwise;
}

nlohmann::json json_of_file(const std::filesystem::path& file, std::string_view text) {
  try {
    return nlohmann::json::parse(text);
  } catch (const nlohmann::json::exception& failure) {
    // "[json.exception.parse_error.101] parse error at line 1, column 2: …", possibly with all
    // of a long token.
    constexpr std::size_t kLongest = 200;
    std::string what = failure.what();
    if (const std::size_t end = what.find("] "); end != std::string::npos) what.erase(0, end + 2);
    if (what.size() > kLongest) what = what.substr(0, kLongest) + "…";
    throw Error(fmt::format("{}: not valid JSON: {}", file.string(), what));
  }
}

}  // namespace sinew
