// Fills the packs that sweeps read from what narrow phase found and from where the bodies are.
#pragma once

#include "math/perpendicular.h"
#include "rigid/contact_packs.h"

namespace sinew {

// Of what nothing moves, and of what points on a line cannot hold: zero, not infinity.
template <class W>
SINEW_INLINE W inverse_or_zero(const W& x, const W& smallest) {
  return select(x > smallest, W(Real(1)) / max(x, smallest), W(Real(0)));
}

template <class W>
SINEW_INLINE Sym3T<W> inverse_or_zero(const Sym3T<W>& k) {
  const W xx = k.yy * k.zz - k.yz * k.yz;
  const W xy = k.xz * k.yz - k.xy * k.zz;
  const W xz = k.xy * k.yz - k.xz * k.yy;
  const W yy = k.xx * k.zz - k.xz * k.xz;
  const W yz = k.xy * k.xz - k.xx * k.yz;
  const W zz = k.xx * k.yy - k.xy * k.xy;
  const W determinant = k.xx * xx + k.xy * xy + k.xz * xz;
  // Relative to what the diagonal alone would give: nearly singular ones are left to the points.
  const W scale = k.xx * k.yy * k.zz * W(Real(1e-6));
  const W s = inverse_or_zero(determinant, max(scale, W(std::numeric_limits<Real>::min())));
  return {xx * s, xy * s, xz * s, yy * s, yz * s, zz * s};
}

template <class W>
SINEW_FLATTEN void prepare_contacts(const BodyRows& rows, const ContactGeometry<W>& g,
                                    ContactPack<W>& c) {
  constexpr Real kEven = Real(1e-3), kEvenShare = Real(0.2);  // [m]; of what is deep
  const W zero(Real(0)), tiny(std::numeric_limits<Real>::min());
  const BodyPose<W> pose_a = gather_pose<W>(rows.pose, c.a),
                    pose_b = gather_pose<W>(rows.pose, c.b);
  c.mass_a = gather_mass<W>(rows.mass, c.a);
  c.mass_b = gather_mass<W>(rows.mass, c.b);
  const Mat3T<W> turn_a = pose_a.turn.matrix(), turn_b = pose_b.turn.matrix();
  const Vec3T<W> n = turn_a * g.normal;
  const Vec3T<W> t1 = turn_a * perpendicular(g.normal);
  const Vec3T<W> t2 = cross(n, t1);
  c.normal = n, c.tangent1 = t1, c.tangent2 = t2;

  // Seen from the centre of A, so that places far from the origin lose no digits.
  const Vec3T<W> apart = pose_b.center - pose_a.center;
  // Where they will meet is nearer to the one that moves more easily: with half of the way between
  // them as an arm, what comes aslant would rather spin than stop.
  const W share = c.mass_b.mass / max(c.mass_a.mass + c.mass_b.mass, tiny);
  Vec3T<W> point[kPoints];
  W least(std::numeric_limits<Real>::max());
  for (int i = 0; i < kPoints; ++i) {
    const Vec3T<W> a = turn_a * g.on_a[i], b = turn_b * g.on_b[i] + apart;
    c.gap[i] = dot(n, b - a);
    point[i] = a + (b - a) * share;
    least = min(least, c.gap[i]);
  }
  // Friction acts at the middle of those that bear: a top stands on its tip, whatever of it is near
  // the ground. Points count less that are lifted more than the lowest, from `even` on.
  const W even = max(min(W(kEven), g.deep * W(kEvenShare)), tiny);
  W weight[kPoints], weights = zero, lightest(Real(1));
  Vec3T<W> middle{zero, zero, zero};
  for (int i = 0; i < kPoints; ++i) {
    const W lifted = max(c.gap[i], zero) - max(least, zero);
    weight[i] = min(max(W(Real(2)) - lifted / even, zero), W(Real(1)));
    weights += weight[i];
    lightest = min(lightest, weight[i]);
    middle += point[i] * weight[i];
  }
  const W scale = W(Real(1)) / weights;
  middle = middle * scale;
  c.arm_a = middle, c.arm_b = middle - apart;

  // What an impulse along each of the six directions does to the turning of A and of B.
  const Vec3T<W> lever_a[6] = {cross(c.arm_a, n),  -t2, t1, cross(c.arm_a, t1),
                               cross(c.arm_a, t2), n};
  const Vec3T<W> lever_b[6] = {cross(c.arm_b, n),  -t2, t1, cross(c.arm_b, t1),
                               cross(c.arm_b, t2), n};
  Vec3T<W> turned_a[6], turned_b[6];
  for (int i = 0; i < 6; ++i) {
    turned_a[i] = c.mass_a.inertia * lever_a[i];
    turned_b[i] = c.mass_b.inertia * lever_b[i];
  }
  const W linear = c.mass_a.mass + c.mass_b.mass;
  const auto k = [&](int i, int j) {
    return dot(lever_a[i], turned_a[j]) + dot(lever_b[i], turned_b[j]);
  };
  c.normal_response = {k(0, 0) + linear, k(0, 1), k(0, 2), k(1, 1), k(1, 2), k(2, 2)};
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) c.cross_response[3 * i + j] = k(3 + i, j);
  const Sym3T<W> slide{k(3, 3) + linear, k(3, 4), k(3, 5), k(4, 4) + linear, k(4, 5), k(5, 5)};
  c.twist_response1 = slide.xz, c.twist_response2 = slide.yz;
  c.twist_inverse = inverse_or_zero(slide.zz, tiny);
  const W slide_det = slide.xx * slide.yy - slide.xy * slide.xy;
  const W slide_scale = inverse_or_zero(slide_det, max(slide.xx * slide.yy * W(Real(1e-6)), tiny));
  c.slide_inverse[0] = slide.yy * slide_scale;
  c.slide_inverse[1] = -slide.xy * slide_scale;
  c.slide_inverse[2] = slide.xx * slide_scale;

  W s11 = zero, s12 = zero, s22 = zero;
  c.twist_arm = zero;
  for (int i = 0; i < kPoints; ++i) {
    const Vec3T<W> from_middle = point[i] - middle;
    const W a = dot(t1, from_middle), b = dot(t2, from_middle);
    c.along1[i] = a, c.along2[i] = b;
    s11 += a * a, s12 += a * b, s22 += b * b;
    c.twist_arm += sqrt(a * a + b * b) * (weight[i] * scale);
    const Sym3T<W>& m = c.normal_response;
    c.point_mass[i] = inverse_or_zero(
        m.xx + a * (m.xy + m.xy + a * m.yy) + b * (m.xz + m.xz + (a + a) * m.yz + b * m.zz), tiny);
  }
  const W spread_det = s11 * s22 - s12 * s12;
  // Points nearly on a line hold no tilt about it, nor do those nearly in one place: seen from the
  // radius of gyration, whose square is about K of n by that of the tilts.
  const Sym3T<W>& response = c.normal_response;
  const W gyration2 = response.xx / max(response.yy + response.zz, tiny);
  const W flat = (s11 + s22) * (s11 + s22 + gyration2) * W(Real(1e-4));
  const W spread_scale = inverse_or_zero(spread_det, max(flat, tiny));
  c.spread[0] = s22 * spread_scale, c.spread[1] = -s12 * spread_scale;
  c.spread[2] = s11 * spread_scale;

  c.normal_inverse = inverse_or_zero(c.normal_response);
  // Schur complement S = F − X N⁻¹ Xᵀ of friction F, with X the cross response.
  const auto row = [&](int i) {
    return Vec3T<W>{c.cross_response[3 * i], c.cross_response[3 * i + 1],
                    c.cross_response[3 * i + 2]};
  };
  const Vec3T<W> x0 = row(0), x1 = row(1), x2 = row(2);
  const Vec3T<W> y0 = c.normal_inverse * x0, y1 = c.normal_inverse * x1, y2 = c.normal_inverse * x2;
  c.friction_inverse = inverse_or_zero(Sym3T<W>{slide.xx - dot(x0, y0), slide.xy - dot(x0, y1),
                                                slide.xz - dot(x0, y2), slide.yy - dot(x1, y1),
                                                slide.yz - dot(x1, y2), slide.zz - dot(x2, y2)});
  // Loads are split over points seen from the middle of all of them.
  c.patch = select((spread_scale > zero) & (lightest >= W(Real(1))),
                   select(c.normal_inverse.xx > zero, c.friction_inverse.xx, zero), zero);
  c.friction = g.friction;
}

}  // namespace sinew
