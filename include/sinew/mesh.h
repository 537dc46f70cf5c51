// Meshes, and what can be asked of them. A mesh is vertices and cells that index them; one template
// serves segments, triangles, tetrahedra and hexahedra, so that what is the same for all kinds
// (mending, colouring, masses) is written once.
#pragma once

#include <sinew/math.h>

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <variant>
#include <vector>

namespace sinew {

using Index = std::uint32_t;
using Segment = std::array<Index, 2>;
using Triangle = std::array<Index, 3>;     // counter-clockwise seen from outside
using Tetrahedron = std::array<Index, 4>;  // (x1-x0)×(x2-x0)·(x3-x0) > 0
using Hexahedron = std::array<Index, 8>;   // VTK order: 0123 the bottom seen from above
                                           // counter-clockwise, 4567 above them

template <class Cell>
struct Mesh {
  std::vector<Vec3> vertices = {};  // [m]
  std::vector<Cell> cells = {};
};

using LineMesh = Mesh<Segment>;
using TriMesh = Mesh<Triangle>;
using TetMesh = Mesh<Tetrahedron>;
using HexMesh = Mesh<Hexahedron>;

// What a soft body is made of: a solid, a sheet or a line.
using BodyMesh = std::variant<TetMesh, HexMesh, TriMesh, LineMesh>;

inline std::span<const Vec3> vertices_of(const BodyMesh& mesh) {
  return std::visit([](const auto& m) { return std::span<const Vec3>(m.vertices); }, mesh);
}

struct Bounds {
  Vec3 lower, upper;  // [m]; lower > upper in every axis when empty
};
Bounds bounds(std::span<const Vec3> points);

// Signed measure of one cell: length [m], area [m²] or volume [m³]. Tetrahedra and hexahedra are
// negative when inside out.
double measure(const LineMesh& mesh, std::size_t cell);
double measure(const TriMesh& mesh, std::size_t cell);
double measure(const TetMesh& mesh, std::size_t cell);
double measure(const HexMesh& mesh, std::size_t cell);

// Shape of a tetrahedron: the mean ratio 12 (3V)^⅔ / Σ l² over its six edges l. 1 when regular, 0
// when flat, negative when inside out (Liu and Joe, Relationship between tetrahedron shape
// measures, 1994).
double quality(const TetMesh& mesh, std::size_t cell);

// Σ of the measures of all cells.
template <class Cell>
double total_measure(const Mesh<Cell>& mesh);

// Mass of every vertex [kg]: each cell's mass shared equally among its corners. `density` is per
// the cell's own measure: kg/m (segments), kg/m² (triangles), kg/m³ (solids). A cell that is inside
// out weighs the same as its mirror image.
template <class Cell>
std::vector<Real> lumped_masses(const Mesh<Cell>& mesh, Real density);

// The outer surface of a solid mesh, oriented outwards, over the same vertices (so indices agree;
// interior vertices are simply not used). Quadrilateral faces are split into two triangles. Cells
// must be right side out, as after mend().
TriMesh boundary(const TetMesh& mesh);
TriMesh boundary(const HexMesh& mesh);

// Mass, centre and inertia of the solid enclosed by a closed, outward oriented surface.
struct MassProperties {
  double volume = 0;      // [m³]
  double mass = 0;        // [kg]
  Vec3T<double> center;   // [m]
  Mat3T<double> inertia;  // [kg m²] about the centre, in the mesh's axes
};
// Throws Error when the surface is not closed or not consistently oriented (it names an edge), is
// inside out or encloses no volume.
MassProperties mass_properties(const TriMesh& closed_surface, double density);

// Greedy colouring: cells of one colour share no vertex, so they can be solved at the same time.
// Returns a colour per cell, 0..n-1, the colours alike in size; deterministic.
template <class Cell>
std::vector<int> colour_cells(std::span<const Cell> cells, std::size_t vertex_count);

// What mend() did to a mesh.
struct MendReport {
  std::size_t reoriented = 0;  // cells turned right side out
  std::size_t welded = 0;      // vertices merged with another at the same place
  std::size_t degenerate = 0;  // cells dropped: repeated corners or exactly no measure
  std::size_t duplicate = 0;   // cells dropped: same corners as an earlier cell
  std::size_t unused = 0;      // vertices dropped: in no cell
  bool changed() const { return reoriented + welded + degenerate + duplicate + unused > 0; }
  std::string summary() const;  // "3 cells reoriented, 12 unused vertices dropped", or "nothing"
};

struct MendOptions {
  bool weld = true;        // merge vertices closer than weld_distance
  Real weld_distance = 0;  // [m]; 0 merges only identical positions
  bool drop_unused = true;
};

// Makes a mesh fit for simulation and says what it did. Throws Error, and leaves the mesh alone,
// when it cannot: an index out of range, a coordinate that is not finite, no cell left. Solid cells
// are turned to positive volume. Triangles are oriented consistently per connected piece: outwards
// where the piece is closed, else the way most of its triangles face. A closed piece inside another
// (a cavity) is turned outwards too.
template <class Cell>
MendReport mend(Mesh<Cell>& mesh, const MendOptions& options = {});

// Rotates, then moves every vertex.
template <class Cell>
void transform(Mesh<Cell>& mesh, const Pose& pose) {
  for (Vec3& v : mesh.vertices) v = pose.to_world(v);
}

}  // namespace sinew
