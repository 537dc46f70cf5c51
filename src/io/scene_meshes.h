// Where the mesh of a soft body in a scene file comes from: a generator or a file.
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
};

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

}  // namespace scene_fields

struct BoxMesh {
  static constexpr const char* kName = "box";
  static constexpr const char* kDoc = "A rectangular box about the origin.";

  Vec3 size{1, 1, 1};
  Cells3 cells{8, 8, 8};
  Split split = Split::kFive;

  template <class Visitor>
  void describe(Visitor& v) {
    v.field("size", size, scene_fields::size("Edge lengths"));
    v.field("cells", cells, scene_fields::count("Cells along x, y and z"));
    v.field("split", split, scene_fields::split());
  }
  double cell_count() const { return double(cells[0]) * cells[1] * cells[2]; }
  TetMesh make(MeshContext&) const { return box_tets(size, cells, split); }
};

struct BarMesh {
  static constexpr const char* kName = "bar";
  static constexpr const char* kDoc = "A beam from the origin along x, of nearly cubic cells.";

  Real length = 1, height = Real(0.2), width = Real(0.2);
  int cells_across = 3;
  Split split = Split::kFive;

  template <class Visitor>
  void describe(Visitor& v) {
    v.field("length", length, scene_fields::size("Length along x"));
    v.field("height", height, scene_fields::size("Height along y"));
    v.field("width", width, scene_fields::size("Width along z"));
    v.field("cells_across", cells_across,
            scene_fields::count("Cells over the smaller of height and width"));
    v.field("split", split, scene_fields::split());
  }
  double cell_count() const {
    const double cell = double(min(height, width)) / cells_across;
    return length / cell * (height / cell) * (width / cell);
  }
  TetMesh make(MeshContext&) const { return bar_tets(length, height, width, cells_across, split); }
};

struct SphereMesh {
  static constexpr const char* kName = "sphere";
  static constexpr const char* kDoc = "A ball about the origin.";

  Real radius = Real(0.5);
  int cells = 8;
  Split split = Split::kSix;

  template <class Visitor>
  void describe(Visitor& v) {
    v.field("radius", radius, scene_fields::size("Radius"));
    v.field("cells", cells, scene_fields::count("Cells across, in each direction"));
    v.field("split", split, scene_fields::split());
  }
  double cell_count() const { return double(cells) * cells * cells; }
  TetMesh make(MeshContext&) const { return sphere_tets(radius, cells, split); }
};

struct TorusMesh {
  static constexpr const char* kName = "torus";
  static constexpr const char* kDoc = "A ring about the y axis.";

  Real radius = Real(0.5), tube_radius = Real(0.15);
  int cells_around = 24, cells_across = 4;
  Split split = Split::kSix;

  template <class Visitor>
  void describe(Visitor& v) {
    v.field("radius", radius, scene_fields::size("From the axis to the middle of the tube"));
    v.field("tube_radius", tube_radius,
            scene_fields::size("Radius of the tube, less than that of the ring"));
    v.field("cells_around", cells_around,
            scene_fields::count("Cells around the axis; an even number where split is five", 3));
    v.field("cells_across", cells_across, scene_fields::count("Cells across the tube"));
    v.field("split", split, scene_fields::split());
  }
  double cell_count() const { return double(cells_around) * cells_across * cells_across; }
  TetMesh make(MeshContext&) const {
    return torus_tets(radius, tube_radius, cells_around, cells_across, split);
  }
};

struct CylinderMesh {
  static constexpr const char* kName = "cylinder";
  static constexpr const char* kDoc = "A cylinder along y about the origin.";

  Real radius = Real(0.5), height = 1;
  int cells_across = 6, cells_high = 6;
  Split split = Split::kSix;

  template <class Visitor>
  void describe(Visitor& v) {
    v.field("radius", radius, scene_fields::size("Radius"));
    v.field("height", height, scene_fields::size("Height along y"));
    v.field("cells_across", cells_across, scene_fields::count("Cells across"));
    v.field("cells_high", cells_high, scene_fields::count("Cells along y"));
    v.field("split", split, scene_fields::split());
  }
  double cell_count() const { return double(cells_across) * cells_across * cells_high; }
  TetMesh make(MeshContext&) const {
    return cylinder_tets(radius, height, cells_across, cells_high, split);
  }
};

struct FileMesh {
  static constexpr const char* kName = "file";
  static constexpr const char* kDoc = "The tetrahedra of a mesh file, mended where they need it.";

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
  TetMesh make(MeshContext& context) const;
};

using SceneMesh = std::variant<BoxMesh, BarMesh, SphereMesh, TorusMesh, CylinderMesh, FileMesh>;

// Throws Error for more cells than anyone can mean.
TetMesh make_mesh(const SceneMesh& source, MeshContext& context);

}  // namespace sinew
