// A box, a hull of few edges or a triangle, moved into a common frame and laid out in rows, for the
// separating axis test. A triangle is a polyhedron with two faces, front and back.
#pragma once

#include "collision/convex.h"

namespace sinew {

struct Polyhedron {
  static constexpr int kMostEdges = 48, kMostFaces = 32, kMostVertices = 32;
  static constexpr int kBlock = 8;  // rows are filled up to whole blocks, by repeating the last

  template <int kCount>
  struct Rows {
    Real x[kCount], y[kCount], z[kCount];
    Vec3 operator[](int i) const { return {x[i], y[i], z[i]}; }
    void set(int i, const Vec3& v) { x[i] = v.x, y[i] = v.y, z[i] = v.z; }
  };

  // Whether there is room for it; not so for round shapes.
  static bool holds(const Convex& convex);
  static int edges_of(const Convex& convex);

  Polyhedron(const Convex& convex, const Mat3& rotation, const Vec3& position);

  Rows<kMostVertices> vertex;
  Rows<kMostFaces> normal;
  Rows<kMostEdges> along;  // edges, from end to end
  Real offset[kMostFaces];
  const Hull::Edge* edges;
  int vertices, faces, edge_count;
  Vec3 center;
  Real inner_radius;  // of a ball about the centre that is inside

  // dot(rows, v), to whole blocks.
  template <int kCount>
  static void products(const Rows<kCount>& rows, int count, const Vec3& v, Real* out) {
    for (int i = 0; i < count; i += kBlock)
      for (int k = 0; k < kBlock; ++k)
        out[i + k] = rows.x[i + k] * v.x + rows.y[i + k] * v.y + rows.z[i + k] * v.z;
  }
  // The least dot(vertex, n).
  Real lowest(const Vec3& n) const;

 private:
  void load_box(const Vec3& half, const Mat3& r, const Vec3& t);
  void load_hull(const Hull& hull, const Mat3& r, const Vec3& t);
  void load_triangle(const Vec3 (&corner)[3], const Mat3& r, const Vec3& t);
  void finish();
};

}  // namespace sinew
