// Hourglass control of one-point hexahedra: what resists the four hourglass modes q that the
// deformation gradient at the centre does not see (Lewin §4.3.3). Each control turns amplitudes
// into components of its own frame, gives the forces ∂E/∂q per volume on them and a bound on their
// stiffness, for the moduli of small strains.
#pragma once

#include "core/state_bytes.h"
#include "elements/hexahedron.h"
#include "math/rotation.h"

namespace sinew {

template <class T>
struct ElasticModuli {
  T young, shear, poisson;

  // From Lamé's parameters.
  static ElasticModuli from(double mu, double lambda) {
    if (!(mu > 0)) return {T(0), T(0), T(0)};
    const double young = mu * (3 * lambda + 2 * mu) / (lambda + mu);
    return {T(Real(young)), T(Real(mu)), T(Real(lambda / (2 * (lambda + mu))))};
  }
};

// Assumed strains in the co-rotated frame, after Belytschko and Bindeman, "Assumed strain
// stabilization of the eight node hexahedral element", 1993: hourglass modes get the energy of the
// deformations that they stand for. Along the element's axes, with half edges a,
//   bending    qᵢ·eⱼ (i ≠ j): a normal strain εⱼⱼ = ξₖ qᵢⱼ/aⱼ, with the one across it, εᵢᵢ = ξₖ
//   qⱼᵢ/aᵢ,
//              in plane stress, and without the shear that the shape functions add to it, which is
//              what makes fully integrated elements too stiff;
//   torsion    qᵢ·eᵢ: shears γᵢⱼ = ξₖ (qᵢᵢ/aⱼ + qⱼⱼ/aᵢ);
//   the fourth mode: normal strains and shears as the shape functions have them.
// One such element across a beam bends exactly as the beam does. The strains of qᵢⱼ with different
// stiffness along different axes are what the frame is for; the isotropic form of eq. 4.34 would
// not need it, because γ annihilates every affine motion, rotations included.
template <class T>
struct AssumedStrainControl {
  Vec3T<T> inverse_half;  // 1/a [1/m]
  QuatT<T> frame;         // the element's axes now

  static void set(AssumedStrainControl& c, int lane, const HexRest& rest) {
    if (rest.volume == 0) return set_lane(c.inverse_half, lane, Vec3T<double>{});
    set_lane(c.inverse_half, lane,
             Vec3T<double>{1 / rest.half_size.x, 1 / rest.half_size.y, 1 / rest.half_size.z});
    set_lane(c.frame, lane, rest.frame);
  }

  void visit_state(StateBytes& state) { state(frame); }
  // Follows the directions of the edges.
  SINEW_INLINE void track(const Vec3T<T> (&edge)[3]) {
    frame = RotationTracker::update(
        Mat3T<T>{{edge[0] * inverse_half.x, edge[1] * inverse_half.y, edge[2] * inverse_half.z}},
        frame);
  }
  SINEW_INLINE void to_local(Vec3T<T> (&q)[4]) const {
    const Mat3T<T> axes = transpose(frame.matrix());
    for (Vec3T<T>& v : q) v = axes * v;
  }
  SINEW_INLINE void to_world(Vec3T<T> (&q)[4]) const {
    const Mat3T<T> axes = frame.matrix();
    for (Vec3T<T>& v : q) v = axes * v;
  }

  SINEW_INLINE void forces(const ElasticModuli<T>& m, const Vec3T<T> (&q)[4],
                           Vec3T<T> (&f)[4]) const {
    const Vec3T<T>& r = inverse_half;
    const T third = T(Real(1.0 / 3));
    const T plane = m.young * third / (T(1) - m.poisson * m.poisson), shear = m.shear * third;
    for (int k = 0; k < 3; ++k) {
      const int i = (k + 1) % 3, j = (k + 2) % 3;
      const T a = q[i][j] * r[j], b = q[j][i] * r[i];
      f[i][j] = plane * (a + m.poisson * b) * r[j];
      f[j][i] = plane * (b + m.poisson * a) * r[i];
    }
    const T s01 = shear * (q[0].x * r.y + q[1].y * r.x);
    const T s02 = shear * (q[0].x * r.z + q[2].z * r.x);
    const T s12 = shear * (q[1].y * r.z + q[2].z * r.y);
    f[0].x = s01 * r.y + s02 * r.z;
    f[1].y = s01 * r.x + s12 * r.z;
    f[2].z = s02 * r.x + s12 * r.y;
    const Vec3T<T> fourth = fourth_stiffness(m);
    f[3] = {fourth.x * q[3].x, fourth.y * q[3].y, fourth.z * q[3].z};
  }

  // The mean of ‖F(ξ) − F₀‖², of amplitudes along any axes.
  SINEW_INLINE T strain2(const Vec3T<T> (&q)[4]) const {
    T m[4], sum(Real(0));
    laplacian(m);
    for (int i = 0; i < 4; ++i) sum = sum + dot(q[i], q[i]) * m[i];
    return sum;
  }
  // Forces of the energy stiffness·strain2, and a bound on their stiffness.
  SINEW_INLINE void add_laplacian(const T& stiffness, const Vec3T<T> (&q)[4], Vec3T<T> (&f)[4],
                                  Vec3T<T> (&b)[4]) const {
    T m[4];
    laplacian(m);
    for (int i = 0; i < 4; ++i) {
      const T k = T(2) * stiffness * m[i];
      f[i] += q[i] * k;
      b[i] += Vec3T<T>{k, k, k};
    }
  }

  // A diagonal that is nowhere below the stiffness: a² + b² + 2ν ab ≤ (1 + |ν|)(a² + b²), and
  // (a + b)² ≤ 2 (a² + b²).
  SINEW_INLINE void bounds(const ElasticModuli<T>& m, Vec3T<T> (&b)[4]) const {
    const Vec3T<T> r2 = squares();
    const T third = T(Real(1.0 / 3));
    const T plane = m.young * third / (T(1) - abs(m.poisson)), shear = m.shear * T(2) * third;
    const Vec3T<T> bending = r2 * plane;
    b[0] = {shear * (r2.y + r2.z), bending.y, bending.z};
    b[1] = {bending.x, shear * (r2.x + r2.z), bending.z};
    b[2] = {bending.x, bending.y, shear * (r2.x + r2.y)};
    b[3] = fourth_stiffness(m);
  }

 private:
  SINEW_INLINE Vec3T<T> squares() const {
    return {inverse_half.x * inverse_half.x, inverse_half.y * inverse_half.y,
            inverse_half.z * inverse_half.z};
  }
  SINEW_INLINE void laplacian(T (&m)[4]) const {
    const Vec3T<T> r2 = squares();
    const T all = r2.x + r2.y + r2.z;
    for (int i = 0; i < 3; ++i) m[i] = (all - r2[i]) * T(Real(1.0 / 3));
    m[3] = all * T(Real(1.0 / 9));
  }
  SINEW_INLINE Vec3T<T> fourth_stiffness(const ElasticModuli<T>& m) const {
    const Vec3T<T> r2 = squares();
    const T ninth = T(Real(1.0 / 9));
    const T young = m.young * ninth, shear = m.shear * ninth;
    return {young * r2.x + shear * (r2.y + r2.z), young * r2.y + shear * (r2.x + r2.z),
            young * r2.z + shear * (r2.x + r2.y)};
  }
};

// The shear energy of the strains that differ from the centre's, E = μ Σ V ‖F(ξ) − F₀‖² =
// μ Σᵢⱼ Mᵢⱼ qᵢ·qⱼ. With M summed over the Gauss points this is selective reduced integration: the
// Laplacian μ‖F‖² in full, the rest at the centre. With M = c V I/a² it is the perturbation method
// of eq. 4.34, C = c μ/a²; with M = 0, no control at all. It does not change with rotation, so it
// needs no frame.
template <class T>
struct LaplacianControl {
  T matrix[4][4];  // M by volume [1/m²]

  static void set(LaplacianControl& c, int lane, const HexRest& rest) {
    for (int i = 0; i < 4; ++i)
      for (int j = 0; j < 4; ++j)
        set_lane(c.matrix[i][j], lane,
                 rest.volume == 0 ? Real(0) : Real(rest.laplacian[i][j] / rest.volume));
  }
  void visit_state(StateBytes&) {}
  SINEW_INLINE void track(const Vec3T<T> (&)[3]) {}
  SINEW_INLINE void to_local(Vec3T<T> (&)[4]) const {}
  SINEW_INLINE void to_world(Vec3T<T> (&)[4]) const {}

  // The mean of ‖F(ξ) − F₀‖².
  SINEW_INLINE T strain2(const Vec3T<T> (&q)[4]) const {
    T sum(Real(0));
    for (int i = 0; i < 4; ++i) sum = sum + dot(q[i], product(q, i));
    return sum;
  }
  SINEW_INLINE void add_laplacian(const T& stiffness, const Vec3T<T> (&q)[4], Vec3T<T> (&f)[4],
                                  Vec3T<T> (&b)[4]) const {
    const T twice = T(2) * stiffness;
    for (int i = 0; i < 4; ++i) {
      f[i] += product(q, i) * twice;
      const T k = row_bound(i) * twice;
      b[i] += Vec3T<T>{k, k, k};
    }
  }
  SINEW_INLINE void forces(const ElasticModuli<T>& m, const Vec3T<T> (&q)[4],
                           Vec3T<T> (&f)[4]) const {
    const T twice = m.shear * T(2);
    for (int i = 0; i < 4; ++i) f[i] = product(q, i) * twice;
  }
  SINEW_INLINE void bounds(const ElasticModuli<T>& m, Vec3T<T> (&b)[4]) const {
    const T twice = m.shear * T(2);
    for (int i = 0; i < 4; ++i) {
      const T k = row_bound(i) * twice;
      b[i] = {k, k, k};
    }
  }

 private:
  SINEW_INLINE Vec3T<T> product(const Vec3T<T> (&q)[4], int i) const {
    Vec3T<T> sum = q[0] * matrix[i][0];
    for (int j = 1; j < 4; ++j) sum += q[j] * matrix[i][j];
    return sum;
  }
  SINEW_INLINE T row_bound(int i) const {
    T row = abs(matrix[i][0]);
    for (int j = 1; j < 4; ++j) row = row + abs(matrix[i][j]);
    return row;
  }
};

}  // namespace sinew
