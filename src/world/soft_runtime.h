// What a world makes of the definition of a soft body: one way for bodies that are added and for
// those that are made anew (change.cpp).
#pragma once

#include <span>
#include <string>

#include "core/format.h"
#include "world/world_impl.h"

namespace sinew {

inline constexpr const char* kSoft = "soft body";
inline constexpr const char* kRigid = "rigid body";

inline std::string label(const char* kind, const std::string& name) {
  return name.empty() ? kind : formatted("{} \"{}\"", kind, name);
}

inline SoftRuntime& soft_at(World::Impl& world, SoftId id) { return world.soft.at(id, kSoft); }

// Vertices in no element have no mass; they stay where they are.
inline Real inverse_mass(Real mass) { return mass > 0 ? 1 / mass : 0; }

// Throws Error for what cannot be made; sorts its pins.
void check_definition(SoftBody& body);

// Of a definition that was checked: all but its place among the particles, its pins and what
// follows an anchor. Takes its mesh.
SoftRuntime make_runtime(SoftBody& body);

// Lets pins, and the places of attachments that say so, follow the body's anchor motion from now
// on; they are where they are at its start.
void anchor(const World::Impl& world, SoftRuntime& soft, std::span<const Index> pins);

}  // namespace sinew
