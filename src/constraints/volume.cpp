#include <sinew/error.h>

#include "constraints/volume_batch.h"
#include "constraints_functions.h"

namespace sinew {
namespace {

constexpr double kFastestInflation = 5;  // of the volume at rest in a second [1/s]

struct Surface {
  TriMesh operator()(const TetMesh& mesh) const { return boundary(mesh); }
  TriMesh operator()(const HexMesh& mesh) const { return boundary(mesh); }
  TriMesh operator()(const TriMesh& mesh) const { return mesh; }
  TriMesh operator()(const LineMesh&) const {
    throw Error("constraint volume needs a solid or a closed sheet; a line encloses nothing");
  }
};

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
  const TriMesh surface = std::visit(Surface{}, body.mesh);
  const double rest = enclosed_volume(surface);
  batches.push_back(std::make_unique<VolumeBatch<Wide>>(
      surface, VolumeBatch<Wide>::Settings{
                   .target = rest * definition.pressure,
                   .compliance = definition.bulk > 0 ? rest / double(definition.bulk) : 0,
                   .plain = definition.plain,
                   .largest_move = 0.5 * std::cbrt(rest),
                   .largest_change = kFastestInflation * rest}));
}

}  // namespace sinew
