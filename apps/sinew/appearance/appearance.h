// How the bodies of a world look in pictures and recordings.
#pragma once

#include <sinew/world.h>

#include <optional>

#include "picture/line_tube.h"
#include "picture/picture.h"

namespace sinew {

// The surface of a rigid body, all its parts, in its own frame. A plane, which has no end, shows as
// a square.
TriMesh visible_surface(const World& world, RigidId id);

// sRGB (as in PictureBody) to linear (as in glTF).
Vec3 linear_colour(const Vec3& srgb);

inline constexpr Vec3 kStaticColour{Real(0.62), Real(0.64), Real(0.67)};

// Deals out colours (sRGB): what stands still is grey, and everything else has one of its own.
class Colours {
 public:
  Vec3 of(const World& world, RigidId id);
  Vec3 next() { return body_colour(used_++); }

 private:
  std::size_t used_ = 0;
};

// What there is to see of a soft body: the skin that rides in a solid, else its surface; a sheet
// itself; a tube round a line.
class SoftSkin {
 public:
  SoftSkin(const World& world, SoftId id);

  // They index the vertices, whatever the body does.
  const std::vector<Triangle>& triangles() const { return triangles_; }
  std::vector<Vec3> vertices(const World& world) const;  // as it is now

 private:
  SoftId id_;
  bool rides_ = false;  // in the mesh: a skin
  std::optional<LineTube> tube_;
  std::vector<Triangle> triangles_;
};

// Everything as it is now.
PictureScene picture_of(const World& world);

}  // namespace sinew
