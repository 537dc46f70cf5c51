// A Cholesky factorisation A = LLᵀ of a sparse, symmetric, positive definite matrix, made once and
// applied many times, to three right-hand sides together: the x, y and z of particles.
//
// L is found by the multifrontal method (Duff and Reid 1983; Liu, "The multifrontal method for
// sparse matrix solution", 1992) in dense panels, one for each supernode (elimination.h). Its
// diagonal blocks are stored inverted, so that substitution is nothing but products of panels with
// vectors: packs run along the rows of a panel, right-hand sides are broadcast. It is bound by
// reading L once forwards and once backwards.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "core/pack.h"
#include "math/elimination.h"
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

  // A x = b, row by row of the matrix as it was given; b and x may be the same.
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
    int column, columns, below;          // first, how many, rows below
    int column_stride, below_stride;     // of the two blocks, padded
    std::size_t diagonal, under, index;  // into inverses_, panels_ and rows_
  };
  struct Front;

  void build_front(int s, const SparseSymmetric<T>& a, Front& front);
  void add_child(int child, const T* update, Front& front);
  void keep(const Panel& p, const T* factored, int stride);
  void forward(const Panel& p);
  void backward(const Panel& p);

  SupernodalPattern pattern_;
  std::vector<Panel> panels_of_;
  std::vector<T> inverses_, panels_;
  std::vector<std::uint32_t> rows_;  // below each supernode, padded by a row that does not count

  // Entries of A by supernode: which, and where in its front.
  std::vector<int> entry_begin_, entry_;
  std::vector<std::size_t> entry_place_;
  std::vector<int> local_;  // rows of the matrix in the front under way
  std::vector<T> front_,
      stack_;  // the columns to be factored; what children leave to their parents

  std::vector<Row4<T>> work_;     // the right-hand sides, permuted
  std::vector<T> gathered_[3];    // right-hand sides at the rows of a panel
  std::vector<Row4<T>> partial_;  // of a supernode's columns
};

extern template class SparseCholesky<float>;
extern template class SparseCholesky<double>;

}  // namespace sinew
