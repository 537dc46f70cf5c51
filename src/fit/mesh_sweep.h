// One sweep of plain position-based dynamics over a mesh, for small displacements u about rest:
//   u ← u − k a m,   a = ∇C·u,   mᵢ = wᵢ ∇ᵢC / Σ wⱼ|∇ⱼC|²
// constraint after constraint, in the order in which `plain_cells` solves them (Gauss–Seidel), or
// all from the same u (Jacobi). Pins have w = 0, as in Algorithm 1 of the thesis on fitting
// position-based dynamics, and never move. In double, whatever Real is.
#pragma once

#include <sinew/bodies.h>

#include <array>
#include <vector>

#include "fit/dense.h"

namespace sinew::fit {

// Classes of constraints that share a stiffness, in the order of PlainCells.
inline constexpr int kMeshClasses = 4;
using ClassValues = std::array<double, kMeshClasses>;
using ClassFlags = std::array<bool, kMeshClasses>;

class MeshSweep {
 public:
  // Of a solid. Classes that are not `active` have no constraints: they change the order of others.
  MeshSweep(const BodyMesh& mesh, const std::vector<double>& inverse_mass,
            const ClassFlags& active);

  // One iteration with stiffness k of each class.
  void forward(const ClassValues& k, Vector& u) const;
  void backward(const ClassValues& k, Vector& u) const;
  void jacobi(const ClassValues& k, double relaxation, Vector& u) const;
  // Σ m a over a class: minus what a Jacobi iteration of it with k = 1 does.
  Vector corrections(int kind, const Vector& u) const;

 private:
  struct One {
    int kind, first, count;  // of the entries of nodes_
  };
  template <class C, std::size_t N>
  void append(int kind, const std::array<Index, N>& nodes);
  template <class C, std::size_t N>
  void add_batch(const std::vector<std::array<Index, N>>& cells, const std::vector<int>& kinds);
  double violation(const One& one, const Vector& u) const;
  void move(const One& one, double by, Vector& u) const;

  std::vector<double> inverse_mass_;
  std::vector<Vec3T<double>> rest_;
  std::vector<One> constraints_;  // in the order of a sweep
  std::vector<Index> nodes_;
  std::vector<Vec3T<double>> gradients_, moves_;
};

}  // namespace sinew::fit
