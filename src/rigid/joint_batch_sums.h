// What the rows of RowBatch (joint_batch.h) did in a substep, for the books of islands
// (joint_memory.h): their biases, and the work of springs, motors and bodies that are moved.
#pragma once

#include "rigid/joint_batch.h"

namespace sinew {

// A row asks for J·v = −b − γλ. Its work is λ J·(v₀ + v)/2, with the velocities v₀ without any
// constraint, and no more than it asks for.
template <class W>
struct RowSums {
  W along = W(Real(0)), own = W(Real(0)), work = W(Real(0));

  template <class Row, class Mask>
  SINEW_INLINE void add(const Row& row, const W& mass_bias, const W& speed, const Mask& drives) {
    const W zero(Real(0));
    const W load = select(row.mass > zero, row.impulse / row.mass, zero);
    const W bias = mass_bias * load, give = row.give * row.impulse * load;
    along += bias;
    own += give;
    work += select(drives, min(row.impulse * speed, -(bias + give)), zero);
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
                              std::span<const std::uint32_t> roots,
                              std::span<IslandSums> sums) const {
  const W zero(Real(0));
  for (std::size_t i = 0; i < packs_.size(); ++i) {
    const JointPack<E, W>& p = packs_[i];
    const MotionOf<E, W> now = load_motion(p, bodies.velocity), before = load_motion(p, held);
    const auto speed = [&](const auto& row) {
      return W(Real(0.5)) * (before.along(row) + now.along(row));
    };
    const MotionOf<E, W> moved{moved_velocity<W>(bodies.velocity, p.a, p.write_a),
                               moved_velocity<W>(bodies.velocity, p.b, p.write_b), p.mass_a,
                               p.mass_b};
    RowSums<W> of;
    W carried = zero;
    for (const auto& row : p.block) {
      of.add(row, row.bias, speed(row.row), row.give > zero);
      carried += row.impulse * moved.along(row.row);
    }
    for (int k = 0; k < E::kLoose; ++k) {
      const auto& row = p.loose[k];
      of.add(row, select(row.impulse > zero, row.lower, row.upper), speed(row.row),
             backs_[i].firm[E::kBlock + k] <= zero);
      carried += row.impulse * moved.along(row.row);
    }
    for (int l = 0; l < used_[i]; ++l) {
      IslandSums& sum = sums[roots[p.write_a[l] == p.a[l] ? p.a[l] : p.b[l]]];
      sum.along += lane(of.along, l) + lane(carried, l);
      sum.own += lane(of.own, l);
      sum.work += lane(of.work, l) - lane(carried, l);
    }
  }
}

}  // namespace sinew
