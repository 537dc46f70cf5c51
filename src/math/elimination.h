// What is known of the Cholesky factor of a sparse symmetric matrix before its values are: an
// ordering of the unknowns that keeps it sparse, and its columns in supernodes, groups of
// neighbours that have the same rows below them. By nested dissection (Karypis and Kumar's METIS),
// Liu's elimination tree, and supernodes relaxed as in CHOLMOD (Chen, Davis, Hager and
// Rajamanickam, "Algorithm 887", 2008): a few zeros are stored where that makes fewer and larger
// ones.
#pragma once

#include <span>
#include <vector>

namespace sinew {

struct SupernodalPattern {
  // Row and column i of the permuted matrix are permutation[i] of the original.
  std::vector<int> permutation, inverse;
  std::vector<int> first{0};       // column of each supernode; then the end
  std::vector<int> parent;         // supernode of its first row below, -1: none; always later
  std::vector<int> rows_begin{0};  // where the rows below each supernode begin; then the end
  std::vector<int> rows;           // ascending
  std::vector<int> supernode_of;   // column

  int size() const { return static_cast<int>(permutation.size()); }
  int count() const { return static_cast<int>(parent.size()); }
  int columns(int s) const { return first[s + 1] - first[s]; }
  std::span<const int> rows_below(int s) const {
    return std::span(rows).subspan(rows_begin[s], rows_begin[s + 1] - rows_begin[s]);
  }
  // Numbers in the factor, with the zeros that are stored.
  long long entries() const;
};

// The lower triangle, column by column, as in SparseSymmetric.
SupernodalPattern analyse(std::span<const int> begin, std::span<const int> row);

}  // namespace sinew
