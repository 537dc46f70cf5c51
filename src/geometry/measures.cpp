// Lengths, areas, volumes and what follows from them. All sums are in double, whatever Real is.
#include "geometry/cells.h"

namespace sinew {
namespace {

// Vector from corner `a` to corner `b` of a cell.
template <class Cell>
Vec3T<double> edge(const Mesh<Cell>& mesh, const Cell& cell, int a, int b) {
  return to_double(mesh.vertices[cell[b]]) - to_double(mesh.vertices[cell[a]]);
}

}  // namespace

Bounds bounds(std::span<const Vec3> points) {
  constexpr Real kInfinity = std::numeric_limits<Real>::infinity();
  Bounds result{{kInfinity, kInfinity, kInfinity}, {-kInfinity, -kInfinity, -kInfinity}};
  for (const Vec3& p : points)
    for (int axis = 0; axis < 3; ++axis) {
      result.lower[axis] = min(result.lower[axis], p[axis]);
      result.upper[axis] = max(result.upper[axis], p[axis]);
    }
  return result;
}

double measure(const LineMesh& mesh, std::size_t cell) {
  return length(edge(mesh, mesh.cells[cell], 0, 1));
}

double measure(const TriMesh& mesh, std::size_t cell) {
  const Triangle& t = mesh.cells[cell];
  return length(cross(edge(mesh, t, 0, 1), edge(mesh, t, 0, 2))) / 2;
}

double measure(const TetMesh& mesh, std::size_t cell) {
  const Tetrahedron& t = mesh.cells[cell];
  return dot(cross(edge(mesh, t, 0, 1), edge(mesh, t, 0, 2)), edge(mesh, t, 0, 3)) / 6;
}

// ∫ det J over the unit cube. J is the derivative of the trilinear map: its columns interpolate the
// four edges of each direction, so det J is quadratic in each coordinate and two Gauss points per
// axis integrate it exactly.
double measure(const HexMesh& mesh, std::size_t cell) {
  const Hexahedron& h = mesh.cells[cell];
  const Vec3T<double> x[4] = {edge(mesh, h, 0, 1), edge(mesh, h, 3, 2), edge(mesh, h, 4, 5),
                              edge(mesh, h, 7, 6)};
  const Vec3T<double> y[4] = {edge(mesh, h, 0, 3), edge(mesh, h, 1, 2), edge(mesh, h, 4, 7),
                              edge(mesh, h, 5, 6)};
  const Vec3T<double> z[4] = {edge(mesh, h, 0, 4), edge(mesh, h, 1, 5), edge(mesh, h, 3, 7),
                              edge(mesh, h, 2, 6)};
  const auto bilinear = [](const Vec3T<double>(&e)[4], double s, double t) {
    return (e[0] * (1 - s) + e[1] * s) * (1 - t) + (e[2] * (1 - s) + e[3] * s) * t;
  };
  static const double kGauss[2] = {0.5 - std::sqrt(1.0 / 12), 0.5 + std::sqrt(1.0 / 12)};
  double sum = 0;
  for (const double u : kGauss)
    for (const double v : kGauss)
      for (const double w : kGauss)
        sum += dot(cross(bilinear(x, v, w), bilinear(y, u, w)), bilinear(z, u, v));
  return sum / 8;
}

double quality(const TetMesh& mesh, std::size_t cell) {
  double squared_edges = 0;
  for (int a = 0; a < 4; ++a)
    for (int b = a + 1; b < 4; ++b) {
      const Vec3T<double> e = edge(mesh, mesh.cells[cell], a, b);
      squared_edges += dot(e, e);
    }
  const double root = std::cbrt(3 * measure(mesh, cell));
  return squared_edges > 0 ? std::copysign(12 * root * root / squared_edges, root) : 0;
}

template <class Cell>
double total_measure(const Mesh<Cell>& mesh) {
  check_indices(mesh);
  double sum = 0;
  for (std::size_t c = 0; c < mesh.cells.size(); ++c) sum += measure(mesh, c);
  return sum;
}

template <class Cell>
std::vector<Real> lumped_masses(const Mesh<Cell>& mesh, Real density) {
  check_positive("lumped_masses", "density", static_cast<double>(density));
  check_indices(mesh);
  std::vector<double> masses(mesh.vertices.size(), 0.0);
  for (std::size_t c = 0; c < mesh.cells.size(); ++c) {
    const Cell& cell = mesh.cells[c];
    const double share = static_cast<double>(density) * std::abs(measure(mesh, c)) /
                         static_cast<double>(cell.size());
    for (const Index v : cell) masses[v] += share;
  }
  return {masses.begin(), masses.end()};
}

template double total_measure(const LineMesh&);
template double total_measure(const TriMesh&);
template double total_measure(const TetMesh&);
template double total_measure(const HexMesh&);
template std::vector<Real> lumped_masses(const LineMesh&, Real);
template std::vector<Real> lumped_masses(const TriMesh&, Real);
template std::vector<Real> lumped_masses(const TetMesh&, Real);
template std::vector<Real> lumped_masses(const HexMesh&, Real);

}  // namespace sinew
