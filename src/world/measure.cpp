// What can be measured in a world: energies, momenta, the state of bodies and contacts, the hash.
// Sums are in double.
#include <algorithm>
#include <cmath>

#include "core/state_hash.h"
#include "world/world_impl.h"

namespace sinew {
namespace {

Vec3T<double> wide(const Row& r) { return {r.x, r.y, r.z}; }

// f(mass, position, velocity) for every vertex that moves.
template <class F>
void for_each_moving(const World::Impl& world, F&& f) {
  world.soft.for_each([&](SoftId, const SoftRuntime& body) {
    for (int i = 0; i < body.count; ++i) {
      const Row& x = world.particles.position[body.begin + i];
      if (x.w > 0) f(double(body.mass[i]), wide(x), wide(world.particles.velocity[body.begin + i]));
    }
  });
}

}  // namespace

Energy World::energy() const {
  Energy e;
  const Vec3& gravity = impl_->settings.gravity;
  const Vec3T<double> g{gravity.x, gravity.y, gravity.z};
  for_each_moving(*impl_, [&](double mass, const Vec3T<double>& x, const Vec3T<double>& v) {
    e.kinetic += 0.5 * mass * dot(v, v);
    e.gravity -= mass * dot(g, x);
  });
  impl_->soft.for_each([&](SoftId, const SoftRuntime& body) {
    for (const auto& batch : body.batches)
      e.elastic += batch->energy(&impl_->particles.position[body.begin]);
    if (body.variational)
      for (const auto& term : body.variational->objective.terms)
        e.elastic += term->energy(&impl_->particles.position[body.begin]);
  });
  return e;
}

Momentum World::momentum() const {
  Momentum m;
  for_each_moving(*impl_, [&](double mass, const Vec3T<double>& x, const Vec3T<double>& v) {
    m.linear += v * mass;
    m.angular += cross(x, v) * mass;
  });
  return m;
}

SoftState World::state(SoftId id) const {
  const SoftRuntime& body = impl_->soft.at(id, "soft body");
  const ElementSummary s = body.elements->summary(&impl_->particles.position[body.begin]);
  // A body that is flat at rest has no volume to lose.
  const double ratio = body.rest_volume > 0 ? s.volume / body.rest_volume : 1;
  return {ratio, s.inverted, s.strain_max, body.frozen};
}

ContactState World::contacts() const {
  constexpr double kTouching = 1e-5;  // [m]
  ContactState state;
  impl_->soft.for_each([&](SoftId, const SoftRuntime& body) {
    for (int i = body.begin; i < body.begin + body.count; ++i) {
      const Row& x = impl_->particles.position[i];
      double nearest = INFINITY;
      impl_->rigid.for_each([&](RigidId, const StaticBody& obstacle) {
        const Vec3 local = obstacle.pose.to_local({x.x, x.y, x.z});
        std::visit(
            [&](const auto& shape) {
              nearest =
                  std::min(nearest, double(shape.signed_distance(local).distance - body.margin));
            },
            obstacle.shape);
      });
      state.count += nearest < kTouching;
      state.penetration_max = std::max(state.penetration_max, -nearest);
    }
  });
  return state;
}

bool World::finite() const {
  bool all = true;
  impl_->soft.for_each([&](SoftId, const SoftRuntime& body) { all = all && !body.frozen; });
  return all;
}

std::uint64_t World::state_hash() const {
  StateHash hash;
  impl_->soft.for_each([&](SoftId, const SoftRuntime& body) {
    const auto add = [&](const std::vector<Row>& rows) {
      hash.add(std::span<const Row>(&rows[body.begin], std::size_t(body.count)));
    };
    add(impl_->particles.position);
    add(impl_->particles.velocity);
  });
  return hash.value();
}

}  // namespace sinew
