// Handles name things in a World. A handle is a slot and a generation: when the thing is removed
// the generation moves on, so that a stale handle is recognised (an Error), never followed.
#pragma once

#include <compare>
#include <cstdint>

namespace sinew {

template <class Tag>
struct Handle {
  std::uint32_t index = 0xffffffffu;
  std::uint32_t generation = 0;

  friend bool operator==(const Handle&, const Handle&) = default;
  friend auto operator<=>(const Handle&, const Handle&) = default;
};

using RigidId = Handle<struct RigidTag>;  // static, kinematic and dynamic bodies
using JointId = Handle<struct JointTag>;  // between rigid bodies
using SoftId = Handle<struct SoftTag>;    // deformable bodies
using GrabId = Handle<struct GrabTag>;    // hands that hold soft bodies

}  // namespace sinew
