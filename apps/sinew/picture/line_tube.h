// A tube round the lines of a rope: what there is to see of it. Rings of vertices, one about every
// vertex of the line, that follow its bends without twisting; the ends are closed.
#pragma once

#include <sinew/mesh.h>

namespace sinew {

class LineTube {
 public:
  // The radius is that of the tube [m]; `rest` gives the rings their start.
  LineTube(const LineMesh& rest, Real radius);

  // They index what vertices() returns, whatever the positions.
  const std::vector<Triangle>& triangles() const { return triangles_; }
  // Of the tube, for the places of the line's vertices.
  std::vector<Vec3> vertices(std::span<const Vec3> positions) const;

 private:
  // Vertices one after the other, from an end or a branch to the next.
  struct Chain {
    std::vector<Index> vertices;
    Vec3 tangent, normal;  // at its first vertex, at rest
  };
  void add_triangles(std::size_t rings);

  Real radius_;
  std::vector<Chain> chains_;
  std::vector<Triangle> triangles_;
  Index vertex_count_ = 0;
};

}  // namespace sinew
