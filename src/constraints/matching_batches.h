// The two ways to match shapes (shape_matching.h): every cell as a cluster, in packs of cells
// sorted by colour; or all vertices of the body as one.
#pragma once

#include <sinew/constraints/shape_matching.h>

#include "constraints/shape_matching.h"
#include "solvers/coloured_packs.h"

namespace sinew {

struct MatchingStiffness {
  double stiffness;  // s [N/m]; 0: rigid
  double plain;      // k in (0, 1]; 0: physical

  // M/(h²s)
  double alpha(double mass, Real h) const {
    return stiffness > 0 ? mass / (double(h) * h * stiffness) : 0;
  }
  double share(int iterations) const { return 1 - std::pow(1 - plain, 1.0 / iterations); }
};

// Moves a particle by `move`, if it is free: at once, or into the sum of corrections.
template <class W>
SINEW_INLINE void displace(const Substep& s, const Index (&node)[kWidth<W>], Rows4<W>& p,
                           const Vec3T<W>& move) {
  const W free = select(p.w > W(0), W(1), W(0));
  if (s.correction) {
    Rows4<W> sum = gather<W>(s.correction, node);
    sum.xyz += move * free;
    scatter<W>(s.correction, node, sum);
  } else {
    p.xyz += move * free;
    scatter<W>(s.displacement, node, p);
  }
}

template <int kNodes, class Rotation, class W>
class CellMatchingBatch final : public Batch {
 public:
  static constexpr int kLanesHere = kWidth<W>;
  using Cell = std::array<Index, kNodes>;

  CellMatchingBatch(const Mesh<Cell>& mesh, std::span<const Real> mass,
                    const MatchingStiffness& stiffness, const Rotation& rotation = {})
      : stiffness_(stiffness), method_(rotation) {
    packs_ = ColouredPacks<ClusterPack>(
        mesh.cells, mesh.vertices.size(), [&](ClusterPack& c, int lane, Index cell) {
          Vec3T<double> x[kNodes];
          double m[kNodes];
          for (int n = 0; n < kNodes; ++n) {
            x[n] = to_double(mesh.vertices[mesh.cells[cell][n]]);
            m[n] = mass[mesh.cells[cell][n]];
          }
          const RestCluster rest(x, m);
          for (int n = 0; n < kNodes; ++n) {
            set_lane(c.place[n], lane, rest.place[n]);
            set_lane(c.moment[n], lane, rest.moment[n]);
            set_lane(c.share[n], lane, Real(rest.share[n]));
          }
          set_lane(c.normal, lane, rest.normal);
          set_inertia<Rotation, W>(c.inertia, lane, rest.inverse_inertia);
          set_lane(c.mass, lane, Real(rest.mass));
        });
  }

  void predict(const Substep& substep) override {
    if (stiffness_.plain > 0)
      return packs_.for_each(substep, 0, [](ClusterPack& c, int, const Substep& s) {
        Vec3T<W> x[kNodes];
        gather_seen_from_first<W>(s.start, c.node, x);
        c.start.set(x);
      });
    packs_.for_each(substep, unit_response(substep),
                    [](ClusterPack& c, const Unit& unit, const Substep& s) {
                      Rows4<W> p[kNodes];
                      Vec3T<W> error[kNodes];
                      gather_seen_from_first<W>(s.start, c.node, error);
                      c.start.set(error);
                      errors(unit.rotation, c, error);
                      const Response response = unit.response(c.mass);
                      gather_nodes<W>(s.displacement, c.node, p);
                      for (int n = 0; n < kNodes; ++n) {
                        c.lambda[n] = response.predicted(error[n]);
                        displace<W>(s, c.node[n], p[n], c.lambda[n]);
                      }
                    });
  }

  void solve(const Substep& substep) override {
    packs_.for_each(
        substep, unit_response(substep), [](ClusterPack& c, const Unit& unit, const Substep& s) {
          Rows4<W> p[kNodes];
          Vec3T<W> error[kNodes];
          gather_nodes<W>(s.displacement, c.node, p);
          c.start.moved(p, error);
          errors(unit.rotation, c, error);
          const Response response = unit.response(c.mass);
          for (int n = 0; n < kNodes; ++n)
            displace<W>(s, c.node[n], p[n], response.step(error[n], W(s.relaxation), c.lambda[n]));
        });
  }

  void extrapolate(Real omega, bool first) override {
    if (stiffness_.plain > 0) return;
    memory_.extrapolate(
        omega, first,
        [&](auto&& visit) {
          for (ClusterPack& c : packs_.packs())
            for (Vec3T<W>& lambda : c.lambda) visit(lambda);
        },
        [](const Vec3T<W>& lambda, const Vec3T<W>& before, Real w) {
          return before + (lambda - before) * W(w);
        });
  }

  double energy(const Places& at) const override {
    if (stiffness_.plain > 0) return 0;
    double total = 0;
    for (ClusterPack c : packs_.packs()) {
      Vec3T<W> error[kNodes];
      gather_seen_from_first<W>(at, c.node, error);
      errors(method_, c, error);
      for (int n = 0; n < kNodes; ++n)
        total += sum(W(dot(error[n], error[n]) * c.share[n]), c.count);
    }
    return 0.5 * stiffness_.stiffness * total;
  }

  double stiffness(const Row4<Real>*) const override {
    if (stiffness_.plain > 0) return 0;
    double lightest = INFINITY;
    for (const ClusterPack& c : packs_.packs())
      for (int i = 0; i < c.count; ++i) lightest = std::min(lightest, double(lane(c.mass, i)));
    return stiffness_.stiffness / lightest *
           (kExplicitStiffness / explicit_limit(packs_.crowding()));
  }

  int count() const override { return packs_.count(); }
  void visit_state(StateBytes& state) override {
    for (ClusterPack& c : packs_.packs()) state(c.rotation);
  }

 private:
  using Response = MatchingResponse<W>;
  struct ClusterPack {
    Index node[kNodes][kLanesHere];
    Vec3T<W> place[kNodes], moment[kNodes];
    W share[kNodes];
    Vec3T<W> normal;
    [[no_unique_address]] ClusterInertia<Rotation, W> inertia;
    W mass;
    QuatT<W> rotation;
    StartShape<W, kNodes> start;
    Vec3T<W> lambda[kNodes]{};
    int count;  // lanes in use
  };

  // Of a cluster that weighs 1 kg.
  struct Unit {
    Response of_one;
    [[no_unique_address]] Rotation rotation;

    SINEW_INLINE Response response(const W& mass) const {
      return {of_one.plain, of_one.alpha * mass, of_one.limit};
    }
  };
  Unit unit_response(const Substep& s) const {
    return {
        {W(Real(stiffness_.plain > 0 ? stiffness_.share(s.iterations) : 0)),
         W(Real(stiffness_.alpha(1, s.h))), W(explicit_limit(packs_.crowding()) * s.prediction)},
        method_};
  }

  // From places, seen from the first, to x − g.
  SINEW_INLINE static void errors(const Rotation& rotation, ClusterPack& c,
                                  Vec3T<W> (&error)[kNodes]) {
    Vec3T<W> center{W(0), W(0), W(0)};
    Mat3T<W> a{{center, center, center}};
    for (int n = 0; n < kNodes; ++n) {
      center += error[n] * c.share[n];
      for (int k = 0; k < 3; ++k) a.c[k] += error[n] * c.moment[n][k];
    }
    const Mat3T<W> r = matched_rotation(rotation, a, c.normal, c.inertia, c.rotation);
    for (int n = 0; n < kNodes; ++n) error[n] -= center + r * c.place[n];
  }

  MatchingStiffness stiffness_;
  [[no_unique_address]] Rotation method_;
  ColouredPacks<ClusterPack> packs_;
  MultiplierMemory<Vec3T<W>> memory_;
};

// All vertices of a body as one cluster. Sums over them are made in double, block by block and then
// serially: they do not depend on the workers.
template <class W>
class BodyShape {
 public:
  static constexpr int kLanesHere = kWidth<W>;
  struct VertexPack {
    Index node[1][kLanesHere];
    Vec3T<W> place, moment;
    W share;
    int count;  // lanes in use
  };
  struct Fit {
    Vec3T<W> origin, center;  // the centre is seen from the origin
    Mat3T<W> rotation;

    SINEW_INLINE Vec3T<W> error(const VertexPack& v, const Rows4<W>& x) const {
      return (x.xyz - origin) - (center + rotation * v.place);
    }
  };
  // Sums of a block of vertices.
  struct Sums {
    Vec3T<double> center{};
    Mat3T<double> moments{};
  };

  BodyShape(std::span<const Vec3> vertices, std::span<const Real> mass) {
    std::vector<std::array<Index, 1>> nodes;
    std::vector<Vec3T<double>> x;
    std::vector<double> m;
    for (Index i = 0; i < vertices.size(); ++i) {
      if (!(mass[i] > 0)) continue;  // in no cell
      nodes.push_back({i});
      x.push_back(to_double(vertices[i]));
      m.push_back(mass[i]);
    }
    if (nodes.empty()) return;  // flat cells only: nothing has a mass, and nothing moves
    const RestCluster rest(x, m);
    mass_ = rest.mass;
    normal_ = rest.normal;
    inverse_inertia_ = rest.inverse_inertia;
    for (int n = 0; n < static_cast<int>(x.size()); ++n)
      size2_ += rest.share[n] * dot(rest.place[n], rest.place[n]);
    packs_ =
        ColouredPacks<VertexPack>(nodes, vertices.size(), [&](VertexPack& v, int lane, Index i) {
          set_lane(v.place, lane, rest.place[i]);
          set_lane(v.moment, lane, rest.moment[i]);
          set_lane(v.share, lane, Real(rest.share[i]));
        });
    partial_.resize((packs_.packs().size() + kBlock - 1) / kBlock);
  }

  bool empty() const { return packs_.packs().empty(); }
  double mass() const { return mass_; }
  double size2() const { return size2_; }  // mean square of the distance to the centre [m²]
  ColouredPacks<VertexPack>& vertices() { return packs_; }
  const std::vector<VertexPack>& packs() const { return packs_.packs(); }

  // Where the rest shape fits best. `rotation` is the last one, and becomes the new one.
  template <class Rotation>
  Fit fit(const Rotation& method, Executor& executor, const Row4<Real>* rows,
          QuatT<double>& rotation) {
    parallel_for(executor, int(partial_.size()), 1,
                 [&](int begin, int) { partial_[begin] = sums(rows, begin); });
    return best_fit(method, rows, partial_, rotation);
  }
  template <class Rotation>
  Fit fit(const Rotation& method, const Row4<Real>* rows, QuatT<double> rotation) const {
    std::vector<Sums> partial(partial_.size());
    for (std::size_t b = 0; b < partial.size(); ++b) partial[b] = sums(rows, int(b));
    return best_fit(method, rows, partial, rotation);
  }

 private:
  static constexpr int kBlock = std::max(256 / kLanesHere, 1);  // packs

  // One vertex, from which all are seen: far from the world's origin, digits are kept.
  Vec3T<W> origin_of(const Row4<Real>* rows) const {
    const Row4<Real>& first = rows[packs()[0].node[0][0]];
    return {W(first.x), W(first.y), W(first.z)};
  }

  Sums sums(const Row4<Real>* rows, int block) const {
    const Vec3T<W> origin = origin_of(rows);
    const int end = std::min<int>((block + 1) * kBlock, int(packs().size()));
    Sums total;
    for (int i = block * kBlock; i < end; ++i) {
      const VertexPack& v = packs()[i];
      const Vec3T<W> x = gather<W>(rows, v.node[0]).xyz - origin;
      for (int r = 0; r < 3; ++r) {
        total.center[r] += sum(W(x[r] * v.share), v.count);
        for (int c = 0; c < 3; ++c) total.moments(r, c) += sum(W(x[r] * v.moment[c]), v.count);
      }
    }
    return total;
  }

  template <class Rotation>
  Fit best_fit(const Rotation& method, const Row4<Real>* rows, std::span<const Sums> partial,
               QuatT<double>& rotation) const {
    Sums total;
    for (const Sums& part : partial) {
      total.center += part.center;
      total.moments = total.moments + part.moments;
    }
    ClusterInertia<Rotation, double> inertia{};
    if constexpr (Rotation::kInertia) inertia = inverse_inertia_;
    const Mat3T<double> r = matched_rotation(method, total.moments, normal_, inertia, rotation);
    Fit fit;
    fit.origin = origin_of(rows);
    for (int i = 0; i < kLanesHere; ++i) {
      set_lane(fit.center, i, total.center);
      set_lane(fit.rotation, i, r);
    }
    return fit;
  }

  double mass_ = 0, size2_ = 0;
  Vec3T<double> normal_{};
  Sym3T<double> inverse_inertia_{};
  ColouredPacks<VertexPack> packs_;
  std::vector<Sums> partial_;
};

template <class Rotation, class W>
class BodyMatchingBatch final : public Batch {
 public:
  BodyMatchingBatch(std::span<const Vec3> vertices, std::span<const Real> mass,
                    const MatchingStiffness& stiffness, const Rotation& rotation = {})
      : stiffness_(stiffness),
        method_(rotation),
        shape_(vertices, mass),
        lambda_(shape_.packs().size()) {
    rows_.resize(vertices.size());
  }

  void predict(const Substep& s) override {
    const Row4<Real>* start = rows_.begin(s.start, s.displacement);
    if (stiffness_.plain > 0 || shape_.empty()) return;
    const Fit fit = shape_.fit(method_, s.executor, start, rotation_);
    move(s, [&](VertexPack& v, Vec3T<W>& lambda, const MatchingResponse<W>& response) {
      return lambda = response.predicted(fit.error(v, gather<W>(start, v.node[0])));
    });
  }

  void solve(const Substep& s) override {
    if (shape_.empty()) return;
    const Row4<Real>* now = rows_.moved(s.displacement);
    const Fit fit = shape_.fit(method_, s.executor, now, rotation_);
    move(s, [&](VertexPack& v, Vec3T<W>& lambda, const MatchingResponse<W>& response) {
      const Vec3T<W> error = fit.error(v, gather<W>(now, v.node[0]));
      return response.step(error, W(s.relaxation), lambda);
    });
  }

  void extrapolate(Real omega, bool first) override {
    if (stiffness_.plain > 0) return;
    memory_.extrapolate(
        omega, first,
        [&](auto&& visit) {
          for (Vec3T<W>& lambda : lambda_) visit(lambda);
        },
        [](const Vec3T<W>& lambda, const Vec3T<W>& before, Real w) {
          return before + (lambda - before) * W(w);
        });
  }

  double energy(const Places& at) const override {
    if (stiffness_.plain > 0 || shape_.empty()) return 0;
    thread_local SeenRows rows;  // asked for in steps, which must not allocate
    rows.resize(rows_.size());
    const Row4<Real>* position = rows.begin(at, at.position);
    const Fit fit = shape_.fit(method_, position, rotation_);
    double total = 0;
    for (const VertexPack& v : shape_.packs()) {
      const Vec3T<W> error = fit.error(v, gather<W>(position, v.node[0]));
      total += sum(W(dot(error, error) * v.share), v.count);
    }
    return 0.5 * stiffness_.stiffness * total;
  }

  double stiffness(const Row4<Real>*) const override {
    return stiffness_.plain > 0 || !(shape_.mass() > 0) ? 0 : stiffness_.stiffness / shape_.mass();
  }

  int count() const override { return 1; }
  void visit_state(StateBytes& state) override { state(rotation_); }

 private:
  using VertexPack = typename BodyShape<W>::VertexPack;
  using Fit = typename BodyShape<W>::Fit;

  // Moves every particle by f(pack, λ, response).
  template <class F>
  void move(const Substep& substep, F&& f) {
    const MatchingResponse<W> response{
        W(Real(stiffness_.plain > 0 ? stiffness_.share(substep.iterations) : 0)),
        W(Real(stiffness_.alpha(shape_.mass(), substep.h))), W(kExplicitStiffness)};
    const VertexPack* first = shape_.packs().data();
    shape_.vertices().for_each(substep, response,
                               [&](VertexPack& v, const MatchingResponse<W>& r, const Substep& s) {
                                 Rows4<W> p = gather<W>(s.displacement, v.node[0]);
                                 displace<W>(s, v.node[0], p, f(v, lambda_[&v - first], r));
                               });
  }

  MatchingStiffness stiffness_;
  [[no_unique_address]] Rotation method_;
  BodyShape<W> shape_;
  SeenRows rows_;
  std::vector<Vec3T<W>> lambda_;  // of each pack
  QuatT<double> rotation_{};
  MultiplierMemory<Vec3T<W>> memory_;
};

}  // namespace sinew
