// Pairs by what they are made of: open addressing, linear probing.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace sinew {

// Of two numbers, whichever comes first; never 0.
inline std::uint64_t pair_key(std::uint32_t a, std::uint32_t b) {
  return (std::uint64_t(std::min(a, b)) << 32 | std::max(a, b)) + 1;
}

class PairTable {
 public:
  static constexpr std::uint32_t kMissing = 0xffffffffu;

  std::uint32_t find(std::uint64_t key) const {
    const std::size_t i = place(key);
    return keys_[i] == key ? values_[i] : kMissing;
  }
  void insert(std::uint64_t key, std::uint32_t value) {
    if (2 * (used_ + 1) > keys_.size()) grow();
    const std::size_t i = place(key);
    used_ += keys_[i] != key;
    keys_[i] = key;
    values_[i] = value;
  }
  void erase(std::uint64_t key) {
    std::size_t hole = place(key);
    if (keys_[hole] != key) return;
    --used_;
    // Later ones that were pushed past the hole move up into it.
    for (std::size_t i = next(hole); keys_[i] != 0; i = next(i)) {
      const std::size_t from = home(keys_[i]);
      const bool stays = hole <= i ? hole < from && from <= i : hole < from || from <= i;
      if (stays) continue;
      keys_[hole] = keys_[i];
      values_[hole] = values_[i];
      hole = i;
    }
    keys_[hole] = 0;
  }
  std::size_t size() const { return used_; }

 private:
  std::size_t home(std::uint64_t key) const {
    return std::size_t((key * 0x9e3779b97f4a7c15ull) >> 24) & (keys_.size() - 1);
  }
  std::size_t next(std::size_t i) const { return (i + 1) & (keys_.size() - 1); }
  std::size_t place(std::uint64_t key) const {
    std::size_t i = home(key);
    while (keys_[i] != 0 && keys_[i] != key) i = next(i);
    return i;
  }
  void grow() {
    PairTable larger;
    larger.keys_.assign(keys_.size() * 2, 0);
    larger.values_.assign(keys_.size() * 2, kMissing);
    for (std::size_t i = 0; i < keys_.size(); ++i)
      if (keys_[i] != 0) larger.insert(keys_[i], values_[i]);
    *this = std::move(larger);
  }

  std::vector<std::uint64_t> keys_ = std::vector<std::uint64_t>(64, 0);  // 0: empty
  std::vector<std::uint32_t> values_ = std::vector<std::uint32_t>(64, kMissing);
  std::size_t used_ = 0;
};

}  // namespace sinew
