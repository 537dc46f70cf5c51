// The two constants that materials are given by, and Lamé's parameters that follow from them: what
// small strains ε of an isotropic solid obey, σ = 2μ ε + λ tr(ε) I.
#pragma once

#include <sinew/describe.h>
#include <sinew/real.h>

namespace sinew {

constexpr Real hooke_mu(Real young, Real poisson) { return young / (2 * (1 + poisson)); }
constexpr Real hooke_lambda(Real young, Real poisson) {
  return young * poisson / ((1 + poisson) * (1 - 2 * poisson));
}

template <class Visitor>
void describe_young(Visitor& v, Real& young) {
  v.field("young", young,
          {.doc = "Young's modulus E: stiffness", .unit = "Pa", .min = 0, .exclusive_min = true});
}

template <class Visitor>
void describe_poisson(Visitor& v, Real& poisson) {
  v.field("poisson", poisson,
          {.doc = "Poisson's ratio ν: 0.5 would keep volume exactly",
           .min = -1,
           .max = 0.5,
           .exclusive_min = true,
           .exclusive_max = true});
}

// For energies that ν < 0, and so λ < 0, would make fall without end.
template <class Visitor>
void describe_poisson_from_zero(Visitor& v, Real& poisson) {
  v.field("poisson", poisson,
          {.doc = "Poisson's ratio ν: 0.5 would keep volume exactly",
           .min = 0,
           .max = 0.5,
           .exclusive_max = true});
}

}  // namespace sinew
