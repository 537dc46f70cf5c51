// Normals at the vertices of a surface, for shading.
#pragma once

#include <sinew/mesh.h>

namespace sinew {

// The unit normal of every vertex: the sum of the areas (as vectors) of the triangles around it,
// from positions of any number type. Where there is no such direction (a vertex in no triangle, a
// fold) it is +y, so that every normal is a unit vector.
template <class T>
std::vector<Vec3T<float>> vertex_normals(std::span<const Vec3T<T>> vertices,
                                         std::span<const Triangle> triangles);

// A surface whose vertices stand for one smooth patch each: where two triangles meet at a sharp
// edge the vertices on it are doubled, so that a box keeps its edges when it is shaded. Vertices
// in no triangle are left out.
struct ShadedSurface {
  std::vector<Index> source;        // the vertex of the original surface behind each vertex
  std::vector<Triangle> triangles;  // as the original's, in the same order
};
// Triangles whose normals differ by more than `crease_angle` [rad] meet at a sharp edge.
ShadedSurface split_creases(const TriMesh& mesh, Real crease_angle);

}  // namespace sinew
