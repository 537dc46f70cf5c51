// One random world of the chaos test, and how much energy it was given.
//
// Budget. `given` counts the energy that the world was given, never less than it had:
//   + kinetic and elastic energy of the bodies that are added,
//   + the work of whatever acts between steps (impulses, velocities, other settings), measured as
//     the change of the energy,
//   + a bound on the work within a step: a motor does at most force × speed × dt, a grab at most
//   its
//     greatest force × the way of its place, a force F what an impulse F dt does at once, and
//     kinematic bodies and pins at speed u may bring all that moves to twice that speed,
//   + the deepest fall so far: the loss of gravity's energy.
// The kinetic, elastic and gained gravity energies together may be at most twice that.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <sinew/error.h>

#include <algorithm>

#include "chaos_bodies.h"

namespace sinew::chaos {

struct Budget {
  double given = 0, gravity = 0, fall = 0;  // gravity: what the bodies had when they were added [J]
  bool open = false;                        // something acts whose work cannot be bounded

  double most() const { return 2 * (given + fall); }
};

// What acts on a world, and what it remembers.
struct Hand {
  Random random;
  Budget budget = {};
  int steps = 0, placed = 0;
  Real height = 0, row = 0;       // of the next free place [m]
  double motors = 0;              // power of all motors [W]
  double moved = 0;               // greatest speed of what is moved in this step [m/s]
  double forced = 0, pulled = 0;  // work of forces and grabs in this step, at most [J]
};

class ChaosWorld {
 public:
  ChaosWorld(unsigned number, std::shared_ptr<Executor> executor)
      : number_(number), hand_{Random(number)}, world_(settings(), std::move(executor)) {
    fill();
  }

  // Acts and steps once.
  void step() {
    acting([&] { act(); });
    in_step_work();
    world_.step(dt_);
    hand_.moved = 0, hand_.forced = 0, hand_.pulled = 0;
  }
  // A state to go back to: the world and what acts on it.
  struct Kept {
    Snapshot snapshot;
    Hand hand;
  };
  Kept keep() const { return {world_.snapshot(), hand_}; }
  void go_back(const Kept& kept) {
    world_.restore(kept.snapshot);
    hand_ = kept.hand;
  }

  const World& world() const { return world_; }
  unsigned number() const { return number_; }
  // Of what is in it and was done to it.
  std::string story() const {
    return fmt::format("world {}:\n  {}", number_, fmt::join(story_, "\n  "));
  }

  // How far the world's energy exceeds what it was given; at most 1 is sound.
  double excess() {
    const Energy e = world_.energy();
    hand_.budget.fall = std::max(hand_.budget.fall, hand_.budget.gravity - e.gravity);
    const double has = e.kinetic + e.elastic + (e.gravity - hand_.budget.gravity);
    return hand_.budget.open ? 0 : has / (hand_.budget.most() + slack());
  }
  std::string energies() const {
    const Energy e = world_.energy();
    std::string text = fmt::format(
        "kinetic {:.3g} J, elastic {:.3g} J, gravity {:.3g} J of {:.3g} J; given {:.3g} J, fall "
        "{:.3g} J",
        e.kinetic, e.elastic, e.gravity, hand_.budget.gravity, hand_.budget.given,
        hand_.budget.fall);
    for (RigidId id : world_.rigid_bodies()) {
      const RigidState s = world_.state(id);
      if (s.mass > 0)
        text += fmt::format("\n  rigid {}: {:.3g} m/s, {:.3g} rad/s", id.index, length(s.velocity),
                            length(s.angular_velocity));
    }
    for (SoftId id : world_.soft_bodies()) {
      Real fastest = 0;
      for (const Vec3& v : world_.velocities(id)) fastest = std::max(fastest, length(v));
      const SoftState s = world_.state(id);
      text += fmt::format("\n  soft {}: {:.3g} m/s, strain {:.3g}, {} inverted{}", id.index,
                          fastest, s.strain_max, s.inverted, s.frozen ? ", frozen" : "");
    }
    return text;
  }

 private:
  WorldSettings settings() {
    WorldSettings s;
    Random& r = hand_.random;
    size_ = r.chance(0.5) ? r.log(0.1, 10) : r.log(1e-3, 1e3);
    mixed_ = r.chance(0.15);
    dt_ = r.of<Real>({Real(1.0 / 60), Real(1.0 / 60), Real(1.0 / 60), Real(1.0 / 30),
                      Real(1.0 / 240), Real(1.0 / 1000)});
    if (r.chance(0.15)) s.gravity = {};
    if (r.chance(0.1)) s.gravity = r.vector(20);
    if (r.chance(0.3)) s.substeps = r.whole(1, 20);
    if (r.chance(0.2)) s.iterations = r.whole(1, 5);
    s.substeps_max = 40;
    if (r.chance(0.2)) s.rigid.substeps = r.whole(1, 12);
    if (r.chance(0.2)) s.rigid.iterations = r.whole(1, 6);
    if (r.chance(0.1)) s.rigid.friction = FrictionModel::kPyramid;
    if (r.chance(0.3)) s.rigid.joint_solver = r.word<JointSolver>();
    s.rigid.persist_events = r.chance(0.2);
    if (r.chance(0.2)) origin_ = r.vector(r.log(1, 1e3)) * std::max(Real(1), size_);
    tell(
        "size {:.3g} m{}, dt {:.3g} s, gravity ({:.3g}, {:.3g}, {:.3g}), substeps {}, iterations "
        "{}, rigid {} × {}, joints {}, origin ({:.3g}, {:.3g}, {:.3g})",
        size_, mixed_ ? ", mixed" : "", dt_, s.gravity.x, s.gravity.y, s.gravity.z, s.substeps,
        s.iterations, s.rigid.substeps, s.rigid.iterations, int(s.rigid.joint_solver), origin_.x,
        origin_.y, origin_.z);
    return s;
  }

  template <class... Args>
  void tell(fmt::format_string<Args...> format, Args&&... args) {
    story_.push_back(
        fmt::format("step {}: {}", hand_.steps, fmt::format(format, std::forward<Args>(args)...)));
  }

  // What `f` adds to the energy is given; what it does to gravity's is not gained.
  template <class F>
  void acting(F&& f) {
    const Energy before = world_.energy();
    f();
    const Energy after = world_.energy();
    hand_.budget.gravity += after.gravity - before.gravity;
    hand_.budget.given +=
        std::max(0.0, after.kinetic + after.elastic - before.kinetic - before.elastic);
  }

  double mass() const {  // of all that moves
    double sum = 0;
    for (RigidId id : world_.rigid_bodies()) sum += world_.state(id).mass;
    for (SoftId id : world_.soft_bodies())
      for (const Particle& p : world_.particles(id))
        if (p.inverse_mass > 0) sum += 1 / double(p.inverse_mass);
    return sum;
  }
  double pull() const { return double(length(world_.settings().gravity)); }
  // Places are floats, and contacts keep a little distance.
  double slack() const {
    const double away = double(length(origin_)) + 100 * double(size_);
    return 1e-9 + mass() * (pull() * (0.05 * double(size_) + 1e-5 * away) +
                            std::pow(1e-6 * away / double(dt_), 2));
  }

  Real body_size() {
    return mixed_ ? hand_.random.log(1e-3, 1e3) : size_ * hand_.random.real(0.3, 1);
  }
  // The next free place: bodies do not overlap at the start.
  Vec3 place(Real radius) {
    const int column = hand_.placed % 3;
    if (column == 0 && hand_.placed > 0) hand_.height += 2 * hand_.row, hand_.row = 0;
    hand_.row = std::max(hand_.row, radius);
    ++hand_.placed;
    const Real apart = mixed_ ? Real(2200) : Real(2.2) * std::max(size_, kLeastSoft);
    return origin_ + Vec3{apart * Real(column - 1), hand_.height + radius * Real(1.05), 0} +
           Vec3{0, 0, size_ * hand_.random.real(-0.1, 0.1)};
  }
  Vec3 velocity() {
    if (hand_.random.chance(0.4)) return {};
    const double usual = std::sqrt(10 * double(size_));
    return hand_.random.vector(hand_.random.chance(0.1) ? 100 * usual : 2 * usual);
  }

  void fill() {
    acting([&] {
      if (hand_.random.chance(0.85)) {
        StaticBody floor = ground(hand_.random, mixed_ ? Real(1e3) : size_);
        floor.pose.position += origin_;
        tell("ground: shape {}", floor.shape.index());
        world_.add(floor);
      }
      const int rigid = hand_.random.whole(0, 8), soft = hand_.random.whole(rigid == 0 ? 1 : 0, 3);
      for (int i = 0; i < rigid; ++i) add_rigid();
      for (int i = 0; i < soft; ++i) add_soft();
      if (rigid > 1)
        for (int i = hand_.random.whole(0, 4); i > 0; --i) add_joint();
    });
  }

  void add_rigid() {
    const Real radius = body_size();
    RigidBody body = rigid_body(hand_.random, radius);
    body.pose.position = place(radius);
    body.velocity = velocity();
    if (hand_.random.chance(0.3)) body.angular_velocity = hand_.random.vector(10);
    const std::size_t shape = body.shape.index();
    const bool kinematic = body.motion == Motion::kKinematic;
    attempt("rigid", [&] {
      const RigidId id = world_.add(body);
      tell("rigid {}: shape {}, radius {:.3g} m, {:.3g} kg{}{}{}", id.index, shape, radius,
           world_.state(id).mass, kinematic ? ", kinematic" : "",
           body.parts.empty() ? "" : ", compound", body.point_mass ? ", point mass" : "");
    });
  }

  void add_soft() {
    for (int tries = 0; tries < 12; ++tries) {
      const Real radius = std::clamp(body_size(), kLeastSoft, Real(100));
      SoftBody body = soft_body(hand_.random, radius, hand_.random.chance(0.1) ? 1e9 : 1e6);
      const Random before = hand_.random;
      const int placed = hand_.placed;
      const Real height = hand_.height, row = hand_.row;
      body.pose.position = place(radius);
      body.velocity = velocity() * Real(0.5);
      if (attempt("soft", [&] {
            const SoftId id = world_.add(body);
            tell("soft {}: {}, radius {:.3g} m", id.index, told(body), radius);
          }))
        return;
      hand_.random = before, hand_.placed = placed, hand_.height = height, hand_.row = row;
    }
  }
  static std::string told(const SoftBody& body) {
    std::string text = fmt::format("mesh {} of {} vertices, {}, material ", body.mesh.index(),
                                   vertices_of(body.mesh).size(),
                                   std::visit([](const auto& s) { return s.kName; }, body.solver));
    std::visit(
        [&](const auto& m) {
          text += m.kName;
          if constexpr (requires { m.young; }) text += fmt::format(" E {:.3g}", m.young);
          if constexpr (requires { m.poisson; }) text += fmt::format(" ν {:.3g}", m.poisson);
        },
        body.material);
    text += fmt::format(", {:.3g} kg/m³, damping {:.3g}, settling {:.3g}, {} pins", body.density,
                        body.damping, body.settling, body.pins.size());
    std::visit(
        [&](const auto& s) {
          if constexpr (requires { s.iterations; })
            text += fmt::format(", {} iterations", s.iterations);
          if constexpr (requires { s.integrator; })
            text += fmt::format(", integrator {}", int(s.integrator));
          if constexpr (requires { s.order; }) text += fmt::format(", order {}", int(s.order));
        },
        body.solver);
    if (std::holds_alternative<HexMesh>(body.mesh))
      text += fmt::format(", integration {}", int(body.integration));
    if (body.plasticity) text += ", plastic";
    if (!body.regions.empty()) text += ", a region";
    if (!body.fibres.empty()) text += ", fibres";
    for (const Constraint& c : body.constraints)
      text += std::visit(
          [](const auto& one) {
            std::string t = fmt::format(", {}", one.kName);
            if constexpr (requires { one.plain; }) t += fmt::format(" plain {:.3g}", one.plain);
            if constexpr (requires { one.stiffness; }) t += fmt::format(" k {:.3g}", one.stiffness);
            return t;
          },
          c);
    return text;
  }

  void add_joint() {
    std::vector<RigidId> moving;
    for (RigidId id : world_.rigid_bodies())
      if (world_.state(id).mass > 0) moving.push_back(id);
    if (moving.empty()) return;
    const RigidId a = hand_.random.of(moving);
    RigidId b = hand_.random.chance(0.3) ? RigidId{} : hand_.random.of(moving);
    if (b == a) b = {};
    const RigidState state = world_.state(a);
    const double force = double(state.mass) * hand_.random.number(1, 50);
    const Joint made =
        joint(hand_.random, a, state.center_of_mass, b,
              size_ * hand_.random.real(0.1, hand_.random.chance(0.2) ? 10 : 1), force);
    attempt("joint", [&] {
      const JointId id = world_.add(made);
      double work = 0;  // of its motors, in a second
      std::visit(
          [&](const auto& j) {
            const auto count = [&](const std::optional<Motor>& m) {
              if (m) work += double(m->max_force) * std::abs(double(m->target));
            };
            if constexpr (requires { j.motor; }) count(j.motor);
            if constexpr (requires { j.motor_a; }) count(j.motor_a);
            if constexpr (requires { j.turn_x; })
              if (j.turn_x) count(j.turn_x->motor);
          },
          made);
      hand_.motors += work;
      tell("joint {}: {} of {} and {}, spring-or-motor power {:.3g} W", id.index,
           std::visit([](const auto& j) { return j.kName; }, made), a.index,
           b == RigidId{} ? -1 : int(b.index), work);
    });
  }

  static constexpr Real kLeastSoft = Real(0.01);  // smaller ones need very many substeps [m]

  template <class F>
  bool attempt(const char* what, F&& f) {
    try {
      f();
      return true;
    } catch (const Error& error) {
      if (std::string(error.what()).empty())
        ADD_FAILURE() << what << ": an error without a message";
      return false;
    }
  }

  void act();
  void act_on_rigid(RigidId id);
  void act_on_soft(SoftId id);
  // The bounds told above.
  void in_step_work() {
    hand_.budget.given += hand_.motors * double(dt_) + hand_.forced + hand_.pulled +
                          2 * mass() * hand_.moved * hand_.moved;
    ++hand_.steps;
  }

  unsigned number_;
  Hand hand_;
  Real size_ = 1, dt_ = Real(1.0 / 60);
  bool mixed_ = false;
  Vec3 origin_ = {};
  std::vector<std::string> story_;
  World world_;
};

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
