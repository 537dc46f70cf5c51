// What changes in something, as bytes: to be kept, and to be put back later. One function names the
// members for both ways, so that neither can forget what the other knows:
//   void visit_state(StateBytes& state) { state(aim_, rotation_); }
#pragma once

#include <cstddef>
#include <cstring>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "core/assert.h"

namespace sinew {

class StateBytes {
 public:
  // Keeps what it is shown …
  StateBytes() = default;
  // … or puts back what was kept; the bytes must outlive it.
  explicit StateBytes(std::span<const std::byte> kept) : kept_(kept), restoring_(true) {}

  bool restoring() const { return restoring_; }
  bool done() const { return kept_.empty(); }  // all has been put back
  std::vector<std::byte> take() { return std::move(bytes_); }

  // Plain values, vectors of them, and what has visit_state() itself; in the same order both ways.
  template <class... T>
  void operator()(T&... members) {
    (visit(members), ...);
  }

 private:
  template <class T>
  void visit(T& member) {
    if constexpr (requires { member.visit_state(*this); }) {
      member.visit_state(*this);
    } else if constexpr (!std::is_empty_v<T>) {  // which may lie upon something else
      static_assert(std::is_trivially_copyable_v<T>);
      copy(&member, sizeof(T));
    }
  }
  template <class T>
  void visit(std::vector<T>& members) {
    static_assert(std::is_trivially_copyable_v<T>);
    std::size_t size = members.size();
    visit(size);
    members.resize(size);
    copy(members.data(), size * sizeof(T));
  }

  void copy(void* member, std::size_t size) {
    if (size == 0) return;
    if (!restoring_) {
      const auto* from = static_cast<const std::byte*>(member);
      bytes_.insert(bytes_.end(), from, from + size);
      return;
    }
    SINEW_ASSERT(size <= kept_.size());
    std::memcpy(member, kept_.data(), size);
    kept_ = kept_.subspan(size);
  }

  std::vector<std::byte> bytes_;
  std::span<const std::byte> kept_;
  bool restoring_ = false;
};

}  // namespace sinew
