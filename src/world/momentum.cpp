#include "world/momentum.h"

namespace sinew {
namespace {

using Vec = Vec3T<double>;

Vec wide(const Row& r) { return {r.x, r.y, r.z}; }

// The spin of a body with that angular momentum. One that is a line or a point has no inertia about
// some axis, and no angular momentum there but what positions are rounded by: `rounding` [m²], the
// square of that, is as if every particle were so far away from the axis.
Vec spin_of(const Sym3T<double>& inertia, const Vec& angular, double mass, double rounding) {
  const double floor = 1e-14 * trace(inertia) + mass * rounding + 1e-60;
  return inverse(inertia + Sym3T<double>::identity() * floor) * angular;
}
double rounding_at(const Vec& place) { return 1e-15 * dot(place, place); }

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

void keep_momentum(const SoftRuntime& body, Particles& p, double kept, Real h) {
  // What the substep's pushes did to the velocity, drag included.
  const auto change = [&](int i) {
    return (wide(p.displacement[i]) - wide(p.predicted[i])) * (kept / h);
  };
  const auto place = [&](int i) { return p.place(i) + wide(p.displacement[i]); };
  Vec center{}, center_before{}, linear{};
  double mass = 0;
  for (int i = 0; i < body.count; ++i) {
    const double m = body.mass[i];
    mass += m;
    center += place(body.begin + i) * m;
    center_before += p.place(body.begin + i) * m;
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
    const Vec r = place(k) - center, r_before = p.place(k) - center_before;
    const Vec v = p.velocity_of(k);
    angular += (cross(r, v) - cross(r_before, v - change(k))) * m;
    inertia = inertia + inertia_of(r, m);
  }
  const Vec spin = spin_of(inertia, angular, mass, rounding_at(center));
  for (int i = body.begin; i < body.begin + body.count; ++i) {
    if (!(p.position[i].w > 0)) continue;
    const Vec back = linear + cross(spin, place(i) - center);
    p.set_velocity(i, p.velocity_of(i) - back);
  }
}

Momenta momenta(const SoftRuntime& body, const Particles& p) {
  Momenta m;
  for_each_moving(body, p, [&](int i, double mass) {
    m.mass += mass;
    m.center += p.place(i) * mass;
    m.linear += wide(p.velocity[i]) * mass;
  });
  if (!(m.mass > 0)) return {};
  m.center *= 1 / m.mass;
  for_each_moving(body, p, [&](int i, double mass) {
    const Vec r = p.place(i) - m.center;
    m.angular += cross(r, wide(p.velocity[i])) * mass;
    m.inertia = m.inertia + inertia_of(r, mass);
  });
  return m;
}

void restore_momenta(const SoftRuntime& body, Particles& p, const Vec& linear, const Vec& angular) {
  const Momenta m = momenta(body, p);
  if (!(m.mass > 0)) return;
  const Vec velocity = (linear - m.linear) * (1 / m.mass);
  const Vec spin = spin_of(m.inertia, angular - m.angular, m.mass, rounding_at(m.center));
  for_each_moving(body, p, [&](int i, double) {
    const Vec v = wide(p.velocity[i]) + velocity + cross(spin, p.place(i) - m.center);
    p.velocity[i] = {Real(v.x), Real(v.y), Real(v.z), 0};
  });
}

RigidMotion rigid_motion(const SoftRuntime& body, const Particles& p) {
  const Momenta m = momenta(body, p);
  if (!(m.mass > 0)) return {};
  return {m.center, m.linear * (1 / m.mass),
          spin_of(m.inertia, m.angular, m.mass, rounding_at(m.center))};
}

void settle(const SoftRuntime& body, Particles& p, double kept) {
  const RigidMotion motion = rigid_motion(body, p);
  for_each_moving(body, p, [&](int i, double) {
    const Vec rigid = motion.velocity + cross(motion.spin, p.place(i) - motion.center);
    p.set_velocity(i, rigid + (p.velocity_of(i) - rigid) * kept);
  });
}

}  // namespace sinew
