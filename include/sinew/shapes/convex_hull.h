// The convex hull of points.
#pragma once

#include <sinew/describe.h>
#include <sinew/mesh.h>
#include <sinew/signed_distance.h>

#include <memory>
#include <vector>

namespace sinew {

struct Hull;          // its faces and edges: src/collision/hull.h
struct PreparedHull;  // that and the points it was made of

// The largest distance from a face's plane: exact inside and over faces. Beside edges and corners
// it is less than the distance, as if a margin about the hull had sharp edges like the hull itself;
// that costs a product for every face, where the exact distance is a search. Defined for float,
// double and the library's packs.
template <class T>
SignedDistance<T> hull_distance(const Hull& hull, const Vec3T<T>& p);

struct ConvexHull {
  static constexpr const char* kName = "convex_hull";
  static constexpr const char* kDoc =
      "The smallest convex body that holds all the points. At most some 10,000 of them may be "
      "corners; for contact, a few dozen are as good.";

  std::vector<Vec3> points = {};                      // [m]; not all in one plane
  std::shared_ptr<const PreparedHull> prepared = {};  // by prepare()

  template <class Visitor>
  void describe(Visitor& v) {
    v.field("points", points,
            {.doc = "Points, in any order, not all in one plane; those inside do not matter",
             .unit = "m",
             .required = true});
  }

  // Finds the hull; a world does so when a body is added. Copies share it, and while the points
  // stay the same nothing is done again. Throws Error for points that have no hull.
  void prepare();
  const Hull& hull() const;  // prepare() comes first

  // Its faces, in triangles.
  TriMesh surface() const;

  // Without prepare(), the hull is found from scratch each time.
  template <class T>
  SignedDistance<T> signed_distance(const Vec3T<T>& p) const {
    if (prepared) return hull_distance(hull(), p);
    ConvexHull copy{points};
    copy.prepare();
    return hull_distance(copy.hull(), p);
  }
};

}  // namespace sinew
