// Sweeps over packs of contacts: projected Gauss–Seidel with a block for every manifold. If all its
// points hold and none slides, the six equations of a manifold are solved at once, and the normal
// part is split over the points with the smallest norm. If friction is beyond its cone, the three
// equations of the normal part are, and friction follows. Where that does not come out, either (a
// point would pull, a gap is open), points are gone over one by one. Which, is decided lane by
// lane.
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

// Impulses of a manifold, and what they change by.
template <class W>
struct PatchImpulse {
  W point[kPoints], slide1, slide2, twist;
  PatchMotion<W> change;
};

template <class W, class Mask>
SINEW_INLINE void replace(PatchImpulse<W>& x, const Mask& where, const PatchImpulse<W>& by) {
  for (int i = 0; i < kPoints; ++i) x.point[i] = select(where, by.point[i], x.point[i]);
  x.slide1 = select(where, by.slide1, x.slide1), x.slide2 = select(where, by.slide2, x.slide2);
  x.twist = select(where, by.twist, x.twist);
  PatchMotion<W>& f = x.change;
  const PatchMotion<W>& g = by.change;
  f = {select(where, g.n, f.n),   select(where, g.a, f.a),   select(where, g.b, f.b),
       select(where, g.t1, f.t1), select(where, g.t2, f.t2), select(where, g.g, f.g)};
}

template <class W>
SINEW_INLINE W load(const W (&point)[kPoints]) {
  return (point[0] + point[1]) + (point[2] + point[3]);
}

// Splits a normal impulse over the points, with the smallest norm. Returns the least of them.
template <class W>
SINEW_INLINE W split(const ContactPack<W>& c, const Vec3T<W>& f, W (&point)[kPoints]) {
  const W even = f.x * W(Real(0.25));
  const W by1 = c.spread[0] * f.y + c.spread[1] * f.z;
  const W by2 = c.spread[1] * f.y + c.spread[2] * f.z;
  for (int i = 0; i < kPoints; ++i)
    point[i] = c.impulse[i] + even + c.along1[i] * by1 + c.along2[i] * by2;
  return min(min(point[0], point[1]), min(point[2], point[3]));
}

// How the velocity of ground that turns, v = ω × r, has changed along the tangents since the start
// of the step, ω × (θ × r): with that of the start alone, what rides on a turntable goes on along
// tangents and creeps outwards. Only of what is moved as it is told: for others, way and arms
// belong together.
template <class W>
SINEW_INLINE void find_drift(ContactPack<W>& c, const Twist<W>& a, const Twist<W>& b,
                             const Vec3T<W>& turn_a, const Vec3T<W>& turn_b, const W& inverse_h) {
  const W zero(Real(0)), one(Real(1));
  c.drift1 = c.drift2 = zero;
  const W led_a = select(c.mass_a.mass > zero, zero, one);
  const W led_b = select(c.mass_b.mass > zero, zero, one);
  if (!any(led_a * dot(a.angular, a.angular) + led_b * dot(b.angular, b.angular) > zero)) return;
  const W half = W(Real(0.5)) / inverse_h;
  const auto change = [&](const Vec3T<W>& spin, const Vec3T<W>& turn, const Vec3T<W>& arm) {
    return cross(spin, cross(turn + spin * half, arm));
  };
  const Vec3T<W> v =
      change(b.angular, turn_b, c.arm_b) * led_b - change(a.angular, turn_a, c.arm_a) * led_a;
  c.drift1 = dot(c.tangent1, v), c.drift2 = dot(c.tangent2, v);
}

// One sweep over a pack. `inverse_h` is 1/substep. The first sweep of a substep finds the gaps.
template <bool kPyramid, bool kFirst, class W>
SINEW_FLATTEN void solve_contacts(BodyRows& rows, ContactPack<W>& c, const W& inverse_h) {
  const W zero(Real(0));
  Twist<W> a = gather_twist<W>(rows.velocity, c.a), b = gather_twist<W>(rows.velocity, c.b);
  const PatchMotion<W> u = patch_motion(c, a, b);
  if constexpr (kFirst) {
    const Twist<W> way_a = gather_twist<W>(rows.way, c.a), way_b = gather_twist<W>(rows.way, c.b);
    current_gaps(c, patch_motion(c, way_a, way_b), c.gap_now);
    find_drift(c, a, b, way_a.angular, way_b.angular, inverse_h);
  }
  const W(&gap)[kPoints] = c.gap_now;
  const Vec3T<W> un{u.n, u.a, u.b}, uf{u.t1 + c.drift1, u.t2 + c.drift2, u.g};
  const W carried = load(c.impulse);
  const W widest = max(max(gap[0], gap[1]), max(gap[2], gap[3]));
  const auto closed = (widest <= zero) & (c.patch > zero);

  // All six at once: friction by the Schur complement, then the normal part.
  const Vec3T<W> alone = -(c.normal_inverse * un);
  const Vec3T<W> ff = -(c.friction_inverse * (uf + coupled(c, alone)));
  const Vec3T<W> fn = alone - c.normal_inverse * coupled_back(c, ff);
  PatchImpulse<W> x{
      {}, c.slide1 + ff.x, c.slide2 + ff.y, c.twist + ff.z, {fn.x, fn.y, fn.z, ff.x, ff.y, ff.z}};
  const W least = split(c, fn, x.point);
  const W most = c.friction * (carried + fn.x);
  auto within = x.slide1 * x.slide1 + x.slide2 * x.slide2 < most * most;
  if constexpr (kPyramid) within = (abs(x.slide1) < most) & (abs(x.slide2) < most);
  auto done = closed & (least > zero) & within & (abs(x.twist) < most * c.twist_arm);
  // Or nothing touches, and nothing will in this substep.
  W least_speed(std::numeric_limits<Real>::max());
  for (int i = 0; i < kPoints; ++i)
    least_speed =
        min(least_speed, un.x + c.along1[i] * un.y + c.along2[i] * un.z + gap[i] * inverse_h);
  const auto idle = (carried <= zero) & (least_speed >= zero);
  replace(x, idle,
          {{zero, zero, zero, zero},
           zero,
           zero,
           zero,
           {zero, zero, zero, -c.slide1, -c.slide2, -c.twist}});
  done = done | idle;

  if (!all(done)) {
    // It slides: the normal part at once, and friction by what that does.
    PatchImpulse<W> y{
        {}, c.slide1, c.slide2, c.twist, {alone.x, alone.y, alone.z, zero, zero, zero}};
    const auto slides = closed & (split(c, alone, y.point) > zero);
    if (!all(done | slides)) {
      NormalSweep<W> sweep{c, un};
      W point[kPoints];
      for (int i = 0; i < kPoints; ++i) {
        const W bias = max(gap[i], zero) * inverse_h;
        point[i] = max(c.impulse[i] - c.point_mass[i] * (sweep.speed(i) + bias), zero);
        sweep.push(i, point[i] - c.impulse[i]);
      }
      replace(y, !slides,
              {{point[0], point[1], point[2], point[3]},
               c.slide1,
               c.slide2,
               c.twist,
               {sweep.f.x, sweep.f.y, sweep.f.z, zero, zero, zero}});
    }
    const Vec3T<W> normal{y.change.n, y.change.a, y.change.b};
    add_friction<kPyramid>(c, load(y.point), uf + coupled(c, normal), y.slide1, y.slide2, y.twist,
                           y.change);
    replace(x, !done, y);
  }
  for (int i = 0; i < kPoints; ++i) c.impulse[i] = x.point[i];
  c.slide1 = x.slide1, c.slide2 = x.slide2, c.twist = x.twist;
  c.total += kFirst ? load(x.point) : load(x.point) - carried;
  apply(c, x.change, a, b);
  scatter_twist(rows.velocity, c.write_a, a);
  scatter_twist(rows.velocity, c.write_b, b);
}

// Applies the impulses that are kept from the last step.
template <class W>
SINEW_FLATTEN void warm_start_contacts(BodyRows& rows, const ContactPack<W>& c) {
  Twist<W> a = gather_twist<W>(rows.velocity, c.a), b = gather_twist<W>(rows.velocity, c.b);
  apply(c, patch_impulse(c), a, b);
  scatter_twist(rows.velocity, c.write_a, a);
  scatter_twist(rows.velocity, c.write_b, b);
}

// Moves what overlaps apart, without changing velocities: non-linear Gauss–Seidel on the way of the
// step. A share of the overlap beyond the slop is undone, by no more than `most`: where all points
// overlap, by the plane through what they should move, which favours none of them; one after the
// other, a stack would lean towards the last.
template <class W>
SINEW_FLATTEN void correct_contacts(BodyRows& rows, const ContactPack<W>& c, const W& slop,
                                    const W& share, const W& most) {
  const W zero(Real(0));
  Twist<W> a = gather_twist<W>(rows.way, c.a), b = gather_twist<W>(rows.way, c.b);
  const PatchMotion<W> u = patch_motion(c, a, b);
  const auto apart = [&](const W& gap, const W& limit) {
    return min(-share * min(gap + slop, zero), limit);
  };
  W gap[kPoints];
  current_gaps(c, u, gap);
  W mean = zero, along1 = zero, along2 = zero;
  for (int i = 0; i < kPoints; ++i) {
    const W move = apart(gap[i], most);
    mean += move, along1 += c.along1[i] * move, along2 += c.along2[i] * move;
  }
  const Vec3T<W> plane{mean * W(Real(0.25)), c.spread[0] * along1 + c.spread[1] * along2,
                       c.spread[1] * along1 + c.spread[2] * along2};
  Vec3T<W> f = c.normal_inverse * plane;
  const W widest = max(max(gap[0], gap[1]), max(gap[2], gap[3]));
  const auto together = (widest + slop < zero) & (c.patch > zero);
  if (!all(together)) {
    NormalSweep<W> sweep{c, {u.n, u.a, u.b}};
    const W limit = most * c.share;
    for (int i = 0; i < kPoints; ++i)
      sweep.push(i, c.point_mass[i] * apart(c.gap[i] + sweep.speed(i), limit));
    f = select(together, f, sweep.f);
  }
  apply(c, PatchMotion<W>{f.x, f.y, f.z, zero, zero, zero}, a, b);
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
