// Reading meshes from memory by one format, and feeding it damaged files.
#pragma once

#include <gtest/gtest.h>
#include <sinew/error.h>

#include <cstring>
#include <random>

#include "mesh_format_list.h"
#include "support.h"

namespace sinew {

inline MeshFile read_as(const MeshFormat& format, std::string_view bytes,
                        const std::filesystem::path& path = "file") {
  return format.read(MeshSource{path, bytes});
}

// The message of the Error that reading throws; empty when it throws none.
inline std::string error_of(const MeshFormat& format, std::string_view bytes,
                            const std::filesystem::path& path = "file") {
  return error_of([&] { read_as(format, bytes, path); });
}

inline bool all_in_range(const MeshFile& file) {
  const auto in_range = [&](const auto& cells) {
    for (const auto& cell : cells)
      for (const Index i : cell)
        if (i >= file.vertices.size()) return false;
    return true;
  };
  return in_range(file.triangles) && in_range(file.tetrahedra) && in_range(file.hexahedra);
}

// Numbers as bytes, one behind the other, in the order of the machine or the other one.
template <class T>
void put(std::string& bytes, T value, bool swapped = false) {
  char raw[sizeof(T)];
  std::memcpy(raw, &value, sizeof(T));
  if (swapped) std::reverse(raw, raw + sizeof(T));
  bytes.append(raw, sizeof(T));
}

// A file with a few bytes changed, cut out, repeated or replaced by awkward numbers.
inline std::string damaged(std::string bytes, std::mt19937& random) {
  static constexpr std::string_view kAwkward[] = {
      "-1", "0", "99999999999999999999", "nan", "1e99", "4294967296", "", "\n", "\xFF\xFF\xFF\x7F"};
  const auto below = [&](std::size_t n) { return n == 0 ? 0 : random() % n; };
  for (auto changes = 1 + below(4); changes > 0 && !bytes.empty(); --changes) {
    const std::size_t at = below(bytes.size());
    switch (below(5)) {
      case 0:
        bytes[at] = static_cast<char>(random());
        break;
      case 1:
        bytes.erase(at, 1 + below(8));
        break;
      case 2:
        bytes.insert(at, bytes.substr(below(bytes.size()), below(32)));
        break;
      case 3: {
        const std::size_t digit = bytes.find_first_of("0123456789", at);
        if (digit != std::string::npos) bytes.replace(digit, 1, kAwkward[below(9)]);
        break;
      }
      default:
        if (below(4) == 0) bytes.resize(at);
    }
  }
  return bytes;
}

// Whatever is done to a good file, it is read or refused with an Error; nothing else comes out.
inline void expect_survives_damage(const MeshFormat& format, const std::string& good,
                                   const std::filesystem::path& path = "file", int cases = 3000) {
  ASSERT_EQ(error_of(format, good, path), "");
  std::mt19937 random(12345);
  int refused = 0;
  for (int i = 0; i < cases; ++i) {
    const std::string bad = damaged(good, random);
    try {
      ASSERT_TRUE(all_in_range(read_as(format, bad, path))) << "case " << i;
    } catch (const Error& error) {
      ASSERT_STRNE(error.what(), "");
      ++refused;
    }
  }
  EXPECT_GT(refused, cases / 10);
}

}  // namespace sinew
