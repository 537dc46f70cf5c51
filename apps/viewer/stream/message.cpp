#include "message.h"

#include <bit>
#include <cstdint>

namespace sinew::viewer {

static_assert(std::endian::native == std::endian::little, "messages are little-endian");

Json Message::add(const Block& block, std::size_t count) {
  const std::size_t at = blocks_size_;
  blocks_.push_back(block);
  blocks_size_ += block->size();
  return {{"at", at}, {"count", count}};
}

void Message::finish(const char* kind, const Json& header) {
  std::string text = header.dump(-1, ' ', false, Json::error_handler_t::replace);
  text.resize((text.size() + 3) / 4 * 4, ' ');
  const auto length = static_cast<std::uint32_t>(text.size());
  head_.assign(kind, 4);
  head_.append(reinterpret_cast<const char*>(&length), sizeof length);
  head_ += text;
}

}  // namespace sinew::viewer
