// Where the mesh or the skin of a soft body, or the mesh of a shape, in a scene file comes from: a
// generator or a file.
#pragma once

#include <sinew/describe.h>
#include <sinew/generators.h>

#include <filesystem>
#include <string>
#include <variant>
#include <vector>

namespace sinew {

// What a mesh is made with: where paths start, and what is to be told about the mesh.
struct MeshContext {
  std::filesystem::path folder;
  std::vector<std::string> notes;
  const BodyMesh* mesh = nullptr;  // the last one made: that of the body under way
};

// What the cells of a solid become.
enum class SolidCells { kTetrahedra, kHexahedra };
template <>
struct EnumWords<SolidCells> {
  static constexpr const char* kWords[] = {"tetrahedra", "hexahedra"};
};

// The hexahedra themselves, or split.
BodyMesh as_cells(HexMesh hexes, SolidCells cells, Split split);

namespace scene_fields {

// The descriptions that the meshes share.
inline FieldInfo size(const char* doc) {
  return {.doc = doc, .unit = "m", .min = 0, .exclusive_min = true};
}
inline FieldInfo count(const char* doc, double least = 1) { return {.doc = doc, .min = least}; }
inline FieldInfo split() {
  return {.doc =
              "Tetrahedra in a cell: five are mirror-symmetric, six fit any count of cells and "
              "are better shaped in round bodies"};
}

inline FieldInfo elements() {
  return {.doc = "What the cells are: hexahedra bend better, tetrahedra are as good for the rest"};
}

}  // namespace scene_fields

struct BoxMesh {
  static constexpr const char* kName = "box";
  static constexpr const char* kDoc = "A rectangular box about the origin.";

  Vec3 size{1, 1, 1};
  Cells3 cells{8, 8, 8};
  SolidCells elements = SolidCells::kTetrahedra;
  Split split = Split::kFive;

  template <class Visitor>
  void describe(Visitor& v) {
    v.field("size", size, scene_fields::size("Edge lengths"));
    v.field("cells", cells, scene_fields::count("Cells along x, y and z"));
    v.field("elements", elements, scene_fields::elements());
    v.field("split", split, scene_fields::split());
  }
  double cell_count() const { return double(cells[0]) * cells[1] * cells[2]; }
  BodyMesh make(MeshContext&) const { return as_cells(box_hexes(size, cells), elements, split); }
};

struct BarMesh {
  static constexpr const char* kName = "bar";
  static constexpr const char* kDoc = "A beam from the origin along x, of nearly cubic cells.";

  Real length = 1, height = Real(0.2), width = Real(0.2);
  int cells_across = 3;
  SolidCells elements = SolidCells::kTetrahedra;
  Split split = Split::kFive;

  template <class Visitor>
  void describe(Visitor& v) {
    v.field("length", length, scene_fields::size("Length along x"));
    v.field("height", height, scene_fields::size("Height along y"));
    v.field("width", width, scene_fields::size("Width along z"));
    v.field("cells_across", cells_across,
            scene_fields::count("Cells over the smaller of height and width"));
    v.field("elements", elements, scene_fields::elements());
    v.field("split", split, scene_fields::split());
  }
  double cell_count() const {
    const double cell = double(min(height, width)) / cells_across;
    return length / cell * (height / cell) * (width / cell);
  }
  BodyMesh make(MeshContext&) const {
    return as_cells(bar_hexes(length, height, width, cells_across), elements, split);
  }
};

struct SphereMesh {
  static constexpr const char* kName = "sphere";
  static constexpr const char* kDoc = "A ball about the origin.";

  Real radius = Real(0.5);
  int cells = 8;
  SolidCells elements = SolidCells::kTetrahedra;
  Split split = Split::kSix;

  template <class Visitor>
  void describe(Visitor& v) {
    v.field("radius", radius, scene_fields::size("Radius"));
    v.field("cells", cells, scene_fields::count("Cells across, in each direction"));
    v.field("elements", elements, scene_fields::elements());
    v.field("split", split, scene_fields::split());
  }
  double cell_count() const { return double(cells) * cells * cells; }
  BodyMesh make(MeshContext&) const {
    return as_cells(sphere_hexes(radius, cells), elements, split);
  }
};

struct TorusMesh {
  static constexpr const char* kName = "torus";
  static constexpr const char* kDoc = "A ring about the y axis.";

  Real radius = Real(0.5), tube_radius = Real(0.15);
  int cells_around = 24, cells_across = 4;
  SolidCells elements = SolidCells::kTetrahedra;
  Split split = Split::kSix;

  template <class Visitor>
  void describe(Visitor& v) {
    v.field("radius", radius, scene_fields::size("From the axis to the middle of the tube"));
    v.field("tube_radius", tube_radius,
            scene_fields::size("Radius of the tube, less than that of the ring"));
    v.field("cells_around", cells_around,
            scene_fields::count("Cells around the axis; an even number where split is five", 3));
    v.field("cells_across", cells_across, scene_fields::count("Cells across the tube"));
    v.field("elements", elements, scene_fields::elements());
    v.field("split", split, scene_fields::split());
  }
  double cell_count() const { return double(cells_around) * cells_across * cells_across; }
  BodyMesh make(MeshContext&) const {
    return as_cells(torus_hexes(radius, tube_radius, cells_around, cells_across), elements, split);
  }
};

struct CylinderMesh {
  static constexpr const char* kName = "cylinder";
  static constexpr const char* kDoc = "A cylinder along y about the origin.";

  Real radius = Real(0.5), height = 1;
  int cells_across = 6, cells_high = 6;
  SolidCells elements = SolidCells::kTetrahedra;
  Split split = Split::kSix;

  template <class Visitor>
  void describe(Visitor& v) {
    v.field("radius", radius, scene_fields::size("Radius"));
    v.field("height", height, scene_fields::size("Height along y"));
    v.field("cells_across", cells_across, scene_fields::count("Cells across"));
    v.field("cells_high", cells_high, scene_fields::count("Cells along y"));
    v.field("elements", elements, scene_fields::elements());
    v.field("split", split, scene_fields::split());
  }
  double cell_count() const { return double(cells_across) * cells_across * cells_high; }
  BodyMesh make(MeshContext&) const {
    return as_cells(cylinder_hexes(radius, height, cells_across, cells_high), elements, split);
  }
};

struct ClothMesh {
  static constexpr const char* kName = "cloth";
  static constexpr const char* kDoc =
      "A flat sheet of triangles in the xz plane, about the origin.";

  Real width = 1, depth = 1;
  int cells_x = 20, cells_z = 20;

  template <class Visitor>
  void describe(Visitor& v) {
    v.field("width", width, scene_fields::size("Width along x"));
    v.field("depth", depth, scene_fields::size("Depth along z"));
    v.field("cells_x", cells_x, scene_fields::count("Squares along x"));
    v.field("cells_z", cells_z, scene_fields::count("Squares along z"));
  }
  double cell_count() const { return double(cells_x) * cells_z; }
  BodyMesh make(MeshContext&) const { return cloth(width, depth, cells_x, cells_z); }
};

struct RopeMesh {
  static constexpr const char* kName = "rope";
  static constexpr const char* kDoc = "A line from the origin along x.";

  Real length = 1;
  int segments = 20;

  template <class Visitor>
  void describe(Visitor& v) {
    v.field("length", length, scene_fields::size("Length along x"));
    v.field("segments", segments, scene_fields::count("Segments"));
  }
  double cell_count() const { return segments; }
  BodyMesh make(MeshContext&) const { return rope(length, segments); }
};

struct FileMesh {
  static constexpr const char* kName = "file";
  static constexpr const char* kDoc =
      "The tetrahedra or hexahedra of a mesh file, mended where they need it. For a shape or a "
      "skin, of triangles too.";

  std::string path = {};
  Real scale = 1;

  template <class Visitor>
  void describe(Visitor& v) {
    v.field("path", path,
            {.doc = "The file, relative to the folder of the scene", .required = true});
    v.field("scale", scale,
            {.doc = "Factor on all coordinates: 0.001 for a mesh in millimetres",
             .min = 0,
             .exclusive_min = true});
  }
  double cell_count() const { return 0; }  // as many as the file has bytes for
  BodyMesh make(MeshContext& context) const;
  TriMesh surface(MeshContext& context) const;  // of its cells, or its triangles
};

// The shape that a body starts in.
struct SceneStart {
  static constexpr const char* kName = "start";
  static constexpr const char* kDoc =
      "The shape that a soft body starts in: the vertices of a mesh file, in the order of those of "
      "the body's mesh and in its coordinates, before the pose. `sinew settle` writes such files.";

  std::string path = {};
  Real scale = 1;

  template <class Visitor>
  void describe(Visitor& v) {
    v.field("path", path,
            {.doc = "The file, relative to the folder of the scene", .required = true});
    v.field("scale", scale, {.doc = "Factor on all coordinates", .min = 0, .exclusive_min = true});
  }
  std::vector<Vec3> positions(const MeshContext& context) const;  // as many as its mesh has
};

using SceneMesh = std::variant<BoxMesh, BarMesh, SphereMesh, TorusMesh, CylinderMesh, ClothMesh,
                               RopeMesh, FileMesh>;

// Throws Error for more cells than anyone can mean.
BodyMesh make_mesh(const SceneMesh& source, MeshContext& context);
// The outer surface of that. Throws Error for what has none.
TriMesh make_surface(const SceneMesh& source, MeshContext& context);

}  // namespace sinew
