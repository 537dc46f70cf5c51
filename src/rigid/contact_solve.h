// Sweeps over packs of contacts: projected Gauss–Seidel with a block for every manifold. If all its
// points hold and none slides, the six equations of a manifold are solved at once, and the normal
// part is split over the points with the smallest norm; lanes where that does not come out (a point
// would pull, a gap is open, friction is beyond its cone) go over their points one by one, then
// friction along the plane, then twisting. Which, is decided lane by lane.
#pragma once

#include "rigid/contact_packs.h"

namespace sinew {

// Gaps of the points now, by what has moved in the step so far.
template <class W>
SINEW_INLINE void current_gaps(const ContactPack<W>& c, const PatchMotion<W>& way,
                               W (&gap)[kPoints]) {
  for (int i = 0; i < kPoints; ++i)
    gap[i] = c.gap[i] + way.n + c.along1[i] * way.a + c.along2[i] * way.b;
}

// One by one: the velocities (n, a, b) of a patch as impulses are added to its points.
template <class W>
struct NormalSweep {
  const ContactPack<W>& c;
  Vec3T<W> u;                                         // velocities
  Vec3T<W> f = {W(Real(0)), W(Real(0)), W(Real(0))};  // impulses so far

  SINEW_INLINE W speed(int i) const { return u.x + c.along1[i] * u.y + c.along2[i] * u.z; }
  SINEW_INLINE void push(int i, const W& d) {
    const Vec3T<W> at{d, c.along1[i] * d, c.along2[i] * d};
    f += at;
    u += c.normal_response * at;
  }
};

// Friction for a normal impulse `load`, from velocities that the normal part has changed already.
// Returns the change of the impulses, which are kept in slide1, slide2, twist.
template <bool kPyramid, class W>
SINEW_INLINE void add_friction(const ContactPack<W>& c, const W& load, Vec3T<W> u, W& slide1,
                               W& slide2, W& twist, PatchMotion<W>& f) {
  const W most = c.friction * load, one(Real(1));
  W s1 = slide1 - (c.slide_inverse[0] * u.x + c.slide_inverse[1] * u.y);
  W s2 = slide2 - (c.slide_inverse[1] * u.x + c.slide_inverse[2] * u.y);
  if constexpr (kPyramid) {
    s1 = min(max(s1, -most), most);
    s2 = min(max(s2, -most), most);
  } else {
    const W size2 = s1 * s1 + s2 * s2;
    const W scale = select(size2 > most * most, most / sqrt(max(size2, W(Real(1e-30)))), one);
    s1 *= scale, s2 *= scale;
  }
  f.t1 = s1 - slide1, f.t2 = s2 - slide2;
  slide1 = s1, slide2 = s2;
  u.z += c.twist_response1 * f.t1 + c.twist_response2 * f.t2;
  const W most_twist = most * c.twist_arm;
  const W t = min(max(twist - c.twist_inverse * u.z, -most_twist), most_twist);
  f.g = t - twist;
  twist = t;
}

// What the normal part does to sliding and twisting.
template <class W>
SINEW_INLINE Vec3T<W> coupled(const ContactPack<W>& c, const Vec3T<W>& f) {
  const W* x = c.cross_response;
  return {x[0] * f.x + x[1] * f.y + x[2] * f.z, x[3] * f.x + x[4] * f.y + x[5] * f.z,
          x[6] * f.x + x[7] * f.y + x[8] * f.z};
}
template <class W>
SINEW_INLINE Vec3T<W> coupled_back(const ContactPack<W>& c, const Vec3T<W>& f) {
  const W* x = c.cross_response;
  return {x[0] * f.x + x[3] * f.y + x[6] * f.z, x[1] * f.x + x[4] * f.y + x[7] * f.z,
          x[2] * f.x + x[5] * f.y + x[8] * f.z};
}

// One sweep over a pack. `inverse_h` is 1/substep.
template <bool kPyramid, class W>
SINEW_FLATTEN void solve_contacts(BodyRows& rows, ContactPack<W>& c, const W& inverse_h) {
  const W zero(Real(0)), quarter(Real(0.25));
  Twist<W> a = gather_twist<W>(rows.velocity, c.a), b = gather_twist<W>(rows.velocity, c.b);
  const PatchMotion<W> u = patch_motion(c, a, b);
  W gap[kPoints];
  current_gaps(c, patch_motion(c, gather_twist<W>(rows.way, c.a), gather_twist<W>(rows.way, c.b)),
               gap);
  const Vec3T<W> un{u.n, u.a, u.b}, uf{u.t1, u.t2, u.g};

  // All six at once: friction by the Schur complement, then the normal part.
  const Vec3T<W> ff = -(c.friction_inverse * (uf - coupled(c, c.normal_inverse * un)));
  const Vec3T<W> fn = -(c.normal_inverse * (un + coupled_back(c, ff)));
  const W even = fn.x * quarter;
  const W by1 = c.spread[0] * fn.y + c.spread[1] * fn.z;
  const W by2 = c.spread[1] * fn.y + c.spread[2] * fn.z;
  W held[kPoints], least = c.patch, load = zero;
  W carried = zero, least_speed(std::numeric_limits<Real>::max());
  for (int i = 0; i < kPoints; ++i) {
    held[i] = c.impulse[i] + even + c.along1[i] * by1 + c.along2[i] * by2;
    least = min(least, held[i]);
    load += held[i];
    carried += c.impulse[i];
    least_speed =
        min(least_speed, un.x + c.along1[i] * un.y + c.along2[i] * un.z + gap[i] * inverse_h);
  }
  const W widest = max(max(gap[0], gap[1]), max(gap[2], gap[3]));
  const W slide1 = c.slide1 + ff.x, slide2 = c.slide2 + ff.y, twist = c.twist + ff.z;
  const W most = c.friction * load;
  auto within = slide1 * slide1 + slide2 * slide2 < most * most;
  if constexpr (kPyramid) within = (abs(slide1) < most) & (abs(slide2) < most);
  const auto holds = (least > zero) & (widest <= zero) & within & (abs(twist) < most * c.twist_arm);
  // Or nothing touches, and nothing will in this substep.
  const auto idle = (carried <= zero) & (least_speed >= zero);

  PatchMotion<W> f{select(idle, zero, fn.x),      select(idle, zero, fn.y),
                   select(idle, zero, fn.z),      select(idle, -c.slide1, ff.x),
                   select(idle, -c.slide2, ff.y), select(idle, -c.twist, ff.z)};
  for (W& one : held) one = select(idle, zero, one);
  W s1 = select(idle, zero, slide1), s2 = select(idle, zero, slide2),
    tw = select(idle, zero, twist);
  const auto done = holds | idle;
  if (!all(done)) {
    NormalSweep<W> sweep{c, un};
    W one_by_one[kPoints], total = zero;
    for (int i = 0; i < kPoints; ++i) {
      const W bias = max(gap[i], zero) * inverse_h;
      one_by_one[i] = max(c.impulse[i] - c.point_mass[i] * (sweep.speed(i) + bias), zero);
      sweep.push(i, one_by_one[i] - c.impulse[i]);
      total += one_by_one[i];
    }
    PatchMotion<W> g{sweep.f.x, sweep.f.y, sweep.f.z, zero, zero, zero};
    W g1 = c.slide1, g2 = c.slide2, gt = c.twist;
    add_friction<kPyramid>(c, total, uf + coupled(c, sweep.f), g1, g2, gt, g);
    for (int i = 0; i < kPoints; ++i) held[i] = select(done, held[i], one_by_one[i]);
    s1 = select(done, s1, g1), s2 = select(done, s2, g2), tw = select(done, tw, gt);
    f = {select(done, f.n, g.n),   select(done, f.a, g.a),   select(done, f.b, g.b),
         select(done, f.t1, g.t1), select(done, f.t2, g.t2), select(done, f.g, g.g)};
  }
  for (int i = 0; i < kPoints; ++i) c.impulse[i] = held[i];
  c.slide1 = s1, c.slide2 = s2, c.twist = tw;
  apply(c, f, a, b);
  scatter_twist(rows.velocity, c.write_a, a);
  scatter_twist(rows.velocity, c.write_b, b);
}

// Applies the impulses that are kept from the last step.
template <class W>
SINEW_FLATTEN void warm_start_contacts(BodyRows& rows, const ContactPack<W>& c) {
  const W zero(Real(0));
  PatchMotion<W> f{zero, zero, zero, c.slide1, c.slide2, c.twist};
  for (int i = 0; i < kPoints; ++i) {
    f.n += c.impulse[i];
    f.a += c.along1[i] * c.impulse[i];
    f.b += c.along2[i] * c.impulse[i];
  }
  Twist<W> a = gather_twist<W>(rows.velocity, c.a), b = gather_twist<W>(rows.velocity, c.b);
  apply(c, f, a, b);
  scatter_twist(rows.velocity, c.write_a, a);
  scatter_twist(rows.velocity, c.write_b, b);
}

// Moves what overlaps apart, without changing velocities: non-linear Gauss–Seidel on the way of the
// step. A share of the overlap beyond the slop is undone, by no more than `most`.
template <class W>
SINEW_FLATTEN void correct_contacts(BodyRows& rows, const ContactPack<W>& c, const W& slop,
                                    const W& share, const W& most) {
  const W zero(Real(0));
  Twist<W> a = gather_twist<W>(rows.way, c.a), b = gather_twist<W>(rows.way, c.b);
  const PatchMotion<W> u = patch_motion(c, a, b);
  NormalSweep<W> sweep{c, {u.n, u.a, u.b}};
  for (int i = 0; i < kPoints; ++i) {
    const W overlap = min(c.gap[i] + sweep.speed(i) + slop, zero);
    sweep.push(i, -c.point_mass[i] * max(share * overlap, -most));
  }
  apply(c, PatchMotion<W>{sweep.f.x, sweep.f.y, sweep.f.z, zero, zero, zero}, a, b);
  scatter_twist(rows.way, c.write_a, a);
  scatter_twist(rows.way, c.write_b, b);
}

// Takes a piece of the way back that is going to be moved too far.
template <class W>
SINEW_INLINE void take_back(BodyRows& rows, const BodyRow* row, const BodyRow* write, Twist<W> way,
                            const Vec3T<W>& piece) {
  way.linear -= piece;
  scatter_twist(rows.way, write, way);
  W pose[8];
  gather8<W>(rows.pose.data(), row, pose);
  pose[0] -= piece.x, pose[1] -= piece.y, pose[2] -= piece.z;
  scatter8<W>(rows.pose.data(), write, pose);
}

// Impacts that bounce: contacts that close within the substep, faster than `bounce_speed`. Points
// part with e times the speed they came with; each manifold by itself, one after the other, so that
// a row of balls passes an impulse on (E. Guendelman et al., Nonconvex rigid bodies with stacking,
// 2003). The impulse acts when the gap has closed, at a time t into the substep: what the change of
// velocity would have moved until then is taken back from the way. Returns whether any bounced.
template <bool kPyramid, class W>
SINEW_FLATTEN bool bounce_contacts(BodyRows& rows, const W& restitution, ContactPack<W>& c,
                                   const W& h, const W& bounce_speed) {
  const W zero(Real(0));
  Twist<W> a = gather_twist<W>(rows.velocity, c.a), b = gather_twist<W>(rows.velocity, c.b);
  Twist<W> way_a = gather_twist<W>(rows.way, c.a), way_b = gather_twist<W>(rows.way, c.b);
  const PatchMotion<W> u = patch_motion(c, a, b);
  W gap[kPoints];
  current_gaps(c, patch_motion(c, way_a, way_b), gap);
  NormalSweep<W> sweep{c, {u.n, u.a, u.b}};
  W mass[kPoints], after[kPoints], impulse[kPoints], when = h;
  for (int i = 0; i < kPoints; ++i) {
    const W before = sweep.speed(i);
    const auto hits =
        (before < -bounce_speed) & (gap[i] + before * h < zero) & (restitution > zero);
    mass[i] = select(hits, c.point_mass[i], zero);
    after[i] = -restitution * before;
    impulse[i] = zero;
    when = select(hits, min(when, max(gap[i], zero) / max(-before, bounce_speed)), when);
  }
  const W any_mass = max(max(mass[0], mass[1]), max(mass[2], mass[3]));
  if (!any(any_mass > zero)) return false;
  constexpr int kSweeps = 8;  // over the points of one manifold
  for (int k = 0; k < kSweeps; ++k)
    for (int i = 0; i < kPoints; ++i) {
      const W pushed = max(impulse[i] - mass[i] * (sweep.speed(i) - after[i]), zero);
      sweep.push(i, pushed - impulse[i]);
      impulse[i] = pushed;
    }
  PatchMotion<W> f{sweep.f.x, sweep.f.y, sweep.f.z, zero, zero, zero};
  const Vec3T<W> uf{u.t1, u.t2, u.g};
  W slide1 = zero, slide2 = zero, twist = zero;
  add_friction<kPyramid>(c, sweep.f.x, uf + coupled(c, sweep.f), slide1, slide2, twist, f);
  const Twist<W> old_a = a, old_b = b;
  apply(c, f, a, b);
  scatter_twist(rows.velocity, c.write_a, a);
  scatter_twist(rows.velocity, c.write_b, b);
  take_back(rows, c.a, c.write_a, way_a, (a.linear - old_a.linear) * when);
  take_back(rows, c.b, c.write_b, way_b, (b.linear - old_b.linear) * when);
  for (int i = 0; i < kPoints; ++i) c.bounced += impulse[i];
  return true;
}

}  // namespace sinew
