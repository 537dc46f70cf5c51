// Lasting deformation: what is strained beyond its yield strain flows, and stays dented.
#pragma once

#include <sinew/describe.h>
#include <sinew/real.h>

namespace sinew {

struct Plasticity {
  static constexpr const char* kName = "plasticity";
  static constexpr const char* kDoc =
      "Lasting deformation of a solid: strain beyond the yield strain flows away, without change "
      "of "
      "volume.";

  Real yield_strain = Real(0.02);  // equivalent strain below which all is elastic
  Real creep_rate = 100;           // at which strain beyond it flows [1/s]
  Real strain_max = Real(0.5);     // no element flows further than this in all

  template <class Visitor>
  void describe(Visitor& v) {
    v.field("yield_strain", yield_strain,
            {.doc = "Equivalent (von Mises) strain below which it springs back", .min = 0});
    v.field("creep_rate", creep_rate,
            {.doc = "Rate at which strain beyond that flows away; large: at once, like clay",
             .unit = "1/s",
             .min = 0});
    v.field("strain_max", strain_max,
            {.doc = "Bound on the lasting strain of an element", .min = 0, .max = 2});
  }
};

}  // namespace sinew
