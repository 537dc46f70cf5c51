// GLB files taken apart and put together, for tests of what reads and writes them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace sinew {

template <class T>
void append_number(std::string& bytes, T value) {
  bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
}
template <class T>
std::string bytes_of(std::initializer_list<T> values) {
  std::string bytes;
  for (const T value : values) append_number(bytes, value);
  return bytes;
}
template <class T>
T number_at(std::string_view bytes, std::size_t offset) {
  if (offset + sizeof(T) > bytes.size()) throw std::out_of_range("number_at");
  T value;
  std::memcpy(&value, bytes.data() + offset, sizeof value);
  return value;
}

struct GlbFile {
  nlohmann::json json;
  std::string binary;

  std::string bytes() const {
    std::string text = json.dump(), data = binary;
    while (text.size() % 4 != 0) text += ' ';
    while (data.size() % 4 != 0) data += '\0';
    std::string file = "glTF";
    const auto put = [&file](std::size_t n) { append_number(file, static_cast<std::uint32_t>(n)); };
    put(2), put(12 + 8 + text.size() + 8 + data.size());
    put(text.size()), file += "JSON" + text;
    put(data.size()), file += std::string("BIN\0", 4) + data;
    return file;
  }
  static GlbFile parse(std::string_view file) {
    if (file.substr(0, 4) != "glTF" || number_at<std::uint32_t>(file, 8) != file.size())
      throw std::runtime_error("not a GLB file");
    const std::size_t length = number_at<std::uint32_t>(file, 12);
    if (length % 4 != 0) throw std::runtime_error("unaligned chunk");
    return {nlohmann::json::parse(file.substr(20, length)),
            std::string(file.substr(std::min(20 + length + 8, file.size())))};
  }

  // The numbers of an accessor of floats or of unsigned integers.
  std::vector<double> numbers(std::size_t accessor_id) const {
    const nlohmann::json& accessor = json.at("accessors").at(accessor_id);
    const nlohmann::json& view =
        json.at("bufferViews").at(accessor.at("bufferView").get<std::size_t>());
    const std::string type = accessor.at("type");
    const std::size_t width = type == "SCALAR" ? 1 : type == "VEC3" ? 3 : 4;
    const std::size_t count = accessor.at("count").get<std::size_t>() * width;
    const std::size_t start = view.at("byteOffset");
    std::vector<double> result;
    for (std::size_t i = 0; i < count; ++i) switch (accessor.at("componentType").get<int>()) {
        case 5123:
          result.push_back(number_at<std::uint16_t>(binary, start + 2 * i));
          break;
        case 5125:
          result.push_back(number_at<std::uint32_t>(binary, start + 4 * i));
          break;
        default:
          result.push_back(number_at<float>(binary, start + 4 * i));
      }
    return result;
  }
};

}  // namespace sinew
