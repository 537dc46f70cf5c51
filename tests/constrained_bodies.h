// Bodies with every constraint there is, big enough for several blocks of a parallel loop.
#pragma once

#include <sinew/generators.h>
#include <sinew/world.h>

namespace sinew {

inline void add_constrained_bodies(World& world, const Solver& solver = Position{}) {
  const BodyMesh tets = box_tets({1, 1, 1}, {12, 12, 12}), sheet = cloth(1, 1, 30, 30);
  const BodyMesh hexes = box_hexes({1, 1, 1}, {10, 10, 10}), ball = sphere_surface(Real(0.5), 4);
  struct Constrained {
    const BodyMesh& mesh;
    Material material;
    std::vector<Constraint> constraints;
  };
  const Constrained bodies[] = {
      {sheet,
       StableNeoHookean{},
       {Distance{.stiffness = 100}, Bending{}, Bending{.model = BendingModel::kIsometric},
        StrainLimit{}, LongRangeAttachment{}}},
      {tets,
       StableNeoHookean{},
       {Volume{.bulk = 1e5}, StrainLimit{}, KeepInSphere{.radius = Real(0.2)}}},
      {tets,
       None{},
       {FiniteElements{}, ShapeMatching{.stiffness = 100},
        ShapeMatching{.clusters = MatchingClusters::kCells, .plain = Real(0.1)}}},
      {hexes,
       None{},
       {PlainCells{.edge = Real(0.1), .face = Real(0.1), .diagonal = Real(0.1), .volume = 1},
        ShapeMatching{.clusters = MatchingClusters::kCells, .stiffness = 100}}},
      {ball, StableNeoHookean{}, {Volume{}, Bending{.plain = Real(0.2)}}},
  };
  Real x = 0;
  for (const Constrained& body : bodies)
    world.add(SoftBody{.mesh = body.mesh,
                       .material = body.material,
                       .constraints = body.constraints,
                       .solver = solver,
                       .pose = {{x += 2, Real(0.6), 0}},
                       .velocity = {0, -2, 1},
                       .pins = {0}});
}

// The same with constraints that are energies, for the variational solvers.
inline void add_bodies_with_energies(World& world, const Solver& solver) {
  const BodyMesh tets = box_tets({1, 1, 1}, {10, 10, 10}), sheet = cloth(1, 1, 30, 30);
  struct Constrained {
    const BodyMesh& mesh;
    Material material;
    std::vector<Constraint> constraints;
  };
  const Constrained bodies[] = {
      {sheet,
       Arap{.young = 1e5},
       {Distance{.stiffness = 100}, Bending{}, Bending{.model = BendingModel::kIsometric},
        StrainLimit{}}},
      {tets,
       None{},
       {Distance{.stiffness = 1e3}, CellVolume{}, ShapeMatching{.stiffness = 100},
        ShapeMatching{.clusters = MatchingClusters::kCells, .stiffness = 100},
        Attachment{.vertices = {3, 4, 5}}}},
  };
  Real x = 0;
  for (const Constrained& body : bodies)
    world.add(SoftBody{.mesh = body.mesh,
                       .material = body.material,
                       .constraints = body.constraints,
                       .solver = solver,
                       .pose = {{x += 2, Real(0.6), 0}},
                       .velocity = {0, -2, 1},
                       .pins = {0}});
  if (std::holds_alternative<Projective>(solver)) return;
  world.add(SoftBody{.mesh = sphere_surface(Real(0.5), 4),
                     .constraints = {Volume{.bulk = 1e5}, Bending{}},
                     .solver = solver,
                     .pose = {{x += 2, Real(0.6), 0}},
                     .velocity = {0, -2, 1}});
}

}  // namespace sinew
