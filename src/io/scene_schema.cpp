// The JSON Schema (draft 2020-12) of scene files, for editors and other tools. A choice is a chain
// of if/then over its "type", so that a validator complains about the part that was meant instead
// of about all parts.
#include <fmt/format.h>
#include <sinew/scene.h>

#include <cmath>

#include "io/scene_type.h"

namespace sinew {
namespace {

using Json = nlohmann::ordered_json;
using Kind = SceneType::Kind;

// 5 rather than 5.0.
Json number(double value) {
  return value == std::floor(value) && std::abs(value) < 1e15 ? Json(static_cast<long long>(value))
                                                              : Json(value);
}

void add_limits(Json& schema, const FieldInfo& info) {
  if (std::isfinite(info.min))
    schema[info.exclusive_min ? "exclusiveMinimum" : "minimum"] = number(info.min);
  if (std::isfinite(info.max))
    schema[info.exclusive_max ? "exclusiveMaximum" : "maximum"] = number(info.max);
}

class SchemaWriter {
 public:
  // Objects and choices are written once, under their name.
  Json schema(const SceneType& type, const FieldInfo& info = {}) {
    switch (type.kind) {
      case Kind::kNumber: {
        Json out = Json::object({{"type", "number"}});
        add_limits(out, info);
        return out;
      }
      case Kind::kInteger: {
        Json out = Json::object({{"type", "integer"}});
        add_limits(out, integer_limits(info));
        return out;
      }
      case Kind::kText:
        return Json::object({{"type", "string"}});
      case Kind::kFlag:
        return Json::object({{"type", "boolean"}});
      case Kind::kWord:
        return Json::object({{"enum", type.words}});
      case Kind::kTuple:
        return {{"type", "array"},
                {"items", schema(type.parts[0], info)},
                {"minItems", type.count},
                {"maxItems", type.count}};
      case Kind::kList:
        return {{"type", "array"}, {"items", schema(type.parts[0], info)}};
      case Kind::kObject:
        return define(type, [&] { return object(type); });
      case Kind::kChoice:
        return define(type, [&] { return choice(type); });
    }
    return {};
  }

  Json object(const SceneType& type) {
    Json out{
        {"title", type.tag ? type.tag : type.name}, {"description", type.doc}, {"type", "object"}};
    Json required = Json::array();
    Json& properties = out["properties"] = Json::object();
    if (type.tag) {
      properties["type"]["const"] = type.tag;
      required.push_back("type");
    }
    for (const SceneField& field : type.fields) {
      properties[field.name] = property(field);
      if (field.info.required) required.push_back(field.name);
    }
    out["patternProperties"]["^//"]["description"] = "A comment";
    out["additionalProperties"] = false;
    if (!required.empty()) out["required"] = std::move(required);
    if (!type.at_most_one.empty()) out["not"]["required"] = type.at_most_one;
    return out;
  }

  Json take_definitions() { return std::move(definitions_); }

 private:
  template <class F>
  Json define(const SceneType& type, F&& make) {
    if (!definitions_.contains(type.name)) {
      definitions_[type.name] = nullptr;  // keeps the place, in the order of appearance
      Json made = make();
      definitions_[type.name] = std::move(made);
    }
    return Json::object({{"$ref", "#/$defs/" + type.name}});
  }

  Json property(const SceneField& field) {
    Json out = Json::object({{"description", field.info.doc}});
    if (*field.info.unit) {
      out["description"] = fmt::format("{} [{}]", field.info.doc, field.info.unit);
      out["unit"] = field.info.unit;
    }
    out.update(schema(*field.type, field.info));
    if (!field.type->fallback.is_null()) out["default"] = field.type->fallback;
    return out;
  }

  Json choice(const SceneType& type) {
    Json tags = Json::array(), chain = Json::array();
    for (const SceneType& part : type.parts) {
      tags.push_back(part.tag);
      Json rule;
      rule["if"]["properties"]["type"]["const"] = part.tag;
      rule["if"]["required"] = Json::array({"type"});
      rule["then"] = define(part, [&] { return object(part); });
      chain.push_back(std::move(rule));
    }
    Json out{{"title", type.name}, {"type", "object"}};
    out["properties"]["type"]["enum"] = std::move(tags);
    out["required"] = Json::array({"type"});
    out["allOf"] = std::move(chain);
    return out;
  }

  Json definitions_ = Json::object();
};

}  // namespace

std::string scene_schema() {
  SchemaWriter writer;
  Json out;
  out["$schema"] = "https://json-schema.org/draft/2020-12/schema";
  out.update(writer.object(scene_type()));
  out["title"] = "Sinew scene";
  out["description"] = "A world for Sinew; see docs/scenes.md. SI units, y is up.";
  out["$defs"] = writer.take_definitions();
  return out.dump(2) + "\n";
}

}  // namespace sinew
