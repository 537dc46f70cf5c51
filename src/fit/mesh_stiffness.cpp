#include "fit/mesh_stiffness.h"

#include <sinew/error.h>

#include <algorithm>
#include <cmath>
#include <variant>

namespace sinew::fit {
namespace {

using Point = Vec3T<double>;

// Gradients of the shape functions at a point of a cell, and the volume that it stands for.
template <std::size_t N>
struct ShapePoint {
  Point gradient[N];
  double volume;
};

ShapePoint<4> tetrahedron(const Point (&x)[4]) {
  const Point a = x[1] - x[0], b = x[2] - x[0], c = x[3] - x[0];
  const double six = dot(a, cross(b, c));
  ShapePoint<4> p{{{}, cross(b, c) / six, cross(c, a) / six, cross(a, b) / six}, six / 6};
  p.gradient[0] = -(p.gradient[1] + p.gradient[2] + p.gradient[3]);
  return p;
}

constexpr double kCorner[8][3] = {{-1, -1, -1}, {1, -1, -1}, {1, 1, -1}, {-1, 1, -1},
                                  {-1, -1, 1},  {1, -1, 1},  {1, 1, 1},  {-1, 1, 1}};

// N = (1 + ξξₙ)(1 + ηηₙ)(1 + ζζₙ)/8 at the Gauss point next to a corner.
ShapePoint<8> hexahedron(const Point (&x)[8], int point) {
  const double gauss = 1 / std::sqrt(3.0);
  Point natural[8];
  Point column[3] = {};  // ∂x/∂ξ, ∂x/∂η, ∂x/∂ζ
  for (int n = 0; n < 8; ++n) {
    double factor[3];
    for (int i = 0; i < 3; ++i) factor[i] = 1 + gauss * kCorner[point][i] * kCorner[n][i];
    natural[n] = Point{kCorner[n][0] * factor[1] * factor[2], factor[0] * kCorner[n][1] * factor[2],
                       factor[0] * factor[1] * kCorner[n][2]} /
                 8.0;
    for (int i = 0; i < 3; ++i) column[i] += x[n] * natural[n][i];
  }
  ShapePoint<8> p;
  p.volume = dot(column[0], cross(column[1], column[2]));
  const Point row[3] = {cross(column[1], column[2]) / p.volume,
                        cross(column[2], column[0]) / p.volume,
                        cross(column[0], column[1]) / p.volume};
  for (int n = 0; n < 8; ++n)
    p.gradient[n] = row[0] * natural[n].x + row[1] * natural[n].y + row[2] * natural[n].z;
  return p;
}

// K_ab += V (λ g_a g_bᵀ + μ (g_b g_aᵀ + g_a·g_b I)), into a dense matrix of the cell.
template <std::size_t N>
void add_point(Matrix& k, const ShapePoint<N>& p, double mu, double lambda) {
  for (std::size_t a = 0; a < N; ++a)
    for (std::size_t b = 0; b < N; ++b) {
      const Point &ga = p.gradient[a], &gb = p.gradient[b];
      const double both = mu * dot(ga, gb);
      for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
          k(int(3 * a) + i, int(3 * b) + j) +=
              p.volume * (lambda * ga[i] * gb[j] + mu * gb[i] * ga[j] + (i == j ? both : 0));
    }
}

template <class Cell>
Matrix cell_stiffness(const Mesh<Cell>& mesh, const Cell& cell, double mu, double lambda) {
  constexpr std::size_t kNodes = std::tuple_size_v<Cell>;
  Point x[kNodes];
  for (std::size_t n = 0; n < kNodes; ++n) x[n] = to_double(mesh.vertices[cell[n]]);
  Matrix k(int(3 * kNodes));
  if constexpr (kNodes == 4)
    add_point(k, tetrahedron(x), mu, lambda);
  else
    for (int point = 0; point < 8; ++point) add_point(k, hexahedron(x, point), mu, lambda);
  return k;
}

bool spans_a_plane(const std::vector<Point>& points) {
  double largest = 0, area = 0;
  Point far = {};
  for (const Point& p : points)
    if (dot(p - points[0], p - points[0]) > largest) far = p - points[0], largest = dot(far, far);
  for (const Point& p : points) area = std::max(area, length(cross(far, p - points[0])));
  return area > 1e-6 * largest;
}

}  // namespace

MeshStiffness::MeshStiffness(const SoftBody& body, double young, double poisson) {
  const double mu = young / (2 * (1 + poisson));
  const double lambda = young * poisson / ((1 + poisson) * (1 - 2 * poisson));
  std::vector<Point> x;
  for (const Vec3& v : vertices_of(body.mesh)) x.push_back(to_double(v));
  std::vector<Point> pinned;
  for (const Index pin : body.pins) pinned.push_back(x[pin]);
  held_ = !pinned.empty();
  if (held_ && !spans_a_plane(pinned))
    throw Error(
        "fit: pins let the body turn; hold three vertices that are not in one line, or none");
  std::vector<MatrixEntry<double>> entries;
  std::visit(
      [&]<class Cell>(const Mesh<Cell>& mesh) {
        if constexpr (std::tuple_size_v<Cell> == 4 || std::tuple_size_v<Cell> == 8) {
          const std::vector<Real> masses = lumped_masses(mesh, body.density);
          mass_.assign(masses.begin(), masses.end());
          inverse_mass_.assign(mass_.size(), 0);
          for (std::size_t i = 0; i < mass_.size(); ++i)
            inverse_mass_[i] = mass_[i] > 0 ? 1 / mass_[i] : 0;
          for (const Index pin : body.pins) inverse_mass_[pin] = 0;
          for (const Cell& cell : mesh.cells) {
            const Matrix k = cell_stiffness(mesh, cell, mu, lambda);
            cell_norm_ += norm(k) / double(mesh.cells.size());
            for (int i = 0; i < k.size(); ++i)
              for (int j = 0; j <= i; ++j) {
                const Index a = cell[std::size_t(i / 3)], b = cell[std::size_t(j / 3)];
                if (inverse_mass_[a] > 0 && inverse_mass_[b] > 0)
                  entries.push_back({int(3 * a) + i % 3, int(3 * b) + j % 3, k(i, j)});
              }
          }
        } else {
          throw Error("fit: mesh is not solid; give tetrahedra or hexahedra");
        }
      },
      body.mesh);
  // Pins get a one on the diagonal. Without pins, a share of the masses makes the matrix regular:
  // loads without rigid motions do not notice.
  constexpr double kShift = 1e-10;
  const double mean_mass = [&] {
    double sum = 0;
    for (const double m : mass_) sum += m;
    return sum / double(mass_.size());
  }();
  for (std::size_t i = 0; i < mass_.size(); ++i)
    for (int axis = 0; axis < 3; ++axis) {
      const int row = int(3 * i) + axis;
      if (inverse_mass_[i] == 0)
        entries.push_back({row, row, cell_norm_});
      else if (!held_)
        entries.push_back({row, row, kShift * cell_norm_ * mass_[i] / mean_mass});
    }
  const SparseSymmetric<double> matrix = assemble(int(3 * mass_.size()), std::move(entries));
  factor_.analyse(matrix);
  if (factor_.factor(matrix))
    throw Error(
        "fit: the stiffness matrix is singular; is poisson too close to -1 or 0.5, or a part of "
        "the mesh without pins?");
  if (!held_)
    for (int mode = 0; mode < 6; ++mode) {
      Vector v;
      for (const Point& p : x) {
        Point axis{};
        axis[mode % 3] = 1;
        const Point at = mode < 3 ? axis : cross(axis, p - x[0]);
        v.insert(v.end(), {at.x, at.y, at.z});
      }
      remove_rigid(v);
      double square = 0;
      for (std::size_t i = 0; i < v.size(); ++i) square += v[i] * v[i] * mass_[i / 3];
      for (double& value : v) value /= std::sqrt(square);
      rigid_.push_back(std::move(v));
    }
}

void MeshStiffness::remove_rigid(Vector& u) const {
  for (const Vector& mode : rigid_) {
    double along = 0;
    for (std::size_t i = 0; i < u.size(); ++i) along += u[i] * mode[i] * mass_[i / 3];
    for (std::size_t i = 0; i < u.size(); ++i) u[i] -= along * mode[i];
  }
}

Vector MeshStiffness::solve(const Vector& force) {
  std::vector<Row4<double>> rows(force.size());
  for (std::size_t i = 0; i < force.size(); ++i)
    rows[i] = {inverse_mass_[i / 3] > 0 ? force[i] : 0, 0, 0, 0};
  factor_.solve(rows.data(), rows.data());
  Vector u(force.size());
  for (std::size_t i = 0; i < u.size(); ++i) u[i] = rows[i].x;
  remove_rigid(u);
  return u;
}

}  // namespace sinew::fit
