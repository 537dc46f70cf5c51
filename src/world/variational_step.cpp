#include "world/variational_step.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "variational/newton.h"
#include "world/grabs.h"
#include "world/momentum.h"

namespace sinew {
namespace {

using Vec = Vec3T<double>;

// Smaller bodies are stepped side by side, one on a thread; larger ones one after the other, each
// on all threads.
constexpr int kLargeBody = 4000;  // [vertices]
// Contact and hands are stiff. With them, a solver that keeps what it learns may iterate so many
// times as often, as long as it has not converged.
constexpr int kStiffer = 6;
// The mass of a body that is looked for a balance of forces counts as in steps so long [s].
constexpr Real kStaticTime = 100;
// And its contacts as in steps so long.
constexpr Real kStaticContactTime = Real(1.0 / 60);

Rows rows_of(const SoftRuntime& body, std::vector<Row>& particles) {
  return {&particles[body.begin], std::size_t(body.packs) * kLanes};
}

// Sees its particles from a point `by` nearer than before.
void see_from(SoftRuntime& body, Particles& p, const Vec& by) {
  if (!(dot(by, by) > 0)) return;
  for (int i = body.begin; i < body.begin + body.packs * kLanes; ++i)
    p.set_place(i, p.place(i) - by);
}

// While it is there, a body is seen from a point near it.
class SeenFromNear {
 public:
  // For steps of length h.
  SeenFromNear(SoftRuntime& body, Particles& p, Real h) : body_(body), particles_(p) {
    VariationalBody& v = *body.variational;
    const Vec by = v.move_origin(p.place(body.begin));
    see_from(body, p, v.origin);
    if (!(dot(by, by) > 0)) return;
    body.attachments->origin = v.origin;
    v.objective.begin_step({&p.position[body.begin], std::size_t(body.packs) * kLanes}, h);
  }
  ~SeenFromNear() { see_from(body_, particles_, -body_.variational->origin); }
  SeenFromNear(const SeenFromNear&) = delete;
  SeenFromNear& operator=(const SeenFromNear&) = delete;

 private:
  SoftRuntime& body_;
  Particles& particles_;
};

// Where a body is after a substep if it does not deform: where it turns and flies to as one, or,
// if something holds it, where it was. Returns by how much it turns [rad].
double move_rigidly(const StepContext& c, const SoftRuntime& body, Rows out) {
  const Particles& p = c.world.particles;
  std::copy_n(&p.position[body.begin], out.size(), out.begin());
  if (body.pins > 0 || body.held) return 0;
  const RigidMotion motion = rigid_motion(body, p);
  const Vec3& g = c.world.settings.gravity;
  const double h = c.h;
  const Vec to = motion.center + (motion.velocity + Vec{g.x, g.y, g.z} * h) * h;
  const double angle = length(motion.spin) * h;
  const auto turn = QuatT<double>::from_axis_angle(motion.spin, angle);
  for (int i = 0; i < body.count; ++i) {
    Row& x = out[i];
    const Vec at = to + turn.rotate(Vec{x.x, x.y, x.z} - motion.center);
    x = {Real(at.x), Real(at.y), Real(at.z), x.w};
  }
  return angle;
}

// From the free motion to where it leads if forces are those of the last substep: of a body that
// bends slowly or hangs at rest, a few iterations then find what is left. Pairs that a finder
// carries keep such starts from being late; without them, forces would lag and make energy. Those
// of contact come and go too fast for that.
void start_as_before(const VariationalBody& v, Real h, Rows x) {
  if (!(v.h_pushed > 0) || !v.finder->carries()) return;
  const Real share = h * h / (v.h_pushed * v.h_pushed);
  for (std::size_t i = 0; i < x.size(); ++i) {
    const Row& push = v.pushed[i];
    if (x[i].w > 0)
      x[i] = {x[i].x + share * push.x, x[i].y + share * push.y, x[i].z + share * push.z, x[i].w};
  }
}

void keep_push(VariationalBody& v, Real h, ConstRows target, ConstRows x) {
  v.h_pushed = 0;
  if (v.descent.violent() || !v.objective.grabs().empty()) return;
  if (!v.finder->carries() || !std::isfinite(v.report.objective) || v.contact.touched()) return;
  v.h_pushed = h;
  for (std::size_t i = 0; i < x.size(); ++i)
    v.pushed[i] = {x[i].x - target[i].x, x[i].y - target[i].y, x[i].z - target[i].z, 0};
}

// v += (x − predicted)/h: what kept the body from moving freely.
void push_velocities_implicitly(const StepContext& c, const SoftRuntime& body) {
  Particles& p = c.world.particles;
  const Wide rate(1 / c.h);
  for_each_particle_pack(c, body, [&](int i) {
    const Vec3T<Wide> pushed = load<Wide>(&p.position[i]).xyz - load<Wide>(&p.predicted[i]).xyz;
    const Vec3T<Wide> v = load<Wide>(&p.velocity[i]).xyz + pushed * rate;
    store<Wide>(&p.velocity[i], {v, Wide(0)});
  });
}

// Forces within a body do not move its middle. Those of what is very stiff are rounded to much more
// than its inertia, and do: back to where free motion leads to.
void keep_middle(SoftRuntime& body, Particles& p) {
  Vec way{};
  double mass = 0;
  for (int i = 0; i < body.count; ++i) {
    const Row &to = p.predicted[body.begin + i], &x = p.position[body.begin + i];
    const double m = body.mass[i];
    way += Vec{double(to.x) - x.x, double(to.y) - x.y, double(to.z) - x.z} * m;
    mass += m;
  }
  if (!(mass > 0)) return;
  way *= 1 / mass;
  for (int i = 0; i < body.count; ++i) {
    Row& x = p.position[body.begin + i];
    if (x.w > 0) x = {Real(x.x + way.x), Real(x.y + way.y), Real(x.z + way.z), x.w};
  }
}

// Of elements, constraints and contact, of which the objective knows since its last step [J].
double potential_at(const StepContext& c, VariationalBody& v, ConstRows x) {
  const double stored = v.objective.potential(x, v.rigid, c.executor);
  if (!v.contact.active()) return stored;
  return stored + v.contact.add_gradient(x.data(), v.rigid.data(), c.executor);
}

// Free motion, and from there to where inertia, energy, contacts and grabs are in balance: implicit
// Euler over c.h, which ends `ahead` after the substep began.
//
// `times`: so many times the iterations that it is told. `rubs`: with friction.
void minimise(const StepContext& c, SoftRuntime& body, std::span<const Obstacle> obstacles,
              Real ahead, int times = 1, bool rubs = true) {
  VariationalBody& v = *body.variational;
  Particles& p = c.world.particles;
  const Rows x = rows_of(body, p.position), previous = rows_of(body, p.previous);
  const ConstRows target = rows_of(body, p.predicted);
  v.finder->turn(move_rigidly(c, body, v.rigid));
  move_freely(c);
  start_as_before(v, c.h, x);
  v.contact.begin(obstacles, target.data(), c.h, c.origin);
  stretch_grabs(c, body, {previous.data()}, ahead);
  v.objective.begin_step(previous, c.h);
  v.objective.begin(target, c.h, v.contact.active() ? &v.contact : nullptr, springs_of(c, body));
  const bool begun = v.finder->begin(v.objective, target, c.h);
  StopAt stop = v.stop;
  if (v.finder->carries())
    stop.further = stop.iterations * (times * kStiffer - 1);
  else
    stop.iterations *= times;
  if (begun) v.report = v.descent.minimise(v.objective, *v.finder, stop, v.rigid, x, c.executor);
  v.iterations_done += v.report.iterations;
  body.broken = body.broken || !begun || !std::isfinite(v.report.objective);
  read_grabs(c, body);
  if (!springs_of(c, body).empty())
    v.descent.forget();  // grabs may be gone in the next step, with their energy
  if (body.free) keep_middle(body, p);
  keep_push(v, c.h, target, x);
  if (rubs && v.contact.rub(x.data(), previous.data()))
    v.descent.set_potential(potential_at(c, v, x));
  push_velocities_implicitly(c, body);
}

// Kinetic energy of a body, less the work of its weight since it was at `from` [J].
double kinetic_energy_since(const StepContext& c, const SoftRuntime& body, ConstRows from) {
  const Vec3& g = c.world.settings.gravity;
  double sum = 0;
  for (int i = 0; i < body.count; ++i) {
    const Row &u = c.world.particles.velocity[body.begin + i],
              &to = c.world.particles.position[body.begin + i], &at = from[i];
    if (!(to.w > 0)) continue;
    const double twice = double(u.x) * u.x + double(u.y) * u.y + double(u.z) * u.z;
    const double fallen =
        double(g.x) * (to.x - at.x) + double(g.y) * (to.y - at.y) + double(g.z) * (to.z - at.z);
    sum += body.mass[i] * (0.5 * twice - fallen);
  }
  return sum;
}

// What a body has at the start of a substep [J]; minus infinity, if it is not known.
double energy_before(const StepContext& c, const SoftRuntime& body,
                     std::span<const Obstacle> obstacles) {
  VariationalBody& v = *body.variational;
  const ConstRows x = rows_of(body, c.world.particles.position);
  if (!v.descent.knows_potential() && !v.objective.gives()) {
    v.objective.begin_step(x, c.h);
    v.contact.begin(obstacles, x.data(), c.h, c.origin);
    v.descent.set_potential(potential_at(c, v, x));
  }
  return v.descent.last_potential() + kinetic_energy_since(c, body, x);
}

bool pins_moved(ConstRows from, ConstRows to) {
  for (std::size_t i = 0; i < to.size(); ++i)
    if (!(to[i].w > 0) && (from[i].x != to[i].x || from[i].y != to[i].y || from[i].z != to[i].z))
      return true;
  return false;
}

// Steps must not make energy out of nothing, or a body that does so in every step explodes. What
// they gain is added up; what is more than a little of the body's energy, and more than rounding,
// is returned.
double gained_too_much(VariationalBody& v, double gain, double energy) {
  constexpr double kTolerated = 0.05;
  const double bound = kTolerated * energy + v.descent.rounding(energy);
  v.gained = std::max(v.gained + gain, -bound);
  return std::max(v.gained - bound, 0.0);
}

// What hands did in the substep from `start` at most [J]: they pull less and less as they arrive.
double work_of_hands(const StepContext& c, const SoftRuntime& body, ConstRows start, ConstRows x) {
  double work = 0;
  for (const GrabSpring& spring : springs_of(c, body)) {
    const Vec way = spring.mean({x.data()}) - spring.mean({start.data()});
    work += std::max({dot(spring.force(start.data()), way), dot(spring.force(x.data()), way), 0.0});
  }
  return work;
}

// Whether forces are in balance where nothing touches, so that a body which friction holds may
// stay. The places of hands are those of the last substep.
bool in_balance(const StepContext& c, const SoftRuntime& body, ConstRows x) {
  constexpr double kBalanced = 0.1;  // of the weight
  VariationalBody& v = *body.variational;
  const Rows forces = v.rigid, pushes = v.pushed;
  v.objective.potential(x, forces, c.executor);
  for (const GrabSpring& spring : springs_of(c, body)) spring.add_gradient(x.data(), forces.data());
  std::fill(pushes.begin(), pushes.end(), Row{});
  v.contact.add_gradient(x.data(), pushes.data(), c.executor);
  const Vec g = to_double(c.world.settings.gravity);
  double left = 0, mass = 0;
  for (int i = 0; i < body.count; ++i) {
    if (!(x[i].w > 0)) continue;
    mass += body.mass[i];
    if (pushes[i].x != 0 || pushes[i].y != 0 || pushes[i].z != 0) continue;
    const Vec force = Vec{forces[i].x, forces[i].y, forces[i].z} - g * double(body.mass[i]);
    left += dot(force, force);
  }
  return std::sqrt(left) <= kBalanced * mass * length(g) + 10 * v.objective.resolution(x);
}

// To the start of the substep; from rest: where the body has no motion but that of a rigid one, or,
// if anything touches or holds it, none.
void begin_again(SoftRuntime& body, Particles& p, bool from_rest) {
  const Rows x = rows_of(body, p.position), velocity = rows_of(body, p.velocity);
  std::copy_n(&p.previous[body.begin], x.size(), x.begin());
  const std::vector<Row>& before = body.variational->velocity_before;
  std::copy(before.begin(), before.end(), velocity.begin());
  body.variational->h_pushed = 0;
  if (!from_rest) return;
  const RigidMotion motion = body.free ? rigid_motion(body, p) : RigidMotion{};
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (!(x[i].w > 0)) continue;
    const Vec v = motion.velocity + cross(motion.spin, Vec{x[i].x, x[i].y, x[i].z} - motion.center);
    velocity[i] = {Real(v.x), Real(v.y), Real(v.z), 0};
  }
}

// Implicit Euler. Solved, it loses energy and never gains any; but a few iterations may be far from
// the solution (of what is nearly incompressible, say), and friction moves vertices afterwards. All
// that g tells then is E(x₁) + ‖v₁ − v₀‖²/2 ≤ E(x₀) + ‖v₀‖²/2, work of the weight left aside. So
// velocities lose what was gained. Where something is hit, g tells even less: the energy of the
// contact in free motion is some fifty times that of the blow, and what iterations leave of it is
// within the body. If velocities have less than was gained, the step is taken once more with more
// iterations, then from rest. One that gains even so stays where it was, if its forces are in
// balance there; if not, friction is in its way, and every few substeps it moves without.
//
// `before` is the energy at the start, without the work of the weight [J].
void step_by_euler(const StepContext& c, SoftRuntime& body, std::span<const Obstacle> obstacles,
                   double before) {
  constexpr int kTries = 4, kThorough = 4, kPatience = 4;
  Particles& p = c.world.particles;
  VariationalBody& v = *body.variational;
  const Rows x = rows_of(body, p.position), velocity = rows_of(body, p.velocity);
  const ConstRows start = rows_of(body, p.previous);
  std::copy(velocity.begin(), velocity.end(), v.velocity_before.begin());
  const bool known = before > -std::numeric_limits<double>::infinity();
  const bool was_steady = v.objective.steady();
  const double gained = v.gained, potential = before - kinetic_energy_since(c, body, x);
  for (int i = 0; i < kTries; ++i) {
    const bool last = i == kTries - 1;
    if (i > 0) begin_again(body, p, i == 2);
    if (last && (++v.stuck < kPatience || !v.contact.active() || in_balance(c, body, x))) break;
    if (last) v.stuck = 0;
    v.gained = gained;
    minimise(c, body, obstacles, c.h, i > 0 ? kThorough : 1, !last);
    if (body.held || pins_moved(start, x)) return;  // which do work
    // Pressure that rises does, too.
    if (v.objective.gives() && !(known && was_steady && v.objective.steady())) return;
    // Hands are forgotten by the descent, with what it knows.
    if (!springs_of(c, body).empty()) v.descent.set_potential(potential_at(c, v, x));
    const double after = v.descent.last_potential() + kinetic_energy_since(c, body, start) -
                         work_of_hands(c, body, start, x);
    const double excess = gained_too_much(v, after - before, std::max(after, before));
    if (!(excess > 0)) return;
    const double kinetic = kinetic_energy_since(c, body, x);
    if (excess > kinetic && (v.objective.steady() || !obstacles.empty())) continue;
    const double kept = std::max(0.0, 1 - excess / kinetic);
    v.gained -= (1 - kept) * kinetic;
    const Real factor = Real(std::sqrt(kept));
    for (Row& u : velocity) u = {u.x * factor, u.y * factor, u.z * factor, 0};
    return;
  }
  begin_again(body, p, true);
  v.gained = gained;
  v.descent.forget();
  v.descent.set_potential(potential);
}

// Whether hands or moving pins do work: only implicit Euler loses what it makes of that.
bool pulled(const StepContext& c, const SoftRuntime& body) {
  if (!springs_of(c, body).empty()) return true;
  const Particles& p = c.world.particles;
  for (int i = body.begin; i < body.begin + body.count; ++i) {
    const Row& v = p.velocity[i];
    if (!(p.position[i].w > 0) && (v.x != 0 || v.y != 0 || v.z != 0)) return true;
  }
  return false;
}

// The implicit midpoint rule, x₁ = x₀ + h v_½, v₁ = v₀ + h a(x_½), with the mean of both ends in
// the middle: implicit Euler over the first half of the step finds x_½ and v_½, and the other half
// is the same once more: x₁ = 2 x_½ − x₀, v₁ = 2 v_½ − v₀.
//
// It keeps the energy of vibrations, but where forces are stiff and not linear (fast spin, contact)
// it can gain some in every step (Simo and Tarnow, "The discrete energy–momentum method", 1992).
// A step with which that would be too much is taken by implicit Euler instead, and so is one in
// which hands or pins pull.
void step_by_midpoint(const StepContext& c, SoftRuntime& body,
                      std::span<const Obstacle> obstacles) {
  if (pulled(c, body)) return step_by_euler(c, body, obstacles, energy_before(c, body, obstacles));
  Particles& p = c.world.particles;
  const Rows x = rows_of(body, p.position), velocity = rows_of(body, p.velocity);
  std::vector<Row>& before = body.variational->velocity_before;
  std::copy(velocity.begin(), velocity.end(), before.begin());
  VariationalBody& v = *body.variational;
  const auto energy_since = [&](ConstRows from) {
    return v.objective.potential(x, v.rigid, c.executor) + kinetic_energy_since(c, body, from);
  };
  const double energy = energy_since(x);
  StepContext half = c;
  half.h = c.h / 2;
  minimise(half, body, obstacles, half.h);
  // Attachments may do work, so that energy does not tell what contact gains: the other half by
  // implicit Euler.
  if (body.held && v.contact.touched()) return minimise(half, body, obstacles, c.h);
  const ConstRows start = rows_of(body, p.previous);
  for (std::size_t i = 0; i < x.size(); ++i) {
    const Row &a = start[i], &u = velocity[i], &b = before[i];
    x[i] = {2 * x[i].x - a.x, 2 * x[i].y - a.y, 2 * x[i].z - a.z, x[i].w};
    if (x[i].w > 0) velocity[i] = {2 * u.x - b.x, 2 * u.y - b.y, 2 * u.z - b.z, 0};
  }
  if (pins_moved(start, x) || body.held) return;  // which do work
  const double gained = v.gained, after = energy_since(start);
  if (gained_too_much(v, after - energy, std::max(after, energy)) == 0) return;
  std::copy(start.begin(), start.end(), x.begin());
  std::copy(before.begin(), before.end(), velocity.begin());
  v.gained = gained;
  step_by_euler(c, body, obstacles, energy);
}

// From x₀, v₀ and what was a step before them to the start of a step of BDF2, which they become; of
// pins, the way that the step itself does not go. What was before is what they were then.
void extrapolate(const StepContext& c, SoftRuntime& body, Real part) {
  VariationalBody& v = *body.variational;
  Particles& p = c.world.particles;
  const Rows x = rows_of(body, p.position), velocity = rows_of(body, p.velocity);
  const auto back = [](Row& now, Row& before) {
    const Row was = now;
    constexpr Real a = Real(4.0 / 3), b = Real(-1.0 / 3);
    now = {a * now.x + b * before.x, a * now.y + b * before.y, a * now.z + b * before.z, now.w};
    before = was;
  };
  for (std::size_t i = 0; i < x.size(); ++i) {
    Row &x_before = v.position_before[i], &v_before = v.velocity_before[i];
    if (x[i].w > 0) {
      back(x[i], x_before), back(velocity[i], v_before);
    } else {  // pins go at their own speed all the way
      const Row& u = velocity[i];
      const Real ahead = c.h - part;
      x_before = x[i], v_before = u;
      x[i] = {x[i].x + u.x * ahead, x[i].y + u.y * ahead, x[i].z + u.z * ahead, 0};
    }
  }
}

// The second backward differentiation formula, for x as for v: x₁ = (4x₀ − x₋₁)/3 + ⅔ h v₁. That is
// implicit Euler over ⅔ h from (4x₀ − x₋₁)/3 and (4v₀ − v₋₁)/3. The first step of a motion, and the
// first of another length, has nothing before it and is implicit Euler; so is one with which the
// body would gain too much energy, as springs do that few iterations do not solve, and one in which
// hands or pins pull. Returns over how long.
Real step_by_bdf2(const StepContext& c, SoftRuntime& body, std::span<const Obstacle> obstacles) {
  VariationalBody& v = *body.variational;
  Particles& p = c.world.particles;
  const Rows x = rows_of(body, p.position), velocity = rows_of(body, p.velocity);
  const double before = energy_before(c, body, obstacles);
  const bool known = v.descent.knows_potential();
  const bool second = v.h_before == c.h && !pulled(c, body);
  v.h_before = c.h;
  if (second) {
    StepContext part = c;
    part.h = c.h * Real(2.0 / 3);
    extrapolate(c, body, part.h);
    minimise(part, body, obstacles, c.h);
    if (!known || body.held || pins_moved(v.position_before, x)) return part.h;
    const double gained = v.gained;
    const double after =
        v.descent.last_potential() + kinetic_energy_since(c, body, v.position_before);
    if (gained_too_much(v, after - before, std::max(after, before)) == 0) return part.h;
    v.gained = gained;
    std::copy(v.position_before.begin(), v.position_before.end(), x.begin());
    std::copy(v.velocity_before.begin(), v.velocity_before.end(), velocity.begin());
  }
  std::copy(x.begin(), x.end(), v.position_before.begin());
  std::copy(velocity.begin(), velocity.end(), v.velocity_before.begin());
  step_by_euler(c, body, obstacles, before);
  return c.h;
}

void step_explicitly(const StepContext& c, SoftRuntime& body) {
  VariationalBody& v = *body.variational;
  Particles& p = c.world.particles;
  const Rows x = rows_of(body, p.position), velocity = rows_of(body, p.velocity);
  v.objective.begin_step(x, c.h);
  v.report = {.evaluations = 1, .objective = v.objective.potential(x, v.rigid, c.executor)};
  const bool symplectic = *v.explicit_method == ExplicitMethod::kSymplecticEuler;
  if (!symplectic) std::copy(velocity.begin(), velocity.end(), v.velocity_before.begin());
  for (std::size_t i = 0; i < x.size(); ++i) {
    const Real rate = c.h * x[i].w * Real(v.stiffness);
    Row& u = velocity[i];
    u = {u.x - rate * v.rigid[i].x, u.y - rate * v.rigid[i].y, u.z - rate * v.rigid[i].z, 0};
  }
  begin_displacements(c);
  if (!symplectic)  // with the old velocities
    for (std::size_t i = 0; i < x.size(); ++i) {
      const Row& u = v.velocity_before[i];
      p.displacement[body.begin + i] = {c.h * u.x, c.h * u.y, c.h * u.z, x[i].w};
      p.predicted[body.begin + i] = p.displacement[body.begin + i];
    }
  stretch_grabs(c, body, p.places(body.begin), c.h);
  pull_by_grabs(c, body);  // implicitly, or the little that they hold would be too light for them
  resolve_contacts(c, true);
  resolve_contacts(c, false);
  push_velocities(c, body, 0);
  end_displacements(c, body);
}

// Drag, the momentum of a body that nothing touches, and what stops it from jiggling. Velocities
// were found over `h`, which for BDF2 is a part of the step: its last ones are slowed already.
void finish_velocities(const StepContext& c, SoftRuntime& body, const Momenta& before, Real h) {
  Particles& p = c.world.particles;
  const double kept = std::exp(-double(body.drag) * h);
  if (body.drag > 0) {
    const ConstRows x = rows_of(body, p.position);
    const Rows velocity = rows_of(body, p.velocity);
    for (std::size_t i = 0; i < x.size(); ++i) {
      const Real factor = x[i].w > 0 ? Real(kept) : Real(1);  // pins go at their own speed
      Row& u = velocity[i];
      u = {u.x * factor, u.y * factor, u.z * factor, 0};
    }
  }
  if (body.free && body.variational->finder) {
    const Vec3& g = c.world.settings.gravity;
    const Vec falls = Vec{g.x, g.y, g.z} * (before.mass * c.h);
    const double whole = std::exp(-double(body.drag) * c.h);
    restore_momenta(body, p, (before.linear + falls) * whole, before.angular * whole);
  }
  if (body.settling > 0) settle(body, p, std::exp(-double(body.settling) * h));
}

void step_one(StepContext c, std::span<const Obstacle> obstacles) {
  SoftRuntime& body = *c.bodies[0];
  VariationalBody& v = *body.variational;
  c.substeps = v.steps_done = v.substeps_in(c.dt);
  v.stiffness = v.stiffness_in(c.dt);
  v.iterations_done = 0;
  c.h = c.dt / Real(c.substeps);
  const SeenFromNear near(body, c.world.particles, c.h);
  c.origin = v.origin;
  for (int s = 0; s < c.substeps; ++s) {
    drive_anchors(c, s);
    move_attachments(c, s);
    carry_grabs(c, body, s);
    const Momenta before = body.free ? momenta(body, c.world.particles) : Momenta{};
    Real h = c.h;
    if (v.explicit_method)
      step_explicitly(c, body);
    else if (v.integrator == Integrator::kImplicitMidpoint)
      step_by_midpoint(c, body, obstacles);
    else if (v.integrator == Integrator::kBdf2)
      h = step_by_bdf2(c, body, obstacles);
    else
      step_by_euler(c, body, obstacles, energy_before(c, body, obstacles));
    finish_velocities(c, body, before, h);
    count_grabs(c, body);
  }
}

std::span<const Obstacle> obstacles_of(const StepContext& c) {
  const auto obstacles = c.world.arena.allocate<Obstacle>(c.pairs.size());
  for (std::size_t i = 0; i < c.pairs.size(); ++i)
    obstacles[i] = {c.pairs[i].obstacle,
                    std::sqrt(c.pairs[i].soft->friction * c.pairs[i].obstacle->friction)};
  return obstacles;
}

class SerialExecutor final : public Executor {
 public:
  void run(int count, Task task) override {
    for (int i = 0; i < count; ++i) task(i);
  }
  int workers() const override { return 1; }
};

}  // namespace

void step_variational(const StepContext& c) {
  if (c.bodies.empty()) return;
  const Stage stage(c.world.profiler, "minimise");
  const std::span<const Obstacle> obstacles = obstacles_of(c);
  const int first_pair = c.bodies.front()->pair_begin;
  const auto step = [&](std::size_t i, Executor& executor) {
    const SoftRuntime& body = *c.bodies[i];
    const int begin = body.pair_begin - first_pair, count = body.pair_end - body.pair_begin;
    step_one({c.world, executor, c.dt, c.substeps, c.h, c.bodies.subspan(i, 1),
              c.pairs.subspan(begin, count), c.grabs, c.springs},
             obstacles.subspan(begin, count));
  };
  const auto is_large = [&](std::size_t i) { return c.bodies[i]->count >= kLargeBody; };
  SerialExecutor serial;
  parallel_for(c.executor, static_cast<int>(c.bodies.size()), 1, [&](int i, int) {
    if (!is_large(i)) step(i, serial);
  });
  for (std::size_t i = 0; i < c.bodies.size(); ++i)
    if (is_large(i)) step(i, c.executor);
}

Equilibrium find_equilibrium(World::Impl& world, SoftRuntime& body, int iterations, double force) {
  const FlushDenormals scope;
  VariationalBody& v = *body.variational;
  Particles& p = world.particles;
  std::vector<Obstacle> obstacles;
  for_each_obstacle(world, [&](const StaticBody& obstacle) {
    obstacles.push_back({&obstacle, std::sqrt(body.friction * obstacle.friction)});
  });
  const SeenFromNear near(body, p, kStaticTime);
  const Rows x = rows_of(body, p.position), target = rows_of(body, p.predicted);
  std::copy(x.begin(), x.end(), target.begin());
  for (Row& low : rows_of(body, p.low)) low = {};
  v.forget_motion();
  v.contact.begin(obstacles, target.data(), kStaticContactTime, v.origin);
  v.objective.begin_step(x, kStaticTime);
  v.objective.begin_static(target, kStaticTime, world.settings.gravity,
                           v.contact.active() ? &v.contact : nullptr);
  Equilibrium found{.residual = std::numeric_limits<double>::infinity()};
  const auto descend = [&](DirectionFinder& finder) {
    const StopAt stop{.iterations = iterations - found.iterations, .force = force};
    if (stop.iterations < 1 || !finder.begin(v.objective, target, kStaticTime)) return;
    const MinimisationReport report =
        v.descent.minimise(v.objective, finder, stop, target, x, *world.executor);
    found.iterations += report.iterations;
    found.residual = report.residual;
    found.tolerance = std::max(force, v.objective.resolution(x));
    found.found = report.residual <= found.tolerance;
    v.descent.forget();
  };
  descend(*v.finder);
  if (!found.found) {  // Newton's method needs a factor for every iteration, but few of them
    NewtonDirection newton(x.size(), Newton{});
    descend(newton);
  }
  for (Row& u : rows_of(body, p.velocity)) u = {};
  v.forget_motion();
  return found;
}

}  // namespace sinew
