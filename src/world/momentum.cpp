#include "world/momentum.h"

#include "math/sym3.h"

namespace sinew {
namespace {

using Vec = Vec3T<double>;

Vec wide(const Row& r) { return {r.x, r.y, r.z}; }

// The spin of a body with that angular momentum. One that is a line or a point has no inertia about
// some axis, and no angular momentum there.
Vec spin_of(const Sym3T<double>& inertia, const Vec& angular) {
  if (!(trace(inertia) > 1e-90)) return {};  // its cube must be a number
  const double floor = 1e-14 * trace(inertia);
  return inverse(inertia + Sym3T<double>::identity() * floor) * angular;
}

Sym3T<double> inertia_of(const Vec& r, double mass) {
  return Sym3T<double>::identity() * (mass * dot(r, r)) - outer(r, mass);
}

// f(particle, mass) for those that are not held.
template <class F>
void for_each_moving(const SoftRuntime& body, const Particles& p, F&& f) {
  for (int i = 0; i < body.count; ++i)
    if (p.position[body.begin + i].w > 0) f(body.begin + i, double(body.mass[i]));
}

}  // namespace

void keep_momentum(const SoftRuntime& body, Particles& p, Real kept, Real h) {
  // What the substep's pushes did to the velocity, drag included.
  const auto change = [&](int i) {
    return (wide(p.position[i]) - wide(p.predicted[i])) * (double(kept) / h);
  };
  Vec center{}, center_before{}, linear{};
  double mass = 0;
  for (int i = 0; i < body.count; ++i) {
    const double m = body.mass[i];
    mass += m;
    center += wide(p.position[body.begin + i]) * m;
    center_before += wide(p.previous[body.begin + i]) * m;
    linear += change(body.begin + i) * m;
  }
  if (!(mass > 0)) return;
  center *= 1 / mass;
  center_before *= 1 / mass;
  linear *= 1 / mass;
  Vec angular{};
  Sym3T<double> inertia{};
  for (int i = 0; i < body.count; ++i) {
    const double m = body.mass[i];
    const int k = body.begin + i;
    const Vec r = wide(p.position[k]) - center, r_before = wide(p.previous[k]) - center_before;
    const Vec v = wide(p.velocity[k]);
    angular += (cross(r, v) - cross(r_before, v - change(k))) * m;
    inertia = inertia + inertia_of(r, m);
  }
  const Vec spin = spin_of(inertia, angular);
  for (int i = body.begin; i < body.begin + body.count; ++i) {
    if (!(p.position[i].w > 0)) continue;
    const Vec back = linear + cross(spin, wide(p.position[i]) - center);
    Row& v = p.velocity[i];
    v = {Real(v.x - back.x), Real(v.y - back.y), Real(v.z - back.z), 0};
  }
}

RigidMotion rigid_motion(const SoftRuntime& body, const Particles& p) {
  RigidMotion motion;
  double mass = 0;
  for_each_moving(body, p, [&](int i, double m) {
    mass += m;
    motion.center += wide(p.position[i]) * m;
    motion.velocity += wide(p.velocity[i]) * m;
  });
  if (!(mass > 0)) return {};
  motion.center *= 1 / mass;
  motion.velocity *= 1 / mass;
  Vec angular{};
  Sym3T<double> inertia{};
  for_each_moving(body, p, [&](int i, double m) {
    const Vec r = wide(p.position[i]) - motion.center;
    angular += cross(r, wide(p.velocity[i])) * m;
    inertia = inertia + inertia_of(r, m);
  });
  motion.spin = spin_of(inertia, angular);
  return motion;
}

void settle(const SoftRuntime& body, Particles& p, double kept) {
  const RigidMotion motion = rigid_motion(body, p);
  for_each_moving(body, p, [&](int i, double) {
    const Vec rigid = motion.velocity + cross(motion.spin, wide(p.position[i]) - motion.center);
    const Vec v = rigid + (wide(p.velocity[i]) - rigid) * kept;
    p.velocity[i] = {Real(v.x), Real(v.y), Real(v.z), 0};
  });
}

}  // namespace sinew
