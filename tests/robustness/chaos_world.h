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
// The kinetic, elastic and gained gravity energies together may be at most twice that. Elastic
// energy is that of the material. A body that is softer, as its substeps are too long, has less: so
// much of it counts as its stiffness_share.
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
    const double has = e.kinetic + stored() + (e.gravity - hand_.budget.gravity);
    return hand_.budget.open ? 0 : has / (hand_.budget.most() + slack());
  }
  double stored() const {  // by soft bodies [J]
    double sum = 0;
    for (SoftId id : world_.soft_bodies())
      sum += world_.energy(id).elastic * world_.state(id).stiffness_share;
    return sum;
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
  // Places are floats, and contacts keep a little distance. A body at x is moved in every substep,
  // to a float beside where it belongs: in a step of ten of them by up to 10 |x| 2⁻²⁴, in 60 steps
  // by 4·10⁻⁵ |x|. In mixed worlds, what falls by less than that does not fall, but gets faster.
  double slack() const {
    const double away = double(length(origin_)) + 100 * double(size_);
    double sum = 1e-9 + mass() * (pull() * (0.05 * double(size_) + 1e-5 * away) +
                                  std::pow(1e-6 * away / double(dt_), 2));
    if (!mixed_) return sum;
    for (RigidId id : world_.rigid_bodies()) {
      const RigidState s = world_.state(id);
      sum += double(s.mass) * pull() * 4e-5 * double(length(s.center_of_mass));
    }
    return sum;
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

}  // namespace sinew::chaos
