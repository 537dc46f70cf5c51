// Which vertices of a soft body in a scene file are held in place. Places are in the coordinates of
// the mesh, before the body's pose; a vertex on the border counts, with a tolerance for rounding.
#pragma once

#include <sinew/describe.h>
#include <sinew/mesh.h>

#include <span>
#include <string>
#include <variant>
#include <vector>

namespace sinew {

struct VertexPins {
  static constexpr const char* kName = "vertices";
  static constexpr const char* kDoc = "Vertices by number.";

  std::vector<int> indices = {};

  template <class Visitor>
  void describe(Visitor& v) {
    v.field("indices", indices,
            {.doc = "Numbers of the vertices, from 0", .min = 0, .required = true});
  }
  std::vector<Index> select(std::span<const Vec3> vertices) const;
};

struct BoxPins {
  static constexpr const char* kName = "box";
  static constexpr const char* kDoc =
      "All vertices in a box, in the coordinates of the mesh (before the pose).";

  Vec3 lower = {}, upper = {};

  template <class Visitor>
  void describe(Visitor& v) {
    v.field("lower", lower, {.doc = "Lower corner", .unit = "m", .required = true});
    v.field("upper", upper, {.doc = "Upper corner", .unit = "m", .required = true});
  }
  std::vector<Index> select(std::span<const Vec3> vertices) const;
};

struct SpherePins {
  static constexpr const char* kName = "sphere";
  static constexpr const char* kDoc =
      "All vertices in a ball, in the coordinates of the mesh (before the pose).";

  Vec3 center = {};
  Real radius = Real(0.1);

  template <class Visitor>
  void describe(Visitor& v) {
    v.field("center", center, {.doc = "Centre", .unit = "m", .required = true});
    v.field("radius", radius,
            {.doc = "Radius", .unit = "m", .min = 0, .exclusive_min = true, .required = true});
  }
  std::vector<Index> select(std::span<const Vec3> vertices) const;
};

using PinSelector = std::variant<VertexPins, BoxPins, SpherePins>;

// Throws Error when the selector selects nothing.
std::vector<Index> select_pins(const PinSelector& selector, std::span<const Vec3> vertices);

}  // namespace sinew
