// A convex polyhedron: what quickhull makes of points, with everything that collision asks of it.
#pragma once

#include <sinew/math.h>

#include <cstdint>
#include <span>
#include <vector>

namespace sinew {

struct Hull {
  struct Face {
    Vec3 normal;          // unit, outwards
    Real offset;          // normal · x of its plane [m]
    std::uint16_t first;  // in face_vertices
    std::uint16_t count;  // corners, counter-clockwise seen from outside
  };
  struct Edge {
    std::uint16_t a, b;         // vertices; counter-clockwise for `left`
    std::uint16_t left, right;  // faces
  };

  std::vector<Vec3> vertices;
  std::vector<Face> faces;  // coplanar triangles are merged
  std::vector<std::uint16_t> face_vertices;
  std::vector<Edge> edges;  // each once
  Vec3 center = {};         // of volume
  Real radius = 0;          // of the ball about `center` that holds it all [m]
  Real inner_radius = 0;    // distance of `center` from the nearest face [m]
};

// The hull of points, with vertices and faces in an order that depends on the points alone. Points
// nearer to each other, or to a face, than rounding (relative to the extent) are merged. Throws
// Error for fewer than four points, non-finite ones, and those that are in one place, on one line
// or in one plane; says which, and how to mend it.
Hull make_hull(std::span<const Vec3> points);

}  // namespace sinew
