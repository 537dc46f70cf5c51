// A symmetric sparse matrix: its lower triangle in compressed columns.
#pragma once

#include <algorithm>
#include <vector>

namespace sinew {

template <class T>
struct MatrixEntry {
  int row, column;
  T value;
};

template <class T>
struct SparseSymmetric {
  std::vector<int> begin{0};  // where each column begins in row and value; then the end
  std::vector<int> row;       // ascending in a column, from its diagonal on
  std::vector<T> value;

  int size() const { return static_cast<int>(begin.size()) - 1; }

  // Of the entry (i, j) or (j, i), -1: there is none.
  int find(int i, int j) const {
    const auto first = row.begin() + begin[std::min(i, j)];
    const auto last = row.begin() + begin[std::min(i, j) + 1];
    const auto at = std::lower_bound(first, last, std::max(i, j));
    return at != last && *at == std::max(i, j) ? static_cast<int>(at - row.begin()) : -1;
  }
};

// Entries of either triangle; those of the same place are added, in the order they come in. Every
// diagonal is there, be it zero.
template <class T>
SparseSymmetric<T> assemble(int size, std::vector<MatrixEntry<T>> entries) {
  for (MatrixEntry<T>& e : entries)
    if (e.row < e.column) std::swap(e.row, e.column);
  for (int i = 0; i < size; ++i) entries.push_back({i, i, T(0)});
  std::stable_sort(entries.begin(), entries.end(),
                   [](const MatrixEntry<T>& a, const MatrixEntry<T>& b) {
                     return a.column != b.column ? a.column < b.column : a.row < b.row;
                   });
  SparseSymmetric<T> a;
  a.begin.assign(size + 1, 0);
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const MatrixEntry<T>& e = entries[i];
    if (i > 0 && e.row == entries[i - 1].row && e.column == entries[i - 1].column) {
      a.value.back() += e.value;
    } else {
      a.row.push_back(e.row);
      a.value.push_back(e.value);
      ++a.begin[e.column + 1];
    }
  }
  for (int j = 0; j < size; ++j) a.begin[j + 1] += a.begin[j];
  return a;
}

}  // namespace sinew
