// Manifolds from features of two shapes that face each other: polygons, segments and points. All
// positions are in the frame of A until they are written.
#pragma once

#include "collision/clip.h"
#include "collision/gjk.h"
#include "collision/manifold.h"

namespace sinew {

using Clipped = ClipPolygon<2 * Feature::kMost>;

struct Rounding {
  Real a, b;  // radii of the two shapes [m]
};

// The plane of the reference face. `normal` looks out of the shape that has it: from A to B for a
// face of A, from B to A for one of B.
struct FaceFrame {
  Vec3 origin, u, v, normal;
  bool of_b;
};

// Moves a feature from the frame of B to that of A.
void move_feature(Feature& feature, const Mat3& rotation, const Vec3& position);

// Unit normal of a polygon of three corners or more, by Newell's sum; zero if it has no area.
Vec3 polygon_normal(const Feature& face);

FaceFrame face_frame(const Feature& face, const Vec3& normal, bool of_b);

// What of `incident` lies over `face`, with heights over it. A point is taken wherever it is.
void clip_to_face(const Feature& face, const FaceFrame& frame, const Feature& incident,
                  Clipped& out);

bool is_over(const Feature& face, const FaceFrame& frame, const Vec3& p);

void add_point(const FaceFrame& frame, const Vec3& p, std::uint32_t id, Clipped& out);
Real lowest(const Clipped& clipped);

// Up to four of the points that are nearer than `margin`, put onto the rounded surfaces. `key` goes
// into the names of the points.
void write_clipped(const FaceFrame& frame, Clipped& clipped, std::uint32_t key,
                   const Rounding& rounding, const Pose& b_in_a, Real margin, Manifold& out);

// Appends a point; the manifold has its normal already. Positions are of the cores.
void write_point(const Vec3& core_a, const Vec3& core_b, std::uint32_t id, const Rounding& rounding,
                 const Pose& b_in_a, Manifold& out);

struct LineSegment {
  Vec3 end[2];
};

// Parallel segments beside each other touch along where they overlap: writes its two ends. False if
// they are not parallel or do not overlap. The manifold has its normal already.
bool write_parallel(const LineSegment& a, const LineSegment& b, const Rounding& rounding,
                    const Pose& b_in_a, Real margin, Manifold& out);

// What a needle rolls onto next. Where edges of hulls or boxes cross, or a corner meets a face,
// they touch in one point, which the manifold has already. Where the faces beside it lie over each
// other, they are near: adds up to three corners of that. With the one point alone a needle that
// rocks on another turned past its next edge in a step; there it was lifted out of what it had met,
// so it climbed for nothing, fell back, and rocked on without end.
void write_beside(const Convex& a, const Convex& b, const Mat3& r, Real size,
                  const Rounding& rounding, const Pose& b_in_a, Real margin, Manifold& out);

// Distances below which a contact counts as one of faces though another axis separates more: for a
// separation, given a length that is typical of the smaller shape.
Real face_preference(Real separation, Real size);

// Any pair: the nearest points, and the features that face each other there.
void collide_features(const Convex& a, const Convex& b, const Pose& b_in_a, Real margin,
                      Manifold& out);

}  // namespace sinew
