#include "world/motion.h"

#include <cmath>

#include "collision/static_contact.h"

namespace sinew {
namespace {

constexpr Real kPartingSpeed = 1;  // at which bodies leave what they were put into [m/s]

// How far an anchor has gone at a time. The sine starts with the body: one that is added late does
// not jump.
struct Swung {
  Vec3 way;
  Quat turn;
};
Swung anchor_at(const SoftRuntime& body, double time) {
  const AnchorMotion& motion = *body.anchor_motion;
  constexpr double kTurn = 6.28318530717958648;
  const auto phase =
      static_cast<Real>(std::sin(kTurn * motion.frequency * (time - body.anchor_start)));
  return {motion.swing * phase, Quat::from_axis_angle(motion.turn, length(motion.turn) * phase)};
}

Vec3 anchored_position(const SoftRuntime& body, const AnchoredPin& pin, double time) {
  const Swung now = anchor_at(body, time);
  return body.anchor_middle + now.turn.rotate(pin.from_middle) + now.way;
}

}  // namespace

Vec3 from_anchor(const SoftRuntime& body, const Vec3& place, double time) {
  const Swung now = anchor_at(body, time);
  return now.turn.conjugate().rotate(place - now.way - body.anchor_middle);
}

void drive_anchors(const StepContext& c, int s) {
  const double end_of_substep = c.world.time + double(c.dt) * (s + 1) / c.substeps;
  Particles& p = c.world.particles;
  for (const SoftRuntime* body : c.bodies)
    for (const AnchoredPin& pin : body->anchored) {
      const Row& x = p.position[body->begin + pin.vertex];
      if (x.w > 0) continue;  // let go
      const Vec3 v =
          (anchored_position(*body, pin, end_of_substep) - Vec3{x.x, x.y, x.z}) * (1 / c.h);
      p.velocity[body->begin + pin.vertex] = {v.x, v.y, v.z, 0};
    }
}

void move_attachments(const StepContext& c, int s) {
  const double end_of_substep = c.world.time + double(c.dt) * (s + 1) / c.substeps;
  for (const SoftRuntime* body : c.bodies) {
    for (const AnchoredPin& one : body->anchored_attachments) {
      const Vec3 to = anchored_position(*body, one, end_of_substep);
      body->attachments->place[one.vertex] = {to.x, to.y, to.z, 1};
    }
    for (const PinTarget& target : body->attachment_targets) {
      Row& at = body->attachments->place[target.vertex];
      const Real share = Real(1) / Real(c.substeps - s);  // of the way that is left
      const Vec3 way = (target.position - Vec3{at.x, at.y, at.z}) * share;
      at = {at.x + way.x, at.y + way.y, at.z + way.z, 1};
    }
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
      const Wide falls = select(x.w > Wide(0), h, Wide(0));
      const Vec3T<Wide> v = load<Wide>(&p.velocity[i]).xyz + gravity * falls;
      store<Wide>(&p.velocity[i], {v, Wide(0)});
      x.xyz += v * h;
      store<Wide>(&p.position[i], x);
      store<Wide>(&p.predicted[i], x);
      std::fill_n(&p.friction_budget[i], kLanes, Real(0));
    });
}

void resolve_contacts(const StepContext& c, bool first_pass) {
  Particles& p = c.world.particles;
  for (const ContactPair& pair : c.pairs) {
    const SoftRuntime& body = *pair.soft;
    const ContactRange range{&p.position[body.begin], &p.previous[body.begin],
                             &p.predicted[body.begin], &p.friction_budget[body.begin], body.margin};
    const Real friction = std::sqrt(body.friction * pair.obstacle->friction);
    std::visit(
        [&](const auto& shape) {
          parallel_for(c.executor, body.packs, kParticleBlock, [&](int first, int end) {
            resolve_static_contact(shape, pair.obstacle->pose, friction,
                                   first_pass ? kPartingSpeed * c.h : Real(0), range, first, end);
          });
        },
        pair.obstacle->shape);
  }
}

}  // namespace sinew
