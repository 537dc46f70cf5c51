// A Cholesky factorisation A = LLᵀ in double of a sparse, symmetric, positive definite matrix whose
// numbers change all the time while its pattern stays: factored once for a solution or two, where
// SparseCholesky is made for many. Right-looking by supernodes (elimination.h): each is a dense
// panel, and what its factored columns take from later ones goes there at once, by places that were
// looked up when the pattern was analysed (Rothberg and Gupta, "An evaluation of left-looking,
// right-looking and multifrontal approaches to sparse Cholesky factorization", 1993). Nothing is
// allocated after analyse().
//
// Substitution goes by blocks of up to kSide columns, of whose triangle L₁ the inverse is kept,
// too: in b ← L₁⁻¹b no number waits for the one before, where dividing by one pivot after the other
// took most of the time of a solution.
#pragma once

#include <span>
#include <vector>

#include "math/elimination.h"

namespace sinew {

class PanelCholesky {
 public:
  // The lower triangle, column by column, with all diagonals.
  void analyse(std::span<const int> begin, std::span<const int> row);

  int size() const { return pattern_.size(); }
  // Multiplications of one factorisation, about.
  double work() const { return work_; }

  // Where the entry (i, j) or (j, i) lies in numbers(); it must be one of the pattern.
  std::size_t place(int i, int j) const;
  std::span<double> numbers() { return numbers_; }
  // All entries zero, to be added to.
  void clear();
  // False: not positive definite, and the factor must not be used.
  bool factor();
  // A x = b, with b in x.
  void solve(double* x);

  // The same in two halves, L y = b and Lᵀ x = y. In between, y may be changed by take().
  void solve_first(const double* b);
  void solve_second(double* x);

  // L⁻¹ of a column with few numbers: those that are not zero, piece by piece.
  struct Half {
    struct Piece {
      int column, columns, at;
    };
    std::vector<Piece> pieces;
    std::vector<double> numbers;
  };
  // Of the numbers `value` in the rows `row`. Overwrites what solve_first() left.
  void find_half(std::span<const int> row, std::span<const double> value, Half& half);
  static double product(const Half& a, const Half& b);
  // With y between the halves; y ← y − times half.
  double product(const Half& half) const;
  void take(const Half& half, double times);

 private:
  struct Panel {
    int column, columns, below, stride;
    std::size_t numbers;  // its first
    int rows;             // of those below, in pattern_.rows
    int first_target, end_target;
  };
  // What a panel takes from a later one: all that is in its columns.
  struct Target {
    int begin, end;  // columns, counted in the rows below
    int to;          // panel
    std::size_t at;  // places in the panel's columns of the rows below, from `begin` on
  };

  // Columns of a panel in substitution; what is under them are the panel's other columns, too.
  static constexpr int kSide = 16;  // whole packs
  struct Block {
    int column, columns, below, stride;
    std::size_t numbers;  // of the first pivot
    std::size_t inverse;  // of the triangle, by rows of whole packs
    int rows;             // under it, in rows_
  };

  void add_blocks(const Panel& p);
  void update(const Panel& p);
  void invert(const Block& b);
  void substitute(const Block& b);
  void substitute_back(const Block& b);

  SupernodalPattern pattern_;
  std::vector<Panel> panels_;
  std::vector<Block> blocks_;
  std::vector<Target> targets_;
  std::vector<int> place_, rows_;
  std::vector<double> numbers_;  // by columns, and at the end room to read a pack
  std::vector<double> update_;   // of the panel at hand
  std::vector<double> inverse_;
  std::vector<double> x_, part_;  // with room for whole packs
  double work_ = 0;
};

}  // namespace sinew
