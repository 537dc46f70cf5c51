// The public face of a world: adding, removing, pinning, reading. What bodies are made of is in
// soft_runtime.cpp, what changes them later in change.cpp, what the world measures in measure.cpp,
// what it does in a step in step.cpp.
#include <sinew/error.h>

#include <algorithm>

#include "core/cpu.h"
#include "core/format.h"
#include "solvers/stress_multiplier.h"
#include "world/grabs.h"
#include "world/momentum.h"
#include "world/publish_rigid.h"
#include "world/skins.h"
#include "world/soft_runtime.h"
#include "world/step.h"
#include "world/validate.h"
#include "world/variational_step.h"
#include "world/world_impl.h"

namespace sinew {
namespace {

// Of a body in one substep [rad]: going straight on, its corners get ahead of the turn by half the
// square of that, and are stretched.
constexpr double kLargestTurn = 0.25;

void check_vertex(const SoftRuntime& body, Index vertex) {
  if (vertex >= Index(body.count))
    throw Error(formatted("{} has {} vertices; there is no vertex {}", label(kSoft, body.name),
                          body.count, vertex));
}

void check_size(const SoftRuntime& body, std::span<const Vec3> values, const char* what) {
  if (values.size() != std::size_t(body.count))
    throw Error(formatted("{} has {} vertices, but {} {} were given", label(kSoft, body.name),
                          body.count, values.size(), what));
  for (std::size_t i = 0; i < values.size(); ++i)
    for (int k = 0; k < 3; ++k)
      if (!std::isfinite(values[i][k]))
        throw Error(formatted("{}: {} {} is not finite", label(kSoft, body.name), what, i));
}

}  // namespace

void Particles::resize(std::size_t size) {
  position.resize(size);
  low.resize(size);
  displacement.resize(size);
  velocity.resize(size);
  velocity_low.resize(size);
  previous.resize(size);
  predicted.resize(size);
  at_step_start.resize(size);
  low_at_start.resize(size);
  friction_budget.resize(size);
}

void Particles::erase(int begin, int count) {
  const auto cut = [&](auto& v) { v.erase(v.begin() + begin, v.begin() + begin + count); };
  cut(position), cut(low), cut(velocity), cut(velocity_low), cut(displacement), cut(previous),
      cut(predicted), cut(at_step_start), cut(low_at_start), cut(friction_budget);
}

World::World(const WorldSettings& settings, std::shared_ptr<Executor> executor)
    : impl_(std::make_unique<Impl>()) {
  check_cpu();
  impl_->settings = settings;
  validate("world", impl_->settings);
  impl_->executor = executor ? std::move(executor) : make_serial_executor();
}
World::~World() = default;
World::World(World&&) noexcept = default;
World& World::operator=(World&&) noexcept = default;

SoftId World::add(SoftBody body) {
  check_definition(body);
  SoftRuntime soft = make_runtime(body);
  Particles& p = impl_->particles;
  soft.begin = static_cast<int>(p.position.size());
  p.resize(soft.begin + std::size_t(soft.packs) * kLanes);

  const std::span<const Vec3> vertices =
      body.start ? std::span<const Vec3>(*body.start) : vertices_of(soft.rest_mesh);
  Vec3T<double> center{};
  double mass = 0;
  for (int i = 0; i < soft.count; ++i) {
    const Vec3T<double> x = to_world(body.pose, vertices[i]);
    set_place(x, soft.rest[i].w, p.position[soft.begin + i], p.low[soft.begin + i]);
    center += x * double(soft.mass[i]);
    mass += soft.mass[i];
  }
  center *= 1 / std::max(mass, 1e-300);
  const Vec3T<double> velocity = to_double(body.velocity), spin = to_double(body.angular_velocity);
  for (int i = soft.begin; i < soft.begin + soft.count; ++i) {
    if (!(p.position[i].w > 0)) continue;
    const Vec3T<double> v = velocity + cross(spin, p.place(i) - center);
    p.velocity[i] = {Real(v.x), Real(v.y), Real(v.z), 0};
  }
  const SoftId id = impl_->soft.insert(std::move(soft));
  hold_events(*impl_);
  for (Index pinned : body.pins) pin(id, pinned);
  if (body.anchor_motion) anchor(*impl_, soft_at(*impl_, id), body.pins);
  return id;
}

void World::remove(SoftId id) {
  const SoftRuntime& body = soft_at(*impl_, id);
  const int begin = body.begin, count = body.packs * kLanes;
  remove_grabs(*impl_, id);
  impl_->soft.erase(id, kSoft);
  std::erase_if(impl_->events, [&](const Event& event) { return event.body == id; });
  impl_->particles.erase(begin, count);
  impl_->soft.for_each([&](SoftId, SoftRuntime& other) {
    if (other.begin > begin) other.begin -= count;
  });
}

bool World::contains(SoftId id) const { return impl_->soft.contains(id); }

void World::step(Real dt) {
  check_number("dt", dt, {.unit = "s", .min = 0, .exclusive_min = true});
  impl_->substeps_done = substeps(dt);
  run_step(*impl_, dt, impl_->substeps_done);
  for (JointId id : broken_joints(*impl_)) {
    remove(id);
    impl_->events.push_back({.kind = Event::Kind::kBroken, .joint = id});
  }
}

int World::substeps(Real dt) const {
  double rate = 0;  // [1/s]
  impl_->soft.for_each([&](SoftId, const SoftRuntime& body) {
    if (body.frozen) return;
    if (body.variational) return;
    const double spin = length(rigid_motion(body, impl_->particles).spin);
    rate = std::max({rate, std::sqrt(body.stiffness / kExplicitStiffness), spin / kLargestTurn});
  });
  const WorldSettings& s = impl_->settings;
  const double needed = std::isfinite(rate) ? std::ceil(dt * rate) : 0;
  return static_cast<int>(
      std::clamp(needed, double(s.substeps), double(std::max(s.substeps, s.substeps_max))));
}

double World::time() const { return impl_->time; }
std::int64_t World::step_count() const { return impl_->step_count; }
const WorldSettings& World::settings() const { return impl_->settings; }

std::vector<SoftId> World::soft_bodies() const {
  std::vector<SoftId> ids;
  impl_->soft.for_each([&](SoftId id, const SoftRuntime&) { ids.push_back(id); });
  return ids;
}
const std::string& World::name(SoftId id) const { return soft_at(*impl_, id).name; }
Real World::thickness(SoftId id) const { return soft_at(*impl_, id).thickness; }
const BodyMesh& World::rest_mesh(SoftId id) const { return soft_at(*impl_, id).rest_mesh; }
const TriMesh& World::surface(SoftId id) const { return soft_at(*impl_, id).surface; }

const TriMesh& World::skin(SoftId id) const {
  static const TriMesh kNoSkin;
  const SoftRuntime& body = soft_at(*impl_, id);
  return body.skin ? body.skin->surface : kNoSkin;
}
std::vector<Vec3> World::skin_positions(SoftId id) const {
  const SoftRuntime& body = soft_at(*impl_, id);
  if (!body.skin) return {};
  return sinew::skin_positions(*body.skin, &impl_->particles.position[body.begin]);
}

std::span<const Particle> World::particles(SoftId id) const {
  const SoftRuntime& body = soft_at(*impl_, id);
  return {reinterpret_cast<const Particle*>(impl_->particles.position.data() + body.begin),
          std::size_t(body.count)};
}

namespace {

std::vector<Vec3> to_vectors(const Row* rows, int count) {
  std::vector<Vec3> out(count);
  for (int i = 0; i < count; ++i) out[i] = {rows[i].x, rows[i].y, rows[i].z};
  return out;
}

}  // namespace

std::vector<Vec3> World::positions(SoftId id) const {
  const SoftRuntime& body = soft_at(*impl_, id);
  return to_vectors(&impl_->particles.position[body.begin], body.count);
}
std::vector<Vec3> World::velocities(SoftId id) const {
  const SoftRuntime& body = soft_at(*impl_, id);
  return to_vectors(&impl_->particles.velocity[body.begin], body.count);
}

void World::pin(SoftId id, Index vertex) {
  SoftRuntime& body = soft_at(*impl_, id);
  check_vertex(body, vertex);
  // It no longer goes where it was sent before, nor with the anchor.
  std::erase_if(body.pin_targets, [&](const PinTarget& t) { return t.vertex == vertex; });
  std::erase_if(body.anchored, [&](const AnchoredPin& a) { return a.vertex == vertex; });
  Real& inverse = impl_->particles.position[body.begin + vertex].w;
  body.energy.known = false;
  body.pins += inverse > 0;
  inverse = 0;
  impl_->particles.velocity[body.begin + vertex] = {};
}

void World::pin(SoftId id, Index vertex, const Vec3& position) {
  for (int k = 0; k < 3; ++k)
    check_number(formatted("the position of pin {} [{}]", vertex, k), position[k], {.unit = "m"});
  pin(id, vertex);
  impl_->particles.set_place(soft_at(*impl_, id).begin + vertex, to_double(position));
}

void World::move_pin(SoftId id, Index vertex, const Vec3& position) {
  for (int k = 0; k < 3; ++k)
    check_number(formatted("the position of pin {} [{}]", vertex, k), position[k], {.unit = "m"});
  pin(id, vertex);
  SoftRuntime& body = soft_at(*impl_, id);
  body.pin_targets.push_back({vertex, position});
}

void World::unpin(SoftId id, Index vertex) {
  SoftRuntime& body = soft_at(*impl_, id);
  check_vertex(body, vertex);
  Real& inverse = impl_->particles.position[body.begin + vertex].w;
  if (inverse > 0) return;
  inverse = inverse_mass(body.mass[vertex]);
  body.energy.known = false;
  body.pins -= inverse > 0;
}

void World::move_attachment(SoftId id, Index vertex, const Vec3& position) {
  for (int k = 0; k < 3; ++k)
    check_number(formatted("the position of attachment {} [{}]", vertex, k), position[k],
                 {.unit = "m"});
  SoftRuntime& body = soft_at(*impl_, id);
  check_vertex(body, vertex);
  if (!body.attachments->attached(vertex))
    throw Error(formatted("{}: vertex {} is not attached; name it in a constraint attachment",
                          label(kSoft, body.name), vertex));
  // It no longer goes where it was sent before, nor with the anchor.
  std::erase_if(body.attachment_targets, [&](const PinTarget& t) { return t.vertex == vertex; });
  std::erase_if(body.anchored_attachments,
                [&](const AnchoredPin& a) { return a.vertex == vertex; });
  body.attachment_targets.push_back({vertex, position});
}

void World::move_sphere(SoftId id, Index vertex, const Vec3& center) {
  for (int k = 0; k < 3; ++k)
    check_number(formatted("the centre of sphere {} [{}]", vertex, k), center[k], {.unit = "m"});
  SoftRuntime& body = soft_at(*impl_, id);
  check_vertex(body, vertex);
  if (!body.spheres->attached(vertex))
    throw Error(
        formatted("{}: vertex {} is kept in no sphere; give the body a constraint "
                  "keep_in_sphere",
                  label(kSoft, body.name), vertex));
  // It no longer goes where it was sent before, nor with the anchor.
  std::erase_if(body.sphere_targets, [&](const PinTarget& t) { return t.vertex == vertex; });
  std::erase_if(body.anchored_spheres, [&](const AnchoredPin& a) { return a.vertex == vertex; });
  body.sphere_targets.push_back({vertex, center});
}

std::vector<double> World::row_forces(SoftId id, int constraint) const {
  const SoftRuntime& body = soft_at(*impl_, id);
  const auto count = static_cast<int>(body.row_forces.size());
  if (constraint < 0 || constraint >= count || !body.row_forces[constraint])
    throw Error(formatted("{}: constraint {} of {} is not one of custom_rows",
                          label(kSoft, body.name), constraint, count));
  return body.row_forces[constraint]->row_forces(impl_->particles.places(body.begin));
}

void World::set_positions(SoftId id, std::span<const Vec3> positions) {
  SoftRuntime& body = soft_at(*impl_, id);
  check_size(body, positions, "positions");
  for (int i = 0; i < body.count; ++i)
    impl_->particles.set_place(body.begin + i, to_double(positions[i]));
  body.frozen = body.broken = body.energy.known = false;
  if (body.variational) body.variational->forget_motion();
}

void World::set_velocities(SoftId id, std::span<const Vec3> velocities) {
  SoftRuntime& body = soft_at(*impl_, id);
  check_size(body, velocities, "velocities");
  for (int i = 0; i < body.count; ++i)
    if (impl_->particles.position[body.begin + i].w > 0)  // pins stay
      impl_->particles.set_velocity(body.begin + i, to_double(velocities[i]));
  body.energy.known = false;
  if (body.variational) body.variational->forget_motion();
}

Equilibrium World::find_equilibrium(SoftId id, const EquilibriumSettings& settings) {
  SoftRuntime& body = soft_at(*impl_, id);
  if (!body.variational || !body.variational->finder)
    throw Error(
        formatted("{}: a balance of forces is found by an implicit solver; give it "
                  "\"quasi_newton\" or \"newton\"",
                  label(kSoft, body.name)));
  if (settings.iterations < 1)
    throw Error(formatted("iterations is {}; it must be at least 1", settings.iterations));
  check_number("tolerance", settings.tolerance, {.min = 0});
  double weight = 0;
  for (Real m : body.mass) weight += double(m) * length(impl_->settings.gravity);
  return sinew::find_equilibrium(*impl_, body, settings.iterations, settings.tolerance * weight);
}

SolverReport World::solver_report(SoftId id) const {
  const SoftRuntime& body = soft_at(*impl_, id);
  if (!body.variational) {
    const int sweeps = impl_->settings.iterations;
    return {.substeps = impl_->substeps_done, .total_iterations = impl_->substeps_done * sweeps};
  }
  const VariationalBody& v = *body.variational;
  const MinimisationReport& r = v.report;
  return {.iterations = r.iterations,
          .evaluations = r.evaluations,
          .objective = r.objective,
          .decrement = r.last_drop,
          .residual = r.residual,
          .converged = r.converged,
          .substeps = v.steps_done,
          .total_iterations = v.iterations_done,
          .stiffness = v.stiffness};
}

std::span<const Event> World::events() const { return impl_->events; }
void World::enable_profile(bool on) { impl_->profiler.enabled = on; }
std::span<const StageTime> World::profile() const { return impl_->profiler.stages(); }

}  // namespace sinew
