// VTK XML, UnstructuredGrid (.vtu): pieces of points and cells, put together. Data on points and
// cells is not used. https://docs.vtk.org/en/latest/design_documents/VTKFileFormats.html
#include <fmt/format.h>

#include "io/vtk_xml.h"
#include "io/vtu_writer.h"

namespace sinew {
namespace vtu {

void read_points(const VtkXml& xml, pugi::xml_node piece, std::size_t count, MeshFile& file) {
  const pugi::xml_node points = piece.child("Points");
  const pugi::xml_node array = points.child("DataArray");
  if (!array) xml.fail(piece, "it has no Points with a DataArray");
  if (xml.attribute(array, "NumberOfComponents") != "3")
    xml.fail(array, "NumberOfComponents must be 3");
  append_vertices(file.vertices, xml.array<double>(points, "", 3 * count));
}

void read_piece(const VtkXml& xml, pugi::xml_node piece, MeshFile& file, CellSink& sink) {
  const std::size_t first_vertex = file.vertices.size();
  const std::size_t point_count = xml.size_attribute(piece, "NumberOfPoints");
  const std::size_t cell_count = xml.size_attribute(piece, "NumberOfCells");
  if (point_count > 0) read_points(xml, piece, point_count, file);
  if (cell_count == 0) return;
  const pugi::xml_node node = piece.child("Cells");
  if (!node) xml.fail(piece, "it has no Cells");
  VtkCells cells;
  cells.types = xml.array<std::int64_t>(node, "types", cell_count);
  cells.ends = xml.array<std::int64_t>(node, "offsets", cell_count);
  if (cells.ends.back() < 0) xml.fail(node, "the last offset is negative");
  cells.nodes =
      xml.array<std::int64_t>(node, "connectivity", static_cast<std::size_t>(cells.ends.back()));
  add_vtk_cells(sink, cells, first_vertex, point_count,
                [&](std::string_view what) { xml.fail(node, what); });
}

MeshFile read(const MeshSource& source) {
  const VtkXml xml(source);
  if (xml.attribute(xml.root(), "type") != "UnstructuredGrid")
    xml.fail(xml.root(), fmt::format("type '{}' is not read; save an UnstructuredGrid",
                                     xml.attribute(xml.root(), "type")));
  MeshFile file;
  file.format = "VTK XML";
  CellSink sink(file);
  for (const pugi::xml_node piece : xml.root().child("UnstructuredGrid").children("Piece"))
    read_piece(xml, piece, file, sink);
  sink.finish();
  return file;
}

bool recognises(std::string_view bytes) {
  return bytes.substr(0, 4096).find("<VTKFile") != std::string_view::npos;
}

template <class Cell>
void write(std::ostream& out, const Mesh<Cell>& mesh) {
  PvdBody body;
  body.points = mesh.vertices;
  body.cells = std::span<const Cell>(mesh.cells);
  write_vtu(out, body);
}

constexpr const char* kExtensions[] = {".vtu"};

}  // namespace vtu

extern const MeshFormat k_vtu;
const MeshFormat k_vtu{"VTK XML",
                       vtu::kExtensions,
                       vtu::recognises,
                       vtu::read,
                       vtu::write<Triangle>,
                       vtu::write<Tetrahedron>,
                       vtu::write<Hexahedron>};

}  // namespace sinew
