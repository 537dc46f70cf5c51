// A binary message to the page, or a record of a recording (docs/viewer_protocol.md): a header in
// JSON, and blocks of numbers behind it. Blocks are shared and never change: the same vertices go
// to several clients, into the history and into a file without being copied.
#pragma once

#include <cstddef>
#include <cstring>
#include <memory>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <vector>

namespace sinew::viewer {

using Json = nlohmann::ordered_json;
using Block = std::shared_ptr<const std::vector<std::byte>>;

// Filled up to a multiple of 4 bytes.
template <class T>
Block make_block(std::span<const T> values) {
  std::vector<std::byte> bytes((values.size_bytes() + 3) / 4 * 4);
  if (!values.empty()) std::memcpy(bytes.data(), values.data(), values.size_bytes());
  return std::make_shared<const std::vector<std::byte>>(std::move(bytes));
}
template <class T>
Block make_block(const std::vector<T>& values) {
  return make_block(std::span<const T>(values));
}

class Message {
 public:
  // Puts a block behind those that are there, and returns where it is: {"at": …, "count": …}.
  Json add(const Block& block, std::size_t count);
  // Writes what goes before the blocks; `kind` has four letters.
  void finish(const char* kind, const Json& header);

  const std::string& head() const { return head_; }
  const std::vector<Block>& blocks() const { return blocks_; }
  std::size_t size() const { return head_.size() + blocks_size_; }  // [bytes]

 private:
  std::string head_;
  std::vector<Block> blocks_;
  std::size_t blocks_size_ = 0;
};

}  // namespace sinew::viewer
