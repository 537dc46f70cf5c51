#include "io/scene_read.h"

#include <fmt/format.h>

#include <algorithm>
#include <new>

#include "world/validate.h"

namespace sinew {
namespace {

using nlohmann::json;

// A JSON value with its place and, for numbers, its limits.
struct Source {
  const json& value;
  std::string pointer;
  const FieldInfo& info;
  MeshContext& context;

  Source item(std::size_t i) const { return {value[i], pointer_to(pointer, i), info, context}; }
};

// Runs what may throw a plain Error, and says where that was.
template <class F>
auto at(const std::string& pointer, F&& f) {
  try {
    return f();
  } catch (const SceneProblem&) {
    throw;
  } catch (const Error& error) {
    throw SceneProblem(pointer, one_line(error.what()));
  } catch (const std::bad_alloc&) {
    throw SceneProblem(pointer, "does not fit into memory");
  }
}

void read(const Source& s, Real& out) {
  out = static_cast<Real>(s.value.get<double>());
  // Rounded to Real it may have left its limits: 0.49999999 as a float is 0.5.
  try {
    check_number("", out, s.info);
  } catch (const Error& error) {
    throw SceneProblem(s.pointer,
                       fmt::format("is {}; rounded to {} bits it{}", s.value.get<double>(),
                                   8 * sizeof(Real), error.what()));
  }
}
void read(const Source& s, int& out) { out = static_cast<int>(s.value.get<double>()); }
void read(const Source& s, std::string& out) { out = s.value.get<std::string>(); }
void read(const Source& s, bool& out) { out = s.value.get<bool>(); }
template <class Enum>
requires std::is_enum_v<Enum>
void read(const Source& s, Enum& out) {
  const auto& words = EnumWords<Enum>::kWords;
  out =
      static_cast<Enum>(std::find(std::begin(words), std::end(words), s.value.get<std::string>()) -
                        std::begin(words));
}
void read(const Source& s, Vec3& out) {
  for (int i = 0; i < 3; ++i) read(s.item(i), out[i]);
}
void read(const Source& s, Quat& out) {
  Real* const parts[] = {&out.x, &out.y, &out.z, &out.w};
  for (int i = 0; i < 4; ++i) read(s.item(i), *parts[i]);
}
void read(const Source& s, CurvePoint& out) {
  read(s.item(0), out.at);
  read(s.item(1), out.slope);
}
void read(const Source& s, Cells3& out) {
  for (int i = 0; i < 3; ++i) read(s.item(i), out[i]);
}

template <Described T>
void read(const Source& s, T& out);
template <class... Types>
void read(const Source& s, std::variant<Types...>& out);
void read(const Source& s, TriMesh& out);
void read(const Source& s, std::optional<std::vector<Vec3>>& out);

template <class T>
void read(const Source& s, std::vector<T>& out) {
  out.resize(s.value.size());
  for (std::size_t i = 0; i < out.size(); ++i) read(s.item(i), out[i]);
}
template <class T>
void read(const Source& s, std::optional<T>& out) {
  read(s, out.emplace());
}

using Wide = Vec3T<double>;

void read(const Source& s, Pose& out) {
  ScenePose pose;
  read(s, pose);
  out.position = pose.position;
  const Quat& q = pose.orientation;
  const double norm = std::hypot(std::hypot(q.x, q.y), std::hypot(q.z, q.w));
  if (!(std::abs(norm - 1) <= 1e-2))
    throw SceneProblem(pointer_to(s.pointer, "orientation"),
                       fmt::format("has length {:.4g}; it must be a unit quaternion", norm));
  const auto scaled = [&](Real part) { return static_cast<Real>(part / norm); };
  out.orientation = {scaled(q.x), scaled(q.y), scaled(q.z), scaled(q.w)};
  if (pose.rotation) {
    const Vec3& axis = pose.rotation->axis;
    const double size = std::hypot(double(axis.x), double(axis.y), double(axis.z));
    if (!(size > 0))
      throw SceneProblem(pointer_to(s.pointer, "rotation") + "/axis",
                         "is zero; it must point somewhere");
    constexpr double kDegree = 3.14159265358979323846 / 180;
    const Wide unit = Wide{axis.x, axis.y, axis.z} / size;
    const auto turn = QuatT<double>::from_axis_angle(unit, pose.rotation->angle_deg * kDegree);
    out.orientation = {Real(turn.x), Real(turn.y), Real(turn.z), Real(turn.w)};
  }
}

void read(const Source& s, Camera& out);

// What `make` does with the source of a mesh; its notes say where that stands.
template <class Mesh>
void read_mesh_source(const Source& s, Mesh& out, Mesh make(const SceneMesh&, MeshContext&)) {
  SceneMesh source;
  read(s, source);
  const std::size_t notes = s.context.notes.size();
  out = at(s.pointer, [&] { return make(source, s.context); });
  for (std::size_t i = notes; i < s.context.notes.size(); ++i)
    s.context.notes[i] = fmt::format("{}: {}", s.pointer, s.context.notes[i]);
}
void read(const Source& s, BodyMesh& out) { read_mesh_source(s, out, make_mesh); }
void read(const Source& s, TriMesh& out) { read_mesh_source(s, out, make_surface); }

void read(const Source& s, std::optional<std::vector<Vec3>>& out) {
  SceneStart start;
  read(s, start);
  out = at(s.pointer, [&] { return start.positions(s.context); });
}

// Bodies get their handles in a world; up to there a joint knows them by name.
void read(const Source&, RigidId&) {}
void read(const Source& s, SceneJoint& out) {
  read(s, out.joint);
  out.a = s.value.value("a", "");
  out.b = s.value.value("b", "");
}

std::vector<Index> read_pins(const Source& s, std::span<const Vec3> vertices) {
  std::vector<PinSelector> selectors;
  read(s, selectors);
  std::vector<Index> pins;
  for (std::size_t i = 0; i < selectors.size(); ++i) {
    const std::vector<Index> selected =
        at(pointer_to(s.pointer, i), [&] { return select_pins(selectors[i], vertices); });
    pins.insert(pins.end(), selected.begin(), selected.end());
  }
  std::sort(pins.begin(), pins.end());
  pins.erase(std::unique(pins.begin(), pins.end()), pins.end());
  return pins;
}

class Reader {
 public:
  explicit Reader(const Source& object) : object_(object) {}

  template <class T>
  void field(const char* name, T& out, const FieldInfo& info) {
    const auto it = object_.value.find(name);
    if (it == object_.value.end()) return;  // the default stays
    read(Source{*it, pointer_to(object_.pointer, name), info, object_.context}, out);
  }
  // Pins and what is attached are chosen among the vertices of the mesh, which a body describes
  // before them.
  void field(const char* name, BodyMesh& out, const FieldInfo& info) {
    field<BodyMesh>(name, out, info);
    object_.context.mesh = &out;
  }
  void field(const char* name, std::vector<Index>& out, const FieldInfo& info) {
    const auto it = object_.value.find(name);
    if (it == object_.value.end()) return;
    out = read_pins({*it, pointer_to(object_.pointer, name), info, object_.context},
                    vertices_of(*object_.context.mesh));
  }

 private:
  const Source& object_;
};

template <Described T>
void read(const Source& s, T& out) {
  Reader reader(s);
  out.describe(reader);
}

void read(const Source& s, Camera& out) {
  read<Camera>(s, out);
  if (out.eye == out.target)
    throw SceneProblem(pointer_to(s.pointer, "eye"), "is where the target is; move one of them");
}

template <class... Types>
void read(const Source& s, std::variant<Types...>& out) {
  const auto& tag = s.value.at("type").get_ref<const std::string&>();
  const auto try_one = [&]<class T>() {
    if (tag == T::kName) read(s, out.template emplace<T>());
  };
  (try_one.template operator()<Types>(), ...);
}

}  // namespace

SceneFile read_scene(const json& scene, MeshContext& context) {
  SceneFile file;
  const FieldInfo none;
  read({scene, "", none, context}, file);
  return file;
}

}  // namespace sinew
