#include "world/motion.h"

#include <cmath>

#include "collision/static_contact.h"

namespace sinew {
namespace {

constexpr Real kPartingSpeed = 1;  // at which bodies leave what they were put into [m/s]

// How far an anchor has gone at a time. The sine starts with the body: one that is added late does
// not jump.
using Vec = Vec3T<double>;

struct Swung {
  Vec way;
  QuatT<double> turn;
};
Swung anchor_at(const SoftRuntime& body, double time) {
  const AnchorMotion& motion = *body.anchor_motion;
  constexpr double kCircle = 6.28318530717958648;
  const double phase = std::sin(kCircle * motion.frequency * (time - body.anchor_start));
  const Vec turn = to_double(motion.turn);
  return {to_double(motion.swing) * phase,
          QuatT<double>::from_axis_angle(turn, length(turn) * phase)};
}

Vec anchored_position(const SoftRuntime& body, const AnchoredPin& pin, double time) {
  const Swung now = anchor_at(body, time);
  return body.anchor_middle + now.turn.rotate(pin.from_middle) + now.way;
}

}  // namespace

Vec from_anchor(const SoftRuntime& body, const Vec& place, double time) {
  const Swung now = anchor_at(body, time);
  return now.turn.conjugate().rotate(place - now.way - body.anchor_middle);
}

void drive_anchors(const StepContext& c, int s) {
  const double end_of_substep = c.world.time + double(c.dt) * (s + 1) / c.substeps;
  Particles& p = c.world.particles;
  for (const SoftRuntime* body : c.bodies)
    for (const AnchoredPin& pin : body->anchored) {
      const int i = body->begin + pin.vertex;
      if (p.position[i].w > 0) continue;  // let go
      const Vec v = (anchored_position(*body, pin, end_of_substep) - c.origin - p.place(i)) *
                    (1 / double(c.h));
      p.velocity[i] = {Real(v.x), Real(v.y), Real(v.z), 0};
    }
}

void move_attachments(const StepContext& c, int s) {
  const double end_of_substep = c.world.time + double(c.dt) * (s + 1) / c.substeps;
  for (const SoftRuntime* body : c.bodies) {
    const auto move = [&](AttachmentTargets& places, std::span<const AnchoredPin> anchored,
                          std::span<const PinTarget> targets) {
      for (const AnchoredPin& one : anchored)
        places.set(one.vertex, anchored_position(*body, one, end_of_substep));
      for (const PinTarget& target : targets) {
        const Vec at = places.at(target.vertex), to = to_double(target.position);
        places.set(target.vertex, at + (to - at) * (1.0 / (c.substeps - s)));
      }
    };
    move(*body->attachments, body->anchored_attachments, body->attachment_targets);
    move(*body->spheres, body->anchored_spheres, body->sphere_targets);
  }
}

void move_freely(const StepContext& c) {
  Particles& p = c.world.particles;
  const Vec3T<Wide> gravity = broadcast<Wide>(c.world.settings.gravity);
  const Wide h(c.h);
  for (const SoftRuntime* body : c.bodies)
    for_each_particle_pack(c, *body, [&](int i) {
      Rows4<Wide> x = load<Wide>(&p.position[i]);
      store<Wide>(&p.previous[i], x);
      std::fill_n(&p.low[i], kLanes, Row{});
      const Wide falls = select(x.w > Wide(0), h, Wide(0));
      const Vec3T<Wide> v = load<Wide>(&p.velocity[i]).xyz + gravity * falls;
      store<Wide>(&p.velocity[i], {v, Wide(0)});
      x.xyz += v * h;
      store<Wide>(&p.position[i], x);
      store<Wide>(&p.predicted[i], x);
      std::fill_n(&p.friction_budget[i], kLanes, Real(0));
    });
}

void begin_displacements(const StepContext& c) {
  Particles& p = c.world.particles;
  const Vec3T<Wide> gravity = broadcast<Wide>(c.world.settings.gravity);
  const Wide h(c.h);
  for (const SoftRuntime* body : c.bodies)
    for_each_particle_pack(c, *body, [&](int i) {
      const Wide inverse_mass = load<Wide>(&p.position[i]).w;
      const Wide falls = select(inverse_mass > Wide(0), Wide(1), Wide(0));
      Vec3T<Wide> v = load<Wide>(&p.velocity[i]).xyz;
      Vec3T<Wide> low = load<Wide>(&p.velocity_low[i]).xyz * falls;  // pins go where they are sent
      move_place(gravity * (h * falls), v, low);
      store<Wide>(&p.velocity[i], {v, Wide(0)});
      store<Wide>(&p.velocity_low[i], {low, Wide(0)});
      store<Wide>(&p.displacement[i], {v * h, inverse_mass});
      store<Wide>(&p.predicted[i], {v * h, inverse_mass});
      std::fill_n(&p.friction_budget[i], kLanes, Real(0));
    });
}

void push_velocities(const StepContext& c, const SoftRuntime& body, double drag) {
  Particles& p = c.world.particles;
  const Wide rate(1 / c.h), change(Real(std::expm1(-drag * c.h)));
  for_each_particle_pack(c, body, [&](int i) {
    const Rows4<Wide> u = load<Wide>(&p.displacement[i]);
    const Vec3T<Wide> pushed = u.xyz - load<Wide>(&p.predicted[i]).xyz;
    Vec3T<Wide> v = load<Wide>(&p.velocity[i]).xyz, low = load<Wide>(&p.velocity_low[i]).xyz;
    move_place(pushed * rate, v, low);
    move_place(v * select(u.w > Wide(0), change, Wide(0)), v, low);
    store<Wide>(&p.velocity[i], {v, Wide(0)});
    store<Wide>(&p.velocity_low[i], {low, Wide(0)});
  });
}

void end_displacements(const StepContext& c, const SoftRuntime& body) {
  Particles& p = c.world.particles;
  for_each_particle_pack(c, body, [&](int i) {
    Rows4<Wide> x = load<Wide>(&p.position[i]), low = load<Wide>(&p.low[i]);
    move_place(load<Wide>(&p.displacement[i]).xyz, x.xyz, low.xyz);
    store<Wide>(&p.position[i], x);
    store<Wide>(&p.low[i], low);
  });
}

void resolve_contacts(const StepContext& c, bool first_pass) {
  Particles& p = c.world.particles;
  for (const ContactPair& pair : c.pairs) {
    const SoftRuntime& body = *pair.soft;
    const ContactRange range{&p.position[body.begin], &p.low[body.begin],
                             &p.displacement[body.begin], &p.friction_budget[body.begin],
                             body.margin};
    const Real friction = std::sqrt(body.friction * pair.obstacle->friction);
    Pose pose = pair.obstacle->pose;
    const Vec place = to_double(pose.position) - c.origin;
    pose.position = {Real(place.x), Real(place.y), Real(place.z)};
    std::visit(
        [&](const auto& shape) {
          parallel_for(c.executor, body.packs, kParticleBlock, [&](int first, int end) {
            resolve_static_contact(shape, pose, friction,
                                   first_pass ? kPartingSpeed * c.h : Real(0), range, first, end);
          });
        },
        pair.obstacle->shape);
  }
}

}  // namespace sinew
