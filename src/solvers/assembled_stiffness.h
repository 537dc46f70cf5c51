// How stiff the elements of a body are together. A force that is predicted over a whole substep is
// stable while no vibration has h²ω² > 4, and ω² is an eigenvalue of M⁻¹K, which all elements at a
// vertex add to. A single element knows its own h²k/m alone. At ν = 0.3 the stiffest elements, at
// corners and edges, have little less than the body, as vertices within it are heavier; so those
// speak for it (Batch::stiffness). Once the forces of all elements are cut down to the same
// h²k/m = L, those within the body matter as much, and a vibration has up to ρ L: ρ = 3 to 5.
//
// Both are measured on the body at rest, by power iteration with Batch::predict, which adds
// −M⁻¹ Σ Gᵀθh²V P to positions, with substeps so short that θ = 1 and so long that nothing is left
// but L.
#pragma once

#include <span>

#include "solvers/batch.h"

namespace sinew {

struct AssembledStiffness {
  double rate = 0;      // largest ω² of the body [1/s²]
  double crowding = 1;  // ρ
};

// Of elements of which the stiffest has k/m = `largest` [1/s²]; `rest` holds the particles at rest
// with their inverse masses. Leaves the batch as it was.
AssembledStiffness assembled_stiffness(Batch& elements, std::span<const Row4<Real>> rest,
                                       double largest);

}  // namespace sinew
