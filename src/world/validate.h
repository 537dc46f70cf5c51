// Checks a definition against its own description (sinew/describe.h): every number finite and
// within the limits of its field. Errors name the field and the value. Shapes that have to be
// prepared (hulls, meshes) are, because what is wrong with them shows there.
#pragma once

#include <sinew/bodies.h>
#include <sinew/describe.h>
#include <sinew/error.h>
#include <sinew/handles.h>

#include <cmath>
#include <string>
#include <string_view>

#include "core/format.h"

namespace sinew {

inline bool is_within(double value, const FieldInfo& info) {
  return std::isfinite(value) && (info.exclusive_min ? value > info.min : value >= info.min) &&
         (info.exclusive_max ? value < info.max : value <= info.max);
}

// Throws Error "PATH: density is -3 kg/m³; it must be greater than 0".
inline void check_number(std::string_view where, double value, const FieldInfo& info) {
  const std::string unit = *info.unit ? formatted(" {}", info.unit) : "";
  const auto refuse = [&](std::string_view rule) {
    throw Error(formatted("{} is {}{}; it must be {}", where, value, unit, rule));
  };
  if (!std::isfinite(value)) refuse("a finite number");
  if (info.exclusive_min ? value <= info.min : value < info.min)
    refuse(formatted("{} {}", info.exclusive_min ? "greater than" : "at least", info.min));
  if (info.exclusive_max ? value >= info.max : value > info.max)
    refuse(formatted("{} {}", info.exclusive_max ? "less than" : "at most", info.max));
}

class Validator {
 public:
  explicit Validator(std::string where) : where_(std::move(where)) {}

  void field(const char* name, Real value, const FieldInfo& info) {
    check_number(path(name), value, info);
  }
  void field(const char* name, int value, const FieldInfo& info) {
    check_number(path(name), value, info);
  }
  void field(const char* name, const Vec3& value, const FieldInfo& info) {
    for (int i = 0; i < 3; ++i) check_number(formatted("{}[{}]", path(name), i), value[i], info);
  }
  void field(const char* name, const Quat& q, const FieldInfo&) {
    const double norm =
        std::sqrt(double(q.x) * q.x + double(q.y) * q.y + double(q.z) * q.z + double(q.w) * q.w);
    if (!(std::abs(norm - 1) < 1e-3))
      throw Error(formatted("{} has length {}; it must be a unit quaternion", path(name), norm));
  }
  void field(const char* name, const Pose& pose, const FieldInfo&) {
    field((std::string(name) + ".position").c_str(), pose.position, FieldInfo{});
    field((std::string(name) + ".orientation").c_str(), pose.orientation, FieldInfo{});
  }
  template <class... Types>
  void field(const char* name, std::variant<Types...>& choice, const FieldInfo&) {
    Validator inner(path(name));
    std::visit(
        [&](auto& one) {
          one.describe(inner);
          if constexpr (requires { one.problem(); })
            if (const std::string problem = one.problem(); !problem.empty())
              throw Error(path(name) + problem);
          if constexpr (requires { one.prepare(); }) prepare(path(name), one);
        },
        choice);
  }
  template <class T>
  void field(const char* name, std::optional<T>& maybe, const FieldInfo&) {
    Validator inner(path(name));
    if (maybe) maybe->describe(inner);
  }
  template <class T>
  requires requires(T& t, Validator& v) { t.describe(v); }
  void field(const char* name, T& definition, const FieldInfo&) {
    Validator inner(path(name));
    definition.describe(inner);
  }
  template <class... Types>
  void field(const char* name, std::vector<std::variant<Types...>>& list, const FieldInfo& info) {
    for (std::size_t i = 0; i < list.size(); ++i)
      field(formatted("{}[{}]", name, i).c_str(), list[i], info);
  }
  template <class T>
  void field(const char* name, std::vector<T>& list, const FieldInfo&) {
    for (std::size_t i = 0; i < list.size(); ++i) {
      Validator inner(formatted("{}[{}]", path(name), i));
      list[i].describe(inner);
    }
  }
  // Long lists: a path is only made for what is wrong.
  void field(const char* name, std::vector<Real>& list, const FieldInfo& info) {
    for (std::size_t i = 0; i < list.size(); ++i)
      if (!is_within(list[i], info))
        check_number(formatted("{}[{}]", path(name), i), list[i], info);
  }
  void field(const char* name, std::vector<Vec3>& list, const FieldInfo& info) {
    for (std::size_t i = 0; i < list.size(); ++i)
      for (int k = 0; k < 3; ++k)
        if (!is_within(list[i][k], info))
          check_number(formatted("{}[{}][{}]", path(name), i, k), list[i][k], info);
  }
  void field(const char* name, std::optional<std::vector<Vec3>>& list, const FieldInfo& info) {
    if (list) field(name, *list, info);
  }
  void field(const char* name, std::vector<CurvePoint>& curve, const FieldInfo& info) {
    for (std::size_t i = 0; i < curve.size(); ++i) {
      check_number(formatted("{}[{}][0]", path(name), i), curve[i].at, info);
      check_number(formatted("{}[{}][1]", path(name), i), curve[i].slope, info);
    }
  }
  template <class Enum>
  requires std::is_enum_v<Enum>
  void field(const char* name, Enum value, const FieldInfo&) {
    const int number = static_cast<int>(value);
    if (number < 0 || number >= static_cast<int>(std::size(EnumWords<Enum>::kWords)))
      throw Error(formatted("{} is {}, which is none of its values", path(name), number));
  }
  // Names and flags need no check; a mesh, its pins and handles are checked where they are used.
  void field(const char*, const std::string&, const FieldInfo&) {}
  void field(const char*, RigidId, const FieldInfo&) {}
  void field(const char*, bool, const FieldInfo&) {}
  void field(const char*, BodyMesh&, const FieldInfo&) {}
  void field(const char*, TriMesh&, const FieldInfo&) {}
  void field(const char*, std::optional<TriMesh>&, const FieldInfo&) {}
  void field(const char*, std::vector<Index>&, const FieldInfo&) {}

 private:
  template <class T>
  static void prepare(const std::string& where, T& one) {
    try {
      one.prepare();
    } catch (const Error& error) {
      throw Error(formatted("{}.{}", where, error.what()));
    }
  }

  std::string path(const char* name) const {
    return where_.empty() ? name : formatted("{}.{}", where_, name);
  }
  std::string where_;
};

template <class Definition>
void validate(const std::string& where, Definition& definition) {
  Validator v(where);
  definition.describe(v);
}

}  // namespace sinew
