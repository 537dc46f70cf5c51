// A grab (sinew/grab.h) as one step sees it. It pulls the weighted mean of some vertices to a place
// t that may move,
//   f = −(k C + d Ċ),   C = m(x) − t,   m(x) = Σ wᵢ xᵢ,   Σ wᵢ = 1,
// spread over the vertices by the same weights. At the end of an implicit step of length h from C₀,
// Ċ is (C − C₀)/h, and spring and damper are one spring to another place:
//   f = −k' (m − r),   k' = k + d/h,   r = t + (d/h)/k' C₀.
// One that pulls no harder than F has Huber's energy: ½k's² for a stretch s = |m − r| up to F/k',
// and F s − F²/2k' beyond, so that the force goes on at F. It curves nowhere more than a spring of
// stiffness min(k', F/s) that touches it at s, so steps with that one never lead up.
#pragma once

#include <sinew/mesh.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "core/places.h"
#include "math/rows.h"

namespace sinew {

struct GrabSpring {
  std::span<const Index> vertices;
  std::span<const Real> weights;                           // wᵢ
  double stiffness = 0;                                    // k' [N/m]
  double limit = std::numeric_limits<double>::infinity();  // F [N]
  Vec3T<double> rest = {};                                 // r [m]

  Vec3T<double> mean(const Places& x) const {
    Vec3T<double> sum{};
    for (std::size_t i = 0; i < vertices.size(); ++i) sum += x[vertices[i]] * double(weights[i]);
    return sum;
  }
  // That of the spring that touches it there.
  double stiffness_at(double stretch) const {
    return stiffness * stretch > limit ? limit / stretch : stiffness;
  }
  double stiffness_at(const Row4<Real>* x) const { return stiffness_at(length(mean({x}) - rest)); }
  // On all vertices together [N].
  Vec3T<double> force(const Row4<Real>* x) const {
    const Vec3T<double> stretch = mean({x}) - rest;
    return stretch * -stiffness_at(length(stretch));
  }
  // Returns its energy [J], and adds its gradient [N].
  double add_gradient(const Row4<Real>* x, Row4<Real>* gradient) const {
    const Vec3T<double> way = mean({x}) - rest;
    const double stretch = length(way), k = stiffness_at(stretch);
    for (std::size_t i = 0; i < vertices.size(); ++i) {
      const Vec3T<double> push = way * (k * double(weights[i]));
      Row4<Real>& g = gradient[vertices[i]];
      g = {g.x + Real(push.x), g.y + Real(push.y), g.z + Real(push.z), g.w};
    }
    if (k < stiffness) return limit * stretch - 0.5 * limit * limit / stiffness;
    return 0.5 * k * stretch * stretch;
  }
};

}  // namespace sinew
