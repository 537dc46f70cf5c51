// Binary files. put() writes one number; ByteCursor reads within their bounds, in either byte
// order. Errors say "file: byte n: what".
//
//   ByteCursor in(source.path, source.bytes, std::endian::big, /*offset=*/84);
//   in.require(n, 12, "vertices");            // before allocating for n of them
//   const float x = in.get<float>("x");
#pragma once

#include <fmt/format.h>
#include <sinew/error.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <filesystem>
#include <ostream>
#include <span>
#include <string_view>
#include <type_traits>

namespace sinew {

template <class T>
T byte_swapped(T value) {
  char bytes[sizeof(T)];
  std::memcpy(bytes, &value, sizeof(T));
  std::reverse(bytes, bytes + sizeof(T));
  std::memcpy(&value, bytes, sizeof(T));
  return value;
}

template <class T>
void put(std::ostream& out, T value, std::endian order = std::endian::little) {
  static_assert(std::is_arithmetic_v<T>);
  if (order != std::endian::native) value = byte_swapped(value);
  char bytes[sizeof(T)];
  std::memcpy(bytes, &value, sizeof(T));
  out.write(bytes, sizeof(T));
}

// The path and the bytes must outlive the cursor.
class ByteCursor {
 public:
  ByteCursor(const std::filesystem::path& path, std::string_view bytes,
             std::endian order = std::endian::little, std::size_t offset = 0)
      : path_(&path), bytes_(bytes), at_(std::min(offset, bytes.size())), order_(order) {}

  // The next number.
  template <class T>
  T get(const char* what = "a number") {
    T value;
    get(std::span<T>(&value, 1), what);
    return value;
  }
  // As many numbers as `values` has room for.
  template <class T>
  void get(std::span<T> values, const char* what = "numbers") {
    static_assert(std::is_arithmetic_v<T>);
    const std::string_view from = take(values.size(), sizeof(T), what);
    if (from.empty()) return;
    std::memcpy(values.data(), from.data(), from.size());
    if constexpr (sizeof(T) > 1)
      if (order_ != std::endian::native)
        for (T& value : values) value = byte_swapped(value);
  }
  // The next count·bytes_each bytes as they are; also the way to skip them.
  std::string_view take(std::size_t count, std::size_t bytes_each, const char* what) {
    require(count, bytes_each, what);
    const std::string_view taken = bytes_.substr(at_, count * bytes_each);
    at_ += taken.size();
    return taken;
  }
  // Error unless that much is left.
  void require(std::size_t count, std::size_t bytes_each, const char* what) const {
    if (bytes_each > 0 && count > remaining() / bytes_each)
      fail(
          fmt::format("{} {} of {} bytes expected, but only {} bytes are left: the file is cut "
                      "short or the count wrong",
                      count, what, bytes_each, remaining()));
  }

  std::size_t offset() const { return at_; }
  std::size_t remaining() const { return bytes_.size() - at_; }
  void set_order(std::endian order) { order_ = order; }

  [[noreturn]] void fail(std::string_view what) const {
    throw Error(fmt::format("{}: byte {}: {}", path_->string(), at_, what));
  }

 private:
  const std::filesystem::path* path_;
  std::string_view bytes_;
  std::size_t at_;
  std::endian order_;
};

}  // namespace sinew
