// Getting over being turned inside out. Materials that guard their volume strongly un-invert one
// element after the other, and so lock a tangled body in its tangle: every element is the right way
// round, but they are wound about each other, and the way back leads over a barrier. (Others, as
// St. Venant and Kirchhoff's, are as much at rest inside out as they are at rest.) Therefore an
// element that is inside out, and all around it, is made of something milder for a while:
// corotated, of the same shear modulus. With that, shear straightens bodies before volume matters,
// and the energy grows with no more than the square of the strain, even where slivers are strained
// by 1e5. It turns back into its own material once no element of the body is inside out and it is
// itself nearly at rest.
#pragma once

#include <sinew/materials/corotated.h>
#include <sinew/mesh.h>

#include <algorithm>
#include <vector>

#include "core/pack.h"
#include "core/state_bytes.h"
#include "solvers/material_at.h"

namespace sinew {

inline constexpr double kMildPoisson = 0.25;
// Its shear modulus by its stiffness λ + 2μ against being stretched in one direction.
inline constexpr double kMildShear = (1 - 2 * kMildPoisson) / (2 - 2 * kMildPoisson);
// How long it takes to turn back [s].
inline constexpr double kRecoveryTime = 0.3;

// Something milder than a material of shear modulus μ, or, if it is free at small strains only,
// than one of mean stiffness k.
inline Corotated mild_material(double mu, double k) {
  const double shear = mu > 0 ? mu : k * kMildShear;
  return {.young = Real(2 * shear * (1 + kMildPoisson)), .poisson = Real(kMildPoisson)};
}

// Of an element: the share of its own material, from 0 to 1.
template <class W>
struct Recovery {
  W share{Real(1)};
  bool active = false;  // any of the pack's

  SINEW_INLINE bool any_active() const { return active; }
  // What the element answers to F: its own response, and that of what is milder.
  SINEW_INLINE Response<W> mixed(const Response<W>& own, const Corotated& mild,
                                 const Mat3T<W>& f) const {
    if (!active) return own;
    const Response<W> other = response_at(mild, f);
    return {other.density + (own.density - other.density) * share,
            other.stress + (own.stress - other.stress) * share};
  }
  // `back`: by how much it turns back in this step.
  template <class Mask>
  SINEW_INLINE void follow(const Mask& struck, const W& back) {
    share = select(struck, W(Real(0)), min(share + back, W(Real(1))));
    active = any(share < W(Real(1)));
  }
};

// How an element is: of its points, the least det F and the largest ‖F‖².
template <class W>
struct ElementState {
  W det, size2;
};

// A pack of elements, of whatever kind.
template <class W, int kNodes>
struct RecoveringPack {
  const Index (&node)[kNodes][kWidth<W>];
  int count;  // lanes in use
  Recovery<W>& recovery;
  ElementState<W> state;
};

// All elements of a body together.
class RecoveringBody {
 public:
  void resize(std::size_t vertices) { marked_.resize(vertices); }
  // Whether any element is not quite of its own material.
  bool active() const { return active_; }
  void set_active(bool active) { active_ = active; }
  // Of each vertex, whether an element there is inside out; as mark_inverted() left it.
  std::vector<char>& marked() { return marked_; }
  void visit_state(StateBytes& state) { state(active_); }

  // Before a step of length h; pack(i) is the RecoveringPack of number i.
  template <class PackAt>
  void begin_step(std::size_t packs, Real h, PackAt&& pack) {
    follow(packs, h, mark_inverted(packs, pack), pack);
  }

  // The same in two parts, for elements that tell who is inside out and others that recover.
  template <class PackAt>
  void follow(std::size_t packs, Real h, bool inside_out, PackAt&& pack) {
    if (!inside_out && !active_) return;
    active_ = false;
    for (std::size_t p = 0; p < packs; ++p) {
      const auto e = pack(p);
      const auto at = e.state;
      using W = decltype(at.det);
      W struck(Real(0));
      if (inside_out)
        for (int i = 0; i < kWidth<W>; ++i)  // those that repeat the first one, too
          for (const auto& node : e.node)
            if (marked_[node[i]]) set_lane(struck, i, Real(1));
      const W all_back(inside_out ? Real(0) : Real(h / kRecoveryTime)), none(Real(0));
      const W back =
          select(at.size2 < W(Real(5)), select(at.det > W(Real(.5)), all_back, none), none);
      e.recovery.follow(struck > none, back);
      active_ = active_ || e.recovery.any_active();
    }
  }
  // Marks the vertices of elements that are inside out; whether there are any.
  template <class PackAt>
  bool mark_inverted(std::size_t packs, PackAt&& pack) {
    bool found = false;
    for (std::size_t p = 0; p < packs; ++p) {
      const auto e = pack(p);
      const auto det = e.state.det;
      if (!any(det < decltype(det)(Real(0)))) continue;
      if (!found) std::fill(marked_.begin(), marked_.end(), char(0));
      found = true;
      for (int i = 0; i < e.count; ++i)
        if (lane(det, i) < 0)
          for (const auto& node : e.node) marked_[node[i]] = 1;
    }
    return found;
  }

 private:
  bool active_ = false;
  std::vector<char> marked_;  // vertices of elements that are inside out
};

}  // namespace sinew
