#include "world/step.h"

#include <algorithm>
#include <cmath>

#include "solvers/stress_multiplier.h"
#include "world/energy_guard.h"
#include "world/grabs.h"
#include "world/momentum.h"
#include "world/motion.h"
#include "world/publish_rigid.h"
#include "world/softness.h"
#include "world/variational_step.h"

namespace sinew {
namespace {

// Bodies of the position-based solver come first.
StepContext begin(World::Impl& world, Real dt, int substeps) {
  world.arena.reset();
  world.events.clear();
  std::size_t count = 0;
  world.soft.for_each([&](SoftId, const SoftRuntime& body) { count += !body.frozen; });
  const std::span<SoftRuntime*> bodies = world.arena.allocate<SoftRuntime*>(count);
  count = 0;
  for (bool variational : {false, true})
    world.soft.for_each([&](SoftId, SoftRuntime& body) {
      if (!body.frozen && bool(body.variational) == variational) bodies[count++] = &body;
    });
  Particles& p = world.particles;
  std::copy(p.position.begin(), p.position.end(), p.at_step_start.begin());
  std::copy(p.low.begin(), p.low.end(), p.low_at_start.begin());
  StepContext c{world, *world.executor, dt, substeps, dt / Real(substeps), bodies, {}, {}, {}};
  begin_grabs(c);
  return c;
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
          length(upper - lower) / 2 + 2 * motion + grab_reach(c, body) + body.margin + Real(1e-3)};
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
  for_each_obstacle(c.world, [&](const StaticBody&) { ++obstacles; });
  const auto pairs = c.world.arena.allocate<ContactPair>(c.bodies.size() * obstacles);
  std::size_t count = 0;
  for (SoftRuntime* body : c.bodies) {
    const Reach reach = predicted_reach(c, *body);
    body->pair_begin = static_cast<int>(count);
    for_each_obstacle(c.world, [&](const StaticBody& obstacle) {
      if (may_touch(reach, obstacle)) pairs[count++] = {body, &obstacle};
    });
    body->pair_end = static_cast<int>(count);
    body->free = body->pair_begin == body->pair_end && body->pins == 0 && !body->driven();
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
  return {.displacement = &p.displacement[body.begin],
          .start = p.places(body.begin),
          .h = c.h,
          .damping = body.damping,
          .executor = c.executor,
          .iterations = sweeps_in_iteration(body) * c.world.settings.iterations};
}

// Pins with a target move at the speed that takes them there by the end of the step.
void send_pins(const StepContext& c) {
  Particles& p = c.world.particles;
  for (const SoftRuntime* body : c.bodies)
    for (const PinTarget& target : body->pin_targets) {
      const int i = body->begin + target.vertex;
      const Vec3T<double> v = (to_double(target.position) - p.place(i)) * (1 / double(c.dt));
      if (p.position[i].w == 0) p.velocity[i] = {Real(v.x), Real(v.y), Real(v.z), 0};
    }
}

// They have arrived.
void stop_pins(const StepContext& c) {
  Particles& p = c.world.particles;
  for (SoftRuntime* body : c.bodies) {
    for (const PinTarget& target : body->pin_targets) {
      const int i = body->begin + target.vertex;
      if (p.position[i].w > 0) continue;  // let go
      p.set_place(i, to_double(target.position));
      p.velocity[i] = {};
    }
    for (const AnchoredPin& pin : body->anchored)
      if (p.position[body->begin + pin.vertex].w == 0) p.velocity[body->begin + pin.vertex] = {};
  }
  c.world.soft.for_each([](SoftId, SoftRuntime& body) {
    body.pin_targets.clear();
    body.attachment_targets.clear();
    body.sphere_targets.clear();
  });
}

// Free motion over the substep, and the elastic forces at its start.
void predict(const StepContext& c) {
  const Stage stage(c.world.profiler, "predict");
  begin_displacements(c);
  for (SoftRuntime* body : c.bodies) {
    Substep substep = substep_of(c, *body);
    const bool jacobi = body->solver.order == SweepOrder::kJacobi;
    if (jacobi) {
      body->chebyshev.prepare(body->batches, substep, body->rest);
      substep.prediction = body->chebyshev.prediction();
      substep.sharing = body->chebyshev.sharing();
    }
    const Real share = prediction_share(*body, c.h);
    if (body->solver.order == SweepOrder::kSymmetric)
      substep.prediction = kSymmetricPrediction * share;
    else
      substep.prediction = std::min(substep.prediction, share);
    for (const auto& batch : body->batches) batch->predict(substep);
    if (jacobi) body->chebyshev.begin(body->batches, substep, body->solver.chebyshev);
    stretch_grabs(c, *body, c.world.particles.places(body->begin), c.h);
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
// elements see the supports and the last word is that nothing penetrates. So with grabs: their law
// holds at the end of the substep, and what hangs at rest hangs by its weight, however far from
// solved its elements are.
void solve(const StepContext& c, bool odd) {
  const int iterations = c.world.settings.iterations;
  const auto resolve = [&](bool first_pass) {
    const Stage stage(c.world.profiler, "contacts");
    resolve_contacts(c, first_pass);
  };
  resolve(true);
  for (const SoftRuntime* body : c.bodies) pull_by_grabs(c, *body);
  for (int i = 0; i < iterations; ++i) {
    {
      const Stage stage(c.world.profiler, "elasticity");
      for (SoftRuntime* body : c.bodies) {
        iterate(c, *body, odd);
        pull_by_grabs(c, *body);
      }
    }
    resolve(false);
  }
}

// What must never be left, whatever sweeps and contacts did.
void enforce(const StepContext& c) {
  for (SoftRuntime* body : c.bodies) {
    const Substep substep = substep_of(c, *body);
    for (const auto& batch : body->batches) batch->enforce(substep);
  }
}

// Damping of what has no force to which viscosity could be added: batches change a copy of the
// displacements, and only velocities follow it. Where particles are is then nothing that damping
// could spoil. `kept` is what drag leaves of velocities.
void damp(const StepContext& c, const SoftRuntime& body, Real kept) {
  Particles& p = c.world.particles;
  Substep substep = substep_of(c, body);
  substep.displacement = &p.predicted[body.begin];  // it has served
  for_each_particle_pack(
      c, body, [&](int i) { store<Wide>(&p.predicted[i], load<Wide>(&p.displacement[i])); });
  for (const auto& batch : body.batches) batch->damp(substep);
  const Wide rate(kept / c.h);
  for_each_particle_pack(c, body, [&](int i) {
    const Vec3T<Wide> moved = load<Wide>(&p.predicted[i]).xyz - load<Wide>(&p.displacement[i]).xyz;
    Vec3T<Wide> v = load<Wide>(&p.velocity[i]).xyz, low = load<Wide>(&p.velocity_low[i]).xyz;
    move_place(moved * rate, v, low);
    store<Wide>(&p.velocity[i], {v, Wide(0)});
    store<Wide>(&p.velocity_low[i], {low, Wide(0)});
  });
}

void update_velocities(const StepContext& c) {
  const Stage stage(c.world.profiler, "velocities");
  Particles& p = c.world.particles;
  for (const SoftRuntime* body : c.bodies) {
    const Substep substep = substep_of(c, *body);
    for (const auto& batch : body->batches) batch->yield(substep);
    push_velocities(c, *body, body->drag);
    const double kept = std::exp(-double(body->drag) * c.h);
    if (body->free) keep_momentum(*body, p, kept, c.h);
    if (body->damping > 0) damp(c, *body, Real(kept));
    end_displacements(c, *body);
    if (body->settling > 0) settle(*body, p, std::exp(-double(body->settling) * c.h));
  }
}

// Nothing is faster: energies of what is would soon be no numbers.
constexpr Real kLight = Real(3e8);  // [m/s]

// A body that became non-finite or faster than light, or that no step was found for, goes back to
// where the step found it, and stays there; the rest of the world goes on.
void freeze_broken(const StepContext& c) {
  const Stage stage(c.world.profiler, "publish");
  Particles& p = c.world.particles;
  c.world.soft.for_each([&](SoftId id, SoftRuntime& body) {
    if (body.frozen) return;
    Real sum = 0;  // not finite if any of its terms is not: 0·∞ and 0·NaN are NaN
    Real fastest = 0;
    for (int i = body.begin; i < body.begin + body.count; ++i) {
      const Row& x = p.position[i];
      const Row& v = p.velocity[i];
      sum += Real(0) * (x.x + x.y + x.z) + Real(0) * (v.x + v.y + v.z);
      fastest = std::max({fastest, std::abs(v.x), std::abs(v.y), std::abs(v.z)});
    }
    if (sum == 0 && !(fastest > kLight) && !body.broken) return;
    body.frozen = true;
    if (body.variational) body.variational->report = {};  // of numbers that are none
    for (int i = body.begin; i < body.begin + body.count; ++i) {
      p.position[i] = p.at_step_start[i];
      p.low[i] = p.low_at_start[i];
      p.velocity[i] = p.velocity_low[i] = {};
    }
    c.world.events.push_back({.kind = Event::Kind::kFrozen, .body = id});
  });
}

// The step of the bodies from `first` to `end` only; contacts are sorted as bodies are.
StepContext part_of(const StepContext& c, std::size_t first, std::size_t end) {
  StepContext part = c;
  part.bodies = c.bodies.subspan(first, end - first);
  if (part.bodies.empty()) return part;
  const int begin = part.bodies.front()->pair_begin;
  part.pairs = c.pairs.subspan(begin, part.bodies.back()->pair_end - begin);
  return part;
}

// Bodies of the position-based solver, all together.
void step_swept(const StepContext& c) {
  if (c.bodies.empty()) return;
  watch_energy(c);
  for (int s = 0; s < c.substeps; ++s) {
    drive_anchors(c, s);
    move_attachments(c, s);
    for (const SoftRuntime* body : c.bodies) carry_grabs(c, *body, s);
    predict(c);
    solve(c, s % 2 == 1);
    enforce(c);
    update_velocities(c);
    for (const SoftRuntime* body : c.bodies) count_grabs(c, *body);
  }
  tell_softness(c);
  guard_energy(c);
}

// Rigid bodies, which soft ones do not push yet.
void step_rigid_bodies(World::Impl& world, Real dt) {
  RigidWorld& bodies = world.bodies;
  step_rigid({.world = bodies,
              .scratch = world.rigid_scratch,
              .settings = world.settings.rigid,
              .executor = *world.executor,
              .profiler = world.profiler,
              .gravity = world.settings.gravity,
              .dt = dt,
              .number = world.step_count});
  publish_rigid(world);
}

}  // namespace

void run_step(World::Impl& world, Real dt, int substeps) {
  const FlushDenormals scope;
  StepContext c = begin(world, dt, substeps);
  step_rigid_bodies(world, dt);
  send_pins(c);
  find_pairs(c);
  std::size_t swept = 0;
  while (swept < c.bodies.size() && !c.bodies[swept]->variational) ++swept;
  step_swept(part_of(c, 0, swept));
  const StepContext rest = part_of(c, swept, c.bodies.size());
  watch_energy(rest);
  step_variational(rest);
  guard_energy(rest);
  stop_pins(c);
  freeze_broken(c);
  end_grabs(c);
  world.time += dt;
  ++world.step_count;
}

}  // namespace sinew
