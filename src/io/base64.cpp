#include "io/base64.h"

#include <cstdint>

namespace sinew {
namespace {

int digit(char c) {
  if (c >= 'A' && c <= 'Z') return c - 'A';
  if (c >= 'a' && c <= 'z') return c - 'a' + 26;
  if (c >= '0' && c <= '9') return c - '0' + 52;
  if (c == '+') return 62;
  if (c == '/') return 63;
  return -1;
}

bool is_space(char c) { return c == ' ' || c == '\n' || c == '\r' || c == '\t'; }

}  // namespace

std::optional<std::string> decode_base64(std::string_view text, std::size_t bytes) {
  if (bytes / 3 > text.size() / 4) return std::nullopt;
  std::string out;
  out.reserve(bytes + 2);
  std::uint32_t group = 0;  // four digits of 6 bits, three bytes
  int digits = 0, padding = 0;
  for (std::size_t i = 0; i < text.size() && out.size() < bytes; ++i) {
    const char c = text[i];
    if (is_space(c)) continue;
    const int value = c == '=' ? 0 : digit(c);
    if (value < 0 || (c != '=' && padding > 0)) return std::nullopt;
    if (c == '=') ++padding;
    group = group << 6 | static_cast<std::uint32_t>(value);
    if (++digits < 4) continue;
    if (padding > 2) return std::nullopt;
    for (int k = 0; k < 3 - padding; ++k) out += static_cast<char>(group >> (16 - 8 * k) & 0xFF);
    group = 0;
    digits = padding = 0;
  }
  if (out.size() < bytes) return std::nullopt;
  out.resize(bytes);
  return out;
}

}  // namespace sinew
