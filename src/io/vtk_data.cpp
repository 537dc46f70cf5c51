#include "io/vtk_data.h"

#include <fmt/format.h>

namespace sinew {
namespace {

using enum VtkNumber;
constexpr VtkNumberType kNumberTypes[] = {
    {"Int8", "char", kInt8, 1},
    {"UInt8", "unsigned_char", kUInt8, 1},
    {"Int16", "short", kInt16, 2},
    {"UInt16", "unsigned_short", kUInt16, 2},
    {"Int32", "int", kInt32, 4},
    {"Int32", "vtkidtype", kInt32, 4},
    {"UInt32", "unsigned_int", kUInt32, 4},
    {"Int64", "long", kInt64, 8},
    {"Int64", "vtktypeint64", kInt64, 8},
    {"UInt64", "unsigned_long", kUInt64, 8},
    {"UInt64", "vtktypeuint64", kUInt64, 8},
    {"Float32", "float", kFloat32, 4},
    {"Float64", "double", kFloat64, 8},
};

using enum CellKind;
constexpr CellType kCellTypes[] = {
    {0, "empty cell", kIgnored, 0},
    {1, "vertex", kIgnored, 0},
    {2, "poly-vertex", kIgnored, 0},
    {3, "line", kIgnored, 0},
    {4, "poly-line", kIgnored, 0},
    {5, "triangle", kTriangle, 3},
    {6, "triangle strip", kStrip, 0},
    {7, "polygon", kPolygon, 0},
    {8, "pixel", kPixel, 4},
    {9, "quadrilateral", kPolygon, 4},
    {10, "tetrahedron", kTetrahedron, 4},
    {11, "voxel", kVoxel, 8},
    {12, "hexahedron", kHexahedron, 8},
    {13, "wedge", kSkipped, 0},
    {14, "pyramid", kSkipped, 0},
    {15, "pentagonal prism", kSkipped, 0},
    {16, "hexagonal prism", kSkipped, 0},
    {21, "quadratic edge", kIgnored, 0},
    {22, "quadratic triangle", kTriangle, 6},
    {23, "quadratic quadrilateral", kPolygon, 8, 4},
    {24, "quadratic tetrahedron", kTetrahedron, 10},
    {25, "quadratic hexahedron", kHexahedron, 20},
    {26, "quadratic wedge", kSkipped, 0},
    {27, "quadratic pyramid", kSkipped, 0},
    {28, "biquadratic quadrilateral", kPolygon, 9, 4},
    {29, "triquadratic hexahedron", kHexahedron, 27},
    {30, "quadratic-linear quadrilateral", kPolygon, 6, 4},
    {31, "quadratic-linear wedge", kSkipped, 0},
    {32, "biquadratic wedge", kSkipped, 0},
    {33, "biquadratic hexahedron", kHexahedron, 24},
    {34, "biquadratic triangle", kTriangle, 7},
    {35, "cubic line", kIgnored, 0},
    {42, "polyhedron", kSkipped, 0},
    {68, "Lagrange curve", kIgnored, 0},
    {69, "Lagrange triangle", kTriangle, 0},
    {70, "Lagrange quadrilateral", kPolygon, 0, 4},
    {71, "Lagrange tetrahedron", kTetrahedron, 0},
    {72, "Lagrange hexahedron", kHexahedron, 0},
    {73, "Lagrange wedge", kSkipped, 0},
    {74, "Lagrange pyramid", kSkipped, 0},
};

template <class To, class From>
std::vector<To> get_converted(ByteCursor& in, std::size_t count, const char* what) {
  if constexpr (std::is_integral_v<To> && std::is_floating_point_v<From>) {
    in.fail(fmt::format("{} are floating point, but must be integers", what));
  } else {
    in.require(count, sizeof(From), what);
    std::vector<From> from(count);
    in.get(std::span<From>(from), what);
    return std::vector<To>(from.begin(), from.end());
  }
}

}  // namespace

const VtkNumberType* find_vtk_number(std::string_view name) {
  for (const VtkNumberType& type : kNumberTypes)
    if (type.xml_name == name || type.legacy_name == name) return &type;
  return nullptr;
}

template <class To>
std::vector<To> get_vtk_numbers(ByteCursor& in, const VtkNumberType& type, std::size_t count,
                                const char* what) {
  switch (type.number) {
    case kInt8:
      return get_converted<To, std::int8_t>(in, count, what);
    case kUInt8:
      return get_converted<To, std::uint8_t>(in, count, what);
    case kInt16:
      return get_converted<To, std::int16_t>(in, count, what);
    case kUInt16:
      return get_converted<To, std::uint16_t>(in, count, what);
    case kInt32:
      return get_converted<To, std::int32_t>(in, count, what);
    case kUInt32:
      return get_converted<To, std::uint32_t>(in, count, what);
    case kInt64:
      return get_converted<To, std::int64_t>(in, count, what);
    case kUInt64:
      return get_converted<To, std::uint64_t>(in, count, what);
    case kFloat32:
      return get_converted<To, float>(in, count, what);
    case kFloat64:
      return get_converted<To, double>(in, count, what);
  }
  in.fail("unknown type of number");
}

template std::vector<double> get_vtk_numbers(ByteCursor&, const VtkNumberType&, std::size_t,
                                             const char*);
template std::vector<std::int64_t> get_vtk_numbers(ByteCursor&, const VtkNumberType&, std::size_t,
                                                   const char*);

void append_vertices(std::vector<Vec3>& vertices, std::span<const double> xyz) {
  vertices.reserve(vertices.size() + xyz.size() / 3);
  for (std::size_t i = 0; i + 2 < xyz.size(); i += 3)
    vertices.push_back(
        {static_cast<Real>(xyz[i]), static_cast<Real>(xyz[i + 1]), static_cast<Real>(xyz[i + 2])});
}

void add_vtk_cells(CellSink& sink, const VtkCells& cells, std::size_t first_vertex,
                   std::size_t vertex_count, const std::function<void(std::string_view)>& fail) {
  if (cells.types.size() != cells.ends.size())
    fail(fmt::format("{} cells, but {} cell types", cells.ends.size(), cells.types.size()));
  std::vector<Index> nodes;
  std::int64_t begin = 0;
  for (std::size_t c = 0; c < cells.ends.size(); ++c) {
    const std::int64_t end = cells.ends[c];
    if (end < begin || end > static_cast<std::int64_t>(cells.nodes.size()))
      fail(fmt::format("cell {}: its nodes {}..{} are not within the {} that the file lists", c,
                       begin, end, cells.nodes.size()));
    nodes.clear();
    for (std::int64_t i = begin; i < end; ++i) {
      const std::int64_t node = cells.nodes[static_cast<std::size_t>(i)];
      if (node < 0 || node >= static_cast<std::int64_t>(vertex_count))
        fail(fmt::format("cell {}: vertex {} is not one of the {} (counted from 0)", c, node,
                         vertex_count));
      nodes.push_back(static_cast<Index>(first_vertex + static_cast<std::size_t>(node)));
    }
    begin = end;
    const CellType* type = find_cell_type(kCellTypes, cells.types[c]);
    if (type == nullptr) {
      sink.skip(fmt::format("cell of type {}", cells.types[c]));
      continue;
    }
    if (!fits(*type, nodes.size()))
      fail(fmt::format("cell {}: a {} cannot have {} nodes", c, type->name, nodes.size()));
    sink.add(*type, nodes);
  }
}

}  // namespace sinew
