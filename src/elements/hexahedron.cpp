#include "elements/hexahedron.h"

#include "math/rotation.h"

namespace sinew {
namespace {

using Vec = Vec3T<double>;
using Mat = Mat3T<double>;

// ∂X/∂ξ at a point.
Mat jacobian(const HexModes<double>& m, const std::array<double, 3>& p) {
  const std::array<Vec, 4> gradient = hourglass_gradients(p);
  Mat j;
  for (int k = 0; k < 3; ++k) {
    j.c[k] = m.edge[k];
    for (int i = 0; i < 4; ++i) j.c[k] += m.hourglass[i] * gradient[i][k];
    j.c[k] *= 0.125;
  }
  return j;
}

// The upper triangular U of UᵀU = m, for a positive definite m.
Mat cholesky(const Mat& m) {
  Mat u{};
  for (int i = 0; i < 3; ++i)
    for (int j = i; j < 3; ++j) {
      double rest = m(i, j);
      for (int k = 0; k < i; ++k) rest -= u(k, i) * u(k, j);
      u(i, j) = i == j ? std::sqrt(rest) : rest / u(i, i);
    }
  return u;
}

Mat spread_of(const HexRest& rest) {
  Mat affine = Mat::identity(), sum{};
  for (int i = 0; i < 4; ++i)
    for (int k = 0; k < 3; ++k) {
      affine.c[k] -= rest.skew[i] * rest.mean[i][k];
      sum.c[k] += rest.mean[i] * rest.mean[i][k];
    }
  return cholesky(transpose(affine) * affine + sum);
}

}  // namespace

HexRest rest_hexahedron(const Vec (&x)[8]) {
  HexRest rest;
  const HexModes<double> m = to_modes(x);
  const Mat j = jacobian(m, {0, 0, 0});
  const double det = determinant(j), size = std::sqrt(contract(j, j));
  if (!(std::abs(det) > 1e-5 * size * size * size)) return rest;
  rest.inverse = inverse(j);
  for (int k = 0; k < 3; ++k) rest.half_size[k] = length(j.c[k]);
  for (int i = 0; i < 4; ++i) rest.skew[i] = rest.inverse * m.hourglass[i] * 0.125;
  // Of the directions of the edges, not of their lengths: a long cell has the same axes.
  rest.frame = rotation_of(
      Mat{{j.c[0] / rest.half_size.x, j.c[1] / rest.half_size.y, j.c[2] / rest.half_size.z}});
  Vec gradient[8][4], mean[4] = {};  // ∇(mode), and its mean
  for (int q = 0; q < 8; ++q) {
    // A corner may be so distorted that the map folds over there; it then has the stiffness of the
    // middle, which is better than none.
    const Mat at = jacobian(m, gauss_point(q));
    const double det_at = determinant(at);
    const bool folded = !(det_at > 1e-3 * det);
    rest.point_folded[q] = folded;
    rest.point_inverse[q] = folded ? rest.inverse : inverse(at);
    rest.point_volume[q] = folded ? 1e-3 * det : det_at;
    rest.volume += rest.point_volume[q];
    const std::array<Vec, 4> local = hourglass_gradients(gauss_point(q));
    for (int i = 0; i < 4; ++i) {
      gradient[q][i] = transpose(rest.point_inverse[q]) * local[i];
      mean[i] += gradient[q][i] * rest.point_volume[q];
    }
  }
  for (int i = 0; i < 4; ++i) {
    mean[i] *= 1 / rest.volume;
    rest.mean[i] = transpose(j) * mean[i];
  }
  rest.spread = spread_of(rest);
  for (int q = 0; q < 8; ++q)
    for (int i = 0; i < 4; ++i)
      for (int k = 0; k < 4; ++k)
        rest.laplacian[i][k] +=
            rest.point_volume[q] * dot(gradient[q][i] - mean[i], gradient[q][k] - mean[k]);
  return rest;
}

}  // namespace sinew
