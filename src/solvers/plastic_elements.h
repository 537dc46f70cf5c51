// Elements that can be deformed for good (plasticity.h), asked how far they have been.
#pragma once

#include <sinew/mesh.h>

#include <span>

#include "core/pack.h"

namespace sinew {

class PlasticElements {
 public:
  virtual ~PlasticElements() = default;
  virtual bool flows() const = 0;
  // Fₚ⁻¹ of every cell of the mesh. `order` are its cells colour by colour, as they lie in packs.
  virtual void plastic_inverses(std::span<const Index> order,
                                std::span<Mat3T<double>> out) const = 0;
};

// Of packs with `count` lanes in use each, to which state[i] belongs; of(state) is their Fₚ⁻¹.
template <class Packs, class States, class Of>
void read_plastic_inverses(const Packs& packs, const States& states, std::span<const Index> order,
                           std::span<Mat3T<double>> out, Of&& of) {
  std::size_t k = 0;
  for (std::size_t i = 0; i < packs.size(); ++i) {
    const auto inverse = of(states[i]);
    for (int n = 0; n < packs[i].count; ++n) out[order[k++]] = lane(inverse, n);
  }
}

}  // namespace sinew
