// Which rows a joint has. Joints that have neither range nor motor go without rows for them.
#pragma once

#include <sinew/joints.h>

#include "rigid/joint_batch.h"
#include "rigid/joints/ball_joint.h"
#include "rigid/joints/cone_joint.h"
#include "rigid/joints/distance_joint.h"
#include "rigid/joints/fixed_joint.h"
#include "rigid/joints/gear_joint.h"
#include "rigid/joints/hinge_joint.h"
#include "rigid/joints/pulley_joint.h"
#include "rigid/joints/rotation_lock_joint.h"
#include "rigid/joints/six_dof_joint.h"
#include "rigid/joints/slider_joint.h"
#include "rigid/joints/translation_lock_joint.h"
#include "rigid/joints/universal_joint.h"

namespace sinew {

// In the order in which they are solved: motors and gears first, what must hold last.
using JointKinds = TypeList<GearRows, PulleyRows, DistanceRows, SixDofRows<true>, SixDofRows<false>,
                            ConeRows, RotationLockRows, TranslationLockRows, SliderRows<true>,
                            SliderRows<false>, HingeRows<true>, HingeRows<false>,
                            UniversalRows<true>, UniversalRows<false>, BallRows, FixedRows>;

// Each is compiled in one place: joints/NAME.cpp.
extern template class RowBatch<GearRows>;
extern template class RowBatch<PulleyRows>;
extern template class RowBatch<DistanceRows>;
extern template class RowBatch<SixDofRows<true>>;
extern template class RowBatch<SixDofRows<false>>;
extern template class RowBatch<ConeRows>;
extern template class RowBatch<RotationLockRows>;
extern template class RowBatch<TranslationLockRows>;
extern template class RowBatch<SliderRows<true>>;
extern template class RowBatch<SliderRows<false>>;
extern template class RowBatch<HingeRows<true>>;
extern template class RowBatch<HingeRows<false>>;
extern template class RowBatch<UniversalRows<true>>;
extern template class RowBatch<UniversalRows<false>>;
extern template class RowBatch<BallRows>;
extern template class RowBatch<FixedRows>;

template <class E, class List>
struct KindIndex;
template <class E, class... Rest>
struct KindIndex<E, TypeList<E, Rest...>> {
  static constexpr int kValue = 0;
};
template <class E, class First, class... Rest>
struct KindIndex<E, TypeList<First, Rest...>> {
  static constexpr int kValue = 1 + KindIndex<E, TypeList<Rest...>>::kValue;
};
template <class E>
inline constexpr int kKindIndex = KindIndex<E, JointKinds>::kValue;

// f.operator()<E>() with the rows of a joint.
template <class F>
auto with_rows(const BallJoint&, F&& f) {
  return f.template operator()<BallRows>();
}
template <class F>
auto with_rows(const NailJoint&, F&& f) {
  return f.template operator()<BallRows>();
}
template <class F>
auto with_rows(const FixedJoint&, F&& f) {
  return f.template operator()<FixedRows>();
}
template <class F>
auto with_rows(const DistanceJoint&, F&& f) {
  return f.template operator()<DistanceRows>();
}
template <class F>
auto with_rows(const HingeJoint& joint, F&& f) {
  return joint.range || joint.motor ? f.template operator()<HingeRows<true>>()
                                    : f.template operator()<HingeRows<false>>();
}
template <class F>
auto with_rows(const SliderJoint& joint, F&& f) {
  return joint.range || joint.motor ? f.template operator()<SliderRows<true>>()
                                    : f.template operator()<SliderRows<false>>();
}
template <class F>
auto with_rows(const UniversalJoint& joint, F&& f) {
  return joint.range_a || joint.range_b || joint.motor_a || joint.motor_b
             ? f.template operator()<UniversalRows<true>>()
             : f.template operator()<UniversalRows<false>>();
}
template <class F>
auto with_rows(const ConeJoint&, F&& f) {
  return f.template operator()<ConeRows>();
}
template <class F>
auto with_rows(const SixDofJoint& joint, F&& f) {
  bool driven = false;
  for (int i = 0; i < 6; ++i) driven = driven || (joint.axis(i) && joint.axis(i)->motor);
  return driven ? f.template operator()<SixDofRows<true>>()
                : f.template operator()<SixDofRows<false>>();
}
template <class F>
auto with_rows(const GearJoint&, F&& f) {
  return f.template operator()<GearRows>();
}
template <class F>
auto with_rows(const PulleyJoint&, F&& f) {
  return f.template operator()<PulleyRows>();
}
template <class F>
auto with_rows(const RotationLockJoint&, F&& f) {
  return f.template operator()<RotationLockRows>();
}
template <class F>
auto with_rows(const TranslationLockJoint&, F&& f) {
  return f.template operator()<TranslationLockRows>();
}

}  // namespace sinew
