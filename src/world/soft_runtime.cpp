#include "world/soft_runtime.h"

#include <sinew/error.h>
#include <sinew/log.h>

#include <algorithm>
#include <cmath>

#include "constraints_functions.h"
#include "core/format.h"
#include "solvers/assembled_stiffness.h"
#include "solvers/element_batches.h"
#include "solvers/stress_multiplier.h"
#include "world/check_body.h"
#include "world/skins.h"
#include "world/validate.h"

namespace sinew {
namespace {

bool is_normal(Real mass) { return std::isnormal(mass) && std::isnormal(1 / mass); }

// What there is to see of a body: the boundary of a solid, a sheet itself, nothing of a line.
struct SurfaceOf {
  TriMesh operator()(const TetMesh& mesh) const { return boundary(mesh); }
  TriMesh operator()(const HexMesh& mesh) const { return boundary(mesh); }
  TriMesh operator()(const TriMesh& mesh) const { return mesh; }
  TriMesh operator()(const LineMesh& mesh) const { return {.vertices = mesh.vertices}; }
};
TriMesh surface_of(const BodyMesh& mesh) { return std::visit(SurfaceOf{}, mesh); }

std::vector<Real> masses_of(const SoftBody& body) {
  return std::visit([&](const auto& mesh) { return lumped_masses(mesh, mass_per_measure(body)); },
                    body.mesh);
}

// f(constraint, source) for every constraint of a body; errors say which one it was.
template <class F>
void for_each_constraint(SoftRuntime& soft, const SoftBody& body, F&& f) {
  soft.attachments = std::make_shared<AttachmentTargets>();
  soft.spheres = std::make_shared<AttachmentTargets>();
  soft.row_forces.assign(body.constraints.size(), nullptr);
  for (std::size_t i = 0; i < body.constraints.size(); ++i) {
    const ConstraintSource source{body.mesh,        body.material, body.thickness,
                                  soft.mass,        body.pins,     body.pose,
                                  soft.attachments, soft.spheres,  &soft.row_forces[i]};
    try {
      std::visit([&](const auto& one) { f(one, source); }, body.constraints[i]);
    } catch (const Error& error) {
      throw Error(formatted("{}.constraints[{}]: {}", label(kSoft, body.name), i, error.what()));
    }
  }
}

void add_batches(SoftRuntime& soft, const SoftBody& body) {
  try {
    std::unique_ptr<ElementBatch> elements = make_element_batch(body);
    soft.elements = elements.get();
    soft.batches.push_back(std::move(elements));
  } catch (const Error& error) {
    throw Error(formatted("{}: {}", label(kSoft, body.name), error.what()));
  }
  for_each_constraint(soft, body, [&](const auto& one, const ConstraintSource& source) {
    sinew::add_batches(one, source, soft.batches);
  });
  soft.held = std::any_of(soft.batches.begin(), soft.batches.end(),
                          [](const auto& batch) { return batch->external(); });
}

// Elements that are stiffer together than each of them tells need more substeps; how much stiffer
// is usual was seen on boxes of tetrahedra. Averaged ones were calm up to an h²ω² of 4.9 and no
// longer at 5.3 (bars of five tetrahedra a cell, ν = 0.495); others are up to 5.6 and more.
void measure_elements(SoftRuntime& soft, TetIntegration tetrahedra) {
  const double usual = tetrahedra == TetIntegration::kAveraged ? 1.1 : 1.4;
  if (soft.batches.empty()) return;
  Batch& elements = *soft.batches.front();
  const double largest = elements.stiffness(soft.rest.data());
  const AssembledStiffness together = assembled_stiffness(elements, soft.rest, largest);
  soft.crowding = together.crowding;
  soft.element_stiffness = std::max(largest, together.rate / usual);
  soft.stiffness = std::max(soft.stiffness, soft.element_stiffness);
}

// Sweeps in one direction over what is viscous are no symmetric operator. With stiff constraints,
// or far more viscosity than substeps follow (dhk/4m of 20 was too much for tetrahedra, 10 was
// not), bodies grew by them without end. To and fro they are calm.
void choose_order(SoftRuntime& soft, bool simplices) {
  constexpr double kViscous = 8;  // dhk/4m, where substeps are as long as h²k/m = 4 allows
  if (!(soft.damping > 0) || soft.solver.order != SweepOrder::kForward) return;
  const bool viscous = simplices && soft.damping * std::sqrt(soft.stiffness) / 2 > kViscous;
  const bool pulled = std::any_of(soft.batches.begin() + 1, soft.batches.end(), [&](const auto& b) {
    return 4 * b->stiffness(soft.rest.data()) > soft.element_stiffness;
  });
  if (viscous || pulled) soft.solver.order = SweepOrder::kSymmetric;
}

// EnergyWatch::stiffness
double stiffness_of_cells(const SoftBody& body, const SoftRuntime& soft) {
  const double cells = std::max(soft.elements->count(), 1);
  const double cell = std::cbrt(std::max(soft.rest_volume / cells, 1e-30));
  const auto of = [&](const Material& one) {
    return std::visit(
        [&](const auto& material) -> double {
          if constexpr (requires { material.lame_mu(), material.lame_lambda(); })
            return (material.lame_lambda() + 2 * material.lame_mu()) * soft.rest_volume /
                   (cell * cell);
          else
            return 0;
        },
        one);
  };
  double largest = of(body.material);
  for (const Region& region : body.regions) largest = std::max(largest, of(region.material));
  return largest;
}

// Whether a constraint does work of which it has no energy: rods, plain stiffness, guarantees, and
// whatever a program writes.
template <class C>
bool works_unknown(const C& one) {
  if constexpr (requires { one.plain; })
    if (one.plain > 0) return true;
  if constexpr (
      requires { one.tension_only; } || requires { one.clusters; })
    return !(one.stiffness > 0);
  if constexpr (requires { one.bulk; }) return !(one.bulk > 0);
  return std::is_same_v<C, StrainLimit> || std::is_same_v<C, FiniteElements> ||
         std::is_same_v<C, PlainCells> || std::is_same_v<C, KeepInSphere> ||
         std::is_same_v<C, LongRangeAttachment> || std::is_same_v<C, CustomRows>;
}

// The same for the variational solvers: energies instead of batches.
void add_energies(SoftRuntime& soft, const SoftBody& body) {
  EnergyList constraints;
  for_each_constraint(soft, body, [&]<class C>(const C& one, const ConstraintSource& source) {
    const std::size_t before = constraints.size();
    sinew::add_energies(one, source, constraints);
    for (std::size_t i = before; i < constraints.size(); ++i)
      check_projective(body.solver, *constraints[i], std::string("constraint ") + C::kName);
  });
  soft.held = std::any_of(constraints.begin(), constraints.end(),
                          [](const auto& term) { return term->external(); });
  try {
    soft.variational =
        make_variational_body(body, std::move(constraints), soft.mass, soft.packs, soft.margin);
  } catch (const Error& error) {
    throw Error(formatted("{}: {}", label(kSoft, body.name), error.what()));
  }
  soft.elements = &soft.variational->elements;
}

}  // namespace

void check_definition(SoftBody& body) {
  const std::string where = label(kSoft, body.name);
  validate(where, body);
  check_body(where, body);
  std::sort(body.pins.begin(), body.pins.end());
  body.pins.erase(std::unique(body.pins.begin(), body.pins.end()), body.pins.end());
}

SoftRuntime make_runtime(SoftBody& body) {
  const std::string where = label(kSoft, body.name);
  SoftRuntime soft;
  soft.name = body.name;
  soft.material = body.material;
  soft.regions = body.regions;
  soft.cell_stiffness = body.cell_stiffness;
  soft.pose = body.pose;
  soft.surface = surface_of(body.mesh);
  soft.skin = make_skin(where, body);
  soft.mass = masses_of(body);
  soft.friction = body.friction;
  soft.damping = body.damping;
  soft.drag = body.drag;
  soft.settling = body.settling;
  soft.thickness = body.thickness;
  soft.margin = is_solid(body.mesh) ? 0 : body.thickness / 2;
  soft.rest_volume = std::visit([](const auto& mesh) { return total_measure(mesh); }, body.mesh);
  if (soft.rest_volume > 0 && std::none_of(soft.mass.begin(), soft.mass.end(), is_normal))
    throw Error(
        formatted("{}: its vertices weigh less than numbers can hold, at {} kg/m³; use a "
                  "larger density, or a larger mesh",
                  where, body.density));
  if (std::holds_alternative<TriMesh>(body.mesh)) soft.rest_volume *= double(body.thickness);
  soft.anchor_motion = body.anchor_motion;
  const std::span<const Vec3> vertices = vertices_of(body.mesh);
  soft.count = static_cast<int>(vertices.size());
  soft.packs = (soft.count + kLanes - 1) / kLanes;
  if (const auto* position = std::get_if<Position>(&body.solver)) {
    soft.solver = *position;
    add_batches(soft, body);
  } else {
    add_energies(soft, body);
  }
  if (soft.elements->slack_count() > 0)
    log_message(LogLevel::kWarning,
                formatted("{}: {} of {} elements are too flat to have a stiffness", where,
                          soft.elements->slack_count(), soft.elements->count()));
  soft.rest.reserve(vertices.size());
  for (int i = 0; i < soft.count; ++i) {
    const Vec3& x = vertices[i];
    soft.rest.push_back({x.x, x.y, x.z, inverse_mass(soft.mass[i])});
  }
  for (const auto& batch : soft.batches)
    soft.stiffness = std::max(soft.stiffness, batch->stiffness(soft.rest.data()));
  measure_elements(soft, body.tetrahedra);
  if (!soft.batches.empty()) choose_order(soft, !std::holds_alternative<HexMesh>(body.mesh));
  if (soft.solver.order == SweepOrder::kSymmetric) {
    soft.stiffness /= kSymmetricPrediction;
    soft.element_stiffness /= kSymmetricPrediction;
  }
  soft.energy.stiffness = stiffness_of_cells(body, soft);
  for (const Constraint& constraint : body.constraints)
    soft.energy.unknown |=
        std::visit([](const auto& one) { return works_unknown(one); }, constraint);
  soft.energy.changes = std::holds_alternative<HexMesh>(body.mesh) || body.plasticity;
  soft.rest_mesh = std::move(body.mesh);
  return soft;
}

void anchor(const World::Impl& world, SoftRuntime& soft, std::span<const Index> pins) {
  const auto held_at = [&](Index pin) { return world.particles.place(soft.begin + int(pin)); };
  const auto pulled_to = [&](Index vertex) { return soft.attachments->at(vertex); };
  const auto kept_at = [&](Index vertex) { return soft.spheres->at(vertex); };
  const std::vector<Index>& attached = soft.attachments->anchored;
  const std::vector<Index>& kept = soft.spheres->anchored;
  const std::size_t count = pins.size() + attached.size() + kept.size();
  const double share = 1 / double(std::max<std::size_t>(count, 1));
  soft.anchor_start = world.time;
  for (Index pin : pins) soft.anchor_middle += held_at(pin) * share;
  for (Index vertex : attached) soft.anchor_middle += pulled_to(vertex) * share;
  for (Index vertex : kept) soft.anchor_middle += kept_at(vertex) * share;
  for (Index pin : pins) soft.anchored.push_back({pin, held_at(pin) - soft.anchor_middle});
  for (Index vertex : attached)
    soft.anchored_attachments.push_back({vertex, pulled_to(vertex) - soft.anchor_middle});
  for (Index vertex : kept)
    soft.anchored_spheres.push_back({vertex, kept_at(vertex) - soft.anchor_middle});
}

}  // namespace sinew
