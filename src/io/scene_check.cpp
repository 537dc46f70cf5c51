#include "io/scene_check.h"

#include <fmt/format.h>

#include <cmath>

#include "world/validate.h"

namespace sinew {
namespace {

using nlohmann::json;
using Kind = SceneType::Kind;

// A value in a message: short, and on one line.
std::string shown(const json& value) {
  if (value.is_object()) return "an object";
  if (value.is_array()) return fmt::format("a list of {}", value.size());
  if (value.is_number()) return fmt::format("{}", value.get<double>());
  if (!value.is_string()) return value.dump();
  const std::string text = one_line(value.get_ref<const std::string&>().substr(0, 40));
  return fmt::format("\"{}\"", text);
}

[[noreturn]] void refuse(const std::string& pointer, const json& value, std::string_view rule) {
  throw SceneProblem(pointer, fmt::format("is {}; it must be {}", shown(value), rule));
}

void check_limits(const std::string& pointer, double value, const FieldInfo& info) {
  try {
    check_number("", value, info);
  } catch (const Error& error) {
    throw SceneProblem(pointer, std::string_view(error.what()).substr(1));
  }
}

void check(const std::string& pointer, const json& value, const SceneType& type,
           const FieldInfo& info);

void check_object(const std::string& pointer, const json& value, const SceneType& type) {
  for (const auto& [key, ignored] : value.items()) {
    if (is_comment(key) || find_field(type, key) || (type.tag && key == "type")) continue;
    throw SceneProblem(pointer_to(pointer, key),
                       "unknown key; " + suggestion(key, known_keys(type)));
  }
  for (const SceneField& field : type.fields) {
    const auto it = value.find(field.name);
    if (it != value.end())
      check(pointer_to(pointer, field.name), *it, *field.type, field.info);
    else if (field.info.required)
      throw SceneProblem(pointer_to(pointer, field.name),
                         fmt::format("is missing ({})", field.info.doc));
  }
  const char* first = nullptr;
  for (const char* key : type.at_most_one) {
    if (!value.contains(key)) continue;
    if (first)
      throw SceneProblem(pointer_to(pointer, key),
                         fmt::format("stands beside \"{}\"; give only one of them", first));
    first = key;
  }
}

void check_choice(const std::string& pointer, const json& value, const SceneType& type) {
  std::vector<std::string> tags;
  for (const SceneType& part : type.parts) tags.push_back(part.tag);
  const std::string at = pointer_to(pointer, "type");
  const auto tag = value.find("type");
  if (tag == value.end())
    throw SceneProblem(at, fmt::format("is missing; known are {}", fmt::join(tags, ", ")));
  if (!tag->is_string()) refuse(at, *tag, "a string");
  for (const char* name : type.in_programs)
    if (*tag == name)
      throw SceneProblem(at, fmt::format("is \"{}\", which calls a function that a program wrote: "
                                         "scenes cannot name functions; add the body in C++",
                                         name));
  const SceneType* part = find_choice(type, tag->get_ref<const std::string&>());
  if (!part)
    throw SceneProblem(at, fmt::format("is {}, which is unknown; {}", shown(*tag),
                                       suggestion(tag->get_ref<const std::string&>(), tags)));
  check_object(pointer, value, *part);
}

void check_items(const std::string& pointer, const json& value, const SceneType& item,
                 const FieldInfo& info) {
  for (std::size_t i = 0; i < value.size(); ++i)
    check(pointer_to(pointer, i), value[i], item, info);
}

void check_word(const std::string& pointer, const json& value, const SceneType& type) {
  for (const char* word : type.words)
    if (value == word) return;
  std::string rule;
  for (const char* word : type.words)
    rule += fmt::format("{}\"{}\"", rule.empty() ? "" : " or ", word);
  refuse(pointer, value, rule);
}

void check(const std::string& pointer, const json& value, const SceneType& type,
           const FieldInfo& info) {
  switch (type.kind) {
    case Kind::kNumber:
      if (!value.is_number()) refuse(pointer, value, "a number");
      return check_limits(pointer, value.get<double>(), info);
    case Kind::kInteger: {
      const double number = value.is_number() ? value.get<double>() : 0.5;
      if (number != std::floor(number)) refuse(pointer, value, "a whole number");
      return check_limits(pointer, number, integer_limits(info));
    }
    case Kind::kText:
      if (!value.is_string()) refuse(pointer, value, "a string");
      return;
    case Kind::kFlag:
      if (!value.is_boolean()) refuse(pointer, value, "true or false");
      return;
    case Kind::kWord:
      return check_word(pointer, value, type);
    case Kind::kTuple:
      if (!value.is_array() || value.size() != type.count)
        refuse(pointer, value, fmt::format("a list of {} numbers", type.count));
      return check_items(pointer, value, type.parts[0], info);
    case Kind::kList:
      if (!value.is_array()) refuse(pointer, value, "a list");
      return check_items(pointer, value, type.parts[0], info);
    case Kind::kObject:
      if (!value.is_object()) refuse(pointer, value, "an object");
      return check_object(pointer, value, type);
    case Kind::kChoice:
      if (!value.is_object()) refuse(pointer, value, "an object");
      return check_choice(pointer, value, type);
  }
}

}  // namespace

void check_scene(const json& scene) { check("", scene, scene_type(), {}); }

std::vector<std::string> known_keys(const SceneType& object) {
  std::vector<std::string> keys;
  if (object.tag) keys.push_back("type");
  for (const SceneField& field : object.fields) keys.push_back(field.name);
  return keys;
}

}  // namespace sinew
