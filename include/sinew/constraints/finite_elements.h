// Position-based finite elements: the strain measures of a solid as constraints.
#pragma once

#include <sinew/describe.h>
#include <sinew/real.h>
#include <sinew/rotation_method.h>

namespace sinew {

// How the volume of an element is kept.
enum class VolumeMeasure {
  kExact,  // det F = 1, right for any stretch and for inverted elements
  kTrace,  // tr(RᵀF) = 3, the pressure term of co-rotational elasticity: right for small strains
};
template <>
struct EnumWords<VolumeMeasure> {
  static constexpr const char* kWords[] = {"exact", "trace"};
};

struct FiniteElements {
  static constexpr const char* kName = "finite_elements";
  static constexpr const char* kDoc =
      "Position-based finite elements of a solid: shape, hourglass modes and volume of every "
      "element "
      "as constraints. Game stiffness, not physical; with the material \"none\".";

  Real shape = Real(0.5);   // plain stiffness of F = R
  Real hourglass = 1;       // of the hourglass modes of hexahedra
  Real volume = Real(0.5);  // of the volume
  VolumeMeasure measure = VolumeMeasure::kExact;
  RotationMethod rotation = RotationMethod::kDefault;

  template <class Visitor>
  void describe(Visitor& v) {
    const FieldInfo plain{.min = 0, .max = 1};
    const auto with = [&](const char* doc) {
      FieldInfo info = plain;
      info.doc = doc;
      return info;
    };
    v.field("shape", shape, with("Plain stiffness of an element's shape; 1: rigid"));
    v.field("hourglass", hourglass, with("Plain stiffness of hexahedra's hourglass modes"));
    v.field("volume", volume, with("Plain stiffness of an element's volume"));
    v.field("measure", measure,
            {.doc = "Volume by its determinant, or by the trace of the strain"});
    v.field("rotation", rotation, {.doc = "How an element's rotation is found"});
  }
};

}  // namespace sinew
