#include "world/check_body.h"

#include <sinew/error.h>

#include <algorithm>
#include <cmath>
#include <span>

#include "core/format.h"
#include "variational/regions.h"

namespace sinew {
namespace {

const char* cell_name(const LineMesh&) { return "segment"; }
const char* cell_name(const TriMesh&) { return "triangle"; }
const char* cell_name(const TetMesh&) { return "tetrahedron"; }
const char* cell_name(const HexMesh&) { return "hexahedron"; }

template <class Cell>
void check_mesh(const std::string& where, const Mesh<Cell>& mesh, std::span<const Index> pins) {
  const char* const name = cell_name(mesh);
  if (mesh.cells.empty())
    throw Error(formatted("{}.mesh has no {}; make one with a generator or read one from a file",
                          where, name));
  for (std::size_t i = 0; i < mesh.vertices.size(); ++i)
    for (int k = 0; k < 3; ++k)
      if (!std::isfinite(mesh.vertices[i][k]))
        throw Error(formatted("{}.mesh: vertex {} is not finite", where, i));
  for (std::size_t i = 0; i < mesh.cells.size(); ++i) {
    for (Index v : mesh.cells[i])
      if (v >= mesh.vertices.size())
        throw Error(formatted("{}.mesh: {} {} names vertex {}, but there are {} vertices", where,
                              name, i, v, mesh.vertices.size()));
    if (measure(mesh, i) < 0)
      throw Error(formatted("{}.mesh: {} {} is inside out; mend() the mesh first", where, name, i));
  }
  for (Index pin : pins)
    if (pin >= mesh.vertices.size())
      throw Error(formatted("{}.pins names vertex {}, but there are {} vertices", where, pin,
                            mesh.vertices.size()));
}

template <class Cell>
void check_region(const std::string& where, const Region& region, const Mesh<Cell>& mesh) {
  for (Index cell : region.cells)
    if (cell >= mesh.cells.size())
      throw Error(formatted("{}.cells names cell {}, but there are {} cells", where, cell,
                            mesh.cells.size()));
  if (!cells_of(region, mesh).empty()) return;
  const Bounds box = bounds(mesh.vertices);
  throw Error(formatted(
      "{} has no cell: no middle of one is between min and max; the mesh extends from ({}, {}, {}) "
      "to ({}, {}, {})",
      where, box.lower.x, box.lower.y, box.lower.z, box.upper.x, box.upper.y, box.upper.z));
}

void check_cells(const std::string& where, const SoftBody& body) {
  const std::size_t cells =
      std::visit([](const auto& mesh) { return mesh.cells.size(); }, body.mesh);
  for (std::size_t r = 0; r < body.regions.size(); ++r)
    std::visit(
        [&](const auto& mesh) {
          check_region(formatted("{}.regions[{}]", where, r), body.regions[r], mesh);
        },
        body.mesh);
  const std::vector<Real>& factors = body.cell_stiffness;
  if (!factors.empty() && factors.size() != cells)
    throw Error(formatted("{}.cell_stiffness has {} entries, but there are {} cells", where,
                          factors.size(), cells));
  for (std::size_t i = 0; i < factors.size(); ++i)
    if (!(factors[i] > 0) || !std::isfinite(factors[i]))
      throw Error(formatted("{}.cell_stiffness[{}] is {}; it must be a positive number", where, i,
                            factors[i]));
}

// What would silently do nothing is a mistake.
void check_combinations(const std::string& where, const SoftBody& body) {
  if (body.plasticity && !is_solid(body.mesh))
    throw Error(where + ".plasticity is for solids; leave it out for sheets and lines");
  if (body.plasticity && !std::holds_alternative<Position>(body.solver))
    throw Error(where + ".plasticity is for the solver \"position\"; leave out one of the two");
  if (body.plasticity && std::holds_alternative<None>(body.material))
    throw Error(
        where +
        ".plasticity is of the material, and \"none\" has no stress; give the body a material: "
        "constraints such as finite_elements do not flow");
  if (body.integration != HexIntegration::kAssumedStrain &&
      !std::holds_alternative<HexMesh>(body.mesh))
    throw Error(where + ".integration is for hexahedra; leave it out for other meshes");
  if (body.tetrahedra != TetIntegration::kPlain && !std::holds_alternative<TetMesh>(body.mesh))
    throw Error(where + ".tetrahedra is for tetrahedra; leave it out for other meshes");
  if (body.tetrahedra == TetIntegration::kAveraged && body.plasticity)
    throw Error(
        where +
        ".plasticity is not for averaged tetrahedra, where no cell has a strain of its own; "
        "take \"plain\" tetrahedra, or hexahedra");
  if (body.hourglass != 1 && body.integration != HexIntegration::kPerturbation)
    throw Error(where +
                ".hourglass is for the integration \"perturbation\"; leave out one of them");
  if (!body.fibres.empty() && std::holds_alternative<LineMesh>(body.mesh))
    throw Error(where + ".fibres are for solids and sheets; a line is one itself");
  if (!body.fibres.empty() && std::holds_alternative<Position>(body.solver))
    throw Error(where +
                ".fibres are for the variational solvers; use \"quasi_newton\" for this body");
  const auto* swept = std::get_if<Position>(&body.solver);
  if (!body.regions.empty() && swept && swept->order == SweepOrder::kJacobi)
    throw Error(
        where +
        ".regions are not for Jacobi sweeps, by which such bodies hang a fifth short; use the "
        "order \"forward\" or \"symmetric\", or \"quasi_newton\"");
  if (!body.cell_stiffness.empty() && std::holds_alternative<Position>(body.solver))
    throw Error(
        where +
        ".cell_stiffness is for the variational solvers; use \"quasi_newton\" for this body, "
        "or regions");
  for (std::size_t i = 0; i < body.fibres.size(); ++i)
    if (!(length(to_double(body.fibres[i].direction)) > 0))
      throw Error(formatted("{}.fibres[{}].direction is zero; name a direction", where, i));
  const bool attached =
      std::any_of(body.constraints.begin(), body.constraints.end(), [](const Constraint& c) {
        const auto* attachment = std::get_if<Attachment>(&c);
        const auto* spheres = std::get_if<KeepInSphere>(&c);
        return (attachment && attachment->anchored) || (spheres && spheres->anchored);
      });
  if (body.anchor_motion && body.pins.empty() && !attached)
    throw Error(
        where +
        ".anchor_motion moves pins, attachments and spheres that are anchored, and there are none; "
        "name some in pins");
}

}  // namespace

bool is_solid(const BodyMesh& mesh) {
  return std::holds_alternative<TetMesh>(mesh) || std::holds_alternative<HexMesh>(mesh);
}

void check_body(const std::string& where, const SoftBody& body) {
  std::visit([&](const auto& mesh) { check_mesh(where, mesh, body.pins); }, body.mesh);
  const std::size_t vertices = vertices_of(body.mesh).size();
  if (body.start && body.start->size() != vertices)
    throw Error(formatted("{}.start has {} positions, but there are {} vertices", where,
                          body.start->size(), vertices));
  check_combinations(where, body);
  check_cells(where, body);
}

}  // namespace sinew
