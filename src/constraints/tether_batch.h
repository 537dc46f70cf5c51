// Particles that must stay within a distance of a point: C = |x − a| − r ≤ 0, rigid. Only the
// particle moves, never the point, so that all of them run side by side whatever they hang from.
// Two kinds:
//   kAnchor  a is another particle, one that is held; once that is let go, so is this one
//   kSphere  a is a place in space that the world may move; this is a guarantee: it is enforced
//            after everything else
#pragma once

#include <cmath>
#include <limits>

#include "constraints/attachment.h"
#include "solvers/coloured_packs.h"

namespace sinew {

enum class TetherKind { kAnchor, kSphere };

template <TetherKind kKind, class W>
class TetherBatch final : public Batch {
 public:
  static constexpr int kLanesHere = kWidth<W>;
  using Cell = std::array<Index, 1>;

  struct Item {
    Index node;
    Index anchor;   // of kAnchor
    double radius;  // [m]
  };

  // `centres`: of kSphere, one for each particle.
  TetherBatch(std::span<const Item> items, std::size_t vertex_count,
              std::shared_ptr<const AttachmentTargets> centres = nullptr)
      : centres_(std::move(centres)) {
    std::vector<Cell> cells;
    for (const Item& item : items) cells.push_back({item.node});
    packs_ = ColouredPacks<TetherPack>(cells, vertex_count, [&](TetherPack& t, int lane, Index i) {
      const Item& item = items[i];
      t.anchor[lane] = item.anchor;
      set_lane(t.radius, lane, Real(item.radius));
    });
  }

  void predict(const Substep& substep) override {
    const Places centres =
        centres_ ? Places{centres_->place.data(), centres_->low.data()} : Places{};
    packs_.for_each(substep, centres, [](TetherPack& t, const Places& at, const Substep& s) {
      const auto seen = [&](const Row4<Real>* rows, const Row4<Real>* points) {
        const Vec3T<W> x = gather<W>(rows, t.node[0]).xyz;
        return kKind == TetherKind::kAnchor ? x - gather<W>(rows, t.anchor).xyz
                                            : x - gather<W>(points, t.node[0]).xyz;
      };
      t.start = seen(s.start.position, at.position);
      t.reach = t.radius;
      if constexpr (kKind == TetherKind::kSphere) {
        t.start = t.start - gather<W>(at.low, t.node[0]).xyz;
        if (s.start.low) t.start += gather<W>(s.start.low, t.node[0]).xyz;
        t.reach = t.radius - rounding(gather<W>(at.position, t.node[0]).xyz, t.radius);
      } else {
        if (s.start.low) t.start += seen(s.start.low, nullptr);
      }
    });
  }

  // Spheres leave Jacobi sweeps alone: those share out corrections, and the guarantee comes last.
  void solve(const Substep& substep) override {
    if (kKind == TetherKind::kSphere && substep.correction) return;
    packs_.for_each(substep, 0, [](TetherPack& t, int, const Substep& s) { solve_pack(t, s); });
  }

  // Contacts may have moved the start of the substep.
  void enforce(const Substep& substep) override {
    if constexpr (kKind != TetherKind::kSphere) return;
    predict(substep);
    solve(substep);
  }

  void extrapolate(Real, bool) override {}  // it has no multipliers
  double energy(const Places&) const override { return 0; }
  int count() const override { return packs_.count(); }
  bool external() const override { return kKind == TetherKind::kSphere; }

 private:
  struct TetherPack {
    Index node[1][kLanesHere];
    Index anchor[kLanesHere];
    Vec3T<W> start;  // the particle at the start of the substep, seen from the point
    W radius;
    W reach;    // the radius that is aimed at
    int count;  // lanes in use
  };

  // How far rounding may put a particle beside the place on the sphere that was meant: it is aimed
  // at so much less, or far from the origin the guarantee would not hold.
  SINEW_INLINE static W rounding(const Vec3T<W>& point, const W& radius) {
    const W farthest = abs(point.x) + abs(point.y) + abs(point.z) + radius + radius;
    return min(farthest * W(2 * std::numeric_limits<Real>::epsilon()), radius);
  }

  SINEW_INLINE static void solve_pack(TetherPack& t, const Substep& s) {
    const Rows4<W> u = gather<W>(s.displacement, t.node[0]);
    Vec3T<W> point{W(0), W(0), W(0)};  // how far it has moved
    W active = select(u.w > W(0), W(1), W(0));
    if constexpr (kKind == TetherKind::kAnchor) {
      const Rows4<W> anchor = gather<W>(s.displacement, t.anchor);
      point = anchor.xyz;
      active = select(anchor.w > W(0), W(0), active);
    }
    const Vec3T<W> d = t.start + (u.xyz - point);
    const W distance = length(d);
    const auto far = active * distance > t.reach;
    // From the point, not from where the particle is: that may be far away, and coarse.
    const Vec3T<W> place =
        select(far, point + (d * (t.reach / max(distance, W(Real(1e-30)))) - t.start), u.xyz);
    if (s.correction) {
      Rows4<W> sum = gather<W>(s.correction, t.node[0]);
      sum.xyz += (place - u.xyz) * W(s.relaxation);
      scatter<W>(s.correction, t.node[0], sum);
    } else {
      scatter<W>(s.displacement, t.node[0], {place, u.w});
    }
  }

  std::shared_ptr<const AttachmentTargets> centres_;
  ColouredPacks<TetherPack> packs_;
};

}  // namespace sinew
