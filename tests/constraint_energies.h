// Every constraint that is an energy, on bodies where it acts; for the laws.
#pragma once

#include <sinew/generators.h>

#include <string>

#include "constraints_functions.h"
#include "math/rows.h"

namespace sinew {

struct ConstraintEnergy {
  std::string name;
  BodyMesh mesh;
  std::unique_ptr<EnergyTerm> energy;
  bool exact = true;     // its Hessian is its second derivative, not only a bound
  bool outside = false;  // it holds the body from outside
};

inline ConstraintEnergy constraint_energy(std::string name, const BodyMesh& mesh,
                                          const Constraint& constraint, bool exact = true,
                                          bool outside = false) {
  const Material material = Arap{.young = 1e4};
  const Pose pose;
  const std::vector<Real> mass =
      std::visit([](const auto& m) { return lumped_masses(m, Real(1000)); }, mesh);
  const ConstraintSource source{
      mesh,    material, Real(0.1), mass, {}, pose, std::make_shared<AttachmentTargets>(),
      nullptr, nullptr};
  EnergyList list;
  std::visit([&](const auto& c) { add_energies(c, source, list); }, constraint);
  return {std::move(name), mesh, std::move(list.at(0)), exact, outside};
}

inline std::vector<ConstraintEnergy> constraint_energies() {
  const TetMesh tets = box_tets({1, 1, 1}, {2, 1, 2});
  const HexMesh hexes = box_hexes({1, 1, 1}, {2, 1, 2});
  const TriMesh sheet = cloth(1, 1, 3, 3), ball = sphere_surface(Real(0.5), 1);
  const ShapeMatching cells{.clusters = MatchingClusters::kCells, .stiffness = 100};
  const ShapeMatching body{.stiffness = 100};
  std::vector<ConstraintEnergy> all;
  const auto add = [&](auto... arguments) { all.push_back(constraint_energy(arguments...)); };
  add("springs of tetrahedra", tets, Distance{.stiffness = 100});
  add("springs of a sheet", sheet, Distance{.stiffness = 100});
  add("springs of a line", rope(1, 5), Distance{.stiffness = 100});
  add("ropes", sheet, Distance{.stiffness = 100, .tension_only = true});
  add("dihedral bending", ball, Bending{});
  add("isometric bending", sheet, Bending{.model = BendingModel::kIsometric});
  add("strain limit of tetrahedra", tets, StrainLimit{});
  add("strain limit of hexahedra", hexes, StrainLimit{.min = Real(0.98), .max = Real(1.02)});
  add("strain limit of a sheet", sheet,
      StrainLimit{.min = Real(0.99), .max = Real(1.01), .stiffness = 1e3});
  add("cell volume of tetrahedra", tets, CellVolume{});
  add("cell volume within bounds", tets, CellVolume{.min = Real(0.95), .max = Real(1.05)});
  add("cell volume of hexahedra", hexes, CellVolume{});
  add("matched tetrahedra", tets, cells, false);
  add("matched triangles", ball, cells, false);
  add("matched hexahedra", hexes, cells, false);
  add("matched solid", tets, body, false);
  add("matched sheet", sheet, body, false);
  add("volume of a ball", ball, Volume{.pressure = Real(1.3), .bulk = 1e4});
  add("volume of a solid", tets, Volume{.bulk = 1e4});
  add("attachment", tets, Attachment{.vertices = {0, 3, 5}}, true, true);
  return all;
}

}  // namespace sinew
