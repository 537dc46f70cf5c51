// Base64 (RFC 4648), decoding only.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace sinew {

// The first `bytes` bytes that the text stands for; nothing when it holds fewer or something that
// is not base64. White space is passed over. Padding may stand inside the text: pieces encoded one
// by one and put together are decoded as one.
std::optional<std::string> decode_base64(std::string_view text, std::size_t bytes);

}  // namespace sinew
