#include "variational/hourglass_energy.h"

#include "math/polar_rotation.h"

namespace sinew {
namespace {

using W = Wide;

constexpr Real kEighth = Real(0.125);
// Of G, which is 2 I at rest: below this, an element is as good as inside out.
constexpr Real kLeastPivot = Real(0.05);

// The axial vector of B − Bᵀ, and its transpose: contract(B, skew(w)) = axial(B)·w.
SINEW_INLINE Vec3T<W> axial(const Mat3T<W>& b) {
  return {b(2, 1) - b(1, 2), b(0, 2) - b(2, 0), b(1, 0) - b(0, 1)};
}
SINEW_INLINE Mat3T<W> skew(const Vec3T<W>& w) {
  const W none(Real(0));
  return {{{none, w.z, -w.y}, {-w.z, none, w.x}, {w.y, -w.x, none}}};
}

}  // namespace

// Amplitudes, and edges by their length at rest; of positions, or of a motion.
struct HourglassEnergy::Shape {
  Mat3T<W> edges;  // F
  Vec3T<W> q[4];

  SINEW_INLINE Shape(const Pack& e, const Vec3T<W> (&x)[8]) {
    const HexModes<W> m = to_modes(x);
    for (int i = 0; i < 4; ++i) {
      q[i] = m.hourglass[i];
      for (int k = 0; k < 3; ++k) q[i] -= m.edge[k] * e.skew[i][k];
      q[i] *= W(kEighth);
    }
    for (int k = 0; k < 3; ++k) edges.c[k] = m.edge[k] * (e.assumed.inverse_half[k] * W(kEighth));
  }
  // From the origin of the first corner, which far from the world's is more exact.
  SINEW_INLINE static Shape at(const Pack& e, const Row4<Real>* rows) {
    Vec3T<W> x[8];
    gather_places<8, W>(rows, e.node, x);
    for (int n = 1; n < 8; ++n) x[n] -= x[0];
    x[0] = {W(Real(0)), W(Real(0)), W(Real(0))};
    return Shape(e, x);
  }
  // What forces on F and q do to the corners.
  SINEW_INLINE static void to_corner_forces(const Pack& e, const Mat3T<W>& on_edges,
                                            const Vec3T<W> (&on_q)[4], Vec3T<W> (&force)[8]) {
    Vec3T<W> edge[3], hourglass[4];
    for (int i = 0; i < 4; ++i) hourglass[i] = on_q[i] * W(kEighth);
    for (int k = 0; k < 3; ++k) {
      edge[k] = on_edges.c[k] * (e.assumed.inverse_half[k] * W(kEighth));
      for (int i = 0; i < 4; ++i) edge[k] -= hourglass[i] * e.skew[i][k];
    }
    to_corners(edge, hourglass, force);
  }
};

// The frame of assumed strains, and the amplitudes and forces in it.
struct HourglassEnergy::Turning {
  Mat3T<W> r, s;  // F = R S
  rotation_detail::Definite3<W> g;
  Vec3T<W> q[4], f[4];
  Vec3T<W> w;  // G⁻¹ Σ q̂ × f̂

  SINEW_INLINE Turning(const Pack& e, const ElasticModuli<W>& moduli, const Shape& shape)
      : r(PolarRotation<W>::of(shape.edges).rotation),
        s(transpose(r) * shape.edges),
        g(stiffness(s), W(kLeastPivot)) {
    for (int i = 0; i < 4; ++i) q[i] = transpose(r) * shape.q[i];
    e.assumed.forces(moduli, q, f);
    w = g.solve(torque(q, f));
  }
  SINEW_INLINE static Vec3T<W> torque(const Vec3T<W> (&q)[4], const Vec3T<W> (&f)[4]) {
    Vec3T<W> sum = cross(q[0], f[0]);
    for (int i = 1; i < 4; ++i) sum += cross(q[i], f[i]);
    return sum;
  }
  // G = tr(S) I − S
  SINEW_INLINE static Sym3T<W> stiffness(const Mat3T<W>& s) {
    const auto off = [&](int i, int j) { return (s(i, j) + s(j, i)) * W(Real(-0.5)); };
    return {s(1, 1) + s(2, 2), off(0, 1), off(0, 2),
            s(0, 0) + s(2, 2), off(1, 2), s(0, 0) + s(1, 1)};
  }
};

HourglassEnergy::HourglassEnergy(const HexMesh& mesh, const std::vector<HexRest>& rests,
                                 bool assumed, double lame_mu, double lame_lambda,
                                 std::span<const Real> factors)
    : assumed_(assumed), moduli_(ElasticModuli<W>::from(lame_mu, lame_lambda)) {
  packs_ =
      ColouredPacks<Pack>(mesh.cells, mesh.vertices.size(), [&](Pack& e, int lane, Index cell) {
        const HexRest& rest = rests[cell];
        AssumedStrainControl<W>::set(e.assumed, lane, rest);
        LaplacianControl<W>::set(e.laplacian, lane, rest);
        for (int i = 0; i < 4; ++i) set_lane(e.skew[i], lane, rest.skew[i]);
        set_lane(e.volume, lane, Real(rest.volume * stiffness_factor(factors, cell)));
        set_lane(e.inverse_det, lane, Real(determinant(rest.inverse)));
      });
}

W HourglassEnergy::laplacian_stiffness(const Pack& e) const {
  const W unfolding = e.unfolding.share * W(kUnfoldingStiffness);
  return moduli_.shear * (assumed_ ? unfolding : W(Real(1)) + unfolding);
}
W HourglassEnergy::assumed_share(const Pack& e) const {
  return assumed_ ? W(Real(1)) - e.unfolding.share : W(Real(0));
}

void HourglassEnergy::begin_step(const Row4<Real>* x, Real h) {
  for (Pack& e : packs_.packs()) {
    const Shape shape = Shape::at(e, x);
    const W strain2 = e.laplacian.strain2(shape.q);
    if (!e.unfolding.may_change(strain2)) continue;
    Mat3T<W> edges;
    for (int k = 0; k < 3; ++k)
      edges.c[k] = shape.edges.c[k] * (W(Real(1)) / max(e.assumed.inverse_half[k], W(Real(1e-20))));
    const W least = least_corner(edges, shape.q) * e.inverse_det;
    e.unfolding.follow(strain2, least, h);
    // At once: steps are long, and what is folded has no frame.
    e.unfolding.share = select(least < W(Real(0)), W(Real(1)), e.unfolding.share);
  }
}

double HourglassEnergy::add_pack(const Pack& e, const Row4<Real>* x, Row4<Real>* gradient) const {
  const Shape shape = Shape::at(e, x);
  const W share = assumed_share(e) * e.volume, laplacian = laplacian_stiffness(e) * e.volume;
  Mat3T<W> on_edges = {};
  Vec3T<W> on_q[4] = {};
  if (any(laplacian > W(Real(0))))
    e.laplacian.forces({W(Real(0)), laplacian, W(Real(0))}, shape.q, on_q);
  if (any(share > W(Real(0)))) {
    const Turning t(e, moduli_, shape);
    for (int i = 0; i < 4; ++i) on_q[i] += t.r * (t.f[i] * share);
    on_edges = t.r * skew(t.w * -share);
  }
  W energy(Real(0));  // quadratic in q, whatever the frame
  for (int i = 0; i < 4; ++i) energy += dot(shape.q[i], on_q[i]) * W(Real(0.5));
  if (gradient) {
    Vec3T<W> force[8];
    Shape::to_corner_forces(e, on_edges, on_q, force);
    add_to_nodes<8, W>(gradient, e.node, force);
  }
  return sum(energy, e.count);
}

double HourglassEnergy::add_gradient(const Row4<Real>* x, Row4<Real>* gradient,
                                     Executor& executor) {
  struct Shared {
    const HourglassEnergy* term;
    const Row4<Real>* x;
    Row4<Real>* gradient;
  };
  return sums_.over(packs_, executor, Shared{this, x, gradient},
                    [](Pack& e, const Shared& s) { return s.term->add_pack(e, s.x, s.gradient); });
}

double HourglassEnergy::energy(const Row4<Real>* x) const {
  double total = 0;
  for (const Pack& e : packs_.packs()) total += add_pack(e, x, nullptr);
  return total;
}

namespace {

// γᵢ of every corner.
template <class Pack>
void shapes_of(const Pack& e, W (&gamma)[4][8]) {
  for (int n = 0; n < 8; ++n) {
    Real x[8] = {}, middle, edge[3], hourglass[4];
    x[n] = kEighth;
    to_modes(x, middle, edge, hourglass);
    for (int i = 0; i < 4; ++i) {
      gamma[i][n] = W(hourglass[i]);
      for (int k = 0; k < 3; ++k) gamma[i][n] -= W(edge[k]) * e.skew[i][k];
    }
  }
}

}  // namespace

// Of assumed strains the mean of what a mode resists along the three axes.
void HourglassEnergy::add_metric(MetricEntries& entries) const {
  for (const Pack& e : packs_.packs()) {
    W gamma[4][8], m[4][4];
    shapes_of(e, gamma);
    for (int i = 0; i < 4; ++i)
      for (int j = 0; j < 4; ++j) {
        m[i][j] = assumed_ ? W(Real(0)) : W(Real(2)) * moduli_.shear * e.laplacian.matrix[i][j];
        for (int k = 0; assumed_ && i == j && k < 3; ++k) {
          Vec3T<W> q[4] = {}, f[4];
          q[i][k] = W(Real(1));
          e.assumed.forces(moduli_, q, f);
          m[i][i] += f[i][k] * W(Real(1.0 / 3));
        }
      }
    for (int a = 0; a < 8; ++a)
      for (int b = 0; b <= a; ++b) {
        W value(Real(0));
        for (int i = 0; i < 4; ++i)
          for (int j = 0; j < 4; ++j) value += gamma[i][a] * m[i][j] * gamma[j][b];
        value *= e.volume;
        for (int k = 0; k < e.count; ++k)
          entries.push_back({static_cast<int>(e.node[a][k]), static_cast<int>(e.node[b][k]),
                             double(lane(value, k))});
      }
  }
}

// Column by column: how the forces change when one corner moves along one axis. With δ for that
// change, ω the turn of the frame and f̂, w as above,
//   δq̂ = Rᵀδq − ω × q̂,   δf̂ = C δq̂,   δ(R f̂) = R (ω × f̂ + δf̂),
//   δw = G⁻¹ (Σ (δq̂ × f̂ + q̂ × δf̂) − δG w),   δ(R [w]ₓ) = R ([ω]ₓ[w]ₓ + [δw]ₓ).
// Without the second derivatives of q̂, what is left is Dᵀ C D with D that of q̂, never negative.
void HourglassEnergy::add_assumed_blocks(const Pack& e, const Shape& shape, bool projected,
                                         ElementBlocks<8, W>& blocks) const {
  const Turning t(e, moduli_, shape);
  const W share = assumed_share(e) * e.volume;
  for (int corner = 0; corner < 8; ++corner)
    for (int axis = 0; axis < 3; ++axis) {
      Vec3T<W> x[8] = {};
      x[corner][axis] = W(Real(1));
      const Shape motion(e, x);
      const Mat3T<W> local = transpose(t.r) * motion.edges;
      const Vec3T<W> turn = t.g.solve(axial(local));
      Vec3T<W> dq[4], df[4], on_q[4], force[8];
      for (int i = 0; i < 4; ++i) dq[i] = transpose(t.r) * motion.q[i] - cross(turn, t.q[i]);
      e.assumed.forces(moduli_, dq, df);
      Vec3T<W> torque = Turning::torque(t.q, df);
      Mat3T<W> on_edges = {};
      for (int i = 0; i < 4; ++i) on_q[i] = df[i];
      if (!projected) {
        torque += Turning::torque(dq, t.f);
        torque -= Turning::stiffness(local - skew(turn) * t.s) * t.w;
        on_edges = skew(turn) * skew(t.w);
        for (int i = 0; i < 4; ++i) on_q[i] += cross(turn, t.f[i]);
      }
      on_edges = t.r * (on_edges + skew(t.g.solve(torque))) * -share;
      for (int i = 0; i < 4; ++i) on_q[i] = t.r * (on_q[i] * share);
      Shape::to_corner_forces(e, on_edges, on_q, force);
      for (int n = corner; n < 8; ++n) blocks.block[n][corner].c[axis] += force[n];
    }
}

void HourglassEnergy::add_hessian(const Row4<Real>* x, bool projected,
                                  BlockSymmetric& hessian) const {
  for (const Pack& e : packs_.packs()) {
    ElementBlocks<8, W> blocks;
    if (any(assumed_share(e) > W(Real(0))))
      add_assumed_blocks(e, Shape::at(e, x), projected, blocks);
    const W laplacian = laplacian_stiffness(e) * e.volume * W(Real(2));
    if (any(laplacian > W(Real(0)))) {
      W gamma[4][8];
      shapes_of(e, gamma);
      for (int a = 0; a < 8; ++a)
        for (int b = 0; b <= a; ++b) {
          W value(Real(0));
          for (int i = 0; i < 4; ++i)
            for (int j = 0; j < 4; ++j)
              value += gamma[i][a] * e.laplacian.matrix[i][j] * gamma[j][b];
          blocks.add_isotropic(a, b, value * laplacian);
        }
    }
    blocks.add_to(hessian, e.node, e.count);
  }
}

}  // namespace sinew
