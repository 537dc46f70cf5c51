#include "elements/shape_points.h"

#include "elements/tetrahedron.h"
#include "elements/triangle.h"

namespace sinew {
namespace {

template <class Cell>
void corners_of(const Mesh<Cell>& mesh, const Cell& cell, Vec3T<double> (&x)[kCornersOf<Cell>]) {
  for (int n = 0; n < kCornersOf<Cell>; ++n) x[n] = to_double(mesh.vertices[cell[n]]);
}

template <class Element, class Cell>
ShapePoints<Cell> simplex_points(const Mesh<Cell>& mesh, double thickness) {
  ShapePoints<Cell> points;
  for (const Cell& cell : mesh.cells) {
    Vec3T<double> x[kCornersOf<Cell>];
    corners_of(mesh, cell, x);
    const auto rest = Element::rest(x);
    auto& point = points.at.emplace_back();
    Element::shape_gradients(rest, point.gradient);
    point.volume = rest.volume * thickness;
  }
  return points;
}

// What the edges and the hourglass modes are made of: signs of the corners.
struct CornerModes {
  double edge[8][3], hourglass[8][4];
};
const CornerModes& corner_modes() {
  static const CornerModes modes = [] {
    CornerModes m;
    for (int n = 0; n < 8; ++n) {
      double x[8] = {}, middle;
      x[n] = 1;
      to_modes(x, middle, m.edge[n], m.hourglass[n]);
    }
    return m;
  }();
  return modes;
}

}  // namespace

ShapePoints<Segment> shape_points(const LineMesh& mesh, double thickness) {
  constexpr double kQuarterPi = 0.78539816339744831;
  ShapePoints<Segment> points;
  for (const Segment& cell : mesh.cells) {
    Vec3T<double> x[2];
    corners_of(mesh, cell, x);
    const Vec3T<double> along = x[1] - x[0];
    const double length2 = dot(along, along);
    ShapePoint<2>& point = points.at.emplace_back();
    if (!(length2 > 0)) continue;
    point.gradient[1] = along / length2;
    point.gradient[0] = -point.gradient[1];
    point.volume = kQuarterPi * thickness * thickness * std::sqrt(length2);
  }
  return points;
}

ShapePoints<Triangle> shape_points(const TriMesh& mesh, double thickness) {
  return simplex_points<TriangleElement>(mesh, thickness);
}
ShapePoints<Tetrahedron> shape_points(const TetMesh& mesh) {
  return simplex_points<TetrahedronElement>(mesh, 1);
}

std::array<std::array<double, 8>, 4> hourglass_shapes(const HexRest& rest) {
  std::array<std::array<double, 8>, 4> shapes;
  for (int i = 0; i < 4; ++i)
    for (int n = 0; n < 8; ++n) {
      double sum = corner_modes().hourglass[n][i];
      for (int k = 0; k < 3; ++k) sum -= corner_modes().edge[n][k] * rest.skew[i][k];
      shapes[i][n] = sum / 8;
    }
  return shapes;
}

ShapePoint<8> mean_shape_point(const HexRest& rest) {
  ShapePoint<8> point;
  if (rest.volume == 0) return point;
  const auto shapes = hourglass_shapes(rest);
  for (int n = 0; n < 8; ++n) {
    const auto& edge = corner_modes().edge[n];
    Vec3T<double> local{edge[0] / 8, edge[1] / 8, edge[2] / 8};
    for (int i = 0; i < 4; ++i) local += rest.mean[i] * shapes[i][n];
    point.gradient[n] = transpose(rest.inverse) * local;
  }
  point.volume = rest.volume;
  return point;
}

ShapePoint<8> gauss_shape_point(const HexRest& rest, int q) {
  ShapePoint<8> point;
  if (rest.volume == 0) return point;
  if (rest.point_folded[q]) {
    point = mean_shape_point(rest);
  } else {
    const auto gradients = hourglass_gradients(gauss_point(q));
    for (int n = 0; n < 8; ++n) {
      const auto& edge = corner_modes().edge[n];
      Vec3T<double> local{edge[0] / 8, edge[1] / 8, edge[2] / 8};
      for (int i = 0; i < 4; ++i) local += gradients[i] * (corner_modes().hourglass[n][i] / 8);
      point.gradient[n] = transpose(rest.point_inverse[q]) * local;
    }
  }
  point.volume = rest.point_volume[q];
  return point;
}

ShapePoints<Hexahedron> shape_points(const HexMesh& mesh, HexPoints points) {
  ShapePoints<Hexahedron> out;
  out.per_cell = points == HexPoints::kGauss ? 8 : 1;
  for (const Hexahedron& cell : mesh.cells) {
    Vec3T<double> x[8];
    corners_of(mesh, cell, x);
    const HexRest rest = rest_hexahedron(x);
    if (points == HexPoints::kMean)
      out.at.push_back(mean_shape_point(rest));
    else
      for (int q = 0; q < 8; ++q) out.at.push_back(gauss_shape_point(rest, q));
  }
  return out;
}

}  // namespace sinew
