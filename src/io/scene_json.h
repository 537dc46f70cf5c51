// JSON for scenes: reading it with errors that people can use, and JSON pointers (RFC 6901).
#pragma once

#include <sinew/error.h>

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace sinew {

// Something wrong at a place in a scene; who knows the file puts its name before it.
class SceneProblem : public Error {
 public:
  SceneProblem(std::string pointer, std::string_view message);
  const std::string& pointer() const { return pointer_; }

 private:
  std::string pointer_;
};

// Throws Error "FILE:LINE:COLUMN: broken JSON: …", and SceneProblem for keys given twice and for
// nesting deeper than any scene needs (which also keeps recursion over the result safe).
nlohmann::json parse_json(std::string_view text, std::string_view file);

// The pointer to a member: "/bodies/0" and "name" give "/bodies/0/name".
std::string pointer_to(const std::string& parent, std::string_view key);
std::string pointer_to(const std::string& parent, std::size_t index);
// The keys of a pointer, unescaped. Each starts with a slash in the text.
std::vector<std::string> split_pointer(std::string_view pointer);

// Any text as one line of valid UTF-8.
std::string one_line(std::string_view text);

// `did you mean "density"?` when a word is like one of those known, else `known are …`.
std::string suggestion(std::string_view word, const std::vector<std::string>& known);

}  // namespace sinew
