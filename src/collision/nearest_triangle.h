// The triangle nearest to a point, of those that are offered one after the other. In double: the
// side of a surface that a point is on hangs on which of its edges and corners is nearest.
#pragma once

#include <sinew/mesh.h>

#include <cmath>
#include <limits>
#include <optional>

#include "collision/surface.h"
#include "geometry/cells.h"
#include "geometry/nearest_on_triangle.h"

namespace sinew {

class NearestTriangle {
 public:
  // What is farther than that does not count; what is just as far does.
  NearestTriangle(const Vec3& point, Real max_distance) : point_(to_double(point)) {
    best_.distance2 =
        min(double(max_distance) * double(max_distance), std::numeric_limits<double>::max());
    set_bound();
  }

  // Of several that are as near, the one with the smallest number is taken.
  void offer(Index triangle, const Vec3 (&corner)[3]) {
    const Vec3T<double> x[3] = {to_double(corner[0]), to_double(corner[1]), to_double(corner[2])};
    const NearestOnTriangle here = nearest_on_triangle(point_, x);
    if (here.distance2 < best_.distance2 ||
        (here.distance2 == best_.distance2 && triangle < triangle_)) {
      best_ = here;
      triangle_ = triangle;
      set_bound();
    }
  }

  // What lies in a box whose squared distance is larger need not be offered, even if that is the
  // rounded sum of rounded squares of rounded differences.
  Real bound() const { return bound_; }

  bool found() const { return triangle_ != kNoIndex; }
  Index triangle() const { return triangle_; }
  const NearestOnTriangle& place() const { return best_; }
  std::optional<SurfacePoint> point() const {
    if (!found()) return {};
    return SurfacePoint{to_real(best_.point), triangle_, Real(std::sqrt(best_.distance2))};
  }

 private:
  void set_bound() {
    constexpr double kRounding = 8 * double(std::numeric_limits<Real>::epsilon());
    const double bound = best_.distance2 * (1 + kRounding);
    bound_ = bound < double(std::numeric_limits<Real>::max())
                 ? Real(bound)
                 : std::numeric_limits<Real>::infinity();
  }

  Vec3T<double> point_;
  NearestOnTriangle best_ = {};
  Index triangle_ = kNoIndex;
  Real bound_;
};

}  // namespace sinew
