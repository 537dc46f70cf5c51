#include "io/vtk_xml.h"

#include <fmt/format.h>
#include <sinew/error.h>
#include <zlib.h>

#include <algorithm>
#include <charconv>

#include "io/base64.h"
#include "io/text_cursor.h"

namespace sinew {
namespace {

// More than any mesh that can be simulated; keeps a file that is made to from filling the memory.
constexpr std::size_t kMostNumbers = std::size_t(1) << 27;
constexpr std::size_t kMostDeflated = 1032;  // zlib's best ratio: more is a lie

}  // namespace

VtkXml::VtkXml(const MeshSource& source) : source_(source) {
  find_appended();
  // Raw data behind the XML is not XML: the parser is given what comes before it, and the elements
  // that this leaves open are closed for it.
  std::string xml(source.bytes.substr(0, xml_size_));
  if (xml_size_ < source.bytes.size()) xml += "</VTKFile>";
  const pugi::xml_parse_result result = document_.load_buffer(xml.data(), xml.size());
  if (!result)
    throw Error(fmt::format("{}:{}: not well-formed XML: {}", source.path.string(),
                            line_of(static_cast<std::size_t>(result.offset)),
                            result.description()));
  if (!root()) throw Error(fmt::format("{}: it has no element VTKFile", source.path.string()));

  compressed_ = *root().attribute("compressor").value() != 0;
  if (root().attribute("byte_order").value() == std::string_view("BigEndian"))
    order_ = std::endian::big;
  const std::string_view header_type = root().attribute("header_type").as_string("UInt32");
  if (header_type != "UInt32" && header_type != "UInt64")
    fail(root(), fmt::format("header_type '{}'; it must be UInt32 or UInt64", header_type));
  word_bytes_ = header_type == "UInt64" ? 8 : 4;
}

// Finds <AppendedData encoding="…">, blanks, an underscore and then the data.
void VtkXml::find_appended() {
  const std::string_view bytes = source_.bytes;
  xml_size_ = std::min(bytes.find("<AppendedData"), bytes.size());
  const std::size_t tag_end = bytes.find('>', xml_size_);
  if (tag_end == std::string_view::npos) return;
  const std::string_view tag = bytes.substr(xml_size_, tag_end - xml_size_);
  const std::size_t data = bytes.find('_', tag_end);
  if (data == std::string_view::npos) return;
  const std::size_t end = std::max(std::min(bytes.rfind("</AppendedData"), bytes.size()), data + 1);
  appended_ =
      Encoded{bytes.substr(data + 1, end - data - 1), tag.find("base64") != std::string_view::npos};
}

std::size_t VtkXml::line_of(std::size_t offset) const {
  const std::string_view before = source_.bytes.substr(0, offset);
  return 1 + static_cast<std::size_t>(std::count(before.begin(), before.end(), '\n'));
}

void VtkXml::fail(pugi::xml_node node, std::string_view what) const {
  throw Error(fmt::format(
      "{}:{}: {}{}: {}", source_.path.string(),
      line_of(static_cast<std::size_t>(std::max<std::ptrdiff_t>(node.offset_debug(), 0))),
      node.name(),
      node.attribute("Name") ? fmt::format(" {}", quote_token(node.attribute("Name").value())) : "",
      what));
}

std::string_view VtkXml::attribute(pugi::xml_node node, const char* name) const {
  if (!node.attribute(name)) fail(node, fmt::format("the attribute {} is missing", name));
  return node.attribute(name).value();
}

std::size_t VtkXml::size_attribute(pugi::xml_node node, const char* name) const {
  const std::string_view text = attribute(node, name);
  std::size_t value = 0;
  const auto [stop, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (failure != std::errc{} || stop != text.data() + text.size())
    fail(node, fmt::format("{} is {}, not a count", name, quote_token(text)));
  if (value > kMostNumbers && std::string_view(name) != "offset")
    fail(node, fmt::format("{} is {}, more than can be read", name, value));
  return value;
}

VtkXml::Encoded VtkXml::encoded(pugi::xml_node array) const {
  const std::string_view format = attribute(array, "format");
  if (format == "binary") return {array.child_value(), true};
  if (format != "appended")
    fail(array,
         fmt::format("format {}; it must be ascii, binary or appended", quote_token(format)));
  if (!appended_) fail(array, "format appended, but the file has no AppendedData");
  const std::size_t offset = size_attribute(array, "offset");
  if (offset > appended_->text.size())
    fail(array, fmt::format("offset {} is behind the {} bytes of AppendedData: the file is cut "
                            "short",
                            offset, appended_->text.size()));
  return {appended_->text.substr(offset), appended_->base64};
}

std::string VtkXml::decode(pugi::xml_node array, const Encoded& from, std::size_t bytes) const {
  if (!from.base64) {
    if (bytes <= from.text.size()) return std::string(from.text.substr(0, bytes));
  } else if (std::optional<std::string> decoded = decode_base64(from.text, bytes)) {
    return std::move(*decoded);
  }
  fail(array, fmt::format("{} bytes expected, but its {}data is shorter or damaged", bytes,
                          from.base64 ? "base64 " : ""));
}

std::vector<std::uint64_t> VtkXml::header(pugi::xml_node array, const Encoded& from,
                                          std::size_t words) const {
  if (words > from.text.size()) fail(array, "its header is longer than its data");
  const std::string bytes = decode(array, from, words * word_bytes_);
  ByteCursor in(source_.path, bytes, order_);
  std::vector<std::uint64_t> out;
  for (std::size_t i = 0; i < words; ++i)
    out.push_back(word_bytes_ == 8 ? in.get<std::uint64_t>() : in.get<std::uint32_t>());
  return out;
}

// [bytes][data]
std::string VtkXml::plain_bytes(pugi::xml_node array, std::size_t bytes) const {
  const Encoded from = encoded(array);
  const std::uint64_t there = header(array, from, 1)[0];
  if (there != bytes) fail(array, fmt::format("{} bytes, but the file says {}", bytes, there));
  return decode(array, from, word_bytes_ + bytes).substr(word_bytes_);
}

// [blocks][bytes per block][bytes of a last, smaller block or 0][compressed bytes of each…][data]
std::string VtkXml::inflated_bytes(pugi::xml_node array, std::size_t bytes) const {
  const std::string_view compressor = root().attribute("compressor").value();
  if (compressor != "vtkZLibDataCompressor")
    fail(array, fmt::format("compressor {} is not read; save it with zlib or uncompressed",
                            quote_token(compressor)));
  const Encoded from = encoded(array);
  if (bytes / kMostDeflated > from.text.size())
    fail(array,
         fmt::format("{} bytes cannot come from {} compressed ones", bytes, from.text.size()));
  const std::uint64_t blocks = header(array, from, 1)[0];
  if (blocks == 0 && bytes == 0) return {};
  if (blocks > from.text.size()) fail(array, fmt::format("{} compressed blocks, too many", blocks));
  const std::vector<std::uint64_t> head = header(array, from, 3 + blocks);
  std::size_t compressed = 0;
  for (const std::uint64_t size : std::span(head).subspan(3)) {
    if (size > from.text.size() - compressed) fail(array, "compressed blocks longer than the data");
    compressed += size;
  }
  const std::size_t head_bytes = head.size() * word_bytes_;
  const std::string packed = decode(array, from, head_bytes + compressed);
  std::string out(bytes, '\0');
  std::size_t done = 0, at = head_bytes;
  for (std::uint64_t b = 0; b < blocks; ++b) {
    const std::uint64_t size = b + 1 == blocks && head[2] != 0 ? head[2] : head[1];
    if (size > bytes - done)
      fail(array, fmt::format("its blocks hold more than the {} bytes it should have", bytes));
    uLongf got = static_cast<uLongf>(size);
    const int status = uncompress(reinterpret_cast<Bytef*>(out.data() + done), &got,
                                  reinterpret_cast<const Bytef*>(packed.data() + at),
                                  static_cast<uLong>(head[3 + b]));
    if (status != Z_OK || got != size) fail(array, "its compressed data is damaged");
    done += size;
    at += head[3 + b];
  }
  if (done != bytes) fail(array, fmt::format("{} bytes, but the file has {}", bytes, done));
  return out;
}

template <class T>
std::vector<T> VtkXml::text_numbers(pugi::xml_node array, std::size_t count) const {
  const std::string_view text = array.child_value();
  const auto line = line_of(
      static_cast<std::size_t>(std::max<std::ptrdiff_t>(array.first_child().offset_debug(), 0)));
  TextCursor in(source_.path, text, line);
  const auto too_few = [&] { fail(array, fmt::format("{} numbers expected, fewer there", count)); };
  if (count > text.size() / 2 + 1) too_few();  // before allocating
  std::vector<T> out;
  out.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    if (in.at_end()) too_few();
    if constexpr (std::is_integral_v<T>)
      out.push_back(in.integer());
    else
      out.push_back(in.real());
  }
  if (!in.at_end()) fail(array, fmt::format("more than the {} numbers expected", count));
  return out;
}

template <class T>
std::vector<T> VtkXml::array(pugi::xml_node parent, const char* name, std::size_t count) const {
  const pugi::xml_node array = *name == 0
                                   ? parent.child("DataArray")
                                   : parent.find_child_by_attribute("DataArray", "Name", name);
  if (!array) fail(parent, fmt::format("the DataArray '{}' is missing", name));
  if (count > 3 * kMostNumbers)
    fail(array, fmt::format("{} numbers are more than can be read", count));
  if (attribute(array, "format") == "ascii") return text_numbers<T>(array, count);
  const VtkNumberType* type = find_vtk_number(attribute(array, "type"));
  if (type == nullptr) fail(array, "its type is not one of Int8 … UInt64, Float32, Float64");
  const std::size_t bytes = count * type->bytes;
  if (std::is_integral_v<T> &&
      (type->number == VtkNumber::kFloat32 || type->number == VtkNumber::kFloat64))
    fail(array, "its numbers must be integers");
  const std::string data = compressed_ ? inflated_bytes(array, bytes) : plain_bytes(array, bytes);
  ByteCursor in(source_.path, data, order_);
  return get_vtk_numbers<T>(in, *type, count, "numbers");
}

template std::vector<double> VtkXml::array(pugi::xml_node, const char*, std::size_t) const;
template std::vector<std::int64_t> VtkXml::array(pugi::xml_node, const char*, std::size_t) const;

}  // namespace sinew
