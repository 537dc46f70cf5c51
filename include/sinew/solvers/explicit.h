// Explicit integration: forces where the body is, nothing to solve.
#pragma once

#include <sinew/describe.h>
#include <sinew/real.h>

namespace sinew {

enum class ExplicitMethod {
  kSymplecticEuler,  // velocities first, positions with the new ones: energy stays bounded
  kEuler,            // both from the old ones: energy grows in every step; for comparison
};
template <>
struct EnumWords<ExplicitMethod> {
  static constexpr const char* kWords[] = {"symplectic_euler", "euler"};
};

struct Explicit {
  static constexpr const char* kName = "explicit";
  static constexpr const char* kDoc =
      "Explicit: forces at the start of a substep. Exact in the limit and lively, for soft, coarse "
      "bodies; stiff and detailed ones need very many substeps.";

  ExplicitMethod method = ExplicitMethod::kSymplecticEuler;
  int substeps = 0;  // 0: as many as it takes to be stable

  template <class Visitor>
  void describe(Visitor& v) {
    v.field("method", method, {.doc = "Which of the positions and velocities goes first"});
    v.field("substeps", substeps,
            {.doc = "In a step of the world; 0: as many as it takes to be stable about rest, up to "
                    "1000, beyond which the body is softer than told",
             .min = 0,
             .max = 100000});
  }
};

}  // namespace sinew
