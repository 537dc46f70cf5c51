#include "solvers/nodal_stabiliser.h"

#include <algorithm>

#include "elements/tetrahedron.h"
#include "solvers/coloured_packs.h"
#include "solvers/element_summary.h"
#include "solvers/stress_multiplier.h"

namespace sinew {
namespace {

using W = Wide;
using Element = TetrahedronElement;
constexpr int kNodes = 4;

constexpr Real kFlat = Real(0.1), kGuard = 8;
constexpr auto kEveryFourth = [] {
  std::array<std::uint32_t, 16> index{};
  for (std::uint32_t i = 0; i < 16; ++i) index[i] = 4 * i;
  return index;
}();

class Stabiliser final : public NodalStabiliser {
 public:
  Stabiliser(const TetMesh& mesh, Real mu) : mu_(mu) {
    packs_ =
        ColouredPacks<Pack>(mesh.cells, mesh.vertices.size(), [&](Pack& e, int lane, Index cell) {
          Vec3T<double> x[kNodes];
          for (int n = 0; n < kNodes; ++n) x[n] = to_double(mesh.vertices[mesh.cells[cell][n]]);
          const auto rest = Element::rest(x);
          set_lane(e.rest.inverse, lane, rest.inverse);
          set_lane(e.rest.volume, lane, Real(rest.volume));
          slack_count_ += lane < e.count && rest.volume == 0;
        });
  }

  void predict(const Substep& substep, const NodalMeans& means) override {
    packs_.for_each(substep, Shared{&means, mu_}, [](Pack& e, const Shared& all, const Substep& s) {
      Vec3T<W> x[kNodes];
      gather_seen_from_first<W>(s.start, e.node, x);
      e.start = Element::deformation_gradient(e.rest, x);
      TangentBound<W> bound = drawn_to(*all.means, e, e.start);
      add_guard(all.mu, e.start, bound);
      Rows4<W> u[kNodes];
      gather_nodes<W>(s.displacement, e.node, u);
      e.lambda = predicted_multiplier(bound, mobility(e, u), e.rest.volume * W(s.h * s.h),
                                      s.prediction / s.sharing);
      push(e, s, u, e.lambda);
    });
  }

  void solve(const Substep& substep, const NodalMeans& means) override {
    packs_.for_each(substep, Shared{&means, mu_}, [](Pack& e, const Shared& all, const Substep& s) {
      Rows4<W> u[kNodes];
      gather_nodes<W>(s.displacement, e.node, u);
      const Mat3T<W> moved{{u[1].xyz - u[0].xyz, u[2].xyz - u[0].xyz, u[3].xyz - u[0].xyz}};
      const Mat3T<W> f = e.start + moved * e.rest.inverse;
      TangentBound<W> m = drawn_to(*all.means, e, f);
      add_guard(all.mu, f, m);
      if (s.damping > 0) add_viscosity(W(all.mu), W(s.damping / s.h), f, e.start, m);
      const W scale = e.rest.volume * W(s.h * s.h);
      const Sym3T<W> k = mobility(e, u) * W(s.sharing);
      const Mat3T<W> delta = multiplier_correction(m, k, scale, e.lambda) * W(s.relaxation);
      e.lambda = e.lambda + delta;
      push(e, s, u, delta);
    });
  }

  void extrapolate(Real omega, bool first) override {
    memory_.extrapolate(
        omega, first,
        [&](auto&& visit) {
          for (Pack& e : packs_.packs()) visit(e.lambda);
        },
        [](const Mat3T<W>& lambda, const Mat3T<W>& before, Real w) {
          return before + (lambda - before) * W(w);
        });
  }

  double energy(const Places& at, const NodalMeans& means) const override {
    double total = 0;
    for (const Pack& e : packs_.packs()) {
      Vec3T<W> x[kNodes];
      gather_seen_from_first<W>(at, e.node, x);
      const Mat3T<W> f = Element::deformation_gradient(e.rest, x);
      for (int i = 0; i < e.count; ++i) {
        double density = guarded(f, i);
        for (int n = 0; n < kNodes; ++n) density += spread(means[e.node[n][i]], f, i);
        total += double(lane(e.rest.volume, i)) * density;
      }
    }
    return total;
  }

  double stiffness(const Row4<Real>* rest, const NodalMeans& means) const override {
    double largest = 0;
    for (const Pack& e : packs_.packs()) {
      Rows4<W> p[kNodes];
      gather_nodes<W>(rest, e.node, p);
      const W rate = explicit_stiffness(drawn_to(means, e, Mat3T<W>::identity()), mobility(e, p),
                                        e.rest.volume);
      for (int i = 0; i < e.count; ++i) largest = std::max(largest, double(lane(rate, i)));
    }
    return largest;
  }

  ElementSummary summary(const Row4<Real>* position) const override {
    ElementSummary s;
    for (const Pack& e : packs_.packs()) {
      Vec3T<W> x[kNodes];
      gather_seen_from_first<W>({position}, e.node, x);
      add_elements(Element::deformation_gradient(e.rest, x), e.rest.volume, e.count, s);
    }
    return s;
  }

  int count() const override { return packs_.count(); }
  int slack_count() const override { return slack_count_; }

 private:
  struct Pack {
    Index node[kNodes][kWidth<W>];
    Element::Rest<W> rest;
    Mat3T<W> start;     // F at the start of the substep
    Mat3T<W> lambda{};  // Λ of the substep under way
    int count;          // lanes in use
  };

  struct Shared {
    const NodalMeans* means;
    Real mu;
  };

  // … with the derivative of cof left at its bound.
  SINEW_INLINE static void add_guard(Real mu, const Mat3T<W>& f, TangentBound<W>& m) {
    const W missing = max(W(kFlat) - determinant(f), W(Real(0))) * W(kGuard * mu);
    if (!any(missing > W(Real(0)))) return;
    const Mat3T<W> cof = cofactor(f);
    m.stress = m.stress - cof * missing;
    m.isotropic += missing * sqrt(contract(f, f));
    m.along = select(missing > W(Real(0)), W(kGuard * mu), W(Real(0)));
    m.direction = cof;
  }

  // 4μ (J₀ − J)² of lane i.
  double guarded(const Mat3T<W>& f, int i) const {
    Mat3T<double> d;
    for (int c = 0; c < 3; ++c)
      d.c[c] = {double(lane(f.c[c].x, i)), double(lane(f.c[c].y, i)), double(lane(f.c[c].z, i))};
    const double missing = std::max(double(kFlat) - determinant(d), 0.0);
    return double(kGuard * mu_) / 2 * missing * missing;
  }

  // αₙ μ ‖Fₑ − Fₙ‖²/4 of lane i.
  static double spread(const NodalMeans::Line& mean, const Mat3T<W>& f, int i) {
    const double factor = mean.row[0].w;
    if (!(factor > 0)) return 0;
    double squares = 0;
    for (int c = 0; c < 3; ++c) {
      const Row4<Real>& m = mean.row[c];
      const Vec3T<double> d{double(lane(f.c[c].x, i)) - double(m.x) / factor,
                            double(lane(f.c[c].y, i)) - double(m.y) / factor,
                            double(lane(f.c[c].z, i)) - double(m.z) / factor};
      squares += dot(d, d);
    }
    return factor / 2 * squares;
  }

  SINEW_INLINE static TangentBound<W> drawn_to(const NodalMeans& means, const Pack& e,
                                               const Mat3T<W>& f) {
    typedef Real Whole __attribute__((vector_size(sizeof(NodalMeans::Line)), may_alias));
    NodalMeans::Line sums[kWidth<W>];
    for (int i = 0; i < kWidth<W>; ++i) {
      const auto line = [&](int n) { return reinterpret_cast<const Whole&>(means[e.node[n][i]]); };
      reinterpret_cast<Whole&>(sums[i]) = (line(0) + line(1)) + (line(2) + line(3));
    }
    Mat3T<W> mean;
    W all;
    columns_of(sums, mean, all);
    return {f * all - mean, all, W(Real(0)), {}};
  }
  SINEW_INLINE static void columns_of(const NodalMeans::Line (&lines)[kWidth<W>], Mat3T<W>& m,
                                      W& factor) {
    for (int c = 0; c < 3; ++c) {
      const Rows4<W> column = gather<W>(lines->row + c, kEveryFourth.data());
      m.c[c] = column.xyz;
      if (c == 0) factor = column.w;
    }
  }

  SINEW_INLINE static Sym3T<W> mobility(const Pack& e, const Rows4<W> (&p)[kNodes]) {
    Vec3T<W> b[kNodes];
    Element::shape_gradients(e.rest, b);
    Sym3T<W> k = outer(b[0], p[0].w);
    for (int i = 1; i < kNodes; ++i) k = k + outer(b[i], p[i].w);
    return k;
  }

  SINEW_INLINE static void push(const Pack& e, const Substep& s, Rows4<W> (&u)[kNodes],
                                const Mat3T<W>& lambda) {
    Vec3T<W> force[kNodes];
    Element::node_forces(e.rest, lambda, force);
    move_nodes<W>(s, e.node, u, force);
  }

  Real mu_;
  ColouredPacks<Pack> packs_;
  MultiplierMemory<Mat3T<W>> memory_;
  int slack_count_ = 0;
};

}  // namespace

std::unique_ptr<NodalStabiliser> make_nodal_stabiliser(const TetMesh& mesh, Real mu) {
  return std::make_unique<Stabiliser>(mesh, mu);
}

}  // namespace sinew
