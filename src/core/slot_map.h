// Things behind handles. Removing one bumps its slot's generation, so old handles stop fitting.
#pragma once

#include <sinew/error.h>
#include <sinew/handles.h>

#include <optional>
#include <vector>

#include "core/format.h"

namespace sinew {

template <class Id, class T>
class SlotMap {
 public:
  Id insert(T value) {
    if (!vacant_.empty()) {
      const std::uint32_t i = vacant_.back();
      vacant_.pop_back();
      slots_[i].value.emplace(std::move(value));
      return {i, slots_[i].generation};
    }
    slots_.push_back({std::move(value), 1});
    return {static_cast<std::uint32_t>(slots_.size() - 1), 1};
  }

  std::size_t size() const { return slots_.size() - vacant_.size(); }

  // Of what is in a slot.
  Id id_at(std::uint32_t slot) const { return {slot, slots_[slot].generation}; }

  bool contains(Id id) const {
    return id.index < slots_.size() && slots_[id.index].value &&
           slots_[id.index].generation == id.generation;
  }

  // Throws Error when the handle is dead; `kind` says of what, for the message.
  T& at(Id id, const char* kind) {
    if (!contains(id))
      throw Error(
          formatted("the handle of a {} (slot {}, generation {}) is not alive: it was "
                    "removed, or belongs to another world",
                    kind, id.index, id.generation));
    return *slots_[id.index].value;
  }
  const T& at(Id id, const char* kind) const { return const_cast<SlotMap*>(this)->at(id, kind); }

  void erase(Id id, const char* kind) {
    at(id, kind);
    slots_[id.index].value.reset();
    ++slots_[id.index].generation;
    vacant_.push_back(id.index);
  }

  // Calls f(id, value) in the order of slots.
  template <class F>
  void for_each(F&& f) {
    for (std::uint32_t i = 0; i < slots_.size(); ++i)
      if (slots_[i].value) f(Id{i, slots_[i].generation}, *slots_[i].value);
  }
  template <class F>
  void for_each(F&& f) const {
    for (std::uint32_t i = 0; i < slots_.size(); ++i)
      if (slots_[i].value) f(Id{i, slots_[i].generation}, *slots_[i].value);
  }

 private:
  struct Slot {
    std::optional<T> value;
    std::uint32_t generation;
  };
  std::vector<Slot> slots_;
  std::vector<std::uint32_t> vacant_;  // the last one that was given back is used first
};

}  // namespace sinew
