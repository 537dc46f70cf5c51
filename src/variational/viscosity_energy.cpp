#include "variational/viscosity_energy.h"

#include "math/jacobi.h"
#include "solvers/line_measure.h"
#include "variational/element_blocks.h"
#include "variational/elements_energy.h"
#include "variational/pack_sums.h"
#include "variational/point_packs.h"

namespace sinew {
namespace {

// N corners of a cell; kDimensions of what it is: a line, a sheet or a solid.
template <int N, int kDimensions>
class ViscosityEnergy final : public EnergyTerm {
 public:
  using W = Wide;

  // `viscosity` is η [Pa s].
  template <class Cell>
  ViscosityEnergy(const Mesh<Cell>& mesh, const ShapePoints<Cell>& points, double viscosity,
                  std::span<const Real> factors)
      : per_cell_(points.per_cell) {
    packs_ = packs_with_points<Pack>(
        mesh, per_cell_, points_, [&](Point& point, int lane, std::size_t i) {
          for (int n = 0; n < N; ++n) set_lane(point.b[n], lane, points.at[i].gradient[n]);
          const double factor = stiffness_factor(factors, i / points.per_cell);
          set_lane(point.viscosity, lane, Real(2 * viscosity * factor * points.at[i].volume));
        });
  }

  void begin_step(const Row4<Real>* x, Real h) override {
    h_ = h;
    for (const Pack& e : packs_.packs()) {
      Vec3T<W> place[N];
      gather_places<N, W>(x, e.node, place);
      for (int q = 0; q < per_cell_; ++q) {
        Point& p = points_[e.first_point + q];
        p.before = gram(gradient_of(p.b, place));
        const W stretch2 = (trace(p.before) + W(Real(3 - kDimensions))) * W(Real(1.0 / 3));
        p.rate = p.viscosity / (max(stretch2, W(Real(1))) * W(h));
      }
    }
  }

  double add_gradient(const Row4<Real>* x, Row4<Real>* gradient, Executor& executor) override {
    struct Shared {
      const Row4<Real>* x;
      Row4<Real>* gradient;
      const Point* points;
      int per_cell;
    };
    return sums_.over(packs_, executor, Shared{x, gradient, points_.data(), per_cell_},
                      [](Pack& e, const Shared& s) {
                        Vec3T<W> place[N], force[N] = {};
                        gather_places<N, W>(s.x, e.node, place);
                        W total(Real(0));
#pragma GCC unroll 1
                        for (int q = 0; q < s.per_cell; ++q) {
                          const Point& p = s.points[e.first_point + q];
                          const Mat3T<W> f = gradient_of(p.b, place);
                          const Sym3T<W> strain = p.strain(f);
                          const Mat3T<W> stress = f * (strain * p.rate);
                          for (int n = 0; n < N; ++n) force[n] += stress * p.b[n];
                          total += contract(strain, strain) * p.rate * W(Real(0.5));
                        }
                        add_to_nodes<N, W>(s.gradient, e.node, force);
                        return sum(total, e.count);
                      });
  }

  double energy(const Row4<Real>*) const override { return 0; }
  bool steady() const override { return false; }
  bool stores() const override { return false; }

  // The half that resists shear and stretch alike: with all of it, which bounds what resists
  // stretch, strongly damped bodies take half as many iterations more.
  void add_metric(MetricEntries& entries) const override {
    const double rate = h_ > 0 ? 0.5 / double(h_) : 0;
    for (const Pack& e : packs_.packs())
      for (int i = 0; i < N; ++i)
        for (int j = 0; j <= i; ++j) {
          W product(Real(0));
          for (int q = 0; q < per_cell_; ++q) {
            const Point& p = points_[e.first_point + q];
            product += dot(p.b[i], p.b[j]) * p.viscosity;
          }
          for (int k = 0; k < e.count; ++k)
            entries.push_back({static_cast<int>(e.node[i][k]), static_cast<int>(e.node[j][k]),
                               rate * double(lane(product, k))});
        }
  }

  // With k the rate and A = E − Eₙ, of corners i and j
  //   k (½ (bᵢ·bⱼ) F Fᵀ + ½ (F bⱼ)(F bᵢ)ᵀ + (bᵢᵀ A bⱼ) I):
  // the first two come from a square, and the last is what A makes it.
  void add_hessian(const Row4<Real>* x, bool projected, BlockSymmetric& hessian) const override {
    for (const Pack& e : packs_.packs()) {
      Vec3T<W> place[N];
      gather_places<N, W>(x, e.node, place);
      ElementBlocks<N, W> blocks;
      for (int q = 0; q < per_cell_; ++q) {
        const Point& p = points_[e.first_point + q];
        const Mat3T<W> f = gradient_of(p.b, place), square = f * transpose(f);
        const Sym3T<W> strain = projected ? positive_part(p.strain(f)) : p.strain(f);
        const W half = p.rate * W(Real(0.5));
        Vec3T<W> fb[N];
        for (int n = 0; n < N; ++n) fb[n] = f * p.b[n];
        for (int i = 0; i < N; ++i)
          for (int j = 0; j <= i; ++j) {
            const W bb = dot(p.b[i], p.b[j]) * half;
            for (int c = 0; c < 3; ++c)
              blocks.block[i][j].c[c] += square.c[c] * bb + fb[j] * (fb[i][c] * half);
            blocks.add_isotropic(i, j, dot(p.b[i], strain * p.b[j]) * p.rate);
          }
      }
      blocks.add_to(hessian, e.node, e.count);
    }
  }

 private:
  struct Pack {
    Index node[N][kWidth<W>];
    int first_point;
    int count;  // lanes in use
  };
  struct Point {
    Vec3T<W> b[N];
    W viscosity;      // 2 η V [J s]
    Sym3T<W> before;  // FᵀF at the start of the step
    W rate;           // 2 η V/(h s²) [J]

    SINEW_INLINE Sym3T<W> strain(const Mat3T<W>& f) const {
      return (gram(f) - before) * W(Real(0.5));
    }
  };

  static Sym3T<W> positive_part(Sym3T<W> m) {
    const Mat3T<W> q = diagonalise(m, kJacobiSweeps<W>).matrix();
    const W none(Real(0));
    return outer(q.c[0], max(m.xx, none)) + outer(q.c[1], max(m.yy, none)) +
           outer(q.c[2], max(m.zz, none));
  }

  int per_cell_;
  Real h_ = 0;  // of the step [s]
  std::vector<Point> points_;
  ColouredPacks<Pack> packs_;
  PackSums sums_;
};

struct Make {
  const SoftBody& body;
  double viscosity;
  using Result = std::unique_ptr<EnergyTerm>;

  Result operator()(const TetMesh& mesh) const {
    return std::make_unique<ViscosityEnergy<4, 3>>(mesh, shape_points(mesh), viscosity,
                                                   body.cell_stiffness);
  }
  Result operator()(const HexMesh& mesh) const {
    return std::make_unique<ViscosityEnergy<8, 3>>(
        mesh, shape_points(mesh, hex_points(body.integration)), viscosity, body.cell_stiffness);
  }
  Result operator()(const TriMesh& mesh) const {
    return std::make_unique<ViscosityEnergy<3, 2>>(mesh, shape_points(mesh, body.thickness),
                                                   viscosity, body.cell_stiffness);
  }
  // Of lines by their stiffness: 2η = τ E.
  Result operator()(const LineMesh& mesh) const {
    return std::make_unique<ViscosityEnergy<2, 1>>(
        mesh, shape_points(mesh, body.thickness),
        double(body.damping) * young_of(body.material) / 2, body.cell_stiffness);
  }
};

}  // namespace

void add_viscosity(const SoftBody& body, std::vector<std::unique_ptr<EnergyTerm>>& terms) {
  const double mu = std::visit([](const auto& m) { return double(m.lame_mu()); }, body.material);
  if (!(body.damping > 0) || !(mu > 0)) return;
  terms.push_back(std::visit(Make{body, double(body.damping) * mu}, body.mesh));
}

}  // namespace sinew
