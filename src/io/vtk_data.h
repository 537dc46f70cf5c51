// What VTK's legacy and XML files have in common: types of numbers and of cells.
// https://docs.vtk.org/en/latest/design_documents/VTKFileFormats.html
#pragma once

#include <functional>

#include "io/byte_cursor.h"
#include "io/cell_sink.h"

namespace sinew {

enum class VtkNumber {
  kInt8,
  kUInt8,
  kInt16,
  kUInt16,
  kInt32,
  kUInt32,
  kInt64,
  kUInt64,
  kFloat32,
  kFloat64
};

struct VtkNumberType {
  std::string_view xml_name, legacy_name;
  VtkNumber number;
  std::size_t bytes;
};

// By either name; null when there is no such type.
const VtkNumberType* find_vtk_number(std::string_view name);

// Reads numbers of a type and makes each a To: std::int64_t (not from floating point: Error) or
// double.
template <class To>
std::vector<To> get_vtk_numbers(ByteCursor& in, const VtkNumberType& type, std::size_t count,
                                const char* what);

// Adds vertices x₀ y₀ z₀ x₁ y₁ z₁ ….
void append_vertices(std::vector<Vec3>& vertices, std::span<const double> xyz);

// Cell c has nodes[ends[c - 1]] up to, not including, nodes[ends[c]].
struct VtkCells {
  std::vector<std::int64_t> types, ends, nodes;
};

// Adds cells whose nodes count from `first_vertex` and must be fewer than `vertex_count`; `fail`
// throws, with the place put before the message.
void add_vtk_cells(CellSink& sink, const VtkCells& cells, std::size_t first_vertex,
                   std::size_t vertex_count, const std::function<void(std::string_view)>& fail);

}  // namespace sinew
