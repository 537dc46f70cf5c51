// Scenes of rigid bodies that every engine is given alike: stacks, chains, a net, a wall, a house
// of cards, a pile.
#pragma once

#include <vector>

#include "reproduce/peers/stage.h"

namespace sinew {

// What is to be measured in a scene beside its bodies.
struct Placed {
  // Two points that should stay as far apart as they were.
  struct Link {
    int a, b;
    Vec3 local_a, local_b;
    double rest;   // [m]
    double scale;  // what a stretch is a share of [m]
  };

  Real fall = 0;  // a body that is further than this from where it started has fallen [m]
  std::vector<Link> links = {};
  int watched = kWorld;  // one body that matters
};

// A round tower of cubes of 1 m, each ring turned by half a cube (μ = 0.2).
Placed build_tower(Stage& stage, int rings, int cubes_per_ring);
// A pyramid of cubes of 2 m on a square base, without gaps (μ = 0.2). 15 layers are 1,240 cubes.
Placed build_pyramid(Stage& stage, int layers);
// Cubes of 1 m upon each other (μ = 0.2), the topmost `ratio` times heavier than the others.
Placed build_column(Stage& stage, int cubes, Real ratio);
// Point masses of 0.5 kg, 0.2 m apart and joined by rods, sagging between borders that are held;
// on it lies a ball of `ball_density`, 1 m wide, or it is let go `fall` above that place.
Placed build_net(Stage& stage, int side, Real ball_density, Real fall = 0);
// Capsules of 0.4 m hung from each other by ball joints, 30° out of plumb; at the end a ball
// `ratio` times heavier than a link.
Placed build_chain(Stage& stage, int links, Real ratio);
// Bricks of 40 × 20 × 20 cm in running bond (μ = 0.5), and a ball of 1.8 t, 1.2 m wide, that flies
// at them with 15 m/s.
Placed build_wall(Stage& stage, int rows, int bricks_per_row);
// Cards 1 m high and 2 cm thick, leaning on each other at 20°, with cards lying between storeys
// (μ = 0.8).
Placed build_card_house(Stage& stage, int storeys);
// Polyhedra of 12 to 20 corners, about 1 m wide, let fall between four walls 8 m apart (μ = 0.5).
Placed build_convex_pile(Stage& stage, int count);

}  // namespace sinew
