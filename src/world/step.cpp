#include "world/step.h"

#include <algorithm>
#include <cmath>

#include "collision/static_contact.h"
#include "core/parallel.h"
#include "solvers/stress_multiplier.h"
#include "world/momentum.h"

namespace sinew {
namespace {

constexpr int kParticleBlock = 64;  // packs in a block of a parallel loop over particles
constexpr Real kPartingSpeed = 1;   // at which bodies leave what they were put into [m/s]

struct ContactPair {
  SoftRuntime* soft;
  const StaticBody* obstacle;
};

struct StepContext {
  World::Impl& world;
  Real dt;
  int substeps;
  Real h;                          // substep [s]
  std::span<SoftRuntime*> bodies;  // those that move
  std::span<ContactPair> pairs;
};

using Stage = Profiler::Scope;

StepContext begin(World::Impl& world, Real dt, int substeps) {
  world.arena.reset();
  world.events.clear();
  std::size_t count = 0;
  world.soft.for_each([&](SoftId, const SoftRuntime& body) { count += !body.frozen; });
  const std::span<SoftRuntime*> bodies = world.arena.allocate<SoftRuntime*>(count);
  count = 0;
  world.soft.for_each([&](SoftId, SoftRuntime& body) {
    if (!body.frozen) bodies[count++] = &body;
  });
  std::copy(world.particles.position.begin(), world.particles.position.end(),
            world.particles.at_step_start.begin());
  return {world, dt, substeps, dt / Real(substeps), bodies, {}};
}

// A loop over the particle packs of a body: f(first particle) for each pack.
template <class F>
void for_each_particle_pack(const StepContext& c, const SoftRuntime& body, F&& f) {
  parallel_for(*c.world.executor, body.packs, kParticleBlock, [&](int first, int end) {
    for (int i = first; i < end; ++i) f(body.begin + i * kLanes);
  });
}

// A ball that the body cannot leave within the step.
struct Reach {
  Vec3 center;
  Real radius;
};

Reach predicted_reach(const StepContext& c, const SoftRuntime& body) {
  const Particles& p = c.world.particles;
  Vec3 lower{INFINITY, INFINITY, INFINITY}, upper = -lower;
  Real fastest = 0;
  for (int i = body.begin; i < body.begin + body.count; ++i) {
    const Row& x = p.position[i];
    const Row& v = p.velocity[i];
    lower = {std::min(lower.x, x.x), std::min(lower.y, x.y), std::min(lower.z, x.z)};
    upper = {std::max(upper.x, x.x), std::max(upper.y, x.y), std::max(upper.z, x.z)};
    fastest = std::max(fastest, v.x * v.x + v.y * v.y + v.z * v.z);
  }
  // Elastic forces can speed a vertex up within the step: allow for twice the free motion.
  const Real motion = (std::sqrt(fastest) + length(c.world.settings.gravity) * c.dt) * c.dt;
  return {(lower + upper) * Real(0.5),
          length(upper - lower) / 2 + 2 * motion + body.margin + Real(1e-3)};
}

// Distances never change faster than the point moves, so the ball's centre tells for the whole
// ball.
bool may_touch(const Reach& reach, const StaticBody& obstacle) {
  const Vec3 local = obstacle.pose.to_local(reach.center);
  const Real distance = std::visit(
      [&](const auto& shape) { return shape.signed_distance(local).distance; }, obstacle.shape);
  return !(distance > reach.radius);
}

// Broad phase on predicted motion.
void find_pairs(StepContext& c) {
  const Stage stage(c.world.profiler, "find pairs");
  std::size_t obstacles = 0;
  c.world.rigid.for_each([&](RigidId, const StaticBody&) { ++obstacles; });
  const auto pairs = c.world.arena.allocate<ContactPair>(c.bodies.size() * obstacles);
  std::size_t count = 0;
  for (SoftRuntime* body : c.bodies) {
    const Reach reach = predicted_reach(c, *body);
    const std::size_t before = count;
    c.world.rigid.for_each([&](RigidId, const StaticBody& obstacle) {
      if (may_touch(reach, obstacle)) pairs[count++] = {body, &obstacle};
    });
    body->free = count == before && body->pins == 0 && !body->held;
  }
  c.pairs = pairs.first(count);
}

// To and fro is one iteration: what would go to in one substep and fro in the next would leave its
// errors at one end and then at the other, and shake the body.
int sweeps_in_iteration(const SoftRuntime& body) {
  return body.solver.order == SweepOrder::kSymmetric ? 2 : 1;
}

Substep substep_of(const StepContext& c, const SoftRuntime& body) {
  Particles& p = c.world.particles;
  return {.position = &p.position[body.begin],
          .previous = &p.previous[body.begin],
          .h = c.h,
          .damping = body.damping,
          .executor = *c.world.executor,
          .iterations = sweeps_in_iteration(body) * c.world.settings.iterations};
}

// Where a pin that follows the anchor is at a time. The sine starts with the body: one that is
// added late does not jump.
Vec3 anchored_position(const SoftRuntime& body, const AnchoredPin& pin, double time) {
  const AnchorMotion& motion = *body.anchor_motion;
  constexpr double kTurn = 6.28318530717958648;
  const auto phase =
      static_cast<Real>(std::sin(kTurn * motion.frequency * (time - body.anchor_start)));
  const Quat turn = Quat::from_axis_angle(motion.turn, length(motion.turn) * phase);
  return body.anchor_middle + turn.rotate(pin.from_middle) + motion.swing * phase;
}

// Pins move at the speed that takes them to where the anchor is at the end of the substep.
void drive_anchors(const StepContext& c, double end_of_substep) {
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

// The places that attached vertices are pulled to, at the end of substep s.
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

// Pins with a target move at the speed that takes them there by the end of the step.
void send_pins(const StepContext& c) {
  Particles& p = c.world.particles;
  for (const SoftRuntime* body : c.bodies)
    for (const PinTarget& target : body->pin_targets) {
      const Row& x = p.position[body->begin + target.vertex];
      const Vec3 v = (target.position - Vec3{x.x, x.y, x.z}) * (1 / c.dt);
      if (x.w == 0) p.velocity[body->begin + target.vertex] = {v.x, v.y, v.z, 0};
    }
}

// They have arrived.
void stop_pins(const StepContext& c) {
  Particles& p = c.world.particles;
  for (SoftRuntime* body : c.bodies) {
    for (const PinTarget& target : body->pin_targets) {
      const int i = body->begin + target.vertex;
      if (p.position[i].w > 0) continue;  // let go
      p.position[i] = {target.position.x, target.position.y, target.position.z, 0};
      p.velocity[i] = {};
    }
    for (const AnchoredPin& pin : body->anchored)
      if (p.position[body->begin + pin.vertex].w == 0) p.velocity[body->begin + pin.vertex] = {};
  }
  c.world.soft.for_each([](SoftId, SoftRuntime& body) {
    body.pin_targets.clear();
    body.attachment_targets.clear();
  });
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

// Free motion over the substep, and the elastic forces at its start.
void predict(const StepContext& c) {
  const Stage stage(c.world.profiler, "predict");
  move_freely(c);
  for (SoftRuntime* body : c.bodies) {
    Substep substep = substep_of(c, *body);
    const bool jacobi = body->solver.order == SweepOrder::kJacobi;
    if (jacobi) {
      body->chebyshev.prepare(body->batches, substep, body->rest);
      substep.prediction = body->chebyshev.prediction();
      substep.sharing = body->chebyshev.sharing();
    }
    if (body->solver.order == SweepOrder::kSymmetric) substep.prediction = kSymmetricPrediction;
    for (const auto& batch : body->batches) batch->predict(substep);
    if (jacobi) body->chebyshev.begin(body->batches, substep, body->solver.chebyshev);
  }
}

void resolve_contacts(const StepContext& c, bool first_pass) {
  const Stage stage(c.world.profiler, "contacts");
  Particles& p = c.world.particles;
  for (const ContactPair& pair : c.pairs) {
    const SoftRuntime& body = *pair.soft;
    if (body.variational) continue;
    const ContactRange range{&p.position[body.begin], &p.previous[body.begin],
                             &p.predicted[body.begin], &p.friction_budget[body.begin], body.margin};
    const Real friction = std::sqrt(body.friction * pair.obstacle->friction);
    std::visit(
        [&](const auto& shape) {
          parallel_for(*c.world.executor, body.packs, kParticleBlock, [&](int first, int end) {
            resolve_static_contact(shape, pair.obstacle->pose, friction,
                                   first_pass ? kPartingSpeed * c.h : Real(0), range, first, end);
          });
        },
        pair.obstacle->shape);
  }
}

void sweep(SoftRuntime& body, Substep substep, bool reversed) {
  substep.reversed = reversed;
  if (reversed)
    for (auto batch = body.batches.rbegin(); batch != body.batches.rend(); ++batch)
      (*batch)->solve(substep);
  else
    for (const auto& batch : body.batches) batch->solve(substep);
}

// To and fro in one substep is fro and to in the next.
void iterate(const StepContext& c, SoftRuntime& body, bool odd) {
  const Substep substep = substep_of(c, body);
  switch (body.solver.order) {
    case SweepOrder::kForward:
      return sweep(body, substep, false);
    case SweepOrder::kSymmetric:
      sweep(body, substep, odd);
      return sweep(body, substep, !odd);
    case SweepOrder::kJacobi:
      return body.chebyshev.sweep(body.batches, substep);
  }
}

// Sweeps over the elements, from the predicted forces; contacts before and after each, so that the
// elements see the supports and the last word is that nothing penetrates.
void solve(const StepContext& c, bool odd) {
  const int iterations = c.world.settings.iterations;
  resolve_contacts(c, true);
  for (int i = 0; i < iterations; ++i) {
    {
      const Stage stage(c.world.profiler, "elasticity");
      for (SoftRuntime* body : c.bodies) iterate(c, *body, odd);
    }
    resolve_contacts(c, false);
  }
}

// What must never be left, whatever sweeps and contacts did.
void enforce(const StepContext& c) {
  for (SoftRuntime* body : c.bodies) {
    const Substep substep = substep_of(c, *body);
    for (const auto& batch : body->batches) batch->enforce(substep);
  }
}

// v += (x − predicted)/h rather than v = (x − previous)/h: far from the origin, where positions are
// coarse, a body in free flight still keeps its momentum to the last bit.
void update_velocities(const StepContext& c) {
  const Stage stage(c.world.profiler, "velocities");
  Particles& p = c.world.particles;
  for (const SoftRuntime* body : c.bodies) {
    const Substep substep = substep_of(c, *body);
    for (const auto& batch : body->batches) batch->yield(substep);
    const Wide rate(1 / c.h), kept(std::exp(-body->drag * c.h));
    for_each_particle_pack(c, *body, [&](int i) {
      const Rows4<Wide> x = load<Wide>(&p.position[i]);
      const Vec3T<Wide> pushed = x.xyz - load<Wide>(&p.predicted[i]).xyz;
      const Vec3T<Wide> v = load<Wide>(&p.velocity[i]).xyz + pushed * rate;
      store<Wide>(&p.velocity[i], {v * select(x.w > Wide(0), kept, Wide(1)), Wide(0)});
    });
    if (body->free) keep_momentum(*body, p, Real(std::exp(-body->drag * c.h)), c.h);
    if (body->settling > 0) settle(*body, p, std::exp(-double(body->settling) * c.h));
  }
}

// Where a body is after a substep if it does not deform: where it turns and flies to as one, or,
// if something holds it, where it was.
void move_rigidly(const StepContext& c, const SoftRuntime& body, Rows out) {
  const Particles& p = c.world.particles;
  std::copy_n(&p.position[body.begin], out.size(), out.begin());
  if (body.pins > 0 || body.held) return;
  const RigidMotion motion = rigid_motion(body, p);
  const Vec3& g = c.world.settings.gravity;
  const double h = c.h;
  const Vec3T<double> to = motion.center + (motion.velocity + Vec3T<double>{g.x, g.y, g.z} * h) * h;
  const auto turn = QuatT<double>::from_axis_angle(motion.spin, length(motion.spin) * h);
  for (int i = 0; i < body.count; ++i) {
    Row& x = out[i];
    const Vec3T<double> at = to + turn.rotate(Vec3T<double>{x.x, x.y, x.z} - motion.center);
    x = {Real(at.x), Real(at.y), Real(at.z), x.w};
  }
}

// A body with a variational solver goes its own way: an implicit step of its own length, from free
// motion to where inertia, energy and contacts are in balance.
void minimise(const StepContext& step, SoftRuntime& body) {
  VariationalBody& v = *body.variational;
  SoftRuntime* one[] = {&body};
  StepContext c = step;
  c.bodies = one;
  c.substeps = v.substeps;
  c.h = c.dt / Real(c.substeps);
  std::size_t count = 0;
  for (const ContactPair& pair : step.pairs) count += pair.soft == &body;
  const auto obstacles = c.world.arena.allocate<Obstacle>(count);
  count = 0;
  for (const ContactPair& pair : step.pairs)
    if (pair.soft == &body)
      obstacles[count++] = {pair.obstacle, std::sqrt(body.friction * pair.obstacle->friction)};

  Particles& p = c.world.particles;
  const std::size_t size = std::size_t(body.packs) * kLanes;
  const Rows x(&p.position[body.begin], size);
  const ConstRows target(&p.predicted[body.begin], size), previous(&p.previous[body.begin], size);
  const Rows rigid = c.world.arena.allocate<Row>(size);
  for (int s = 0; s < c.substeps; ++s) {
    drive_anchors(c, c.world.time + double(c.dt) * (s + 1) / c.substeps);
    move_attachments(c, s);
    {
      const Stage stage(c.world.profiler, "predict");
      move_rigidly(c, body, rigid);
      move_freely(c);
    }
    {
      const Stage stage(c.world.profiler, "minimise");
      v.contact.begin(obstacles, target.data(), c.h);
      v.objective.begin_step(previous, c.h);
      v.objective.begin(target, c.h, v.contact.active() ? &v.contact : nullptr);
      if (v.finder->begin(v.objective, target, c.h))
        v.report = v.descent.minimise(v.objective, *v.finder, v.stop, rigid, x, *c.world.executor);
      v.contact.rub(x.data(), &p.previous[body.begin]);
    }
    update_velocities(c);
  }
}

// A body that became non-finite goes back to where the step found it, and stays there; the rest of
// the world goes on.
void freeze_broken(const StepContext& c) {
  const Stage stage(c.world.profiler, "publish");
  Particles& p = c.world.particles;
  c.world.soft.for_each([&](SoftId id, SoftRuntime& body) {
    if (body.frozen) return;
    Real sum = 0;  // not finite if any of its terms is not: 0·∞ and 0·NaN are NaN
    for (int i = body.begin; i < body.begin + body.count; ++i) {
      const Row& x = p.position[i];
      const Row& v = p.velocity[i];
      sum += Real(0) * (x.x + x.y + x.z) + Real(0) * (v.x + v.y + v.z);
    }
    if (sum == 0) return;
    body.frozen = true;
    for (int i = body.begin; i < body.begin + body.count; ++i) {
      p.position[i] = p.at_step_start[i];
      p.velocity[i] = {};
    }
    c.world.events.push_back({Event::Kind::kFrozen, id});
  });
}

}  // namespace

void run_step(World::Impl& world, Real dt, int substeps) {
  const FlushDenormals scope;
  StepContext c = begin(world, dt, substeps);
  send_pins(c);
  find_pairs(c);
  const std::span<SoftRuntime*> all = c.bodies;
  const auto swept = std::stable_partition(all.begin(), all.end(),
                                           [](const SoftRuntime* b) { return !b->variational; });
  c.bodies = {all.begin(), swept};
  for (int s = 0; s < substeps && !c.bodies.empty(); ++s) {
    drive_anchors(c, world.time + double(dt) * (s + 1) / substeps);
    move_attachments(c, s);
    predict(c);
    solve(c, s % 2 == 1);
    enforce(c);
    update_velocities(c);
  }
  for (auto body = swept; body != all.end(); ++body) minimise(c, **body);
  c.bodies = all;
  stop_pins(c);
  freeze_broken(c);
  world.time += dt;
  ++world.step_count;
}

}  // namespace sinew
