// Memory for the length of a step: allocate by bumping a pointer, free all at once. Blocks are
// kept, so after the first steps nothing is asked of the heap any more.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <type_traits>
#include <vector>

namespace sinew {

class Arena {
 public:
  explicit Arena(std::size_t block_bytes = 64 * 1024) : block_bytes_(block_bytes) {}

  // Uninitialised room for `count` objects.
  template <class T>
  std::span<T> allocate(std::size_t count) {
    static_assert(std::is_trivially_destructible_v<T>);
    return {static_cast<T*>(allocate_bytes(count * sizeof(T), alignof(T))), count};
  }

  // Gives everything back; pointers into the arena die.
  void reset() {
    block_ = 0;
    used_ = 0;
  }

 private:
  struct Block {
    std::unique_ptr<std::byte[]> data;
    std::size_t size;
  };

  void* allocate_bytes(std::size_t bytes, std::size_t alignment) {
    for (;; ++block_, used_ = 0) {
      if (block_ == blocks_.size()) {
        const std::size_t size = std::max(block_bytes_, bytes + alignment);
        blocks_.push_back({std::make_unique<std::byte[]>(size), size});
      }
      Block& block = blocks_[block_];
      void* at = block.data.get() + used_;
      std::size_t room = block.size - used_;
      if (std::align(alignment, bytes, at, room)) {
        used_ = block.size - room + bytes;
        return at;
      }
    }
  }

  std::vector<Block> blocks_;
  std::size_t block_bytes_;
  std::size_t block_ = 0, used_ = 0;  // where the next allocation is tried
};

}  // namespace sinew
