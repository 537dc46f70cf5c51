// Legacy VTK, ASCII and binary (big endian): UNSTRUCTURED_GRID and POLYDATA. Cells come in two
// styles: rows of "count nodes…", and since version 5.1 OFFSETS and CONNECTIVITY. Data on points
// and cells is not used. https://docs.vtk.org/en/latest/design_documents/VTKFileFormats.html
#include <fmt/format.h>
#include <sinew/error.h>

#include <optional>

#include "io/mixed_cursor.h"
#include "io/vtk_data.h"

namespace sinew {
namespace vtk {

constexpr std::int64_t kStripCode = 6, kPolygonCode = 7;
constexpr std::string_view kMagic = "# vtk DataFile";

// Keywords may be in either case, as VTK takes them.
class VtkReader {
 public:
  explicit VtkReader(const MeshSource& source) : in_(source), sink_(file_) {}

  MeshFile read() {
    read_header();
    for (std::string word = lower_case(text().token()); !word.empty();
         word = lower_case(text().token())) {
      if (word == "point_data" || word == "cell_data") break;  // no geometry behind them
      read_section(word);
    }
    if (grid_line_ != 0)
      add_vtk_cells(sink_, grid_, 0, file_.vertices.size(), [this](std::string_view what) {
        in_.fail(fmt::format("CELLS of line {}: {}", grid_line_, what));
      });
    sink_.finish();
    return std::move(file_);
  }

 private:
  TextCursor& text() { return in_.text; }

  void read_header() {
    if (!text().raw_line().starts_with(kMagic))
      text().fail(fmt::format("the first line does not begin with '{}'", kMagic));
    text().raw_line();  // the title
    const std::string_view encoding = text().token();
    if (lower_case(encoding) != "ascii" && lower_case(encoding) != "binary")
      text().fail(fmt::format("expected 'ASCII' or 'BINARY', found {}", quote_token(encoding)));
    in_.binary = lower_case(encoding) == "binary";
    in_.bytes.set_order(std::endian::big);
    if (lower_case(text().token()) != "dataset") text().fail("expected 'DATASET'");
    const std::string_view dataset = text().token();
    if (lower_case(dataset) != "unstructured_grid" && lower_case(dataset) != "polydata")
      text().fail(fmt::format("a dataset {} is not read; save an UNSTRUCTURED_GRID or POLYDATA",
                              quote_token(dataset)));
    file_.format = in_.binary ? "VTK (binary)" : "VTK";
  }

  void read_section(const std::string& word) {
    if (word == "points") {
      read_points();
    } else if (word == "cells") {
      grid_line_ = text().line();
      const std::vector<std::int64_t> types = std::move(grid_.types);
      grid_ = read_cells();
      grid_.types = types;
    } else if (word == "cell_types") {
      grid_.types = integers(text().count("cell types", in_.binary ? 4 : 2), "int", "cell types");
    } else if (word == "polygons" || word == "triangle_strips") {
      read_faces(word == "polygons" ? kPolygonCode : kStripCode);
    } else if (word == "vertices" || word == "lines") {
      read_cells();
    } else if (word == "metadata") {
      text().raw_line();
      while (!text().raw_line().empty()) continue;
    } else if (word == "field") {
      skip_field();
    } else {
      text().fail(
          fmt::format("expected a section such as 'CELLS', found {}; is the count of the "
                      "section before it wrong?",
                      quote_token(word)));
    }
  }

  void read_points() {
    if (!file_.vertices.empty()) text().fail("a second section POINTS");
    const std::size_t count = text().count("points", in_.binary ? 3 : 6);
    const std::vector<double> xyz = reals(3 * count, text().token(), "coordinates");
    append_vertices(file_.vertices, xyz);
  }

  void read_faces(std::int64_t type) {
    const std::size_t line = text().line();
    VtkCells faces = read_cells();
    faces.types.assign(faces.ends.size(), type);
    add_vtk_cells(sink_, faces, 0, file_.vertices.size(), [&](std::string_view what) {
      in_.fail(fmt::format("faces of line {}: {}", line, what));
    });
  }

  // Behind the keyword: everything but the types.
  VtkCells read_cells() {
    const std::size_t count = text().count("cells", 2);
    const std::size_t size = text().count("numbers", in_.binary ? 4 : 2);
    TextCursor ahead = text();
    return lower_case(ahead.token()) == "offsets" ? read_offset_cells(count, size)
                                                  : read_counted_cells(count, size);
  }

  VtkCells read_offset_cells(std::size_t count, std::size_t size) {
    VtkCells cells;
    text().token();
    cells.ends = integers(count, text().token(), "offsets");
    if (lower_case(text().token()) != "connectivity") text().fail("expected 'CONNECTIVITY'");
    cells.nodes = integers(size, text().token(), "nodes", file_.vertices.size());
    if (!cells.ends.empty()) {
      if (cells.ends.front() != 0) in_.fail("the first of the OFFSETS is not 0");
      cells.ends.erase(cells.ends.begin());
    }
    return cells;
  }

  VtkCells read_counted_cells(std::size_t count, std::size_t size) {
    VtkCells cells;
    std::vector<std::int64_t> numbers;
    std::size_t taken = 0;
    if (in_.binary) numbers = integers(size, "int", "nodes");
    for (std::size_t c = 0; c < count; ++c) {
      if (taken == size) in_.fail(fmt::format("{} cells do not fit in {} numbers", count, size));
      const std::int64_t nodes = in_.binary ? numbers[taken] : text().integer();
      ++taken;
      if (nodes < 0 || static_cast<std::uint64_t>(nodes) > size - taken)
        in_.fail(
            fmt::format("cell {}: {} nodes, but only {} numbers are left", c, nodes, size - taken));
      for (std::int64_t i = 0; i < nodes; ++i, ++taken)
        cells.nodes.push_back(in_.binary ? numbers[taken] : text().index(file_.vertices.size(), 0));
      cells.ends.push_back(static_cast<std::int64_t>(cells.nodes.size()));
    }
    if (taken != size)
      in_.fail(fmt::format("{} cells take {} numbers, not {}", count, taken, size));
    return cells;
  }

  // FIELD name arrays, then for each: name components tuples type, numbers.
  void skip_field() {
    text().token();
    const std::size_t arrays = text().count("arrays", 8);
    for (std::size_t i = 0; i < arrays; ++i) {
      text().token();
      const std::size_t components = text().count("components", 1);
      const std::size_t tuples = text().count("tuples", 1);
      if (components > 0 && tuples > std::numeric_limits<std::size_t>::max() / 8 / components)
        text().fail("an array of the FIELD is too large");
      reals(components * tuples, text().token(), "values");
    }
  }

  const VtkNumberType& number_type(std::string_view name) {
    const VtkNumberType* type = find_vtk_number(lower_case(name));
    if (type == nullptr) text().fail(fmt::format("type {} is not read", quote_token(name)));
    return *type;
  }
  // In text, integers must be less than `limit` (and not negative) if it is given.
  std::vector<std::int64_t> integers(std::size_t count, std::string_view type_name,
                                     const char* what, std::optional<std::size_t> limit = {}) {
    const VtkNumberType& type = number_type(type_name);
    if (in_.binary) return read_bytes<std::int64_t>(count, type, what);
    std::vector<std::int64_t> values;
    for (std::size_t i = 0; i < count; ++i)
      values.push_back(limit ? text().index(*limit, 0) : text().integer());
    return values;
  }
  std::vector<double> reals(std::size_t count, std::string_view type_name, const char* what) {
    const VtkNumberType& type = number_type(type_name);
    if (in_.binary) return read_bytes<double>(count, type, what);
    std::vector<double> values;
    for (std::size_t i = 0; i < count; ++i) values.push_back(text().real());
    return values;
  }
  template <class T>
  std::vector<T> read_bytes(std::size_t count, const VtkNumberType& type, const char* what) {
    in_.begin_bytes();
    std::vector<T> values = get_vtk_numbers<T>(in_.bytes, type, count, what);
    in_.end_bytes();
    return values;
  }

  MixedCursor in_;
  MeshFile file_;
  CellSink sink_;
  VtkCells grid_;
  std::size_t grid_line_ = 0;  // of CELLS; 0: none yet
};

bool recognises(std::string_view bytes) { return bytes.starts_with(kMagic); }

MeshFile read(const MeshSource& source) { return VtkReader(source).read(); }

constexpr const char* kExtensions[] = {".vtk"};

}  // namespace vtk

extern const MeshFormat k_vtk;
const MeshFormat k_vtk{"VTK",   vtk::kExtensions, vtk::recognises, vtk::read,
                       nullptr, nullptr,          nullptr};

}  // namespace sinew
