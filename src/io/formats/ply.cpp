// PLY, the Stanford polygon format (Greg Turk, 1994): a text header that declares elements and
// their properties, then the elements, as text or binary in either byte order. Read: x, y, z of
// "vertex", vertex_indices (or vertex_index) of "face", wherever they stand and whatever their
// types; all else is passed over by its declared size. Written: binary, little endian.
#include <fmt/format.h>

#include <cmath>
#include <optional>

#include "io/byte_cursor.h"
#include "io/mesh_format.h"
#include "io/text_cursor.h"

namespace sinew {

namespace ply {

enum class Type { kI8, kU8, kI16, kU16, kI32, kU32, kF32, kF64 };
enum class Role { kX, kY, kZ, kCorners, kNone };
enum class Encoding { kText, kLittle, kBig };

struct TypeInfo {
  std::string_view name, old_name;
  std::size_t size;
};
constexpr TypeInfo kTypes[] = {
    {"int8", "char", 1}, {"uint8", "uchar", 1}, {"int16", "short", 2},   {"uint16", "ushort", 2},
    {"int32", "int", 4}, {"uint32", "uint", 4}, {"float32", "float", 4}, {"float64", "double", 8}};
std::size_t size_of(Type type) { return kTypes[static_cast<int>(type)].size; }

struct Property {
  Type type;
  std::optional<Type> length;  // a list, with a length of this type before it
  Role role;
};

struct Element {
  std::string_view name;
  std::size_t count;
  std::vector<Property> properties;

  bool has(Role role) const {
    for (const Property& p : properties)
      if (p.role == role) return true;
    return false;
  }
  // The least that one takes in a binary file.
  std::size_t bytes() const {
    std::size_t sum = 0;
    for (const Property& p : properties) sum += size_of(p.length.value_or(p.type));
    return sum;
  }
};

struct Header {
  Encoding encoding;
  std::vector<Element> elements;
  std::size_t end, lines;  // bytes and lines of the header
};

Encoding parse_encoding(TextCursor& in) {
  const std::string_view word = in.word();
  if (word == "ascii") return Encoding::kText;
  if (word == "binary_little_endian") return Encoding::kLittle;
  if (word == "binary_big_endian") return Encoding::kBig;
  in.fail(
      fmt::format("unknown format {}; known are ascii, binary_little_endian and "
                  "binary_big_endian",
                  quote_token(word)));
}

Type parse_type(TextCursor& in, std::string_view word) {
  for (std::size_t i = 0; i < std::size(kTypes); ++i)
    if (word == kTypes[i].name || word == kTypes[i].old_name) return static_cast<Type>(i);
  in.fail(fmt::format("unknown property type {}", quote_token(word)));
}

Role role_of(std::string_view element, std::string_view property, bool list) {
  if (element == "vertex" && !list && property.size() == 1 && property >= "x" && property <= "z")
    return static_cast<Role>(property[0] - 'x');
  const bool corners = property == "vertex_indices" || property == "vertex_index";
  return element == "face" && list && corners ? Role::kCorners : Role::kNone;
}

Property parse_property(TextCursor& in, const Element& element) {
  const std::string_view word = in.word();
  std::optional<Type> length;
  if (word == "list") length = parse_type(in, in.word());
  const Type type = parse_type(in, length ? in.word() : word);
  return {type, length, role_of(element.name, in.word(), length.has_value())};
}

Header parse_header(const MeshSource& source) {
  TextCursor in(source.path, source.bytes);
  if (in.word() != "ply") in.fail("not a PLY file: its first line is not 'ply'");
  Header header{};
  bool has_format = false;
  while (in.next_line()) {
    const std::string_view word = in.word();
    if (word == "format") {
      header.encoding = parse_encoding(in);
      has_format = true;
    } else if (word == "element") {
      const std::string_view name = in.word();
      const std::int64_t count = in.integer(in.word(), "a number of elements");
      if (count < 0) in.fail("a count cannot be negative");
      header.elements.push_back({name, static_cast<std::size_t>(count), {}});
    } else if (word == "property") {
      if (header.elements.empty()) in.fail("a property before the first element");
      Element& element = header.elements.back();
      element.properties.push_back(parse_property(in, element));
    } else if (word == "end_header") {
      if (!has_format) in.fail("the header has no format line");
      in.raw_line();  // to the end of the line
      header.end = in.offset();
      header.lines = in.line();
      return header;
    } else if (word != "comment" && word != "obj_info") {
      in.fail(fmt::format("unknown header line {}", quote_token(word)));
    }
  }
  in.fail("the header has no end_header");
}

// The two encodings behind one face: values in the order of the file.
struct TextValues {
  TextCursor in;

  double get(Type) { return in.real(); }
  void skip(Type, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i)
      if (in.token().empty()) in.fail("the file is cut short");
  }
  void require(const Element& element) const {
    const std::size_t numbers = std::max<std::size_t>(1, element.properties.size());
    in.count(std::to_string(element.count), std::string(element.name).c_str(), 2 * numbers);
  }
  [[noreturn]] void fail(std::string_view what) const { in.fail(what); }
};

struct BinaryValues {
  ByteCursor in;

  double get(Type type) {
    switch (type) {
      case Type::kI8:
        return in.get<std::int8_t>();
      case Type::kU8:
        return in.get<std::uint8_t>();
      case Type::kI16:
        return in.get<std::int16_t>();
      case Type::kU16:
        return in.get<std::uint16_t>();
      case Type::kI32:
        return in.get<std::int32_t>();
      case Type::kU32:
        return in.get<std::uint32_t>();
      case Type::kF32:
        return in.get<float>();
      case Type::kF64:
        break;
    }
    return in.get<double>();
  }
  void skip(Type type, std::size_t count) { in.take(count, size_of(type), "values"); }
  void require(const Element& element) const {
    in.require(element.count, element.bytes(), std::string(element.name).c_str());
  }
  [[noreturn]] void fail(std::string_view what) const { in.fail(what); }
};

template <class Values>
struct PlyReader {
  Values values;
  std::size_t vertex_count;
  MeshFile file{};
  std::vector<Index> corners{};
  std::size_t thin_faces = 0;

  std::size_t list_length(const Property& property) {
    if (!property.length) return 1;
    const double length = values.get(*property.length);
    // Up to 2³², the most a length type can say; what is there decides the rest.
    if (!(length >= 0 && length <= 4294967296.0 && length == std::floor(length)))
      values.fail(fmt::format("a list of length {}", length));
    return static_cast<std::size_t>(length);
  }

  void read_corners(Type type, std::size_t count) {
    corners.clear();
    for (std::size_t i = 0; i < count; ++i) {
      const double index = values.get(type);
      if (!(index >= 0 && index < static_cast<double>(vertex_count) && index == std::floor(index)))
        values.fail(fmt::format("vertex {} is outside 0..{}", index,
                                static_cast<std::int64_t>(vertex_count) - 1));
      corners.push_back(static_cast<Index>(index));
    }
    if (count < 3) ++thin_faces;
    add_polygon(file.triangles, corners);
  }

  void read_element(const Element& element) {
    if (element.properties.empty()) return;
    values.require(element);
    const bool is_vertex = element.name == "vertex";
    for (const Role axis : {Role::kX, Role::kY, Role::kZ})
      if (is_vertex && !element.has(axis)) values.fail("vertices without properties x, y and z");
    if (is_vertex) file.vertices.reserve(element.count);
    for (std::size_t i = 0; i < element.count; ++i) {
      Vec3 position;
      for (const Property& property : element.properties) {
        const std::size_t length = list_length(property);
        if (property.role == Role::kNone)
          values.skip(property.type, length);
        else if (property.role == Role::kCorners)
          read_corners(property.type, length);
        else
          position[static_cast<int>(property.role)] = static_cast<Real>(values.get(property.type));
      }
      if (is_vertex) file.vertices.push_back(position);
    }
  }
};

template <class Values>
MeshFile read_body(const Header& header, Values values, const char* format) {
  PlyReader<Values> reader{values, 0};
  reader.file.format = format;
  for (const Element& element : header.elements)
    if (element.name == "vertex") reader.vertex_count = element.count;
  for (const Element& element : header.elements) reader.read_element(element);
  warn_skipped(reader.file, reader.thin_faces, "faces of fewer than three corners");
  return std::move(reader.file);
}

MeshFile read(const MeshSource& source) {
  const Header header = parse_header(source);
  if (header.encoding == Encoding::kText)
    return read_body(
        header, TextValues{TextCursor(source.path, source.bytes.substr(header.end), header.lines)},
        "PLY (text)");
  const auto order = header.encoding == Encoding::kBig ? std::endian::big : std::endian::little;
  return read_body(header, BinaryValues{ByteCursor(source.path, source.bytes, order, header.end)},
                   "PLY (binary)");
}

void write(std::ostream& out, const TriMesh& mesh) {
  out << fmt::format(
      "ply\nformat binary_little_endian 1.0\n"
      "element vertex {}\nproperty {real} x\nproperty {real} y\nproperty {real} z\n"
      "element face {}\nproperty list uchar uint vertex_indices\nend_header\n",
      mesh.vertices.size(), mesh.cells.size(),
      fmt::arg("real", std::is_same_v<Real, double> ? "double" : "float"));
  for (const Vec3& v : mesh.vertices)
    for (int axis = 0; axis < 3; ++axis) put(out, v[axis]);
  for (const Triangle& triangle : mesh.cells) {
    put(out, std::uint8_t{3});
    for (const Index corner : triangle) put(out, corner);
  }
}

bool recognises(std::string_view bytes) {
  return bytes.substr(0, 4) == "ply\n" || bytes.substr(0, 5) == "ply\r\n";
}

constexpr const char* kExtensions[] = {".ply"};

}  // namespace ply

extern const MeshFormat k_ply;
const MeshFormat k_ply{"PLY",      ply::kExtensions, ply::recognises, ply::read,
                       ply::write, nullptr,          nullptr};

}  // namespace sinew
