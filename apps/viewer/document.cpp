#include "document.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/atomic_file.h"
#include "io/scene_json.h"
#include "io/scene_overrides.h"
#include "io/scene_type.h"

namespace sinew::viewer {
namespace {

using nlohmann::json;
using Kind = SceneType::Kind;

// The type of the object itself: of a choice, the part that its "type" names.
const SceneType* type_of(const SceneType& type, const json& value) {
  if (type.kind != Kind::kChoice) return &type;
  const auto tag = value.find("type");
  return tag == value.end() ? nullptr : find_choice(type, tag->get<std::string>());
}

const json& value_or(const json& object, const char* key, const json& fallback) {
  const auto it = object.find(key);
  return it == object.end() ? fallback : *it;
}

const char* kind_word(const SceneType& type) {
  switch (type.kind) {
    case Kind::kNumber:
      return "number";
    case Kind::kInteger:
      return "integer";
    case Kind::kFlag:
      return "flag";
    case Kind::kWord:
      return "word";
    case Kind::kTuple:
      return type.count == 3 && type.parts[0].kind == Kind::kNumber ? "vector" : nullptr;
    default:
      return nullptr;
  }
}

void put_limits(const FieldInfo& info, Json& field) {
  if (std::isfinite(info.min)) field["min"] = info.min;
  if (std::isfinite(info.max)) field["max"] = info.max;
  if (info.exclusive_min) field["exclusive_min"] = true;
  if (info.exclusive_max) field["exclusive_max"] = true;
}

// The fields of an object that have a single value, and of the choices and objects named in `enter`
// those within.
class FieldLister {
 public:
  explicit FieldLister(std::vector<std::string> wanted) : wanted_(std::move(wanted)) {}

  void list(const SceneType& object, const json& value, const std::string& pointer,
            const std::string& group) {
    for (const SceneField& field : object.fields) {
      const std::string name = field.name;
      if (group.empty() && !wanted_.empty() &&
          std::find(wanted_.begin(), wanted_.end(), name) == wanted_.end())
        continue;
      const json fallback(field.type->fallback);
      const json& current = value_or(value, field.name, fallback);
      const std::string place = pointer_to(pointer, name);
      if (field.type->kind == Kind::kChoice)
        list_choice(field, current, place);
      else if (field.type->kind == Kind::kObject && current.is_object())
        list(*field.type, current, place, name);
      else if (const char* kind = kind_word(*field.type); kind && !current.is_null())
        put(field, kind, current, place, group);
    }
  }
  Json take() { return std::move(fields_); }

 private:
  void put(const SceneField& field, const char* kind, const json& value, const std::string& place,
           const std::string& group) {
    Json one{{"pointer", place},      {"name", field.name},      {"group", group},
             {"doc", field.info.doc}, {"unit", field.info.unit}, {"kind", kind},
             {"value", value}};
    put_limits(field.type->kind == Kind::kInteger ? integer_limits(field.info) : field.info, one);
    if (field.type->kind == Kind::kWord) one["words"] = field.type->words;
    fields_.push_back(std::move(one));
  }

  void list_choice(const SceneField& field, const json& value, const std::string& place) {
    std::vector<const char*> words;
    for (const SceneType& part : field.type->parts) words.push_back(part.tag);
    const SceneType* type = type_of(*field.type, value);
    if (!type) return;
    fields_.push_back({{"pointer", pointer_to(place, "type")},
                       {"name", field.name},
                       {"group", field.name},
                       {"doc", type->doc},
                       {"unit", ""},
                       {"kind", "choice"},
                       {"value", type->tag},
                       {"words", words}});
    list(*type, value, place, field.name);
  }

  std::vector<std::string> wanted_;
  Json fields_ = Json::array();
};

// What can be changed in a body while it lives.
std::vector<std::string> live_fields(const std::string& kind) {
  if (kind == "soft")
    return {"material", "solver",  "density", "thickness",
            "friction", "damping", "drag",    "settling"};
  if (kind == "rigid") return {"density", "friction", "restitution"};
  return {"friction", "restitution"};
}

// "/bodies/3/material/type" names the type of an object, of which keys that the new one does not
// have must go.
void drop_strange_keys(json& scene, const std::string& pointer) {
  const std::vector<std::string> keys = split_pointer(pointer);
  if (keys.size() < 2 || keys.back() != "type") return;
  json* value = &scene;
  const SceneType* type = &scene_type();
  for (std::size_t i = 0; i + 1 < keys.size(); ++i) {
    if (value->is_array()) {
      value = &(*value)[std::stoul(keys[i])];
      type = &type->parts[0];
      continue;
    }
    const SceneType* object = type_of(*type, *value);
    const SceneField* field = object ? find_field(*object, keys[i]) : nullptr;
    if (!field) return;
    value = &(*value)[keys[i]];
    type = field->type.get();
  }
  const SceneType* now = type_of(*type, *value);
  if (!now || type->kind != Kind::kChoice) return;
  json kept = json::object();
  for (const auto& [key, item] : value->items())
    if (key == "type" || find_field(*now, key)) kept[key] = item;
  *value = std::move(kept);
}

}  // namespace

Document::Document(const std::filesystem::path& path, std::span<const std::string> overrides)
    : path_(path) {
  const std::string text = read_file(path);
  const Scene checked = parse_scene(text, path, overrides);
  json scene = parse_json(text, path.string());
  apply_overrides(scene, overrides);
  in_file_ = scene.at("bodies").size();
  json_ = std::make_shared<const json>(std::move(scene));
  changes_.assign(overrides.begin(), overrides.end());
}

Scene Document::parse(const json& scene) const { return parse_scene(scene.dump(), path_); }
Scene Document::scene() const { return parse(*json_); }
std::size_t Document::body_count() const { return json_->at("bodies").size(); }
std::string Document::text() const { return as_in_file().json_->dump(2) + "\n"; }

// Alone, but in its place, so that messages name that.
SceneBody Document::body(std::size_t index) const {
  json one{{"bodies", json::array({json_->at("bodies").at(index)})}};
  try {
    return parse(one).bodies.at(0);
  } catch (const Error& error) {
    std::string message = error.what();
    const std::string from = "/bodies/0", to = fmt::format("/bodies/{}", index);
    if (const std::size_t at = message.find(from); at != std::string::npos)
      message.replace(at, from.size(), to);
    throw Error(message);
  }
}

Scene Document::world() const {
  json empty{{"bodies", json::array()}};
  if (json_->contains("world")) empty["world"] = json_->at("world");
  return parse(empty);
}

Document Document::with(const std::string& pointer, const json& value) const {
  json scene = *json_;
  const std::string change[] = {pointer + "=" + value.dump()};
  apply_overrides(scene, change);
  drop_strange_keys(scene, pointer);
  Document document = *this;
  document.json_ = std::make_shared<const json>(std::move(scene));
  // What is of another type now is told as a whole: some of what was changed in it may be gone.
  const bool whole = pointer.ends_with("/type");
  const std::string place = whole ? pointer.substr(0, pointer.rfind('/')) : pointer;
  std::erase_if(document.changes_, [&](const std::string& one) {
    return one.starts_with(place + "=") || (whole && one.starts_with(place + "/"));
  });
  document.changes_.push_back(
      whole ? place + "=" + document.json_->at(json::json_pointer(place)).dump() : change[0]);
  return document;
}

Document Document::with_body(const json& body) const {
  json scene = *json_;
  scene.at("bodies").push_back(body);
  Document document = *this;
  document.json_ = std::make_shared<const json>(std::move(scene));
  return document;
}

Document Document::as_in_file() const {
  Document document = *this;
  json scene = *json_;
  json& bodies = scene.at("bodies");
  bodies.erase(bodies.begin() + std::ptrdiff_t(in_file_), bodies.end());
  document.json_ = std::make_shared<const json>(std::move(scene));
  // What was changed in bodies that are gone is no change any more.
  std::erase_if(document.changes_, [&](const std::string& one) {
    const std::vector<std::string> keys = split_pointer(one.substr(0, one.find('=')));
    return keys.size() > 1 && keys[0] == "bodies" && std::stoul(keys[1]) >= in_file_;
  });
  return document;
}

Json Document::fields(std::optional<std::size_t> body) const {
  const json nothing = json::object();
  if (!body) {
    FieldLister lister({"gravity", "dt", "substeps", "substeps_max", "iterations", "rigid"});
    lister.list(*find_field(scene_type(), "world")->type, value_or(*json_, "world", nothing),
                "/world", "");
    return lister.take();
  }
  const json& value = json_->at("bodies").at(*body);
  const SceneType* type = type_of(find_field(scene_type(), "bodies")->type->parts[0], value);
  FieldLister lister(live_fields(value.at("type").get<std::string>()));
  lister.list(*type, value, fmt::format("/bodies/{}", *body), "");
  return lister.take();
}

}  // namespace sinew::viewer
