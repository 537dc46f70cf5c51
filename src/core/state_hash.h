// A 64-bit hash of simulation state, to compare runs bit by bit. Multiply–rotate over 8-byte words
// with the finaliser of MurmurHash3 (Appleby, public domain); not for adversaries.
#pragma once

#include <cstdint>
#include <cstring>
#include <span>

namespace sinew {

class StateHash {
 public:
  template <class T>
  void add(std::span<const T> values) {
    static_assert(std::is_trivially_copyable_v<T>);
    add_bytes(reinterpret_cast<const unsigned char*>(values.data()), values.size_bytes());
  }

  std::uint64_t value() const {
    std::uint64_t h = state_;
    h = (h ^ (h >> 33)) * 0xff51afd7ed558ccdull;
    h = (h ^ (h >> 33)) * 0xc4ceb9fe1a85ec53ull;
    return h ^ (h >> 33);
  }

 private:
  void add_bytes(const unsigned char* bytes, std::size_t size) {
    add_word(size);
    for (; size >= 8; bytes += 8, size -= 8) {
      std::uint64_t word;
      std::memcpy(&word, bytes, 8);
      add_word(word);
    }
    std::uint64_t word = 0;
    std::memcpy(&word, bytes, size);
    if (size > 0) add_word(word);
  }

  void add_word(std::uint64_t word) {
    state_ = (state_ ^ word) * 0x9e3779b97f4a7c15ull;
    state_ = (state_ << 29) | (state_ >> 35);
  }

  std::uint64_t state_ = 0x2545f4914f6cdd1dull;
};

}  // namespace sinew
