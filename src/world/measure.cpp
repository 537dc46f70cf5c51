// What can be measured in a world: energies, momenta, the state of bodies and contacts, the hash.
// Sums are in double.
#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "collision/bounds.h"
#include "core/state_hash.h"
#include "world/world_impl.h"

namespace sinew {
namespace {

Vec3T<double> velocity_of_row(const Row4<Real>& r) { return {r.x, r.y, r.z}; }

// f(mass, position, velocity) for every vertex of a body that moves.
template <class F>
void for_each_moving(const World::Impl& world, const SoftRuntime& body, F&& f) {
  for (int i = 0; i < body.count; ++i) {
    const Row4<Real>& x = world.particles.position[body.begin + i];
    if (x.w > 0)
      f(double(body.mass[i]), world.particles.place(body.begin + i),
        velocity_of_row(world.particles.velocity[body.begin + i]));
  }
}

// A rigid body that forces move, about its centre of mass.
struct MovingBody {
  double mass, gravity_scale;
  Vec3T<double> position, velocity;
  Vec3T<double> turning, spin;  // angular velocity, and the angular momentum Iω of that
};

// None of what forces do not move.
std::optional<MovingBody> moving_body(const World::Impl& world, RigidId id) {
  const RigidWorld& bodies = world.bodies;
  const BodyRow row = row_of(id);
  if (bodies.track[row].kind != BodyKind::kDynamic) return {};
  const BodyInfo& info = bodies.info[row];
  const auto& v = bodies.rows.velocity[row].c;
  const auto& p = bodies.rows.pose[row].c;
  const QuatT<double> turn{p[4], p[5], p[6], p[7]};
  const Vec3T<double> turning{v[3], v[4], v[5]};
  Vec3T<double> spin = turn.conjugate().rotate(turning);
  // What cannot be turned by any torque, a point mass, has no moments to speak of.
  const bool turns = info.inverse_inertia != Vec3{};
  for (int k = 0; k < 3; ++k) spin[k] *= turns ? double(info.inertia[k]) : 0;
  return MovingBody{.mass = double(info.mass),
                    .gravity_scale = double(info.gravity_scale),
                    .position = {p[0], p[1], p[2]},
                    .velocity = {v[0], v[1], v[2]},
                    .turning = turning,
                    .spin = turn.rotate(spin)};
}

// Adds the rigid bodies: how many pairs of them touch, and how deeply.
void add_rigid_contacts(const World& world, ContactState& state) {
  std::vector<std::pair<RigidId, RigidId>> pairs;
  for (const RigidContact& contact : world.rigid_contacts()) {
    pairs.emplace_back(std::minmax(contact.a, contact.b));
    for (int i = 0; i < contact.count; ++i)
      state.penetration_max = std::max(state.penetration_max, -double(contact.separation[i]));
  }
  // Bodies of many parts, and surfaces, touch in several contacts.
  std::sort(pairs.begin(), pairs.end());
  state.rigid_count = static_cast<int>(std::unique(pairs.begin(), pairs.end()) - pairs.begin());
}

// The obstacle's surface that is nearest to a particle, seen from outside.
struct NearestSurface {
  Real distance = std::numeric_limits<Real>::infinity();  // of the body's own surface from it [m]
  Vec3 normal = {};
};
NearestSurface nearest_surface(const World::Impl& world, const SoftRuntime& body, const Vec3& x) {
  NearestSurface nearest;
  for_each_obstacle(world, [&](const StaticBody& obstacle) {
    const Vec3 local = obstacle.pose.to_local(x);
    std::visit(
        [&](const auto& shape) {
          const auto at = shape.signed_distance(local);
          const Real distance = at.distance - body.margin;
          if (distance < nearest.distance)
            nearest = {distance, obstacle.pose.orientation.rotate(at.normal)};
        },
        obstacle.shape);
  });
  return nearest;
}

// f(vertex, place, surface) for every vertex of a body that touches something.
template <class F>
void for_each_touching(const World::Impl& world, const SoftRuntime& body, F&& f) {
  constexpr double kTouching = 1e-5;  // [m]
  for (int i = 0; i < body.count; ++i) {
    const Row4<Real>& row = world.particles.position[body.begin + i];
    const Vec3 x{row.x, row.y, row.z};
    const NearestSurface nearest = nearest_surface(world, body, x);
    if (double(nearest.distance) < kTouching) f(static_cast<Index>(i), x, nearest);
  }
}

std::vector<Row> rows_seen_from(const Vec3T<double>& origin, const Places& at, std::size_t count) {
  std::vector<Row> rows(count);
  for (std::size_t i = 0; i < count; ++i) {
    const Vec3T<double> x = at[i] - origin;
    rows[i] = {Real(x.x), Real(x.y), Real(x.z), at.position[i].w};
  }
  return rows;
}

bool all_finite(const Row8<Real>& row) {
  return std::all_of(std::begin(row.c), std::end(row.c), [](Real x) { return std::isfinite(x); });
}

}  // namespace

Energy World::energy(SoftId id) const {
  const SoftRuntime& body = impl_->soft.at(id, kSoft);
  Energy e;
  const Vec3T<double> g = to_double(impl_->settings.gravity);
  for_each_moving(*impl_, body, [&](double mass, const Vec3T<double>& x, const Vec3T<double>& v) {
    e.kinetic += 0.5 * mass * dot(v, v);
    e.gravity -= mass * dot(g, x);
  });
  const Places at = impl_->particles.places(body.begin);
  for (const auto& batch : body.batches) e.elastic += batch->energy(at);
  if (!body.variational) return e;
  const auto count = std::size_t(body.count);
  const std::vector<Row> alone = rows_seen_from(at[0], at, count),
                         in_world = rows_seen_from(body.attachments->origin, at, count);
  for (const auto& term : body.variational->objective.terms)
    e.elastic += term->energy(term->external() ? in_world.data() : alone.data());
  return e;
}

Energy World::energy(RigidId id) const {
  impl_->rigid.at(id, kRigid);
  const std::optional<MovingBody> body = moving_body(*impl_, id);
  if (!body) return {};
  const Vec3T<double> g = to_double(impl_->settings.gravity);
  return {.kinetic = 0.5 * (body->mass * dot(body->velocity, body->velocity) +
                            dot(body->turning, body->spin)),
          .gravity = -body->mass * body->gravity_scale * dot(g, body->position)};
}

Energy World::energy() const {
  Energy sum;
  const auto add = [&](const Energy& e) {
    sum.kinetic += e.kinetic;
    sum.gravity += e.gravity;
    sum.elastic += e.elastic;
  };
  impl_->soft.for_each([&](SoftId id, const SoftRuntime&) { add(energy(id)); });
  impl_->rigid.for_each([&](RigidId id, const RigidEntry&) { add(energy(id)); });
  return sum;
}

Momentum World::momentum() const {
  Momentum m;
  impl_->soft.for_each([&](SoftId, const SoftRuntime& body) {
    for_each_moving(*impl_, body, [&](double mass, const Vec3T<double>& x, const Vec3T<double>& v) {
      m.linear += v * mass;
      m.angular += cross(x, v) * mass;
    });
  });
  impl_->rigid.for_each([&](RigidId id, const RigidEntry&) {
    const std::optional<MovingBody> body = moving_body(*impl_, id);
    if (!body) return;
    m.linear += body->velocity * body->mass;
    m.angular += cross(body->position, body->velocity) * body->mass + body->spin;
  });
  return m;
}

SoftState World::state(SoftId id) const {
  const SoftRuntime& body = impl_->soft.at(id, "soft body");
  const std::vector<Row> rows =
      rows_seen_from_first(impl_->particles.places(body.begin), std::size_t(body.count));
  const ElementSummary s = body.elements->summary(rows.data());
  // A body that is flat at rest has no volume to lose.
  const double ratio = body.rest_volume > 0 ? s.volume / body.rest_volume : 1;
  return {ratio, s.inverted, s.strain_max, body.frozen, body.stiffness_share, body.energy.taken};
}

ContactState World::contacts() const {
  ContactState state;
  impl_->soft.for_each([&](SoftId, const SoftRuntime& body) {
    for_each_touching(*impl_, body, [&](Index, const Vec3&, const NearestSurface& surface) {
      ++state.count;
      state.penetration_max = std::max(state.penetration_max, -double(surface.distance));
    });
  });
  add_rigid_contacts(*this, state);
  state.sweeps = impl_->rigid_scratch.sweeps;
  impl_->rigid.for_each([&](RigidId id, const RigidEntry&) {
    state.asleep += impl_->bodies.track[row_of(id)].asleep;
  });
  return state;
}

// The point is on the body's own surface: half a thickness from the vertex of a sheet or line.
std::vector<SoftContact> World::soft_contacts(SoftId id) const {
  const SoftRuntime& body = impl_->soft.at(id, "soft body");
  std::vector<SoftContact> list;
  for_each_touching(*impl_, body, [&](Index vertex, const Vec3& x, const NearestSurface& surface) {
    list.push_back({.vertex = vertex,
                    .point = x - surface.normal * body.margin,
                    .normal = surface.normal,
                    .separation = surface.distance});
  });
  return list;
}

// A plane has no end, and its box none, either: it is infinite.
Bounds World::bounds(RigidId id) const {
  impl_->rigid.at(id, "rigid body");
  const RigidWorld& bodies = impl_->bodies;
  constexpr Real kEndless = std::numeric_limits<Real>::infinity();
  Aabb box = Aabb::empty();
  for (std::uint32_t index : bodies.info[row_of(id)].colliders) {
    const Collider& collider = bodies.colliders[index];
    if (collider.kind == Collider::Kind::kPlane)
      return {{-kEndless, -kEndless, -kEndless}, {kEndless, kEndless, kEndless}};
    box = merged(box, collider.fat);
  }
  return {box.lower, box.upper};
}

Bounds World::bounds(SoftId id) const {
  const SoftRuntime& body = impl_->soft.at(id, "soft body");
  Aabb box = Aabb::empty();
  for (const Particle& particle : particles(id))
    box = merged(box, Aabb{particle.position, particle.position});
  box = grown(box, body.margin);
  return {box.lower, box.upper};
}

bool World::finite() const {
  bool all = impl_->bodies.frozen.empty();
  impl_->soft.for_each([&](SoftId, const SoftRuntime& body) { all = all && !body.frozen; });
  impl_->rigid.for_each([&](RigidId id, const RigidEntry&) {
    const BodyRows& rows = impl_->bodies.rows;
    all = all && all_finite(rows.velocity[row_of(id)]) && all_finite(rows.pose[row_of(id)]);
  });
  return all;
}

std::uint64_t World::state_hash() const {
  StateHash hash;
  impl_->soft.for_each([&](SoftId, const SoftRuntime& body) {
    const auto add = [&](const std::vector<Row4<Real>>& rows) {
      hash.add(std::span<const Row4<Real>>(&rows[body.begin], std::size_t(body.count)));
    };
    add(impl_->particles.position);
    add(impl_->particles.low);
    add(impl_->particles.velocity);
    add(impl_->particles.velocity_low);
  });
  impl_->rigid.for_each([&](RigidId id, const RigidEntry&) {
    const BodyRows& rows = impl_->bodies.rows;
    hash.add(std::span<const Row8<Real>>(&rows.pose[row_of(id)], 1));
    hash.add(std::span<const Row8<Real>>(&rows.velocity[row_of(id)], 1));
  });
  return hash.value();
}

}  // namespace sinew
