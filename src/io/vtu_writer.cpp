#include "io/vtu_writer.h"

#include <fmt/format.h>
#include <sinew/error.h>
#include <zlib.h>

#include <algorithm>
#include <bit>
#include <numeric>
#include <ostream>

namespace sinew {
namespace {

constexpr std::size_t kBlock = 1 << 20;  // bytes compressed at once

template <class T>
constexpr const char* type_name() {
  if constexpr (std::is_same_v<T, float>) return "Float32";
  if constexpr (std::is_same_v<T, double>) return "Float64";
  if constexpr (std::is_same_v<T, std::int64_t>) return "Int64";
  if constexpr (std::is_same_v<T, std::uint8_t>) return "UInt8";
}

std::string xml_escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

void append_word(std::string& out, std::uint64_t word) {
  out.append(reinterpret_cast<const char*>(&word), sizeof word);
}

// The arrays of a grid: the XML that describes each goes where the caller puts it, the data piles
// up in the appended section.
class AppendedArrays {
 public:
  template <class T>
  std::string add(std::string_view name, int components, std::span<const T> values) {
    const std::size_t offset = data_.size();
    append_compressed({reinterpret_cast<const char*>(values.data()), values.size_bytes()});
    return fmt::format(
        "<DataArray type=\"{}\" Name=\"{}\" NumberOfComponents=\"{}\" format=\"appended\" "
        "offset=\"{}\"/>\n",
        type_name<T>(), xml_escaped(name), components, offset);
  }
  std::string add(std::string_view name, std::span<const Vec3> values) {
    static_assert(sizeof(Vec3) == 3 * sizeof(Real));
    return add<Real>(name, 3, {values.empty() ? nullptr : &values[0].x, 3 * values.size()});
  }
  const std::string& data() const { return data_; }

 private:
  // [blocks][bytes per block][bytes of a last, smaller block or 0][compressed bytes of each…][data]
  void append_compressed(std::string_view bytes) {
    const std::size_t blocks = (bytes.size() + kBlock - 1) / kBlock;
    std::string blob;
    append_word(data_, blocks);
    append_word(data_, kBlock);
    append_word(data_, bytes.size() % kBlock);
    for (std::size_t i = 0; i < blocks; ++i) {
      const std::string_view block = bytes.substr(i * kBlock, kBlock);
      uLongf size = compressBound(static_cast<uLong>(block.size()));
      const std::size_t start = blob.size();
      blob.resize(start + size);
      // Speed: a recording is written while the simulation waits.
      if (compress2(reinterpret_cast<Bytef*>(blob.data() + start), &size,
                    reinterpret_cast<const Bytef*>(block.data()), static_cast<uLong>(block.size()),
                    Z_BEST_SPEED) != Z_OK)
        throw Error("compressing a .vtu array failed: out of memory");
      blob.resize(start + size);
      append_word(data_, size);
    }
    data_ += blob;
  }

  std::string data_;
};

template <class Cell>
constexpr std::uint8_t cell_type() {
  if constexpr (std::is_same_v<Cell, Segment>) return 3;
  if constexpr (std::is_same_v<Cell, Triangle>) return 5;
  if constexpr (std::is_same_v<Cell, Tetrahedron>) return 10;
  if constexpr (std::is_same_v<Cell, Hexahedron>) return 12;
}

template <class Cell>
std::string cell_arrays(AppendedArrays& arrays, std::span<const Cell> cells) {
  constexpr std::size_t kCorners = std::tuple_size_v<Cell>;
  std::vector<std::int64_t> connectivity, offsets;
  connectivity.reserve(cells.size() * kCorners);
  offsets.reserve(cells.size());
  for (const Cell& cell : cells) {
    connectivity.insert(connectivity.end(), cell.begin(), cell.end());
    offsets.push_back(static_cast<std::int64_t>(connectivity.size()));
  }
  const std::vector<std::uint8_t> types(cells.size(), cell_type<Cell>());
  return arrays.add<std::int64_t>("connectivity", 1, connectivity) +
         arrays.add<std::int64_t>("offsets", 1, offsets) +
         arrays.add<std::uint8_t>("types", 1, types);
}

}  // namespace

void write_vtu(std::ostream& out, const PvdBody& body) {
  AppendedArrays arrays;
  std::string point_data, cell_data;
  for (const NamedVectors& v : body.point_vectors) point_data += arrays.add(v.name, v.values);
  for (const NamedScalars& s : body.cell_scalars)
    cell_data += arrays.add<Real>(s.name, 1, s.values);
  const std::string points = arrays.add("Points", body.points);
  const auto [cell_count, cells] = std::visit(
      [&](const auto& list) { return std::pair(list.size(), cell_arrays(arrays, list)); },
      body.cells);
  constexpr bool kLittle = std::endian::native == std::endian::little;
  out << fmt::format(
      "<?xml version=\"1.0\"?>\n"
      "<VTKFile type=\"UnstructuredGrid\" version=\"1.0\" byte_order=\"{}\" "
      "header_type=\"UInt64\" compressor=\"vtkZLibDataCompressor\">\n"
      "<UnstructuredGrid>\n<Piece NumberOfPoints=\"{}\" NumberOfCells=\"{}\">\n"
      "<PointData>\n{}</PointData>\n<CellData>\n{}</CellData>\n"
      "<Points>\n{}</Points>\n<Cells>\n{}</Cells>\n</Piece>\n</UnstructuredGrid>\n"
      "<AppendedData encoding=\"raw\">\n_",
      kLittle ? "LittleEndian" : "BigEndian", body.points.size(), cell_count, point_data, cell_data,
      points, cells);
  out.write(arrays.data().data(), static_cast<std::streamsize>(arrays.data().size()));
  out << "\n</AppendedData>\n</VTKFile>\n";
}

}  // namespace sinew
