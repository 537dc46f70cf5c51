// Bending of sheets over the hinges of a mesh, pairs of triangles with a common edge e and areas A₁
// and A₂. A sheet bent to the curvature κ stores ½ D κ² per area. A hinge bent by θ stores
//   dihedral   ½ D |e|²/(A₁+A₂) (θ − θ₀)²      (Grinspun et al., "Discrete shells", 2003)
//   isometric  ½ D/(A₁+A₂) |Σ Kᵢ xᵢ|²          (Bergou et al., "A quadratic bending model for
//              inextensible surfaces", 2006), |Σ Kᵢ xᵢ| = 2 |e| sin θ/2 for hinges flat at rest
// Both papers have 3/(A₁+A₂). That counts a curvature thrice: on a grid cut into triangles as on
// equilateral ones, a cylinder's bend is in a third of the hinges (or unevenly in all), and
// squaring it there makes the sum of the energies three times that of the cylinder. Without the 3
// both give the energy of a cylinder exactly.
//
// Hinges have a Poisson's ratio of their own, whatever the material's: on equilateral triangles the
// energy is that of a plate of ν = −1/3. Its rigidity is therefore chosen as D = E t³/12(1 − 1/9):
// then a free strip, whose stiffness is D(1 − ν²), bends by E t³/12 as a beam does. A wide sheet
// bent to a cylinder has 9/8 E t³/12 in place of E t³/12(1 − ν²), the same for ν = 1/3.
//
// As an energy the dihedral model is the projective one, which keeps the length of Σ Kᵢ xᵢ, the
// mean curvature, as it is at rest (Bouaziz et al., "Projective dynamics", 2014, §5):
//   ½ k (|Σ Kᵢ xᵢ| − 2|e| sin θ₀/2)²,   k = D/(A₁+A₂)/cos² θ₀/2,
// as stiff about rest as the hinge above, and the same as the isometric one where a sheet is flat.
// It does not know to which side a fold goes: one pushed through to the other side stays there.
//
// A hinge of a sheet of curvature κ is bent by κ (A₁+A₂)/|e|. One that bends freely down to a
// radius r resists only what goes beyond θ = (A₁+A₂)/(|e| r), with the same stiffness.
#include "constraints/bending.h"

#include <cmath>

#include "constraints/energy_stiffness.h"
#include "constraints/linear_batch.h"
#include "constraints/scalar_batch.h"
#include "constraints_functions.h"
#include "core/format.h"
#include "geometry/keyed.h"
#include "variational/terms/length.h"

namespace sinew {
namespace {

using Hinge = std::array<Index, 4>;  // ends of the edge, and the corners on either side

// Every pair of triangles at every edge: also where more than two meet.
std::vector<Hinge> hinges_of(const TriMesh& mesh) {
  std::vector<Hinge> hinges;
  for_each_group(sorted_edges(mesh), [&](std::span<const Keyed<2>> same) {
    const auto opposite = [&](const Keyed<2>& edge) {
      return mesh.cells[edge.owner / 3][(edge.owner % 3 + 2) % 3];
    };
    for (std::size_t i = 0; i < same.size(); ++i)
      for (std::size_t j = i + 1; j < same.size(); ++j) {
        const Index a = edge_start(mesh, same[i].owner);
        const Index b = a == same[i].key[0] ? same[i].key[1] : same[i].key[0];
        if (a != b && opposite(same[i]) != opposite(same[j]))
          hinges.push_back({a, b, opposite(same[i]), opposite(same[j])});
      }
  });
  return hinges;
}

// A hinge at rest.
struct RestHinge {
  Vec3T<double> x[4];
  double edge, area, other_area;

  RestHinge(const TriMesh& mesh, const Hinge& hinge) {
    for (int n = 0; n < 4; ++n) x[n] = to_double(mesh.vertices[hinge[n]]);
    const Vec3T<double> e = x[1] - x[0];
    edge = length(e);
    area = length(cross(e, x[2] - x[0])) / 2;
    other_area = length(cross(e, x[3] - x[0])) / 2;
  }
  bool usable() const { return std::min(area, other_area) > 1e-5 * edge * edge; }
  double height() const { return 2 * std::min(area, other_area) / edge; }
  double angle() const {
    Vec3T<double> gradient[4];
    return DihedralConstraint::value<double>({0, 0, 0}, x, gradient);
  }
  // By how much it may bend before the sheet's radius of curvature is as small as that [rad].
  double free_angle(double radius) const {
    constexpr double kPi = 3.14159265358979324;
    return radius > 0 ? std::min((area + other_area) / (edge * radius), kPi) : 0;
  }
  // K: the cotangents of the angles at the edge. They add up to zero.
  std::array<double, 4> weights() const {
    const auto cotangent = [&](int at, int to, int corner, double a) {
      return dot(x[to] - x[at], x[corner] - x[at]) / (2 * a);
    };
    const double a0 = cotangent(0, 1, 2, area), a1 = cotangent(1, 0, 2, area);
    const double b0 = cotangent(0, 1, 3, other_area), b1 = cotangent(1, 0, 3, other_area);
    return {a1 + b1, a0 + b0, -a0 - a1, -b0 - b1};
  }
};

// D [N m]; 0 for a material without Young's modulus.
double rigidity(const Material& material, double thickness) {
  constexpr double kHingePoisson = -1.0 / 3;
  return std::visit(
      [&](const auto& m) -> double {
        if constexpr (requires { m.young; })
          return double(m.young) * std::pow(thickness, 3) /
                 (12 * (1 - kHingePoisson * kHingePoisson));
        else
          return 0;
      },
      material);
}

constexpr double kFlat = 0.01;  // [rad]
void check_flat(const Hinge& hinge, const RestHinge& rest,
                const char* what = "the model isometric") {
  if (!(std::abs(rest.angle()) < kFlat))
    throw Error(formatted(
        "constraint bending: {} is for sheets flat at rest, but the edge from vertex {} to {} is "
        "bent by {:.3g} rad; take {}",
        what, hinge[0], hinge[1], rest.angle(),
        *what == 'f' ? "the solver \"position\" and the model dihedral" : "the model dihedral"));
}

double rigidity_of(const Bending& definition, const ConstraintSource& body) {
  const double rigid = rigidity(body.material, body.thickness) * definition.stiffness;
  if (!(rigid > 0) && !(definition.plain > 0) && definition.stiffness > 0)
    throw Error(
        "constraint bending: the body's material has no Young's modulus to bend by; give plain, or "
        "take another material");
  return rigid;
}

const TriMesh& sheet_of(const ConstraintSource& body) {
  const auto* sheet = std::get_if<TriMesh>(&body.mesh);
  if (!sheet) throw Error("constraint bending needs a sheet: a mesh of triangles");
  return *sheet;
}

void add_dihedral(const Bending& definition, const TriMesh& mesh, double rigid,
                  BatchList& batches) {
  using Hinges = ScalarBatch<DihedralConstraint, Wide>;
  std::vector<Hinges::Item> items;
  for (const Hinge& hinge : hinges_of(mesh)) {
    const RestHinge rest(mesh, hinge);
    if (!rest.usable()) continue;
    const double physical = rigid * rest.edge * rest.edge / (rest.area + rest.other_area);
    items.push_back({hinge,
                     {rest.angle(), rest.height(), rest.free_angle(definition.free_radius)},
                     definition.plain > 0 ? double(definition.plain) : physical});
  }
  const auto kind = definition.plain > 0 ? StiffnessKind::kPlain : StiffnessKind::kPhysical;
  batches.push_back(std::make_unique<Hinges>(items, mesh.vertices.size(), kind));
}

void add_isometric(const Bending& definition, const TriMesh& mesh, double rigid,
                   BatchList& batches) {
  using Hinges = LinearBatch<4, Wide>;
  std::vector<Hinges::Item> items;
  for (const Hinge& hinge : hinges_of(mesh)) {
    const RestHinge rest(mesh, hinge);
    if (!rest.usable()) continue;
    check_flat(hinge, rest);
    items.push_back({hinge, rest.weights(), rigid / (rest.area + rest.other_area)});
  }
  batches.push_back(std::make_unique<Hinges>(items, mesh.vertices.size(), definition.plain));
}

template <bool kFree>
std::unique_ptr<EnergyTerm> hinge_energies(const Bending& definition, const TriMesh& sheet,
                                           double rigid) {
  using Hinges = LocalEnergy<LengthKernel<4, kFree>, Wide>;
  constexpr double kSharpest = 0.25;  // of cos²: what is folded to 120° and more is not stiffer
  std::vector<typename Hinges::Item> items;
  for (const Hinge& hinge : hinges_of(sheet)) {
    const RestHinge rest(sheet, hinge);
    if (!rest.usable()) continue;
    const bool flat = definition.model == BendingModel::kIsometric || kFree;
    if (flat) check_flat(hinge, rest, kFree ? "free_radius" : "the model isometric");
    typename Hinges::Item item{hinge, {}, 0};
    Vec3T<double> c{};
    const std::array<double, 4> weights = rest.weights();
    for (int n = 0; n < 4; ++n) {
      item.rest.weight[n] = weights[n];
      c += (rest.x[n] - rest.x[0]) * weights[n];
    }
    const double cos = flat ? 1 : std::cos(rest.angle() / 2);
    item.rest.stiffness = rigid / (rest.area + rest.other_area) / std::max(cos * cos, kSharpest);
    item.rest.length =
        flat ? 2 * rest.edge * std::sin(rest.free_angle(definition.free_radius) / 2) : length(c);
    item.rest.direction = normalized(c);
    item.scale = item.rest.stiffness * rest.edge * rest.edge;
    items.push_back(item);
  }
  return std::make_unique<Hinges>(items, sheet.vertices.size());
}

}  // namespace

void add_batches(const Bending& definition, const ConstraintSource& body, BatchList& batches) {
  const TriMesh& sheet = sheet_of(body);
  const double rigid = rigidity_of(definition, body);
  if (definition.free_radius > 0 && definition.model == BendingModel::kIsometric)
    throw Error(
        "constraint bending: the model isometric is linear and knows no free_radius with the "
        "solver \"position\"; take the model dihedral");
  if (definition.model == BendingModel::kDihedral)
    add_dihedral(definition, sheet, rigid, batches);
  else
    add_isometric(definition, sheet, rigid, batches);
}

void add_energies(const Bending& definition, const ConstraintSource& body, EnergyList& energies) {
  const TriMesh& sheet = sheet_of(body);
  check_not_plain("bending", definition.plain);
  const double rigid = rigidity_of(definition, body);
  energies.push_back(definition.free_radius > 0 ? hinge_energies<true>(definition, sheet, rigid)
                                                : hinge_energies<false>(definition, sheet, rigid));
}

}  // namespace sinew
