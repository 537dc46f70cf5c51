#include "world/grabs.h"

#include <cmath>
#include <limits>

#include "core/format.h"
#include "world/validate.h"

namespace sinew {
namespace {

using Vec = Vec3T<double>;

constexpr const char* kGrab = "grab";
constexpr double kTurn = 6.28318530717958648;
// Nothing is stiffer than so many times the inertia of its whole body in a step, M/h²: within one
// it is where it is pulled to all the same, and floats can tell the difference.
constexpr double kStiffest = 100;
// A hand that is told no greatest force pulls no harder than would give the whole body this [m/s²]:
// ten times its weight on Earth. Hands jump about as mice do, and what lets itself be torn to a
// thousand times its length by one may not find back.
constexpr double kStrongest = 100;
// Places further away than this many of the stretches at which it pulls with all its force count
// as so far away.
constexpr double kReach = 100;

// How much of a vertex is held at a distance from the point, by the radius: falls smoothly to 0.
Real share_at(Real distance) {
  const Real inside = 1 - distance * distance;
  return distance < 1 ? inside * inside : 0;
}

// The vertices that a grab holds, by their masses: if it moves them alone, then as smoothly as
// shares fall, whatever the mesh. Those without a mass belong to no element.
void choose(GrabEntry& entry, const SoftRuntime& body, const Row* x, const Vec3& point,
            Real radius) {
  double sum = 0;
  int nearest = -1;
  Real least = std::numeric_limits<Real>::infinity();
  for (int i = 0; i < body.count; ++i) {
    if (!(body.mass[i] > 0)) continue;
    const Real distance = length(Vec3{x[i].x, x[i].y, x[i].z} - point);
    if (nearest < 0 || distance < least) nearest = i, least = distance;
    const Real weight = radius > 0 ? share_at(distance / radius) * body.mass[i] : Real(0);
    if (!(weight > 0)) continue;
    entry.vertices.push_back(Index(i));
    entry.weights.push_back(weight);
    sum += weight;
  }
  if (nearest < 0) throw Error("grab: the body has no mass that could be held");
  if (!std::isnormal(sum)) {
    entry.vertices = {Index(nearest)};
    entry.weights = {1};
    return;
  }
  for (Real& weight : entry.weights) weight = Real(weight / sum);
}

GrabSpring patch_of(const GrabEntry& entry) {
  GrabSpring spring;
  spring.vertices = entry.vertices;
  spring.weights = entry.weights;
  return spring;
}

void check_place(const Vec3& place) {
  for (int k = 0; k < 3; ++k)  // hands move in every step: a message is only made for what is wrong
    if (!std::isfinite(place[k]))
      check_number(formatted("the place of a grab [{}]", k), place[k], {.unit = "m"});
}

template <class F>
void for_each_grab(const StepContext& c, const SoftRuntime& body, F&& f) {
  for (int i = body.grab_begin; i < body.grab_end; ++i) f(c.grabs[i], c.springs[i]);
}

}  // namespace

GrabId World::add(Grab grab) {
  const SoftRuntime& body = impl_->soft.at(grab.body, "soft body");
  validate(kGrab, grab);
  GrabEntry entry{.body = grab.body, .spring = grab.spring, .max_force = grab.max_force};
  choose(entry, body, &impl_->particles.position[body.begin], grab.point, grab.radius);
  const Vec at = patch_of(entry).mean(impl_->particles.places(body.begin));
  entry.place = entry.aim = {Real(at.x), Real(at.y), Real(at.z)};
  return impl_->grabs.insert(std::move(entry));
}

void World::remove(GrabId id) { impl_->grabs.erase(id, kGrab); }
bool World::contains(GrabId id) const { return impl_->grabs.contains(id); }

std::vector<GrabId> World::grabs() const {
  std::vector<GrabId> ids;
  impl_->grabs.for_each([&](GrabId id, const GrabEntry&) { ids.push_back(id); });
  return ids;
}

void World::move_grab(GrabId id, const Vec3& place) {
  GrabEntry& entry = impl_->grabs.at(id, kGrab);
  check_place(place);
  entry.aim = place;
}

GrabState World::state(GrabId id) const {
  const GrabEntry& entry = impl_->grabs.at(id, kGrab);
  const SoftRuntime& body = impl_->soft.at(entry.body, "soft body");
  const Vec at = patch_of(entry).mean(impl_->particles.places(body.begin));
  return {entry.body, {Real(at.x), Real(at.y), Real(at.z)}, entry.place, entry.force};
}

void remove_grabs(World::Impl& world, SoftId body) {
  std::vector<GrabId> gone;
  world.grabs.for_each([&](GrabId id, const GrabEntry& entry) {
    if (entry.body == body) gone.push_back(id);
  });
  for (GrabId id : gone) world.grabs.erase(id, kGrab);
}

void begin_grabs(StepContext& c) {
  World::Impl& world = c.world;
  c.grabs = world.arena.allocate<GrabInStep>(world.grabs.size());
  c.springs = world.arena.allocate<GrabSpring>(world.grabs.size());
  int count = 0;
  world.soft.for_each([&](SoftId id, SoftRuntime& body) {
    body.grab_begin = body.grab_end = count;
    if (world.grabs.size() == 0 || body.frozen) return;
    double mass = 0;
    world.grabs.for_each([&](GrabId, GrabEntry& entry) {
      if (entry.body != id) return;
      if (mass == 0)
        for (Real m : body.mass) mass += m;
      c.grabs[count] = {.entry = &entry, .mass = mass};
      c.springs[count++] = patch_of(entry);
    });
    body.grab_end = count;
  });
}

void carry_grabs(const StepContext& c, const SoftRuntime& body, int s) {
  for_each_grab(c, body, [&](GrabInStep& grab, GrabSpring&) {
    const Vec place = to_double(grab.entry->place), way = to_double(grab.entry->aim) - place;
    grab.from = place + way * (double(s) / c.substeps);
    grab.speed = way * (1 / double(c.dt));
  });
}

void stretch_grabs(const StepContext& c, const SoftRuntime& body, const Places& start, Real ahead) {
  const double h = c.h;
  for_each_grab(c, body, [&](GrabInStep& grab, GrabSpring& spring) {
    // k h²/M and d h/M: by how the whole body swings, though the patch alone is much lighter.
    const double turn = kTurn * double(grab.entry->spring.frequency) * h;
    const double pull = std::min(turn * turn, kStiffest);
    const double brake = std::min(2 * double(grab.entry->spring.damping_ratio) * turn, kStiffest);
    spring.stiffness = (pull + brake) * grab.mass / (h * h);
    const double told = grab.entry->max_force;
    spring.limit = told > 0 ? told : kStrongest * grab.mass;
    const Vec place = grab.from + grab.speed * double(ahead) - c.origin;
    const Vec before = spring.mean(start);
    const Vec stretch_before = before - (place - grab.speed * h);
    spring.rest = place + stretch_before * (brake / (pull + brake));
    // From afar it pulls with all its force, however far; but the energy of that would drown the
    // body's in its rounding.
    const Vec way = spring.rest - before;
    const double reach = kReach * spring.limit / spring.stiffness, distance = length(way);
    if (distance > reach) spring.rest = before + way * (reach / distance);
    grab.force = {};
  });
}

// With b = h² Σ wᵢ²/mᵢ, what a force of one moves the mean by: f + k'(m − r) = 0 and m = m₀ + b Δf
// give Δf = −(m₀ − r + f/k')/(b + 1/k'), and vertices move by h² wᵢ/mᵢ Δf. That is XPBD with the
// force as the multiplier; a force that is too great is cut off.
void pull_by_grabs(const StepContext& c, const SoftRuntime& body) {
  Row* u = &c.world.particles.displacement[body.begin];
  const Places start = c.world.particles.places(body.begin);
  const double square = double(c.h) * c.h;
  for_each_grab(c, body, [&](GrabInStep& grab, const GrabSpring& spring) {
    double gives = 0;
    for (std::size_t i = 0; i < spring.vertices.size(); ++i) {
      const double weight = spring.weights[i];
      gives += weight * weight * u[spring.vertices[i]].w;
    }
    const double compliance = 1 / spring.stiffness;
    const Vec at = spring.mean(start) + spring.mean({u});
    const Vec error = at - spring.rest + grab.force * compliance;
    Vec force = grab.force - error * (1 / (square * gives + compliance));
    const double size = length(force);
    if (size > spring.limit) force *= spring.limit / size;
    const Vec push = (force - grab.force) * square;
    grab.force = force;
    for (std::size_t i = 0; i < spring.vertices.size(); ++i) {
      Row& row = u[spring.vertices[i]];
      const Vec way = push * (double(spring.weights[i]) * row.w);
      row = {Real(row.x + way.x), Real(row.y + way.y), Real(row.z + way.z), row.w};
    }
  });
}

void read_grabs(const StepContext& c, const SoftRuntime& body) {
  const Row* x = &c.world.particles.position[body.begin];
  for_each_grab(c, body,
                [&](GrabInStep& grab, const GrabSpring& spring) { grab.force = spring.force(x); });
}

void count_grabs(const StepContext& c, const SoftRuntime& body) {
  for_each_grab(c, body, [&](GrabInStep& grab, GrabSpring&) {
    grab.mean_force += grab.force * (1.0 / c.substeps);
  });
}

void end_grabs(const StepContext& c) {
  c.world.grabs.for_each([](GrabId, GrabEntry& entry) {
    entry.place = entry.aim;
    entry.force = {};
  });
  for (const SoftRuntime* body : c.bodies) {
    if (body->frozen) continue;
    for_each_grab(c, *body, [](GrabInStep& grab, GrabSpring&) {
      const Vec& f = grab.mean_force;
      grab.entry->force = {Real(f.x), Real(f.y), Real(f.z)};
    });
  }
}

Real grab_reach(const StepContext& c, const SoftRuntime& body) {
  double farthest = 0;
  for_each_grab(c, body, [&](const GrabInStep& grab, const GrabSpring& spring) {
    const Vec at = spring.mean(c.world.particles.places(body.begin));
    farthest = std::max(farthest, length(to_double(grab.entry->aim) - at));
  });
  return Real(farthest);
}

}  // namespace sinew
