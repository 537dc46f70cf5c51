// The volume inside a closed surface, as one constraint on all its vertices:
//   C = V − V₀,   V = ⅙ Σ a × b · c over the triangles,   ∇ᵢC = ⅙ Σ b × c over those of vertex i
// (Müller et al., "Position based dynamics", 2007, §4.4). Every vertex sums up its own gradient
// from the triangles around it, so that vertices run side by side in packs; the sums over vertices
// are serial and in double, so that they do not depend on the workers. V = ⅓ Σ xᵢ·∇ᵢC, as V is
// homogeneous.
#pragma once

#include <sinew/mesh.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "solvers/coloured_packs.h"
#include "solvers/stress_multiplier.h"

namespace sinew {

template <class W>
class VolumeBatch final : public Batch {
 public:
  static constexpr int kLanesHere = kWidth<W>;

  struct Settings {
    double start, target;   // volume aimed at, at first and in the end [m³]
    double compliance;      // 1/k of ½ k C² [m⁶/J]; 0: rigid
    double plain;           // plain stiffness in (0, 1]; 0: physical
    double largest_move;    // of a vertex in one sweep [m]: a collapsed body must not explode
    double largest_change;  // of the volume in a second [m³/s]: nor one that is to be much larger
  };

  VolumeBatch(const TriMesh& surface, const Settings& settings)
      : settings_(settings), triangles_(surface.cells), aim_(settings.start) {
    std::vector<std::vector<Segment>> around(surface.vertices.size());
    for (const auto& [a, b, c] : surface.cells) {
      around[a].push_back({b, c});
      around[b].push_back({c, a});
      around[c].push_back({a, b});
    }
    std::vector<Index> order;
    for (Index v = 0; v < around.size(); ++v)
      if (!around[v].empty()) order.push_back(v);
    // Vertices with as many triangles stand together: packs then have few spokes to fill up.
    std::stable_sort(order.begin(), order.end(),
                     [&](Index a, Index b) { return around[a].size() < around[b].size(); });
    for (std::size_t i = 0; i < order.size(); i += kLanesHere)
      add_pack(std::span<const Index>(order).subspan(
                   i, std::min<std::size_t>(kLanesHere, order.size() - i)),
               around);
  }

  void predict(const Substep& s) override {
    lambda_ = 0;
    if (settings_.plain > 0 || !(settings_.compliance > 0)) return;
    const Measured m = measure(s, s.previous);
    const double alpha = settings_.compliance / (double(s.h) * s.h);
    const double divisor = std::max(alpha, m.mobility / (kExplicitStiffness * s.prediction));
    lambda_ = bounded(-m.error / std::max(divisor, 1e-300), m);
    push(s, lambda_);
  }

  void solve(const Substep& s) override {
    const Measured m = measure(s, s.position);
    if (!(m.mobility > 0)) return;
    double delta = 0;
    if (settings_.plain > 0) {
      delta = -m.error / m.mobility * (1 - std::pow(1 - settings_.plain, 1.0 / s.iterations));
    } else {
      const double alpha = settings_.compliance / (double(s.h) * s.h);
      delta = -(m.error + alpha * lambda_) / (m.mobility + alpha);
    }
    delta = bounded(delta, m) * s.relaxation;
    lambda_ += delta;
    push(s, delta);
  }

  // Once a substep, not in the trials that measure the relaxation of Jacobi sweeps.
  void yield(const Substep& s) override {
    const double most = settings_.largest_change * s.h;
    aim_ += std::clamp(settings_.target - aim_, -most, most);
  }

  void extrapolate(Real omega, bool first) override {
    memory_.extrapolate(
        omega, first, [&](auto&& visit) { visit(lambda_); },
        [](double lambda, double before, Real w) { return before + (lambda - before) * w; });
  }

  double energy(const Row4<Real>* position) const override {
    if (settings_.plain > 0 || !(settings_.compliance > 0)) return 0;
    const double error = volume(position) - settings_.target;
    return 0.5 * error * error / settings_.compliance;
  }

  // Exactly [m³].
  double volume(const Row4<Real>* position) const {
    using Vec = Vec3T<double>;
    const auto at = [&](Index i) { return Vec{position[i].x, position[i].y, position[i].z}; };
    if (triangles_.empty()) return 0;
    const Vec origin = at(triangles_[0][0]);
    double sum = 0;
    for (const auto& [a, b, c] : triangles_)
      sum += dot(cross(at(a) - origin, at(b) - origin), at(c) - origin);
    return sum / 6;
  }

  double stiffness(const Row4<Real>* rest) const override {
    if (settings_.plain > 0 || !(settings_.compliance > 0)) return 0;
    double mobility = 0;
    for (const VertexPack& pack : packs_) {
      const Vec3T<W> g = gradient(pack, rest, {W(0), W(0), W(0)});
      mobility += sum(W(dot(g, g) * gather<W>(rest, pack.node[0]).w), pack.count);
    }
    return mobility / settings_.compliance;
  }

  int count() const override { return 1; }

 private:
  struct Spoke {  // the other corners of a triangle of each lane's vertex
    Index a[kLanesHere], b[kLanesHere];
  };
  struct VertexPack {
    Index node[1][kLanesHere];
    int first_spoke, end_spoke;
    int count;  // lanes in use
    Vec3T<W> gradient;
    W volume, mobility, reach;  // what its vertices add to V, Σ w|∇C|², and w|∇C|
  };
  struct Measured {
    double error = 0, mobility = 0;
    double reach = 0;  // largest w|∇C|: how far a vertex moves by λ = 1
  };

  void add_pack(std::span<const Index> vertices, const std::vector<std::vector<Segment>>& around) {
    VertexPack pack{};
    pack.count = static_cast<int>(vertices.size());
    pack.first_spoke = static_cast<int>(spokes_.size());
    const std::size_t most = around[vertices.back()].size();
    for (std::size_t k = 0; k < most; ++k) {
      Spoke& spoke = spokes_.emplace_back();
      for (int lane = 0; lane < kLanesHere; ++lane) {
        const Index v = vertices[lane < pack.count ? lane : 0];
        pack.node[0][lane] = v;
        // A triangle with its corner repeated has no area.
        const Segment other = k < around[v].size() ? around[v][k] : Segment{v, v};
        spoke.a[lane] = other[0];
        spoke.b[lane] = other[1];
      }
    }
    pack.end_spoke = static_cast<int>(spokes_.size());
    packs_.push_back(pack);
  }

  // ∇C, seen from a point near the body, so that digits are kept.
  Vec3T<W> gradient(const VertexPack& pack, const Row4<Real>* rows, const Vec3T<W>& origin) const {
    Vec3T<W> sum{W(0), W(0), W(0)};
    for (int k = pack.first_spoke; k < pack.end_spoke; ++k)
      sum += cross(gather<W>(rows, spokes_[k].a).xyz - origin,
                   gather<W>(rows, spokes_[k].b).xyz - origin);
    return sum * W(Real(1.0 / 6));
  }

  Measured measure(const Substep& s, const Row4<Real>* rows) {
    Measured total;
    if (packs_.empty()) return total;
    const Row4<Real>& first = rows[packs_[0].node[0][0]];
    const Vec3T<W> origin{W(first.x), W(first.y), W(first.z)};
    for_each(s, [&](VertexPack& pack) {
      const Rows4<W> x = gather<W>(rows, pack.node[0]);
      pack.gradient = gradient(pack, rows, origin);
      pack.volume = dot(x.xyz - origin, pack.gradient);
      const W squared = dot(pack.gradient, pack.gradient);
      pack.mobility = squared * x.w;
      pack.reach = sqrt(squared) * x.w;
    });
    for (const VertexPack& pack : packs_) {
      total.error += sum(pack.volume, pack.count);
      total.mobility += sum(pack.mobility, pack.count);
      for (int i = 0; i < pack.count; ++i)
        total.reach = std::max(total.reach, double(lane(pack.reach, i)));
    }
    total.error = total.error / 3 - aim_;
    return total;
  }

  double bounded(double lambda, const Measured& m) const {
    const double most = settings_.largest_move / std::max(m.reach, 1e-300);
    return std::clamp(lambda, -most, most);
  }

  void push(const Substep& s, double lambda) {
    const W scale{Real(lambda)};
    for_each(s, [&](VertexPack& pack) {
      Rows4<W> p[1];
      gather_nodes<W>(s.position, pack.node, p);
      const Vec3T<W> force[1] = {pack.gradient * scale};
      move_nodes<W>(s, pack.node, p, force);
    });
  }

  template <class F>
  void for_each(const Substep& s, F&& f) {
    parallel_for(s.executor, static_cast<int>(packs_.size()), std::max(256 / kLanesHere, 1),
                 [&](int begin, int end) {
                   for (int i = begin; i < end; ++i) f(packs_[i]);
                 });
  }

  Settings settings_;
  std::vector<Triangle> triangles_;
  std::vector<VertexPack> packs_;
  std::vector<Spoke> spokes_;
  double lambda_ = 0;
  double aim_;  // of the substep, on the way to the target [m³]
  MultiplierMemory<double> memory_;
};

}  // namespace sinew
