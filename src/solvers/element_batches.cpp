#include "solvers/element_batches.h"

#include <algorithm>

namespace sinew {
namespace {

// C_HG = c μ/a² (Lewin, eq. 4.34) for the perturbation method: of the size of a shear across the
// cell.
void set_perturbation(HexRest& rest, double factor) {
  const Vec3T<double>& a = rest.half_size;
  const double stiffness = rest.volume > 0 ? factor * rest.volume * 3 / dot(a, a) : 0;
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j) rest.laplacian[i][j] = i == j ? stiffness : 0;
}

std::unique_ptr<ElementBatch> make_hexahedra(const HexMesh& mesh, const SoftBody& body) {
  const HexRests rests = rests_of(mesh, body.integration, body.hourglass);
  if (body.integration == HexIntegration::kAssumedStrain)
    return make_assumed_strain_hexahedra(mesh, rests, body);
  if (body.integration == HexIntegration::kEightPoint)
    return make_eight_point_hexahedra(mesh, rests, body);
  return make_laplacian_hexahedra(mesh, rests, body);
}

struct Make {
  const SoftBody& body;
  auto operator()(const TetMesh& mesh) const { return make_tetrahedra(mesh, body); }
  auto operator()(const TriMesh& mesh) const { return make_triangles(mesh, body); }
  auto operator()(const LineMesh& mesh) const { return make_lines(mesh, body); }
  auto operator()(const HexMesh& mesh) const { return make_hexahedra(mesh, body); }
};

}  // namespace

HexRests rests_of(const HexMesh& mesh, HexIntegration integration, Real factor) {
  HexRests rests;
  rests.reserve(mesh.cells.size());
  for (const Hexahedron& cell : mesh.cells) {
    Vec3T<double> x[8];
    for (int n = 0; n < 8; ++n) x[n] = to_double(mesh.vertices[cell[n]]);
    HexRest& rest = rests.emplace_back(rest_hexahedron(x));
    if (integration == HexIntegration::kPerturbation) set_perturbation(rest, factor);
    if (integration == HexIntegration::kOnePoint) std::fill_n(&rest.laplacian[0][0], 16, 0.0);
  }
  return rests;
}

bool any_skewed(const HexRests& rest) {
  return std::any_of(rest.begin(), rest.end(), [](const HexRest& r) {
    double skew = 0;
    for (const Vec3T<double>& g : r.skew) skew += dot(g, g);
    return skew > 1e-10;
  });
}

std::unique_ptr<ElementBatch> make_element_batch(const SoftBody& body) {
  return std::visit(Make{body}, body.mesh);
}

}  // namespace sinew
