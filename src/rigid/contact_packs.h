// Contacts side by side: one manifold in every lane. Points lie in the plane of the contact, seen
// from their middle c; what they do together is told by six numbers instead of twelve:
//   along the normal n, and tilts about the plane's own axes t₁, t₂ (the points' normal forces),
//   along t₁ and t₂, and a twist about n (friction).
// A point at c + a t₁ + b t₂ approaches with vₙ = uₙ + a u_a + b u_b, and impulses λᵢ of the points
// add up to fₙ = Σλ, f_a = Σaλ, f_b = Σbλ. With t₂ = n × t₁, a tilt a is a turn about −t₂, a tilt b
// one about t₁.
#pragma once

#include "rigid/body_rows.h"

namespace sinew {

inline constexpr int kPoints = 4;  // of a manifold; what has fewer repeats them

// What narrow phase found; read once a step.
template <class W>
struct alignas(64) ContactGeometry {
  static constexpr int kN = kWidth<W>;
  Vec3T<W> on_a[kPoints], on_b[kPoints];  // in the frames of the bodies
  Vec3T<W> normal;                        // in the frame of A
  W friction, restitution;
  W deep;          // overlap from which on impulses are not kept [m]
  W own[kPoints];  // 1: a point; 0: a repeated one
  W touched;       // 1: carried a load in the last step
  std::uint32_t feature[kPoints][kN];
  std::uint32_t contact[kN];
};

// How the manifolds of a pack lie and respond, as bodies are; all of it packs of numbers.
template <class W>
struct ContactFrame {
  Vec3T<W> normal, tangent1, tangent2;
  Vec3T<W> arm_a, arm_b;  // from the centres of mass to the middle of the points
  InverseMass<W> mass_a, mass_b;
  W along1[kPoints], along2[kPoints];  // the points, from their middle
  W gap[kPoints];                      // at the start of the step [m]
  W point_mass[kPoints];               // 1/(n·K n) of each [kg]
  Sym3T<W> normal_response;            // K of (n, a, b): what an impulse does to velocities
  W cross_response[9];                 // K of (t₁, t₂, twist) by (n, a, b), row by row
  W twist_response1, twist_response2;  // K of twist by t₁ and t₂
  Sym3T<W> normal_inverse;             // of normal_response
  Sym3T<W> friction_inverse;           // of the rest of K when the normal part is held
  W slide_inverse[3];                  // of K of (t₁, t₂): 11, 12, 22
  W twist_inverse;
  W spread[3];            // inverse of Σ (a, b)(a, b)ᵀ: 11, 12, 22
  W patch;                // > 0: the points span an area, so that they resist tilting
  W friction, twist_arm;  // μ; and by how much it resists twisting [m]
};

// What every sweep reads.
template <class W>
struct alignas(64) ContactPack : ContactFrame<W> {
  static constexpr int kN = kWidth<W>;
  BodyRow a[kN], b[kN];              // rows to read
  BodyRow write_a[kN], write_b[kN];  // and to write: those that cannot move have none of their own
  W gap_now[kPoints];                // at the start of the substep [m]
  W drift1, drift2;  // of the ground along t₁ and t₂ since the start of the step, as it turns [m/s]
  W share;  // that one of the points has of what may be moved at once: repeated ones share it
  W deep;   // 1: overlaps deeply
  // Impulses of a substep, kept from step to step.
  W impulse[kPoints];       // [N s]
  W slide1, slide2, twist;  // [N s], [N s], [N m s]
  W bounced;                // normal impulse of impacts in this step [N s]
  W total;                  // and of all substeps [N s]
};

// Puts the lanes of another frame back.
template <class W, class Mask>
void restore_lanes(ContactFrame<W>& frame, const Mask& where, const ContactFrame<W>& old) {
  constexpr std::size_t kNumbers = sizeof(ContactFrame<W>) / sizeof(W);
  static_assert(kNumbers * sizeof(W) == sizeof(ContactFrame<W>));
  W* to = &frame.normal.x;
  const W* from = &old.normal.x;
  for (std::size_t i = 0; i < kNumbers; ++i) to[i] = select(where, from[i], to[i]);
}

// Relative motion of B against A at a contact, in its own six directions.
template <class W>
struct PatchMotion {
  W n, a, b, t1, t2, g;
};

template <class W>
SINEW_INLINE PatchMotion<W> patch_motion(const ContactPack<W>& c, const Twist<W>& a,
                                         const Twist<W>& b) {
  const Vec3T<W> v = b.linear - a.linear + cross(b.angular, c.arm_b) - cross(a.angular, c.arm_a);
  const Vec3T<W> w = b.angular - a.angular;
  return {dot(c.normal, v),   -dot(c.tangent2, w), dot(c.tangent1, w),
          dot(c.tangent1, v), dot(c.tangent2, v),  dot(c.normal, w)};
}

// What the impulses of a manifold add up to.
template <class W>
SINEW_INLINE PatchMotion<W> patch_impulse(const ContactPack<W>& c) {
  const W zero(Real(0));
  PatchMotion<W> f{zero, zero, zero, c.slide1, c.slide2, c.twist};
  for (int i = 0; i < kPoints; ++i) {
    f.n += c.impulse[i];
    f.a += c.along1[i] * c.impulse[i];
    f.b += c.along2[i] * c.impulse[i];
  }
  return f;
}

// Changes the motion of both bodies by an impulse in the six directions.
template <class W>
SINEW_INLINE void apply(const ContactPack<W>& c, const PatchMotion<W>& f, Twist<W>& a,
                        Twist<W>& b) {
  const Vec3T<W> push = c.normal * f.n + c.tangent1 * f.t1 + c.tangent2 * f.t2;
  const Vec3T<W> torque = c.normal * f.g - c.tangent2 * f.a + c.tangent1 * f.b;
  a.linear -= push * c.mass_a.mass;
  b.linear += push * c.mass_b.mass;
  a.angular -= c.mass_a.inertia * (cross(c.arm_a, push) + torque);
  b.angular += c.mass_b.inertia * (cross(c.arm_b, push) + torque);
}

}  // namespace sinew
