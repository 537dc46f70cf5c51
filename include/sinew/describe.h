// How a definition (a body, a material, a shape, the world's settings) tells about its fields. Each
// has a member template
//   template <class Visitor> void describe(Visitor& v) { v.field("young", young, {…}); … }
// and one description serves all: the scene reader, its JSON Schema, the documentation page and the
// validation of what C++ programs pass in. A limit stands in one place.
#pragma once

#include <limits>

namespace sinew {

struct FieldInfo {
  const char* doc = "";   // one sentence
  const char* unit = "";  // "Pa", "kg/m³"; empty: none
  double min = -std::numeric_limits<double>::infinity();
  double max = std::numeric_limits<double>::infinity();
  bool exclusive_min = false;  // the value must be greater than min
  bool exclusive_max = false;  // the value must be less than max
  bool required = false;
};

// The names of an enumeration's values in scene files, in their order: specialised beside each,
// with `static constexpr const char* kWords[]`.
template <class Enum>
struct EnumWords;

}  // namespace sinew
