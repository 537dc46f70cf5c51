// The format of scene files as data: a tree of types, made by one visitor from the descriptions of
// the fields (describe.h). The check, the JSON Schema and the documentation walk this tree, so that
// they cannot disagree.
#pragma once

#include <concepts>
#include <nlohmann/json.hpp>

#include "io/scene_format.h"

namespace sinew {

struct SceneType;

struct SceneField {
  const char* name;
  FieldInfo info;
  std::shared_ptr<const SceneType> type;  // never null
};

struct SceneType {
  enum class Kind {
    kNumber,
    kInteger,
    kText,
    kFlag,    // true or false
    kWord,    // one of `words`
    kTuple,   // `count` items
    kList,    // any number of items
    kObject,  // `fields`
    kChoice,  // an object whose "type" names one of `parts`
  };
  Kind kind;
  std::string name = {};  // kObject, kChoice: unique among them
  const char* doc = "";
  nlohmann::ordered_json fallback = nullptr;  // what it is when left out; null: nothing
  std::vector<const char*> words = {};
  std::size_t count = 0;
  std::vector<SceneType> parts = {};          // the item of a tuple or list; the choices
  std::vector<SceneField> fields = {};        // of an object
  const char* tag = nullptr;                  // in a choice: its "type"
  std::vector<const char*> at_most_one = {};  // of these keys of an object
  std::vector<const char*> in_programs = {};  // tags of a choice that only programs can make
};

const SceneType& scene_type();  // of the whole file

// The field of that name, or the choice with that tag; null if there is none.
const SceneField* find_field(const SceneType& object, std::string_view name);
const SceneType* find_choice(const SceneType& choice, std::string_view tag);

// The limits of an integer field, which has to fit an int as well.
FieldInfo integer_limits(const FieldInfo& info);

struct NoVisitor {
  void field(const char*, auto&, const FieldInfo&) {}
};
template <class T>
concept Described = requires(T& t, NoVisitor& v) {
  t.describe(v);
};

}  // namespace sinew
