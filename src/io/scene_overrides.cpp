#include "io/scene_overrides.h"

#include <fmt/format.h>

#include <algorithm>

#include "io/scene_check.h"

namespace sinew {
namespace {

using nlohmann::json;
using Kind = SceneType::Kind;

// A place in the scene, and its type while the way there agrees with the format.
struct Place {
  json* node;
  const SceneType* type;
  std::string pointer;
};

// The type of the object itself: of a choice, the part that its "type" names.
const SceneType* object_type(const Place& at) {
  if (!at.type || at.type->kind != Kind::kChoice) return at.type;
  const auto tag = at.node->find("type");
  return tag != at.node->end() && tag->is_string() ? find_choice(*at.type, tag->get<std::string>())
                                                   : nullptr;
}

[[noreturn]] void refuse_key(const Place& at, const std::string& key, const SceneType* type) {
  std::vector<std::string> known = type ? known_keys(*type) : std::vector<std::string>{};
  for (const auto& [present, ignored] : at.node->items())
    if (std::find(known.begin(), known.end(), present) == known.end()) known.push_back(present);
  throw SceneProblem(pointer_to(at.pointer, key), "does not exist; " + suggestion(key, known));
}

Place member(const Place& at, const std::string& key, bool last) {
  const SceneType* type = object_type(at);
  const SceneField* field = type && type->kind == Kind::kObject ? find_field(*type, key) : nullptr;
  if (!at.node->contains(key) && !last) {
    // What was left to its default can be entered: that default is put there first.
    if (!field || !field->type->fallback.is_object()) refuse_key(at, key, type);
    (*at.node)[key] = json(field->type->fallback);
  }
  return {&(*at.node)[key], field ? field->type.get() : nullptr, pointer_to(at.pointer, key)};
}

Place element(const Place& at, const std::string& key) {
  const bool digits =
      !key.empty() && key.size() < 10 &&
      std::all_of(key.begin(), key.end(), [](char c) { return c >= '0' && c <= '9'; });
  const std::size_t index = digits ? std::stoul(key) : at.node->size();
  if (index >= at.node->size())
    throw SceneProblem(pointer_to(at.pointer, key),
                       fmt::format("does not exist; {} has {} entries, numbered from 0",
                                   one_line(at.pointer), at.node->size()));
  const bool typed = at.type && (at.type->kind == Kind::kList || at.type->kind == Kind::kTuple);
  return {&(*at.node)[index], typed ? &at.type->parts[0] : nullptr, pointer_to(at.pointer, index)};
}

// What is not JSON is a string: a path or a name needs no quotes.
json value_of(const std::string& text) {
  try {
    return parse_json(text, "");
  } catch (const Error&) {
    return text;
  }
}

void apply(json& scene, const std::string& text) {
  const std::size_t equals = text.find('=');
  if (text.empty() || text[0] != '/' || equals == std::string::npos)
    throw Error("must be POINTER=VALUE, such as /bodies/0/density=900");
  const std::vector<std::string> keys = split_pointer(text.substr(0, equals));
  Place at{&scene, &scene_type(), ""};
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (at.node->is_object())
      at = member(at, keys[i], i + 1 == keys.size());
    else if (at.node->is_array())
      at = element(at, keys[i]);
    else
      throw SceneProblem(pointer_to(at.pointer, keys[i]),
                         fmt::format("does not exist; {} is neither object nor list",
                                     at.pointer.empty() ? "the scene" : one_line(at.pointer)));
  }
  *at.node = value_of(text.substr(equals + 1));
}

}  // namespace

void apply_overrides(json& scene, std::span<const std::string> overrides) {
  for (const std::string& text : overrides) {
    try {
      apply(scene, text);
    } catch (const Error& error) {
      throw Error(fmt::format("override \"{}\": {}", one_line(text), error.what()));
    }
  }
}

std::string blame_override(std::string_view pointer, std::span<const std::string> overrides) {
  std::string blame;
  for (const std::string& text : overrides) {
    const std::string_view target = std::string_view(text).substr(0, text.find('='));
    const bool below = pointer.substr(0, target.size()) == target &&
                       (pointer.size() == target.size() || pointer[target.size()] == '/');
    if (below) blame = fmt::format(" (set by \"{}\")", one_line(text));  // the last one wins
  }
  return blame;
}

}  // namespace sinew
