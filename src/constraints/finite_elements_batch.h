// Position-based finite elements (Lewin §5.3, Algorithms 2 and 3). Per element, three
// constraints
//   shape      C = ‖F − R‖               ∂C/∂F = (F − R)/C
//   hourglass  C = ‖q‖, all amplitudes    ∂C/∂qᵢ = qᵢ/C
//   volume     C = det F − 1              ∂C/∂F = cof F        or  C = tr(RᵀF) − 3, ∂C/∂F = R
// are solved one after the other, each at the positions that the one before it left,
//   Δxₙ = −k' C wₙ fₙ / Σ w |f|²,       fₙ = ∂C/∂xₙ.
// That is for the volume, a constraint of one value. A step along the gradient of a norm overshoots
// in some of its values what it misses in others, by the ratio of the eigenvalues of K below, and
// what overshoots by more than a third gains energy from substep to substep: tetrahedra shook
// themselves to pieces. The shape is therefore moved as a whole, and of the hourglass modes none
// further than it should. R is followed at every visit: towards one that is older than the
// positions, rigid bodies gained energy, too. Damping acts on velocities (element_brake.h).
#pragma once

#include <sinew/constraints/finite_elements.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "constraints/element_brake.h"
#include "elements/hexahedron.h"
#include "elements/tetrahedron.h"
#include "math/sym3.h"
#include "solvers/coloured_packs.h"

namespace sinew {

// What the constraints need of a tetrahedron …
struct TetrahedronShape {
  using Cell = Tetrahedron;
  static constexpr int kNodes = 4;
  static constexpr bool kHourglass = false;

  template <class W>
  struct Rest {
    TetrahedronElement::Rest<W> element;
  };
  template <class W>
  static void set(Rest<W>& rest, int lane, const Vec3T<double> (&x)[4]) {
    const auto r = TetrahedronElement::rest(x);
    set_lane(rest.element.inverse, lane, r.inverse);
    set_lane(rest.element.volume, lane, Real(r.volume));
  }
  template <class W>
  SINEW_INLINE static W volume(const Rest<W>& rest) {
    return rest.element.volume;
  }
  template <class W>
  SINEW_INLINE static Mat3T<W> gradient(const Rest<W>& rest, const Vec3T<W> (&x)[4]) {
    return TetrahedronElement::deformation_gradient(rest.element, x);
  }
  template <class W>
  SINEW_INLINE static void forces(const Rest<W>& rest, const Mat3T<W>& a, Vec3T<W> (&f)[4]) {
    TetrahedronElement::node_forces(rest.element, a, f);
  }
};

// … and of a hexahedron, at its centre. kSkewed: some are no parallelepipeds.
template <bool kSkewed>
struct HexahedronShape {
  using Cell = Hexahedron;
  static constexpr int kNodes = 8;
  static constexpr bool kHourglass = true;

  template <class W>
  struct Rest {
    Mat3T<W> inverse;  // ⅛ J₀⁻¹
    W volume;
    [[no_unique_address]] std::conditional_t<kSkewed, std::array<Vec3T<W>, 4>, std::array<W, 0>>
        skew;
  };
  template <class W>
  static void set(Rest<W>& rest, int lane, const Vec3T<double> (&x)[8]) {
    const HexRest r = rest_hexahedron(x);
    set_lane(rest.inverse, lane, r.inverse * 0.125);
    set_lane(rest.volume, lane, Real(r.volume));
    if constexpr (kSkewed)
      for (int i = 0; i < 4; ++i) set_lane(rest.skew[i], lane, r.skew[i]);
  }
  template <class W>
  SINEW_INLINE static W volume(const Rest<W>& rest) {
    return rest.volume;
  }
  template <class W>
  SINEW_INLINE static Mat3T<W> gradient(const Rest<W>& rest, const Vec3T<W> (&x)[8]) {
    const HexModes<W> m = to_modes(x);
    return Mat3T<W>{{m.edge[0], m.edge[1], m.edge[2]}} * rest.inverse;
  }
  template <class W>
  SINEW_INLINE static void forces(const Rest<W>& rest, const Mat3T<W>& a, Vec3T<W> (&f)[8]) {
    const Vec3T<W> none[4] = {};
    Vec3T<W> edge[3];
    for (int k = 0; k < 3; ++k)
      edge[k] =
          a.c[0] * rest.inverse(k, 0) + a.c[1] * rest.inverse(k, 1) + a.c[2] * rest.inverse(k, 2);
    to_corners(edge, none, f);
  }
  // ‖8q‖ and its gradient times that norm.
  template <class W>
  SINEW_INLINE static W hourglass(const Rest<W>& rest, const Vec3T<W> (&x)[8], Vec3T<W> (&f)[8]) {
    const HexModes<W> m = to_modes(x);
    Vec3T<W> q[4], edge[3] = {};
    W norm2(0);
    for (int i = 0; i < 4; ++i) {
      q[i] = m.hourglass[i];
      if constexpr (kSkewed)
        for (int k = 0; k < 3; ++k) q[i] -= m.edge[k] * rest.skew[i][k];
      norm2 = norm2 + dot(q[i], q[i]);
    }
    if constexpr (kSkewed)
      for (int k = 0; k < 3; ++k)
        for (int i = 0; i < 4; ++i) edge[k] -= q[i] * rest.skew[i][k];
    to_corners(edge, q, f);
    return norm2;
  }
};

template <class Shape, class Rotation, class W>
class FiniteElementsBatch final : public Batch {
 public:
  static constexpr int kNodes = Shape::kNodes;
  static constexpr int kLanesHere = kWidth<W>;

  FiniteElementsBatch(const Mesh<typename Shape::Cell>& mesh, const FiniteElements& definition,
                      const Rotation& rotation = {})
      : definition_(definition), method_(rotation) {
    packs_ = ColouredPacks<ElementPack>(mesh.cells, mesh.vertices.size(),
                                        [&](ElementPack& e, int lane, Index cell) {
                                          Vec3T<double> x[kNodes];
                                          for (int n = 0; n < kNodes; ++n)
                                            x[n] = to_double(mesh.vertices[mesh.cells[cell][n]]);
                                          Shape::set(e.rest, lane, x);
                                        });
  }

  void predict(const Substep& substep) override {
    packs_.for_each(substep, method_.cold(), [](ElementPack& e, bool cold, const Substep& s) {
      Vec3T<W> x[kNodes];
      gather_seen_from_first<W>(s.start, e.node, x);
      e.start.set(x);
      if (cold) e.rotation = {};
    });
  }

  void solve(const Substep& substep) override {
    const auto step = [&](Real k) {
      return Real(1 - std::pow(1 - double(k), 1.0 / substep.iterations));
    };
    const Steps steps{step(definition_.shape), step(definition_.hourglass),
                      step(definition_.volume), definition_.measure, method_};
    packs_.for_each(substep, steps,
                    [](ElementPack& e, const Steps& k, const Substep& s) { solve_pack(e, k, s); });
  }

  void damp(const Substep& substep) override {
    const double k = std::max(definition_.shape, definition_.volume);
    packs_.for_each(substep, Real(viscous_share(k, substep.damping / substep.h)),
                    [](ElementPack& e, Real share, const Substep& s) {
                      Rows4<W> u[kNodes];
                      Vec3T<W> before[kNodes];
                      gather_nodes<W>(s.displacement, e.node, u);
                      e.start.get(before);
                      brake(before, W(share), u);
                      for (int n = 0; n < kNodes; ++n) scatter<W>(s.displacement, e.node[n], u[n]);
                    });
  }

  void extrapolate(Real, bool) override {}  // it has no multipliers
  double energy(const Places&) const override { return 0; }
  int count() const override { return packs_.count(); }
  void visit_state(StateBytes& state) override {
    for (ElementPack& e : packs_.packs()) state(e.rotation);
  }

 private:
  struct ElementPack {
    Index node[kNodes][kLanesHere];
    typename Shape::template Rest<W> rest;
    QuatT<W> rotation;
    StartShape<W, kNodes> start;
    int count;
  };
  struct Steps {
    Real shape, hourglass, volume;  // k' of each
    VolumeMeasure measure;
    [[no_unique_address]] Rotation rotation;
  };

  SINEW_INLINE static Mat3T<W> gradient(const ElementPack& e, const Rows4<W> (&p)[kNodes]) {
    Vec3T<W> x[kNodes];
    e.start.moved(p, x);
    return Shape::gradient(e.rest, x);
  }

  // x ← x − s w f with s = k C/Σ w|f|², which is zero where f is.
  SINEW_INLINE static void project(const W& kc, const Vec3T<W> (&f)[kNodes],
                                   Rows4<W> (&p)[kNodes]) {
    W sum = dot(f[0], f[0]) * p[0].w;
    for (int n = 1; n < kNodes; ++n) sum = sum + dot(f[n], f[n]) * p[n].w;
    move(kc, sum, f, p);
  }
  // The same for a norm of several values, C = ‖q‖ with f = C ∇C, where none may overshoot: as if
  // all corners were as light as the lightest.
  SINEW_INLINE static void project_norm(const W& kc, const Vec3T<W> (&f)[kNodes],
                                        Rows4<W> (&p)[kNodes]) {
    W sum = dot(f[0], f[0]), lightest = p[0].w;
    for (int n = 1; n < kNodes; ++n) {
      sum = sum + dot(f[n], f[n]);
      lightest = max(lightest, p[n].w);
    }
    move(kc, sum * lightest, f, p);
  }
  SINEW_INLINE static void move(const W& kc, const W& sum, const Vec3T<W> (&f)[kNodes],
                                Rows4<W> (&p)[kNodes]) {
    const W tiny(Real(1e-30));
    const W s = select(sum > tiny, -kc / max(sum, tiny), W(0));
    for (int n = 0; n < kNodes; ++n) p[n].xyz += f[n] * (p[n].w * s);
  }

  // Moves F by `change`, all of it: x ← x + w Λ b with Λ K = change, K = Σ w b bᵀ, F = Σ x bᵀ.
  // Where corners are held, K may be singular; what they hold then stays.
  SINEW_INLINE static void deform(const typename Shape::template Rest<W>& rest,
                                  const Mat3T<W>& change, Rows4<W> (&p)[kNodes]) {
    Vec3T<W> b[kNodes];
    Shape::forces(rest, Mat3T<W>::identity(), b);
    Sym3T<W> k = outer(b[0], p[0].w);
    for (int n = 1; n < kNodes; ++n) k = k + outer(b[n], p[n].w);
    const W tr = trace(k), tiny(Real(1e-30));
    const Sym3T<W> scaled = k * (W(1) / max(tr, tiny)) + Sym3T<W>::identity() * W(Real(1e-4));
    const Mat3T<W> lambda =
        change * inverse(scaled) * select(tr > tiny, W(1) / max(tr, tiny), W(0));
    for (int n = 0; n < kNodes; ++n) p[n].xyz += lambda * b[n] * p[n].w;
  }

  SINEW_INLINE static void solve_pack(ElementPack& e, const Steps& k, const Substep& s) {
    Rows4<W> start[kNodes], p[kNodes];
    gather_nodes<W>(s.displacement, e.node, start);
    for (int n = 0; n < kNodes; ++n) p[n] = start[n];
    Vec3T<W> x[kNodes], f[kNodes];
    const Mat3T<W> at_start = gradient(e, p);
    e.rotation = k.rotation.update(at_start, e.rotation);
    Mat3T<W> r = e.rotation.matrix();
    const W solid = select(Shape::volume(e.rest) > W(0), W(1), W(0));
    if (k.shape > 0) {
      if (k.rotation.mirrors()) r = r * select(determinant(at_start) < W(0), W(-1), W(1));
      deform(e.rest, (r - at_start) * (W(k.shape) * solid), p);
    }
    if constexpr (Shape::kHourglass)
      if (k.hourglass > 0) {
        e.start.moved(p, x);
        const W norm2 = Shape::hourglass(e.rest, x, f);
        project_norm(norm2 * W(k.hourglass) * solid, f, p);
      }
    if (k.volume > 0) {
      const Mat3T<W> at = gradient(e, p);
      if (k.measure == VolumeMeasure::kExact) {
        const Mat3T<W> cof = cofactor(at);
        Shape::forces(e.rest, cof, f);
        project((dot(at.c[0], cof.c[0]) - W(1)) * W(k.volume) * solid, f, p);
      } else {
        Shape::forces(e.rest, r, f);
        project((contract(r, at) - W(3)) * W(k.volume) * solid, f, p);
      }
    }
    finish(e, s, start, p);
  }

  SINEW_INLINE static void finish(const ElementPack& e, const Substep& s,
                                  const Rows4<W> (&start)[kNodes], Rows4<W> (&p)[kNodes]) {
    if (!s.correction) {
      for (int n = 0; n < kNodes; ++n) scatter<W>(s.displacement, e.node[n], p[n]);
      return;
    }
    for (int n = 0; n < kNodes; ++n) {
      Rows4<W> sum = gather<W>(s.correction, e.node[n]);
      sum.xyz += (p[n].xyz - start[n].xyz) * W(s.relaxation);
      scatter<W>(s.correction, e.node[n], sum);
    }
  }

  FiniteElements definition_;
  [[no_unique_address]] Rotation method_;
  ColouredPacks<ElementPack> packs_;
};

}  // namespace sinew
