// Nodal strains for tetrahedra. Linear tetrahedra lock in bending, and in all of it where volume is
// nearly kept. One deformation gradient for each vertex, the mean of those about it, does not:
//   Fₙ = Σₑ ωₑ Fₑ / ωₙ,   ωₑ = Vₑ/4,   ωₙ = Σₑ ωₑ   over the tetrahedra e at the vertex n
//   E = Σₙ ωₙ Ψ(Fₙ) + Σₑ Σₙ∈ₑ ωₑ αₙ μ ‖Fₑ − Fₙ‖²
// By themselves nodal strains are too soft, and have modes of hardly any energy (Puso and Solberg
// 2006). The second sum stabilises them without any resistance to a change of volume, which would
// lock again (Gee, Dohrmann, Key and Wall 2009). It is a quadratic form with one constant matrix
// for x, y and z, whatever the material: turning a body costs nothing, uniform strain neither (the
// patch test), and a tetrahedron that is inside out is drawn back to what is about it. By the
// definition of Fₙ it is
//   Σₑ Vₑ ᾱₑ μ ‖Fₑ‖² − Σₙ ωₙ αₙ μ ‖Fₙ‖²,   ᾱₑ the mean of its four αₙ
// so that the first part joins neighbours only, as a Laplacian does. The size of αₙ is fitted to
// bars that are two cells across (sinew reproduce bending).
#pragma once

#include <sinew/mesh.h>

#include <span>
#include <vector>

namespace sinew {

// A vertex in the stencil of a point, beside its own.
struct NodalNode {
  Index vertex;
  Vec3T<double> gradient;  // b [1/m]: F = Σ (xₘ − xₙ) bₘᵀ
  double laplacian;  // of the first part of the stabiliser, by μ [m]: Σ l ‖xₘ − xₙ‖²/4
};

struct NodalPoint {
  Index vertex;
  double weight;   // ω [m³], with the factors on stiffness
  double share;    // α
  int begin, end;  // its nodes
};

// Points lie along a curve through space, those of one vertex next to each other: it has one for
// each class of stiffness about it, since means across a large step in stiffness are of no use.
struct NodalPoints {
  std::vector<NodalPoint> points;
  std::vector<NodalNode> nodes;
};

// `factors` on the stiffness of cells may be empty: 1. mu and lambda are those of small strains.
NodalPoints nodal_points(const TetMesh& mesh, double mu, double lambda,
                         std::span<const Real> factors);

}  // namespace sinew
