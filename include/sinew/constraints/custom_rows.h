// Constraints that a program writes itself: any function of a few vertices, or linear ones given as
// arrays. examples/custom_rows.cpp shows some.
//
// Each constraint has `nodes` vertices and `rows` equations C(x) = 0. A row pulls its vertices by
// the force f ∂C/∂x with f = −C/compliance, between `lower` and `upper`; of a rigid row (compliance
// 0) f is whatever keeps C at zero, within the same limits. With upper = 0 a row resists only
// C > 0, with lower = 0 only C < 0.
#pragma once

#include <sinew/describe.h>
#include <sinew/math.h>
#include <sinew/mesh.h>

#include <functional>
#include <span>
#include <string>
#include <vector>

namespace sinew {

// One constraint: where its vertices are, and what its function answers.
struct CustomRowsCall {
  std::size_t index;                  // which of the constraints
  std::span<const Vec3T<double>> x;   // its vertices, in the world [m]
  std::span<double> error;            // C of every row, zero before the call
  std::span<Vec3T<double>> gradient;  // ∂C/∂x, row by row, zero before the call

  Vec3T<double>& slope(std::size_t row, std::size_t node) const {
    return gradient[row * x.size() + node];
  }
};

struct CustomRows {
  static constexpr const char* kName = "custom_rows";
  static constexpr const char* kDoc = "Constraints that a program writes itself.";
  // Scene files cannot name functions.
  static constexpr bool kInScenes = false;
  static constexpr int kNodesMax = 8, kRowsMax = 6;

  int nodes = 2;                     // vertices of a constraint
  int rows = 1;                      // equations of a constraint
  std::vector<Index> vertices = {};  // those of the first constraint, of the second, …

  // Either a function. It is asked for many constraints at once on several threads, in no fixed
  // order, and must depend on its argument alone. What is not finite, or thrown, freezes the body.
  std::function<void(const CustomRowsCall&)> function = {};
  // Or linear rows, C = Σ gradient · x − offset.
  std::vector<Vec3> gradient = {};  // of every constraint, row and vertex
  std::vector<double> offset = {};  // of every constraint and row; empty: zero at the start

  // Of each row: none: the default, one: for all, or one for every constraint and row.
  std::vector<double> compliance = {};  // by energy C²/(2 compliance); default 0: rigid
  std::vector<double> lower = {};       // of f; default −∞
  std::vector<double> upper = {};       // of f; default +∞

  // Forces of a row on its vertices add up to nothing, and so do their moments: a body that nothing
  // else touches then keeps its momenta exactly. Not so where C looks at places in the world.
  bool keeps_momentum = false;

  template <class Visitor>
  void describe(Visitor& v) {
    v.field("nodes", nodes, {.doc = "Vertices of a constraint", .min = 1, .max = kNodesMax});
    v.field("rows", rows, {.doc = "Equations of a constraint", .min = 1, .max = kRowsMax});
  }
  // What does not fit together; empty: nothing.
  std::string problem() const;
};

}  // namespace sinew
