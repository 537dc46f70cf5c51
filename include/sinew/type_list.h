// A list of types that code can walk: MaterialList::for_each([]<class M>() { … }).
#pragma once

namespace sinew {

template <class... Types>
struct TypeList {
  static constexpr int kCount = sizeof...(Types);

  template <class F>
  static void for_each(F&& f) {
    (f.template operator()<Types>(), ...);
  }
};

}  // namespace sinew
