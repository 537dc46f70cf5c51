// Sums over the packs of a term, in which blocks of packs run side by side: what each pack adds up
// to is kept apart, and added in the same order for any number of threads.
#pragma once

#include <sinew/executor.h>

#include <vector>

namespace sinew {

class PackSums {
 public:
  // Room for so many packs, for who must not allocate later.
  void reserve(std::size_t packs) { of_pack_.reserve(packs); }
  // Σ f(pack, shared), f returning a number of each pack; `packs` are LocalPacks or ColouredPacks.
  template <class Packs, class Shared, class F>
  double over(Packs& packs, Executor& executor, const Shared& shared, F f) {
    using P = typename std::decay_t<decltype(packs.packs())>::value_type;
    struct WithPlace {
      Shared shared;
      const P* first;
      double* of_pack;
    };
    of_pack_.resize(packs.packs().size());
    packs.for_each_with(
        executor, WithPlace{shared, packs.packs().data(), of_pack_.data()},
        [f](P& pack, const WithPlace& s) { s.of_pack[&pack - s.first] = f(pack, s.shared); });
    double total = 0;
    for (const double one : of_pack_) total += one;
    return total;
  }

 private:
  std::vector<double> of_pack_;  // of the last sum
};

}  // namespace sinew
