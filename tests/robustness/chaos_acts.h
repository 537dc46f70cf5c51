// Acts on a random world between its steps: bodies and joints come and go, are changed, pushed,
// grabbed, pinned and moved. Each adds to the budget the work that it may do (chaos_world.h).
#pragma once

#include "chaos_world.h"

namespace sinew::chaos {

inline void ChaosWorld::act() {
  Random& r = hand_.random;
  const std::vector<RigidId> rigid = world_.rigid_bodies();
  const std::vector<SoftId> soft = world_.soft_bodies();
  for (RigidId id : rigid)  // kinematic bodies go on as they were told
    if (const RigidState s = world_.state(id); !s.is_static && s.mass == 0)
      hand_.moved =
          std::max(hand_.moved, double(length(s.velocity)) +
                                    2 * double(size_) * double(length(s.angular_velocity)));
  if (r.chance(0.5)) return;
  switch (r.whole(0, 9)) {
    case 0:
      if (hand_.placed < 14) r.chance(0.5) ? add_rigid() : add_soft();
      break;
    case 1:
      if (rigid.size() > 1) {
        const RigidId id = r.of(rigid);
        tell("removes rigid {}", id.index);
        world_.remove(id);
      }
      break;
    case 2:
      if (soft.size() > 1) {
        const SoftId id = r.of(soft);
        tell("removes soft {}", id.index);
        world_.remove(id);
      }
      break;
    case 3:
      if (const auto joints = world_.joints(); !joints.empty()) {
        const JointId id = r.of(joints);
        tell("removes joint {}", id.index);
        world_.remove(id);
      } else if (rigid.size() > 2) {
        add_joint();
      }
      break;
    case 4: {
      WorldSettings s = world_.settings();
      s.gravity = r.chance(0.5) ? s.gravity : r.vector(15);
      s.substeps = r.whole(1, 15);
      s.rigid.iterations = r.whole(1, 4);
      tell("settings: gravity ({:.3g}, {:.3g}, {:.3g}), substeps {}", s.gravity.x, s.gravity.y,
           s.gravity.z, s.substeps);
      world_.set_settings(s);
      break;
    }
    case 5:
      if (!world_.grabs().empty() && r.chance(0.4)) {
        tell("lets go");
        world_.remove(r.of(world_.grabs()));
      }
      break;
    case 6:
    case 7:
      if (!rigid.empty()) attempt("acting", [&] { act_on_rigid(r.of(rigid)); });  // frozen: refuses
      break;
    default:
      if (!soft.empty()) attempt("acting", [&] { act_on_soft(r.of(soft)); });
      break;
  }
  for (GrabId hand : world_.grabs()) {
    const GrabState s = world_.state(hand);
    const Vec3 way = r.vector(double(size_) * 0.1);
    double weight = 0;
    for (const Particle& p : world_.particles(s.body))
      if (p.inverse_mass > 0) weight += 100 / double(p.inverse_mass);
    hand_.pulled += weight * double(length(way));
    world_.move_grab(hand, s.place + way);
  }
}

inline void ChaosWorld::act_on_rigid(RigidId id) {
  Random& r = hand_.random;
  const RigidState s = world_.state(id);
  if (s.is_static) return;
  const double speed = 3 * std::sqrt(10 * double(size_));
  if (s.mass == 0) {  // kinematic
    const Vec3 way = r.vector(speed * double(dt_));
    const Quat turn = Quat::from_axis_angle(r.direction(), r.real(-0.1, 0.1));
    world_.move_to(id, {s.pose.position + way, normalized(turn * s.pose.orientation)}, dt_);
    hand_.moved = std::max(hand_.moved, speed * 1.8 + 0.1 / double(dt_) * 2 * double(size_));
    tell("moves kinematic {}", id.index);
    return;
  }
  const Vec3 push = r.vector(double(s.mass) * speed);
  const Vec3 at = s.center_of_mass + r.vector(double(size_) * 0.3);
  // What a force can do in a step: as much as its impulse does at once.
  const auto as_impulse = [&](auto&& apply) {
    const Snapshot here = world_.snapshot();
    const double before = world_.energy().kinetic;
    apply();
    hand_.forced += std::max(0.0, world_.energy().kinetic - before) * 2;
    world_.restore(here);
  };
  switch (r.whole(0, 6)) {
    case 0:
      tell("impulse on {}", id.index);
      world_.apply_impulse(id, push, at);
      break;
    case 1:
      tell("force on {}", id.index);
      as_impulse([&] { world_.apply_impulse(id, push, at); });
      world_.apply_force(id, push * (1 / dt_), at);
      break;
    case 2:
      tell("torque on {}", id.index);
      as_impulse([&] { world_.apply_angular_impulse(id, push * size_ * Real(0.1)); });
      world_.apply_torque(id, push * (size_ * Real(0.1) / dt_));
      break;
    case 3:
      tell("velocity of {}", id.index);
      world_.set_velocity(id, r.vector(speed), r.vector(5));
      break;
    case 4:
      tell("friction, restitution, mass of {}", id.index);
      world_.set_friction(id, r.real(0, 1));
      world_.set_restitution(id, r.real(0, 1));
      world_.scale_mass(id, r.log(0.2, 5));
      break;
    case 5:
      add_joint();
      break;
    default:
      for (JointId j : world_.joints())
        attempt("motor", [&] {
          const Motor m{.target = r.real(-5, 5), .max_force = s.mass * size_};
          world_.set_motor(j, m);
          hand_.motors += double(m.max_force) * std::abs(double(m.target));
          tell("motor of joint {}", j.index);
        });
      break;
  }
}

inline void ChaosWorld::act_on_soft(SoftId id) {
  Random& r = hand_.random;
  const std::vector<Vec3> x = world_.positions(id);
  const auto vertex = Index(r.whole(0, int(x.size()) - 1));
  switch (r.whole(0, 7)) {
    case 0:
      tell("pins {} of soft {}", vertex, id.index);
      world_.pin(id, vertex);
      break;
    case 1:
      tell("unpins {} of soft {}", vertex, id.index);
      world_.unpin(id, vertex);
      break;
    case 2: {
      const double speed = std::sqrt(double(size_));
      tell("moves pin {} of soft {}", vertex, id.index);
      hand_.moved = std::max(hand_.moved, 2 * speed);
      world_.move_pin(id, vertex, x[vertex] + r.vector(speed * double(dt_)));
      hand_.budget.open = true;  // the work of a pin is whatever the body resists
      break;
    }
    case 3:
      tell("grabs soft {}", id.index);
      world_.add(Grab{.body = id, .point = x[vertex], .radius = size_ * r.real(0, 0.5)});
      break;
    case 4: {
      std::vector<Vec3> v = world_.velocities(id);
      const Vec3 throw_ = r.vector(std::sqrt(10 * double(size_)));
      for (Vec3& one : v) one += throw_;
      tell("throws soft {}", id.index);
      world_.set_velocities(id, v);
      break;
    }
    case 5: {
      const Vec3 way = r.vector(double(size_) * 0.1);
      std::vector<Vec3> moved = x;
      for (Vec3& one : moved) one += way;
      tell("shifts soft {}", id.index);
      world_.set_positions(id, moved);
      hand_.budget.open = true;  // may overlap now
      break;
    }
    default: {
      SoftBody other = soft_body(r, size_, 1e6);
      other.mesh = world_.rest_mesh(id);
      other.pins.clear();
      for (Constraint& c : other.constraints)
        if (auto* a = std::get_if<Attachment>(&c)) a->vertices = {0};
      if (attempt("replace", [&] { world_.replace(id, other); })) {
        tell("replaces soft {}: {}", id.index, told(other));
        hand_.budget.open = true;  // bounds that the new body lacks or has may hold energy
      }
      break;
    }
  }
}

}  // namespace sinew::chaos
