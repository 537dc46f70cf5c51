// Dense Cholesky factorisation of a few columns, and what it leaves of the rest. Matrices are
// column-major, with rows in packs: every column has room for a whole number of packs, zeros at the
// end.
#pragma once

#include <algorithm>
#include <cmath>

#include "core/pack.h"

namespace sinew {

// Packs of T as wide as the CPU's registers.
template <class T>
inline constexpr int kPackLanes = kLanes == 1 ? 1
                                  : kLanes* int(sizeof(Real)) / int(sizeof(T)) < 4
                                      ? 4
                                      : kLanes* int(sizeof(Real)) / int(sizeof(T));
template <class T>
using PackOf = std::conditional_t<kLanes == 1, T, Pack<T, kLanes == 1 ? 4 : kPackLanes<T>>>;

// Rows, rounded up to whole packs.
template <class T>
constexpr int padded(int rows) {
  return (rows + kPackLanes<T> - 1) / kPackLanes<T> * kPackLanes<T>;
}

// f.operator()<n>() for n from 1 to 4.
template <class F>
SINEW_INLINE void with_up_to_four(int n, F&& f) {
  switch (n) {
    case 1:
      return f.template operator()<1>();
    case 2:
      return f.template operator()<2>();
    case 3:
      return f.template operator()<3>();
    case 4:
      return f.template operator()<4>();
  }
}

namespace dense_detail {

// C(r, c) −= Σₖ A(r, k) B(c, k) for kPacks packs of rows and kColumns columns.
template <class T, int kPacks, int kColumns>
SINEW_INLINE void subtract_tile(T* c, int ldc, const T* a, int lda, const T* b, int ldb,
                                int depth) {
  using W = PackOf<T>;
  constexpr int kRows = kPackLanes<T>;
  W sum[kPacks][kColumns];
  for (int i = 0; i < kPacks; ++i)
    for (int j = 0; j < kColumns; ++j) sum[i][j] = W(T(0));
  for (int k = 0; k < depth; ++k) {
    W rows[kPacks];
    for (int i = 0; i < kPacks; ++i) rows[i] = load_lanes<W>(a + std::size_t(k) * lda + i * kRows);
    for (int j = 0; j < kColumns; ++j) {
      const W column(b[std::size_t(k) * ldb + j]);
      for (int i = 0; i < kPacks; ++i) sum[i][j] = sum[i][j] + rows[i] * column;
    }
  }
  for (int j = 0; j < kColumns; ++j)
    for (int i = 0; i < kPacks; ++i) {
      T* at = c + std::size_t(j) * ldc + i * kRows;
      store_lanes<W>(at, load_lanes<W>(at) - sum[i][j]);
    }
}

template <class T, int kColumns>
void subtract_columns(T* c, int ldc, const T* a, int lda, const T* b, int ldb, int rows,
                      int depth) {
  constexpr int kRows = kPackLanes<T>;
  int i = 0;
  for (; i + 3 * kRows <= rows; i += 3 * kRows)
    subtract_tile<T, 3, kColumns>(c + i, ldc, a + i, lda, b, ldb, depth);
  for (; i < rows; i += kRows) subtract_tile<T, 1, kColumns>(c + i, ldc, a + i, lda, b, ldb, depth);
}

}  // namespace dense_detail

// The lower triangle of C −= A Aᵀ, A of `rows` × `depth`; only the first `columns` columns of C.
// What it does above the diagonal means nothing.
template <class T>
void subtract_square(T* c, int ldc, const T* a, int lda, int rows, int columns, int depth) {
  constexpr int kRows = kPackLanes<T>;
  for (int j = 0; j < columns; j += 4) {
    const int top = j / kRows * kRows;  // the pack that holds the diagonal
    T* at = c + std::size_t(j) * ldc + top;
    const T *left = a + top, *right = a + j;
    with_up_to_four(std::min(4, columns - j), [&]<int kColumns>() {
      dense_detail::subtract_columns<T, kColumns>(at, ldc, left, lda, right, lda, rows - top,
                                                  depth);
    });
  }
}

// C −= A B, A and C of `rows` × n in whole packs of rows, B lower triangular and kept by rows.
template <class T>
void subtract_product_with_lower(T* c, const T* a, int rows, const T* b, int ldb, int n) {
  for (int j = 0; j < n; j += 4) {
    const std::size_t from = std::size_t(j) * rows;
    const T* at = b + std::size_t(j) * ldb + j;
    const auto subtract = [&]<int kColumns>() {
      dense_detail::subtract_columns<T, kColumns>(c + from, rows, a + from, rows, at, ldb, rows,
                                                  n - j);
    };
    with_up_to_four(std::min(4, n - j), subtract);
  }
}

// Factors the first `columns` columns of a matrix with `rows` rows in place: L below and on the
// diagonal. Returns the first column whose pivot is not positive, or -1; above the diagonal there
// may be anything.
template <class T>
int factor_columns(T* a, int lda, int rows, int columns) {
  using W = PackOf<T>;
  constexpr int kRows = kPackLanes<T>, kBlock = 32;
  static_assert(kBlock % kRows == 0);
  for (int k = 0; k < columns; k += kBlock) {
    const int end = std::min(columns, k + kBlock);
    for (int j = k; j < end; ++j) {
      T* column = a + std::size_t(j) * lda;
      const int top = j / kRows * kRows;
      for (int i = top; i < rows; i += kRows) {
        W sum = load_lanes<W>(column + i);
        for (int p = k; p < j; ++p) {
          const T* other = a + std::size_t(p) * lda;
          sum = sum - load_lanes<W>(other + i) * W(other[j]);
        }
        store_lanes<W>(column + i, sum);
      }
      if (!(column[j] > 0) || !std::isfinite(column[j])) return j;
      const T root = std::sqrt(column[j]);
      const W inverse(1 / root);
      for (int i = top; i < rows; i += kRows)
        store_lanes<W>(column + i, load_lanes<W>(column + i) * inverse);
      column[j] = root;
    }
    // The columns still to come: they begin at a pack's boundary, too.
    if (end < columns)
      subtract_square<T>(a + std::size_t(end) * lda + end, lda, a + std::size_t(k) * lda + end, lda,
                         rows - end, columns - end, end - k);
  }
  return -1;
}

}  // namespace sinew
