// A Cholesky factorisation A = LLᵀ of a sparse, symmetric, positive definite matrix, made once and
// applied many times, to three right-hand sides together: the x, y and z of particles.
//
// L is found by the multifrontal method (Duff and Reid 1983; Liu, "The multifrontal method for
// sparse matrix solution", 1992) in dense panels, one for each supernode (elimination.h). Its
// diagonal blocks are inverted and multiplied into what is under them, so that substitution is one
// product of a panel with vectors for every supernode, each way (panel_products.h). Large factors
// are bound by being read, once forwards and once backwards.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "core/row_packs.h"
#include "math/elimination.h"
#include "math/panel_products.h"
#include "math/sparse_matrix.h"

namespace sinew {

// Where a factorisation stopped.
struct BadPivot {
  int row;       // of the matrix as it was given
  double pivot;  // not positive, or not finite
};

template <class T>
class SparseCholesky {
 public:
  // Prepares for matrices with entries where `a` has them.
  void analyse(const SparseSymmetric<T>& a);
  // Of a matrix like the one that was analysed. If it is not positive definite, says where, and the
  // factor must not be used.
  std::optional<BadPivot> factor(const SparseSymmetric<T>& a);

  // A x = b, row by row of the matrix as it was given; b and x may be the same. The fourth numbers
  // of rows do not count, and become zero.
  void solve(const Row4<T>* b, Row4<T>* x);

  // The same for b that is zero but for a few rows, of which x is wanted in a few rows only: what
  // lies on the way from them to the root of the elimination tree is enough.
  class Reach {
   public:
    Reach() = default;
    std::span<const int> supernodes() const { return supernodes_; }

   private:
    friend class SparseCholesky;
    std::vector<int> rows_, supernodes_;  // permuted rows; ascending
  };
  Reach reach(std::span<const int> rows) const;
  // b and x have as many rows as were given to reach(), in that order.
  void solve(const Reach& from, const Row4<T>* b, const Reach& to, Row4<T>* x);

  int size() const { return pattern_.size(); }
  const SupernodalPattern& pattern() const { return pattern_; }

 private:
  // Where the numbers of a supernode lie.
  struct Panel {
    int column, below;           // its first; rows below
    PanelShape shape;            // with its own rows
    int below_stride;            // padded
    std::size_t numbers, index;  // into numbers_ and index_
    int columns() const { return shape.columns; }
  };
  struct Front;

  void build_front(int s, const SparseSymmetric<T>& a, Front& front);
  void add_child(int child, const T* update, Front& front);
  void keep(const Panel& p, const T* factored, int stride);
  void forward(const Panel& p);
  void backward(const Panel& p);

  SupernodalPattern pattern_;
  std::vector<Panel> panels_of_;
  std::vector<T> numbers_;
  std::vector<std::uint32_t> index_;  // rows of each supernode, padded by one that does not count

  // Entries of A by supernode: which, and where in its front.
  std::vector<int> entry_begin_, entry_;
  std::vector<std::size_t> entry_place_;
  std::vector<int> local_;          // rows of the matrix in the front under way
  std::vector<T> front_;            // the columns to be factored
  std::vector<T> stack_;            // what children leave to their parents
  std::vector<T> inverse_;          // L₁⁻¹ of the panel at hand, by rows
  std::vector<T> under_, product_;  // L₂ and −L₂ L₁⁻¹, by columns

  std::vector<Row4<T>> work_;     // the right-hand sides, permuted
  std::vector<Row4<T>> partial_;  // of a supernode's columns
};

extern template class SparseCholesky<float>;
extern template class SparseCholesky<double>;

}  // namespace sinew
