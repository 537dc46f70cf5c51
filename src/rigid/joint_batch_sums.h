// What the rows of RowBatch (joint_batch.h) did in a substep, for the books of islands
// (joint_memory.h): their biases, and the work of springs, motors and bodies that are moved.
//
// Springs are told by a frequency, so their stiffness k = ω²m follows the mass m that they feel: as
// bodies turn, ½kC² grows without anybody's work, and what is stretched while it is weak lets go
// while it is strong. So every joint keeps a book of the energy U that its springs took and have
// not given back, as in time-domain passivity control (Hannaford and Ryu, IEEE Trans. Robotics and
// Automation 18, 2002), and they give no more than U. Of the work of a spring,
//   λ J·(v₀ + v)/2,  λ = −h (k C' + c J·v),
// the part of c is lost and not kept. What a spring gives beyond U is not told as its work, and
// taken back as any other energy out of nothing is (conservation.h).
#pragma once

#include "rigid/joint_batch.h"

namespace sinew {

// A row asks for J·v = −b − γλ. Its work is λ J·(v₀ + v)/2, with the velocities v₀ without any
// constraint, and no more than it asks for.
template <class W>
struct RowSums {
  W along = W(Real(0)), own = W(Real(0));
  W work = W(Real(0));                        // of motors, and of dampers: below 0
  W sprung = W(Real(0)), taken = W(Real(0));  // of springs: told, and −1 times what it really was

  template <class Row, class Mask>
  SINEW_INLINE void add(const Row& row, const W& mass_bias, const W& before, const W& now,
                        const Mask& drives, const W& damping, const W& h) {
    const W zero(Real(0));
    const W load = select(row.mass > zero, row.impulse / row.mass, zero);
    const W bias = mass_bias * load, give = row.give * row.impulse * load;
    along += bias;
    own += give;
    const W speed = W(Real(0.5)) * (before + now);
    const W real = row.impulse * speed, told = min(real, -(bias + give));
    const auto springs = damping >= zero;
    const W lost = select(springs, min(-h * damping * now * speed, zero), zero);
    work += select(springs, lost, select(drives, told, zero));
    sprung += select(springs, told - lost, zero);
    taken += select(springs, lost - real, zero);
  }

  // Into the book of the joint, and out of it.
  SINEW_INLINE void settle(W& stored) {
    const W zero(Real(0));
    const W given = min(max(sprung, zero), stored);
    stored += select(sprung > zero, -given, max(taken, zero));
    work += min(sprung, zero) + given;
  }
};

// The velocity of a body that is moved by others: it gives energy, and is not told in ⟨δ, v₀⟩.
template <class W>
SINEW_INLINE Twist<W> moved_velocity(const std::vector<Row8<Real>>& velocity, const BodyRow* read,
                                     const BodyRow* write) {
  Real moved[kWidth<W>];
  for (int l = 0; l < kWidth<W>; ++l) moved[l] = Real(read[l] != write[l]);
  const W share = load_lanes<W>(moved);
  const Twist<W> v = gather_twist<W>(velocity, read);
  return {v.linear * share, v.angular * share};
}

template <class E, class W>
void RowBatch<E, W>::add_sums(const BodyRows& bodies, const std::vector<Row8<Real>>& held,
                              std::span<const std::uint32_t> roots, std::span<IslandSums> sums) {
  const W zero(Real(0)), h(h_);
  for (std::size_t i = 0; i < packs_.size(); ++i) {
    const JointPack<E, W>& p = packs_[i];
    JointBack<E, W>& back = backs_[i];
    const MotionOf<E, W> now = load_motion(p, bodies.velocity), before = load_motion(p, held);
    const MotionOf<E, W> moved{moved_velocity<W>(bodies.velocity, p.a, p.write_a),
                               moved_velocity<W>(bodies.velocity, p.b, p.write_b), p.mass_a,
                               p.mass_b};
    RowSums<W> of;
    W carried = zero;
    for (int k = 0; k < E::kBlock; ++k) {
      const auto& row = p.block[k];
      of.add(row, row.bias, before.along(row.row), now.along(row.row), row.give > zero,
             back.damping[k], h);
      carried += row.impulse * moved.along(row.row);
    }
    for (int k = 0; k < E::kLoose; ++k) {
      const auto& row = p.loose[k];
      of.add(row, select(row.impulse > zero, row.lower, row.upper), before.along(row.row),
             now.along(row.row), back.firm[E::kBlock + k] <= zero, back.damping[E::kBlock + k], h);
      carried += row.impulse * moved.along(row.row);
    }
    of.settle(back.stored);
    for (int l = 0; l < used_[i]; ++l) {
      IslandSums& sum = sums[roots[p.write_a[l] == p.a[l] ? p.a[l] : p.b[l]]];
      sum.along += lane(of.along, l) + lane(carried, l);
      sum.own += lane(of.own, l);
      sum.work += lane(of.work, l) - lane(carried, l);
    }
  }
}

}  // namespace sinew
