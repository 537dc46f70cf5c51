#include "world/momentum.h"

#include "math/sym3.h"

namespace sinew {

void keep_momentum(const SoftRuntime& body, Particles& p, Real kept, Real h) {
  using Vec = Vec3T<double>;
  const auto wide = [](const Row& r) { return Vec{r.x, r.y, r.z}; };
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
    inertia = inertia + Sym3T<double>::identity() * (m * dot(r, r)) - outer(r, m);
  }
  // A body that is a line or a point has no inertia about some axis, and no angular momentum there.
  const double floor = 1e-14 * trace(inertia) + 1e-300;
  const Vec spin = inverse(inertia + Sym3T<double>::identity() * floor) * angular;
  for (int i = body.begin; i < body.begin + body.count; ++i) {
    if (!(p.position[i].w > 0)) continue;
    const Vec back = linear + cross(spin, wide(p.position[i]) - center);
    Row& v = p.velocity[i];
    v = {Real(v.x - back.x), Real(v.y - back.y), Real(v.z - back.z), 0};
  }
}

}  // namespace sinew
