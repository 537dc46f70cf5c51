// Meshes of simple shapes. Solids are centred at the origin unless said otherwise; sizes in metres.
// Every solid comes as hexahedra and as tetrahedra: split() turns the one into the other.
#pragma once

#include <sinew/describe.h>
#include <sinew/mesh.h>

namespace sinew {

using Cells3 = std::array<int, 3>;  // number of cells along x, y, z; each at least 1

// How a hexahedron becomes tetrahedra.
enum class Split {
  kFive,  // mirror-symmetric, alternating; needs a grid (even counts round a ring)
  kSix,   // one diagonal for all: fits any grid, but bends a little differently to each side. In
          // round solids the diagonals point outwards: then these are the better shaped cells
};

template <>
struct EnumWords<Split> {
  static constexpr const char* kWords[] = {"five", "six"};
};

// The same vertices, each hexahedron in five or six tetrahedra. Throws Error where neighbours
// cannot agree how to split their common face: kFive round an odd ring, kSix where neighbours do
// not number their corners alike.
TetMesh split(const HexMesh& mesh, Split split);

HexMesh box_hexes(Vec3 size, Cells3 cells);
TetMesh box_tets(Vec3 size, Cells3 cells, Split split = Split::kFive);
TriMesh box_surface(Vec3 size, Cells3 cells);

// A beam along +x, from x = 0 to `length`, its cross-section centred on the axis. `cells_across`
// cells over the smaller of width (z) and height (y), as nearly cubic as the sizes allow.
HexMesh bar_hexes(Real length, Real height, Real width, int cells_across);
TetMesh bar_tets(Real length, Real height, Real width, int cells_across, Split = Split::kFive);

// A solid ball: a cube of cells³, square at the core and round at the rim.
HexMesh sphere_hexes(Real radius, int cells);
TetMesh sphere_tets(Real radius, int cells, Split split = Split::kSix);
TriMesh sphere_surface(Real radius, int subdivisions);  // icosphere: 20·4ⁿ triangles

// A solid ring in the xz plane about the y axis; `radius` to the middle of the tube, more than
// `tube_radius`. At least 3 cells around; an even number for Split::kFive.
HexMesh torus_hexes(Real radius, Real tube_radius, int cells_around, int cells_across);
TetMesh torus_tets(Real radius, Real tube_radius, int cells_around, int cells_across,
                   Split split = Split::kSix);
TriMesh torus_surface(Real radius, Real tube_radius, int cells_around, int cells_tube);

// A solid cylinder along y; cells_across² cells in its cross-section.
HexMesh cylinder_hexes(Real radius, Real height, int cells_across, int cells_high);
TetMesh cylinder_tets(Real radius, Real height, int cells_across, int cells_high,
                      Split split = Split::kSix);
TriMesh cylinder_surface(Real radius, Real height, int cells_around, int cells_high);

// A capsule along y as a surface; `half_height` is that of its cylindrical part.
TriMesh capsule_surface(Real radius, Real half_height, int cells_around);

// A rectangle in the xz plane facing +y, alternating diagonals.
TriMesh cloth(Real width, Real depth, int cells_x, int cells_z);

// A line along +x from the origin.
LineMesh rope(Real length, int segments);

}  // namespace sinew
