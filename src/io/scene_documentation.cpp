// The page about scene files, docs/scenes.md: an introduction, and tables made from the format.
#include <fmt/format.h>
#include <sinew/scene.h>

#include <cmath>
#include <set>

#include "io/scene_type.h"

namespace sinew {
namespace {

using Kind = SceneType::Kind;

constexpr std::string_view kIntroduction = R"(# Scenes

A scene is a JSON file: the settings of a world, the bodies in it and the joints between them. This
is a complete one, a jelly that falls on the floor:

```json
{
  "$schema": "../docs/scene.schema.json",
  "name": "jelly",
  "description": "A jelly falls on the floor, bounces and wobbles.",
  "world": { "substeps": 10, "seconds": 3 },
  "camera": { "eye": [2, 1, 2.5], "target": [0, 0.3, 0] },
  "bodies": [
    { "type": "static", "name": "floor", "shape": { "type": "plane" }, "friction": 0.8 },
    {
      "type": "soft",
      "name": "jelly",
      "// size": "half a metre, like a big cushion",
      "mesh": { "type": "box", "size": [0.5, 0.5, 0.5], "cells": [6, 6, 6] },
      "material": { "type": "stable_neo_hookean", "young": 5e4, "poisson": 0.45 },
      "density": 1000,
      "pose": { "position": [0, 1, 0], "rotation": { "axis": [1, 0, 1], "angle_deg": 30 } }
    }
  ]
}
```

- Units are SI: metres, kilograms, seconds, pascals. The y axis points up. Angles with `_deg` in
  their name are in degrees, all others in radians.
- Whatever is left out has the default shown below. A key that is not known is an error, and the
  message suggests what may have been meant; so are a key given twice and a value out of its limits.
- A key that starts with `//` is a comment, wherever it stands.
- Joints name the rigid or static bodies they hold together, such as
  `"joints": [{ "type": "hinge", "a": "door", "b": "frame", "anchor": [0.5, 1, 0] }]`; without `b`
  it is the world. Their places and directions are those of the world at the start.
- Paths are relative to the folder of the scene.
- `sinew run SCENE --set /bodies/1/material/young=2e5` changes a value without touching the file:
  a [JSON pointer](https://www.rfc-editor.org/rfc/rfc6901) to the place (lists count from 0), and
  what to put there.
- `"$schema"` lets editors check and complete while you type; the schema is
  [scene.schema.json](scene.schema.json).

This page and the schema are written by `sinew schema --documentation` and `sinew schema`, from the
same descriptions that the reader follows.
)";

// What would end a table's cell or row.
std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '|') out += '\\';
    out += c;
  }
  return out;
}

std::string limits(const FieldInfo& info) {
  const std::string low =
      std::isfinite(info.min) ? fmt::format("{} {}", info.exclusive_min ? ">" : "≥", info.min) : "";
  const std::string high =
      std::isfinite(info.max) ? fmt::format("{} {}", info.exclusive_max ? "<" : "≤", info.max) : "";
  return low.empty() || high.empty() ? low + high : low + " and " + high;
}

std::string type_text(const SceneType& type) {
  switch (type.kind) {
    case Kind::kNumber:
      return "number";
    case Kind::kInteger:
      return "whole number";
    case Kind::kText:
      return *type.doc ? type.doc : "string";
    case Kind::kFlag:
      return "true or false";
    case Kind::kWord:
      return fmt::format("`\"{}\"`", fmt::join(type.words, "\"` or `\""));
    case Kind::kTuple:
      return fmt::format("{} {}s", type.count, type_text(type.parts[0]));
    case Kind::kList: {
      const SceneType& part = type.parts[0];
      if (part.kind == Kind::kTuple) return fmt::format("list of [{}]", type_text(part));
      return fmt::format("list of {}{}", type_text(part), part.name.empty() ? "s" : "");
    }
    case Kind::kObject:
    case Kind::kChoice:
      return fmt::format("[{0}](#{0})", type.name);
  }
  return "";
}

std::string default_text(const SceneField& field) {
  if (field.info.required) return "**required**";
  const nlohmann::ordered_json& value = field.type->fallback;
  if (value.is_null() || value.empty()) return "";
  if (value.is_object()) return fmt::format("`{}`", value["type"].get<std::string>());
  std::string text;
  for (const char c : value.dump()) {
    text += c;
    if (c == ',') text += ' ';
  }
  return fmt::format("`{}`", text);
}

class PageWriter {
 public:
  std::string write(const SceneType& root) {
    page_ = kIntroduction;
    section(root);
    return std::move(page_);
  }

 private:
  void section(const SceneType& type) {
    if (!seen_.insert(type.name).second) return;
    page_ += fmt::format("\n## {}\n", type.name);
    if (type.kind == Kind::kChoice) {
      page_ += "\nOne of these, chosen by `\"type\"`:\n\n";
      for (const SceneType& part : type.parts)
        page_ += fmt::format("- [`{}`](#{}-{}): {}\n", part.tag, type.name, part.tag, part.doc);
      for (const char* name : type.in_programs)
        page_ += fmt::format(
            "\nA `{}` calls a function of a program, which scenes cannot name: it is "
            "for C++ alone (`sinew/{}s/{}.h`).\n",
            name, type.name, name);
      for (const SceneType& part : type.parts) {
        page_ += fmt::format("\n### {}: {}\n", type.name, part.tag);
        table(part);
      }
      for (const SceneType& part : type.parts) sections_of_fields(part);
    } else {
      table(type);
      sections_of_fields(type);
    }
  }

  void table(const SceneType& type) {
    page_ += fmt::format("\n{}\n", type.doc);
    if (type.fields.empty()) {
      page_ += "\nIt has no further keys.\n";
      return;
    }
    page_ += "\n| key | type | unit | default | limits | meaning |\n|---|---|---|---|---|---|\n";
    for (const SceneField& field : type.fields)
      page_ += fmt::format("| `{}` | {} | {} | {} | {} | {} |\n", field.name,
                           type_text(*field.type), field.info.unit, default_text(field),
                           limits(field.info), escaped(field.info.doc));
  }

  void sections_of_fields(const SceneType& object) {
    for (const SceneField& field : object.fields) {
      const bool many = field.type->kind == Kind::kList;
      const SceneType& type = many ? field.type->parts[0] : *field.type;
      if (type.kind == Kind::kObject || type.kind == Kind::kChoice) section(type);
    }
  }

  std::string page_;
  std::set<std::string> seen_;
};

}  // namespace

std::string scene_documentation() { return PageWriter().write(scene_type()); }

}  // namespace sinew
