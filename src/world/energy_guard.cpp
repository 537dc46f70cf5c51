#include "world/energy_guard.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "world/grabs.h"
#include "world/momentum.h"

namespace sinew {
namespace {

using Vec = Vec3T<double>;

using Kinetic = EnergyWatch::Kinetic;

constexpr double kToleratedGain = 0.1;  // of the energy, beside rounding
constexpr double kCalm = 0.01;        // of it, changes in a step that nothing needs to be found for
constexpr double kNoticed = 5e-5;     // [J/kg]: a centimetre a second is worth an event
constexpr int kRefresh = 8;           // steps after which it is found anew
constexpr Real kInside = Real(1e-4);  // of a body's size: deep enough to be pushed out

bool pins_move(const StepContext& c, const SoftRuntime& body) {
  if (!body.pin_targets.empty() || !body.anchored.empty()) return true;
  if (body.pins == 0) return false;
  const Particles& p = c.world.particles;
  for (int i = body.begin; i < body.begin + body.count; ++i) {
    const Row& v = p.velocity[i];
    if (!(p.position[i].w > 0) && (v.x != 0 || v.y != 0 || v.z != 0)) return true;
  }
  return false;
}

bool can_be_watched(const StepContext& c, const SoftRuntime& body) {
  // Plain Euler is there to show that it gains.
  if (body.variational && body.variational->explicit_method != ExplicitMethod::kSymplecticEuler)
    return false;
  return !body.energy.unknown && !body.held && !pins_move(c, body);
}

Kinetic kinetic_energy(const StepContext& c, const SoftRuntime& body, bool free) {
  const Particles& p = c.world.particles;
  const Vec g = to_double(c.world.settings.gravity);
  Kinetic e;
  Vec linear{};
  double mass = 0;
  for (int i = 0; i < body.count; ++i) {
    if (!(p.position[body.begin + i].w > 0)) continue;
    const double m = body.mass[i];
    const Vec v = p.velocity_of(body.begin + i);
    e.moving += 0.5 * m * dot(v, v);
    e.weight -= m * dot(g, p.place(body.begin + i));
    linear += v * m;
    mass += m;
  }
  if (!free) return e;
  const double common = mass > 0 ? 0.5 * dot(linear, linear) / mass : 0;
  return {std::max(e.moving - common, 0.0), 0};
}

// Explicit bodies have energies instead of batches, and rows that nobody uses.
double elastic_energy(const SoftRuntime& body, const Places& at) {
  double sum = 0;
  if (body.variational) {
    std::vector<Row>& rows = body.variational->position_before;
    for (int i = 0; i < body.count; ++i) {
      const Vec x = at[i] - at[0];
      rows[i] = {Real(x.x), Real(x.y), Real(x.z), at.position[i].w};
    }
    for (const auto& term : body.variational->objective.terms)
      if (term->stores()) sum += term->energy(rows.data());
  }
  for (const auto& batch : body.batches) sum += batch->energy(at);
  return sum;
}
double elastic_energy(const SoftRuntime& body, const Particles& p) {
  return elastic_energy(body, p.places(body.begin));
}

double bound_of(const EnergyWatch& watch, double moving) {
  return watch.total + kToleratedGain * std::max(watch.moving, moving) + watch.rounding;
}

void remember(EnergyWatch& watch, const Kinetic& kinetic, double elastic) {
  watch.total = kinetic.moving + kinetic.weight + elastic;
  watch.moving = std::max(kinetic.moving + elastic, 0.0);
  watch.age = 0;
}

// How far energies may be off because differences of places are rounded: so much strain in every
// element, and so much height.
double rounding_at(const StepContext& c, const SoftRuntime& body) {
  double reach = 0, mass = 0;
  const Places at = c.world.particles.places(body.begin);
  for (int i = 0; i < body.count; ++i) {
    reach = std::max(reach, length(at[i] - at[0]));
    mass += body.mass[i];
  }
  const double rounded = reach * std::numeric_limits<Real>::epsilon() / 2;
  const double weight = mass * length(c.world.settings.gravity);
  return body.energy.stiffness * rounded * rounded / 4 + (body.free ? 0 : weight * rounded);
}

// Whether it began the step so deep in something that it is pushed out.
bool was_inside(const StepContext& c, const SoftRuntime& body) {
  const Places at = c.world.particles.places_at_start(body.begin);
  double size = 0;
  Real deepest = 0;
  for (int i = 0; i < body.count; ++i) {
    size = std::max(size, length(at[i] - at[0]));
    for (const ContactPair& pair : c.pairs) {
      if (pair.soft != &body) continue;
      const Pose& pose = pair.obstacle->pose;
      const Vec from = at[i] - to_double(pose.position);
      const Vec3 local =
          pose.orientation.conjugate().rotate({Real(from.x), Real(from.y), Real(from.z)});
      const Real distance =
          std::visit([&](const auto& shape) { return shape.signed_distance(local).distance; },
                     pair.obstacle->shape);
      deepest = std::max(deepest, body.margin - distance);
    }
  }
  return deepest > kInside * Real(size);
}

// Lets velocities lose up to that much energy; returns how much they lost.
double slow_down(const StepContext& c, SoftRuntime& body, bool free, double excess) {
  Particles& p = c.world.particles;
  const RigidMotion motion = free ? rigid_motion(body, p) : RigidMotion{};
  const auto rigid = [&](int i, const Vec& spin) {
    return motion.velocity + cross(spin, p.place(i) - motion.center);
  };
  double lost = 0;
  // First what is not rigid motion, then all but that of the centre of mass.
  for (const Vec& spin : {motion.spin, Vec{}}) {
    double energy = 0;
    for (int i = 0; i < body.count; ++i) {
      const Vec v = p.velocity_of(body.begin + i) - rigid(body.begin + i, spin);
      if (p.position[body.begin + i].w > 0) energy += 0.5 * body.mass[i] * dot(v, v);
    }
    const double wanted = excess - lost;
    if (!(wanted > 0) || !(energy > 0)) continue;
    const double kept = std::sqrt(std::max(0.0, 1 - wanted / energy));
    for (int i = body.begin; i < body.begin + body.count; ++i) {
      if (!(p.position[i].w > 0)) continue;
      const Vec r = rigid(i, spin);
      p.set_velocity(i, r + (p.velocity_of(i) - r) * kept);
    }
    lost += std::min(wanted, energy);
  }
  return lost;
}

// To where the step found it; one that is free goes on as a whole.
void put_back(const StepContext& c, SoftRuntime& body) {
  Particles& p = c.world.particles;
  const Vec way = body.free ? rigid_motion(body, p).velocity * double(c.dt) : Vec{};
  for (int i = body.begin; i < body.begin + body.count; ++i)
    if (p.position[i].w > 0) p.set_place(i, p.places_at_start(0)[i] + way);
}

double take_back(const StepContext& c, SoftRuntime& body, double elastic) {
  EnergyWatch& watch = body.energy;
  const Kinetic had = kinetic_energy(c, body, watch.free);
  const double energy = had.moving + had.weight + elastic;
  double left = energy - watch.total;
  left -= slow_down(c, body, watch.free, left);
  // Jacobi sweeps, and stiff constraints, lead what is torn back through states of more energy: put
  // back, it would stay.
  const bool stays = body.solver.order == SweepOrder::kJacobi || body.batches.size() > 1;
  if (left > bound_of(watch, 0) - watch.total && !stays) {
    put_back(c, body);
    const Kinetic now = kinetic_energy(c, body, watch.free);
    left = now.moving + now.weight + elastic_energy(body, c.world.particles) - watch.total;
    if (left > 0) slow_down(c, body, watch.free, left);
  }
  watch.taken += energy - watch.total;
  return energy - watch.total;
}

// What hands did in the step, at most.
double work_of_hands(const StepContext& c, const SoftRuntime& body) {
  double work = 0;
  for (const GrabSpring& spring : springs_of(c, body)) {
    const Vec way = spring.mean(c.world.particles.places(body.begin)) -
                    spring.mean(c.world.particles.places_at_start(body.begin));
    work += spring.limit * length(way);
  }
  return work;
}

// Whether it has as many substeps as it needs. In too few of them even one that spins as before may
// have been torn: its elastic energy is looked at in every step.
bool resolved(const StepContext& c, const SoftRuntime& body) {
  if (body.variational) return false;
  return c.substeps < c.world.settings.substeps_max && body.stiffness_share >= 1;
}

// How much energy was taken [J].
double guard(const StepContext& c, SoftRuntime& body) {
  EnergyWatch& watch = body.energy;
  watch.total += work_of_hands(c, body);
  const Kinetic kinetic = kinetic_energy(c, body, watch.free);
  const double without = kinetic.moving + kinetic.weight;  // the elastic one
  const bool suspect = without > bound_of(watch, kinetic.moving);
  const bool calm = std::abs(without - watch.before.moving - watch.before.weight) <=
                    kCalm * watch.moving + watch.rounding;
  if (!suspect && calm && resolved(c, body) && ++watch.age < kRefresh) return 0;
  const double elastic = elastic_energy(body, c.world.particles);
  const double total = kinetic.moving + kinetic.weight + elastic;
  if (!std::isfinite(total)) body.broken = true;  // freeze_broken() stops it
  if (body.broken) return 0;
  if (total <= bound_of(watch, kinetic.moving + elastic)) {
    if (total < watch.total) remember(watch, kinetic, elastic);
    watch.age = 0;
    return 0;
  }
  if (was_inside(c, body)) {
    watch.known = false;
    return 0;
  }
  if (watch.changes) {
    Kinetic before = watch.before;
    const double then = elastic_energy(body, c.world.particles.places_at_start(body.begin));
    // More than it could have: from what it remembers. Up to there it may have been gained before.
    if (before.moving + before.weight + then > bound_of(watch, before.moving + then))
      remember(watch, before, then);
    if (total <= bound_of(watch, kinetic.moving + elastic)) return 0;
  }
  return take_back(c, body, elastic);
}

}  // namespace

void watch_energy(const StepContext& c) {
  const Stage stage(c.world.profiler, "energy");
  for (SoftRuntime* body : c.bodies) {
    EnergyWatch& watch = body->energy;
    watch.watched = can_be_watched(c, *body);
    if (!watch.watched) watch.known = false;
    if (!watch.watched) continue;
    watch.before = kinetic_energy(c, *body, body->free);
    if (watch.known && watch.free == body->free) continue;
    watch.free = body->free;
    watch.known = true;
    watch.rounding = rounding_at(c, *body);
    remember(watch, watch.before, elastic_energy(*body, c.world.particles));
  }
}

void guard_energy(const StepContext& c) {
  const Stage stage(c.world.profiler, "energy");
  c.world.soft.for_each([&](SoftId id, SoftRuntime& body) {
    if (!body.energy.watched) return;
    body.energy.watched = false;
    const double mass = std::accumulate(body.mass.begin(), body.mass.end(), 0.0);
    const bool taken = guard(c, body) > kNoticed * mass;
    if (taken && !body.energy.told)
      c.world.events.push_back({.kind = Event::Kind::kCalmed, .body = id});
    body.energy.told = taken;
  });
}

}  // namespace sinew
