// The shape of a convex hull: see sinew/shapes/convex_hull.h.
#include <sinew/error.h>
#include <sinew/shapes/convex_hull.h>

#include "collision/prepared_hull.h"
#include "core/format.h"
#include "core/pack.h"

namespace sinew {

void ConvexHull::prepare() {
  if (prepared && prepared->points == points) return;
  try {
    prepared = std::make_shared<const PreparedHull>(PreparedHull{points, make_hull(points)});
  } catch (const Error& error) {
    throw Error(formatted("points: {}", error.what()));
  }
}

const Hull& ConvexHull::hull() const { return prepared->hull; }

TriMesh ConvexHull::surface() const {
  if (!prepared) {
    ConvexHull copy{points};
    copy.prepare();
    return copy.surface();
  }
  TriMesh mesh{.vertices = hull().vertices};
  for (const Hull::Face& face : hull().faces)
    for (Index i = 2; i < face.count; ++i)
      mesh.cells.push_back({hull().face_vertices[face.first],
                            hull().face_vertices[face.first + i - 1],
                            hull().face_vertices[face.first + i]});
  return mesh;
}

template <class T>
SignedDistance<T> hull_distance(const Hull& hull, const Vec3T<T>& p) {
  using N = NumberOf<T>;
  const auto wide = [](const Vec3& v) { return Vec3T<T>{T(N(v.x)), T(N(v.y)), T(N(v.z))}; };
  SignedDistance<T> out{T(std::numeric_limits<N>::lowest()), {T(0), T(1), T(0)}};
  for (const Hull::Face& face : hull.faces) {
    const Vec3T<T> n = wide(face.normal);
    const T distance = dot(n, p) - T(N(face.offset));
    const auto nearer = distance > out.distance;
    out.distance = select(nearer, distance, out.distance);
    out.normal = select(nearer, n, out.normal);
  }
  return out;
}

template SignedDistance<float> hull_distance(const Hull&, const Vec3T<float>&);
template SignedDistance<double> hull_distance(const Hull&, const Vec3T<double>&);
using Lanes = Pack<Real, kLanes == 1 ? 4 : kLanes>;
template SignedDistance<Lanes> hull_distance(const Hull&, const Vec3T<Lanes>&);

}  // namespace sinew
