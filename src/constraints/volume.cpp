#include <sinew/error.h>

#include "constraints/energy_stiffness.h"
#include "constraints/volume_batch.h"
#include "constraints_functions.h"
#include "core/format.h"
#include "variational/terms/enclosed_volume.h"

namespace sinew {
namespace {

// Beyond these, a solid's corners are torn off rather than inflated.
constexpr Real kSolidLeast = Real(0.8), kSolidMost = Real(1.25);
constexpr double kFastestInflation = 5;  // of the volume at rest in a second [1/s]

struct Surface {
  TriMesh operator()(const TetMesh& mesh) const { return boundary(mesh); }
  TriMesh operator()(const HexMesh& mesh) const { return boundary(mesh); }
  TriMesh operator()(const TriMesh& mesh) const { return mesh; }
  TriMesh operator()(const LineMesh&) const {
    throw Error("constraint volume needs a solid or a closed sheet; a line encloses nothing");
  }
};

// The surface, if what the constraint asks for can be.
TriMesh surface_of(const Volume& definition, const BodyMesh& mesh) {
  TriMesh surface = std::visit(Surface{}, mesh);
  if (!std::holds_alternative<TriMesh>(mesh) &&
      !(definition.pressure >= kSolidLeast && definition.pressure <= kSolidMost))
    throw Error(
        formatted("pressure is {}; for a solid it must be from {} to {}, as its elements "
                  "resist: inflate a closed sheet instead",
                  definition.pressure, kSolidLeast, kSolidMost));
  return surface;
}

// Throws where the surface is not closed, or encloses nothing.
double enclosed_volume(const TriMesh& surface) {
  try {
    return mass_properties(surface, 1).volume;
  } catch (const Error& error) {
    throw Error(std::string("constraint volume: ") + error.what());
  }
}

}  // namespace

// ½ κ (V − V₀)²/V₀ with the bulk modulus κ.
void add_batches(const Volume& definition, const ConstraintSource& body, BatchList& batches) {
  const TriMesh surface = surface_of(definition, body.mesh);
  const double rest = enclosed_volume(surface);
  batches.push_back(std::make_unique<VolumeBatch<Wide>>(
      surface, VolumeBatch<Wide>::Settings{
                   .start = rest,
                   .target = rest * definition.pressure,
                   .compliance = definition.bulk > 0 ? rest / double(definition.bulk) : 0,
                   .plain = definition.plain,
                   .largest_move = 0.02 * std::cbrt(rest),
                   .largest_change = kFastestInflation * rest}));
}

void add_energies(const Volume& definition, const ConstraintSource& body, EnergyList& energies) {
  check_energy("volume", definition.plain, "bulk", definition.bulk, "Pa");
  const TriMesh surface = surface_of(definition, body.mesh);
  const double rest = enclosed_volume(surface);
  energies.push_back(std::make_unique<EnclosedVolumeEnergy<Wide>>(
      surface, EnclosedVolumeEnergy<Wide>::Settings{.start = rest,
                                                    .target = rest * definition.pressure,
                                                    .stiffness = double(definition.bulk) / rest,
                                                    .largest_change = kFastestInflation * rest}));
}

}  // namespace sinew
