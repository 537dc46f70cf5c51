// Tetrahedra: barycentric coordinates (Lewin §4.2.1, eq. 4.16); where the point is outside, the
// nearest of its projections onto faces and edges.
// Hexahedra: p = Θ(ξ) by Newton's method from the centre (Lewin §4.3.1, eq. 4.21–4.25), made
// safe: ‖Θ(ξ)‖², seen from p, is minimised over the unit cube by Gauss–Newton steps on the
// coordinates that are free to move, damped until they descend (Levenberg and Marquardt). Inside a
// sound cell these are Newton's steps, and outside it they end at the nearest place.
#include "geometry/nearest_in_cell.h"

#include <algorithm>
#include <cmath>

namespace sinew {
namespace {

using Vec = Vec3T<double>;
using Mat = Mat3T<double>;

template <std::size_t kCorners>
Vec place(const CornersOf<kCorners>& x, const std::array<double, kCorners>& w) {
  Vec p = x[0];
  for (std::size_t k = 1; k < kCorners; ++k) p += (x[k] - x[0]) * w[k];
  return p;
}

// Eq. 4.16, seen from corner 0.
std::array<double, 4> barycentric(const CornersOf<4>& x) {
  const Mat cof = cofactor(Mat{{x[1] - x[0], x[2] - x[0], x[3] - x[0]}});
  const double det = dot(x[1] - x[0], cof.c[0]);
  const Vec v = transpose(cof) * x[0] * (-1 / det);
  return {1 - v.x - v.y - v.z, v.x, v.y, v.z};
}

class NearestInTetrahedron {
 public:
  explicit NearestInTetrahedron(const CornersOf<4>& corners) : x_(corners) {}

  PlaceInCell<4> find() {
    const std::array<double, 4> inside = barycentric(x_);
    if (std::all_of(inside.begin(), inside.end(), [](double w) { return w >= 0; }))
      return {.weights = inside};
    best_ = {.weights = {1, 0, 0, 0}, .distance2 = dot(x_[0], x_[0])};
    static constexpr int kFaces[4][3] = {{1, 2, 3}, {0, 2, 3}, {0, 1, 3}, {0, 1, 2}};
    for (const auto& face : kFaces) try_face(face[0], face[1], face[2]);
    for (int a = 0; a < 4; ++a)
      for (int b = a + 1; b < 4; ++b) try_edge(a, b);
    return best_;
  }

 private:
  // Faces without area are left to their edges.
  void try_face(int a, int b, int c) {
    const Vec ab = x_[b] - x_[a], ac = x_[c] - x_[a], ap = -x_[a];
    const Vec normal = cross(ab, ac);
    const double area2 = dot(normal, normal);
    const double wb = dot(cross(ap, ac), normal) / area2, wc = dot(cross(ab, ap), normal) / area2;
    if (area2 > 0 && wb >= 0 && wc >= 0 && wb + wc <= 1) {
      std::array<double, 4> w = {};
      w[a] = 1 - wb - wc, w[b] = wb, w[c] = wc;
      offer(w);
    }
  }
  void try_edge(int a, int b) {
    const Vec ab = x_[b] - x_[a];
    const double length2 = dot(ab, ab);
    if (!(length2 > 0)) return;
    std::array<double, 4> w = {};
    w[b] = std::clamp(-dot(ab, x_[a]) / length2, 0.0, 1.0);
    w[a] = 1 - w[b];
    offer(w);
  }
  void offer(const std::array<double, 4>& w) {
    const Vec gap = place(x_, w);
    if (dot(gap, gap) < best_.distance2) best_ = {.weights = w, .distance2 = dot(gap, gap)};
  }

  const CornersOf<4>& x_;
  PlaceInCell<4> best_;
};

// ξ of the corners, in VTK's order.
constexpr int kCorner[8][3] = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0},
                               {0, 0, 1}, {1, 0, 1}, {1, 1, 1}, {0, 1, 1}};

std::array<double, 8> trilinear(const Vec& xi) {
  std::array<double, 8> n;
  for (int k = 0; k < 8; ++k) {
    n[k] = 1;
    for (int axis = 0; axis < 3; ++axis) n[k] *= kCorner[k][axis] ? xi[axis] : 1 - xi[axis];
  }
  return n;
}

// ∂N/∂ξ of corner k.
Vec trilinear_slope(const Vec& xi, int k) {
  Vec slope;
  for (int axis = 0; axis < 3; ++axis) {
    slope[axis] = kCorner[k][axis] ? 1 : -1;
    for (int other = 0; other < 3; ++other)
      if (other != axis) slope[axis] *= kCorner[k][other] ? xi[other] : 1 - xi[other];
  }
  return slope;
}

// Column j is ∂Θ/∂ξⱼ.
Mat jacobian(const CornersOf<8>& x, const Vec& xi) {
  Mat j;
  for (int k = 1; k < 8; ++k) {
    const Vec slope = trilinear_slope(xi, k);
    for (int axis = 0; axis < 3; ++axis) j.c[axis] += (x[k] - x[0]) * slope[axis];
  }
  return j;
}

// Minimises ‖Θ(ξ)‖² over the unit cube.
class NearestInHexahedron {
 public:
  explicit NearestInHexahedron(const CornersOf<8>& corners) : x_(corners) {
    for (const Vec& x : corners) size2_ = std::max(size2_, dot(x - corners[0], x - corners[0]));
    move_to({0.5, 0.5, 0.5});
  }

  PlaceInCell<8> find() {
    bool converged = false;
    for (int i = 0; i < kMaxIterations && !converged; ++i) converged = !descend();
    return {trilinear(xi_), is_met() ? 0 : dot(gap_, gap_), converged};
  }

 private:
  static constexpr int kMaxIterations = 60;
  static constexpr int kMaxDampings = 12;
  static constexpr double kSmallestGap = 1e-13;   // by the cell's size
  static constexpr double kSmallestStep = 1e-13;  // of ξ

  bool is_met() const { return dot(gap_, gap_) <= kSmallestGap * kSmallestGap * size2_; }

  void move_to(const Vec& xi) {
    xi_ = xi;
    gap_ = place(x_, trilinear(xi));
  }

  // One step; false when there is nothing left to gain.
  bool descend() {
    if (is_met()) return false;
    const Mat j = jacobian(x_, xi_);
    const Vec slope = transpose(j) * gap_;
    bool free[3];
    for (int axis = 0; axis < 3; ++axis)
      free[axis] = !(xi_[axis] <= 0 && slope[axis] >= 0) && !(xi_[axis] >= 1 && slope[axis] <= 0);
    double damping = 1e-15 * size2_;
    for (int i = 0; i < kMaxDampings; ++i, damping = std::max(damping * 10, 1e-4 * size2_)) {
      const Vec from = xi_, gap = gap_;
      const Vec to = inside(from - step(j, slope, free, damping));
      if (!(length(to - from) > kSmallestStep)) return false;
      move_to(to);
      if (dot(gap_, gap_) < dot(gap, gap)) return true;
      xi_ = from, gap_ = gap;
    }
    return false;
  }

  // (JᵀJ + damping)⁻¹ slope among the free coordinates.
  static Vec step(const Mat& j, const Vec& slope, const bool (&free)[3], double damping) {
    Mat normal = transpose(j) * j;
    Vec right = slope;
    for (int a = 0; a < 3; ++a) {
      normal(a, a) += damping;
      if (free[a]) continue;
      right[a] = 0;
      for (int b = 0; b < 3; ++b)
        if (b != a) normal(a, b) = normal(b, a) = 0;
    }
    return inverse(normal) * right;
  }

  static Vec inside(const Vec& xi) {
    return {std::clamp(xi.x, 0.0, 1.0), std::clamp(xi.y, 0.0, 1.0), std::clamp(xi.z, 0.0, 1.0)};
  }

  const CornersOf<8>& x_;
  Vec xi_, gap_;
  double size2_ = 1e-300;
};

}  // namespace

PlaceInCell<4> nearest_in_cell(const CornersOf<4>& corners) {
  return NearestInTetrahedron(corners).find();
}

PlaceInCell<8> nearest_in_cell(const CornersOf<8>& corners) {
  return NearestInHexahedron(corners).find();
}

std::array<double, 4> extrapolated(const CornersOf<4>& corners, const std::array<double, 4>&) {
  return barycentric(corners);
}

// To first order from the nearest place: the trilinear map itself may fold over outside the cell.
std::array<double, 8> extrapolated(const CornersOf<8>& corners,
                                   const std::array<double, 8>& nearest) {
  Vec xi;
  for (int k = 0; k < 8; ++k)
    for (int axis = 0; axis < 3; ++axis) xi[axis] += nearest[k] * kCorner[k][axis];
  const Vec beyond = inverse(jacobian(corners, xi)) * -place(corners, nearest);
  std::array<double, 8> weights = nearest;
  for (int k = 0; k < 8; ++k) weights[k] += dot(trilinear_slope(xi, k), beyond);
  return weights;
}

}  // namespace sinew
