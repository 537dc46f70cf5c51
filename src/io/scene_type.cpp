#include "io/scene_type.h"

#include <fmt/format.h>

#include <algorithm>
#include <climits>

namespace sinew {
namespace {

using Kind = SceneType::Kind;
using OrderedJson = nlohmann::ordered_json;

// As people write it: 0.45, not the 0.44999998807… that a float holds, in any precision.
OrderedJson written(Real value) { return OrderedJson::parse(fmt::format("{:.6g}", value)); }

SceneType type_of(Real& value) { return {.kind = Kind::kNumber, .fallback = written(value)}; }
SceneType type_of(int& value) { return {.kind = Kind::kInteger, .fallback = value}; }
SceneType type_of(std::string&) { return {.kind = Kind::kText}; }
SceneType type_of(bool& value) { return {.kind = Kind::kFlag, .fallback = value}; }
template <class Enum>
requires std::is_enum_v<Enum> SceneType type_of(Enum& value) {
  const auto& words = EnumWords<Enum>::kWords;
  return {.kind = Kind::kWord,
          .fallback = words[static_cast<int>(value)],
          .words = {std::begin(words), std::end(words)}};
}

SceneType tuple_of(Kind item, OrderedJson fallback) {
  const std::size_t count = fallback.size();
  return {.kind = Kind::kTuple,
          .fallback = std::move(fallback),
          .count = count,
          .parts = {SceneType{.kind = item}}};
}
SceneType type_of(Vec3& v) {
  return tuple_of(Kind::kNumber, {written(v.x), written(v.y), written(v.z)});
}
SceneType type_of(Quat& q) {
  return tuple_of(Kind::kNumber, {written(q.x), written(q.y), written(q.z), written(q.w)});
}
SceneType type_of(CurvePoint&) { return tuple_of(Kind::kNumber, {0, 0}); }
SceneType type_of(Cells3& cells) { return tuple_of(Kind::kInteger, OrderedJson(cells)); }

template <Described T>
SceneType type_of(T& definition);
template <class... Types>
SceneType type_of(std::variant<Types...>& choice);
SceneType type_of(SceneJoint& named);
SceneType type_of(TriMesh& mesh);
SceneType type_of(std::optional<std::vector<Vec3>>& positions);

template <class T>
SceneType type_of(std::vector<T>&) {
  T item{};
  return {.kind = Kind::kList, .fallback = OrderedJson::array(), .parts = {type_of(item)}};
}
template <class T>
SceneType type_of(std::optional<T>&) {
  T value{};
  SceneType type = type_of(value);
  type.fallback = nullptr;
  return type;
}

// What C++ programs hold ready-made, a scene file describes.
SceneType type_of(Pose&) {
  ScenePose pose;
  return type_of(pose);
}
SceneType type_of(BodyMesh&) {
  SceneMesh source;
  return type_of(source);
}
SceneType type_of(TriMesh&) {
  SceneMesh source;
  return type_of(source);
}
SceneType type_of(std::vector<Index>&) {
  std::vector<PinSelector> pins;
  return type_of(pins);
}
SceneType type_of(std::optional<std::vector<Vec3>>&) {
  SceneStart start;
  SceneType type = type_of(start);
  type.fallback = nullptr;
  return type;
}
SceneType type_of(SceneJoint& named) { return type_of(named.joint); }
SceneType type_of(RigidId&) { return {.kind = Kind::kText, .doc = "name of a rigid body"}; }

class TypeBuilder {
 public:
  explicit TypeBuilder(SceneType& object) : object_(object) {}
  template <class T>
  void field(const char* name, T& value, const FieldInfo& info) {
    SceneType type = type_of(value);
    if (info.required) type.fallback = nullptr;
    object_.fields.push_back({name, info, std::make_shared<const SceneType>(std::move(type))});
  }

 private:
  SceneType& object_;
};

template <Described T>
SceneType type_of(T& definition) {
  SceneType type{.kind = Kind::kObject, .name = T::kName, .doc = T::kDoc};
  type.fallback = OrderedJson::object();
  if constexpr (requires { T::kAtMostOne; })
    type.at_most_one = {std::begin(T::kAtMostOne), std::end(T::kAtMostOne)};
  TypeBuilder builder(type);
  definition.describe(builder);
  return type;
}

template <class... Types>
SceneType type_of(std::variant<Types...>& choice) {
  SceneType type{.kind = Kind::kChoice, .name = kind_name(&choice)};
  const auto add = [&]<class T>() {
    if constexpr (requires { T::kInScenes; }) {
      type.in_programs.push_back(T::kName);
      return;
    }
    T definition{};
    SceneType part = type_of(definition);
    part.tag = T::kName;
    part.name = fmt::format("{}_{}", type.name, T::kName);
    type.parts.push_back(std::move(part));
  };
  (add.template operator()<Types>(), ...);
  std::visit([&](const auto& one) { type.fallback["type"] = one.kName; }, choice);
  return type;
}

}  // namespace

const SceneType& scene_type() {
  static const SceneType type = [] {
    SceneFile file;
    return type_of(file);
  }();
  return type;
}

const SceneField* find_field(const SceneType& object, std::string_view name) {
  const auto it = std::find_if(object.fields.begin(), object.fields.end(),
                               [&](const SceneField& field) { return name == field.name; });
  return it == object.fields.end() ? nullptr : &*it;
}

const SceneType* find_choice(const SceneType& choice, std::string_view tag) {
  const auto it = std::find_if(choice.parts.begin(), choice.parts.end(),
                               [&](const SceneType& part) { return tag == part.tag; });
  return it == choice.parts.end() ? nullptr : &*it;
}

FieldInfo integer_limits(const FieldInfo& info) {
  FieldInfo limits = info;
  limits.min = std::max(info.min, double(INT_MIN));
  limits.max = std::min(info.max, double(INT_MAX));
  return limits;
}

}  // namespace sinew
