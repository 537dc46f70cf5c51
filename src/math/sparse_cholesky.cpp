#include "math/sparse_cholesky.h"

#include <algorithm>

#include "math/dense_cholesky.h"

namespace sinew {
namespace {

template <class T>
std::size_t triangle_room(int below) {
  return std::size_t(padded<T>(below)) * below;
}

}  // namespace

// The columns of a supernode with all its rows, and what they leave to its parent.
template <class T>
struct SparseCholesky<T>::Front {
  T* columns;
  int stride;
  T* update;  // of the rows below, lower triangle
  int update_stride;
};

template <class T>
void SparseCholesky<T>::analyse(const SparseSymmetric<T>& a) {
  *this = {};
  pattern_ = sinew::analyse(a.begin, a.row);
  const int n = size(), count = pattern_.count();
  int columns_max = 0;
  std::size_t front_max = 0, under_max = 0, used = 0;
  for (int s = 0; s < count; ++s) {
    const auto below = pattern_.rows_below(s);
    Panel p{};
    p.column = pattern_.first[s];
    p.below = static_cast<int>(below.size());
    p.shape = {pattern_.columns(s) + p.below, pattern_.columns(s)};
    p.below_stride = padded<T>(p.below);
    p.numbers = used;
    p.index = index_.size();
    used += p.shape.numbers();
    for (int j = 0; j < p.columns(); ++j) index_.push_back(p.column + j);
    index_.insert(index_.end(), below.begin(), below.end());
    index_.resize(p.index + padded<T>(p.shape.rows), n);
    columns_max = std::max(columns_max, padded<T>(p.columns()));
    under_max = std::max(under_max, std::size_t(p.below_stride) * p.columns());
    front_max = std::max(front_max, std::size_t(padded<T>(p.shape.rows)) * p.columns());
    panels_of_.push_back(p);
  }
  numbers_.resize(used + kPackLanes<T>);  // the last pack reads beyond the end
  front_.resize(front_max);
  inverse_.resize(std::size_t(columns_max) * columns_max);
  under_.resize(under_max);
  product_.resize(under_max);
  work_.resize(n + 1);
  partial_.resize(columns_max);

  // How much children leave to their parents at any one time: a supernode stacks its own before it
  // removes theirs.
  std::vector<std::size_t> left(count + 1, 0);
  std::size_t room = 0, stacked = 0;
  for (int s = 0; s < count; ++s) {
    const std::size_t own = triangle_room<T>(panels_of_[s].below);
    room = std::max(room, stacked + own);
    stacked += own - left[s];
    if (pattern_.parent[s] >= 0) left[pattern_.parent[s]] += own;
  }
  stack_.resize(room);

  local_.assign(n, 0);
  std::vector<std::vector<int>> of(count);
  for (int j = 0; j < n; ++j)
    for (int k = a.begin[j]; k < a.begin[j + 1]; ++k)
      of[pattern_.supernode_of[std::min(pattern_.inverse[j], pattern_.inverse[a.row[k]])]]
          .push_back(k);
  std::vector<int> column_of(a.row.size());
  for (int j = 0; j < n; ++j)
    std::fill_n(column_of.begin() + a.begin[j], a.begin[j + 1] - a.begin[j], j);
  entry_begin_.assign(1, 0);
  for (int s = 0; s < count; ++s) {
    const Panel& p = panels_of_[s];
    const auto below = pattern_.rows_below(s);
    for (const int k : of[s]) {
      const auto [column, row] =
          std::minmax(pattern_.inverse[column_of[k]], pattern_.inverse[a.row[k]]);
      const std::size_t at =
          row < p.column + p.columns()
              ? row - p.column
              : p.columns() + (std::lower_bound(below.begin(), below.end(), row) - below.begin());
      entry_.push_back(k);
      entry_place_.push_back(std::size_t(column - p.column) * padded<T>(p.shape.rows) + at);
    }
    entry_begin_.push_back(static_cast<int>(entry_.size()));
  }
}

// The entries of A in the columns of a supernode.
template <class T>
void SparseCholesky<T>::build_front(int s, const SparseSymmetric<T>& a, Front& front) {
  const Panel& p = panels_of_[s];
  std::fill_n(front.columns, std::size_t(front.stride) * p.columns(), T(0));
  std::fill_n(front.update, triangle_room<T>(p.below), T(0));
  for (int k = entry_begin_[s]; k < entry_begin_[s + 1]; ++k)
    front.columns[entry_place_[k]] += a.value[entry_[k]];
  for (int i = 0; i < p.shape.rows; ++i) local_[index_[p.index + i]] = i;
}

template <class T>
void SparseCholesky<T>::add_child(int child, const T* update, Front& front) {
  const Panel& c = panels_of_[child];
  const Panel& p = panels_of_[pattern_.parent[child]];
  const std::uint32_t* rows = index_.data() + c.index + c.columns();
  for (int j = 0; j < c.below; ++j) {
    const T* from = update + std::size_t(j) * c.below_stride;
    const int column = local_[rows[j]];
    if (column < p.columns()) {
      T* to = front.columns + std::size_t(column) * front.stride;
      for (int i = j; i < c.below; ++i) to[local_[rows[i]]] += from[i];
    } else {
      T* to = front.update + std::size_t(column - p.columns()) * front.update_stride - p.columns();
      for (int i = j; i < c.below; ++i) to[local_[rows[i]]] += from[i];
    }
  }
}

// Stores a factored panel as it is multiplied with, and leaves L₂ in under_.
template <class T>
void SparseCholesky<T>::keep(const Panel& p, const T* factored, int stride) {
  const int n = p.columns(), row_stride = padded<T>(n);
  const auto l = [&](int i, int j) { return factored[std::size_t(j) * stride + i]; };
  // The rows of L₁⁻¹ one after the other, from L₁ L₁⁻¹ = 1.
  for (int i = 0; i < n; ++i) {
    T* row = inverse_.data() + std::size_t(i) * row_stride;
    std::fill_n(row, row_stride, T(0));
    for (int k = 0; k < i; ++k) {
      const T* other = inverse_.data() + std::size_t(k) * row_stride;
      const T factor = l(i, k);
      for (int j = 0; j <= k; ++j) row[j] -= factor * other[j];
    }
    row[i] = 1;
    const T scale = 1 / l(i, i);
    for (int j = 0; j <= i; ++j) row[j] *= scale;
  }
  // The rows below do not begin at a pack's boundary in the front; here they do.
  for (int j = 0; j < n; ++j) {
    T* column = under_.data() + std::size_t(j) * p.below_stride;
    std::copy_n(factored + std::size_t(j) * stride + n, p.below, column);
    std::fill(column + p.below, column + p.below_stride, T(0));
  }
  std::fill_n(product_.data(), std::size_t(p.below_stride) * n, T(0));
  subtract_product_with_lower<T>(product_.data(), under_.data(), p.below_stride, inverse_.data(),
                                 row_stride, n);
  p.shape.fill(numbers_.data() + p.numbers, [&](int i, int j) {
    return i < n ? inverse_[std::size_t(i) * row_stride + j]
                 : product_[std::size_t(j) * p.below_stride + i - n];
  });
}

template <class T>
std::optional<BadPivot> SparseCholesky<T>::factor(const SparseSymmetric<T>& a) {
  // Children have left their updates one after the other on top of the stack.
  std::vector<std::vector<int>> children(pattern_.count());
  std::size_t top = 0;
  std::vector<std::size_t> place(pattern_.count(), 0);
  for (int s = 0; s < pattern_.count(); ++s) {
    const Panel& p = panels_of_[s];
    Front front{front_.data(), padded<T>(p.shape.rows), stack_.data() + top, p.below_stride};
    build_front(s, a, front);
    for (const int child : children[s]) add_child(child, stack_.data() + place[child], front);
    const int bad = factor_columns(front.columns, front.stride, p.shape.rows, p.columns());
    if (bad >= 0) {
      const T pivot = front.columns[std::size_t(bad) * front.stride + bad];
      return BadPivot{pattern_.permutation[p.column + bad], double(pivot)};
    }
    keep(p, front.columns, front.stride);
    subtract_square<T>(front.update, front.update_stride, under_.data(), p.below_stride, p.below,
                       p.below, p.columns());
    const std::size_t base = children[s].empty() ? top : place[children[s].front()];
    if (base != top) std::copy_n(front.update, triangle_room<T>(p.below), stack_.data() + base);
    place[s] = base;
    top = base + triangle_room<T>(p.below);
    if (pattern_.parent[s] >= 0) children[pattern_.parent[s]].push_back(s);
  }
  return {};
}

template <class T>
void SparseCholesky<T>::forward(const Panel& p) {
  Row4<T>* own = work_.data() + p.column;
  std::copy_n(own, p.columns(), partial_.data());
  std::fill_n(own, p.columns(), Row4<T>{});
  add_product(p.shape, numbers_.data() + p.numbers, index_.data() + p.index, partial_.data(),
              work_.data());
}

template <class T>
void SparseCholesky<T>::backward(const Panel& p) {
  transposed_product(p.shape, numbers_.data() + p.numbers, index_.data() + p.index, work_.data(),
                     partial_.data());
  std::copy_n(partial_.data(), p.columns(), work_.data() + p.column);
}

template <class T>
void SparseCholesky<T>::solve(const Row4<T>* b, Row4<T>* x) {
  const int n = size();
  for (int i = 0; i < n; ++i) {
    const Row4<T>& row = b[pattern_.permutation[i]];
    work_[i] = {row.x, row.y, row.z, 0};
  }
  for (const Panel& p : panels_of_) forward(p);
  work_[n] = {};  // which padding has written to
  for (auto p = panels_of_.rbegin(); p != panels_of_.rend(); ++p) backward(*p);
  for (int i = 0; i < n; ++i) x[pattern_.permutation[i]] = work_[i];
}

template <class T>
typename SparseCholesky<T>::Reach SparseCholesky<T>::reach(std::span<const int> rows) const {
  Reach r;
  std::vector<bool> seen(pattern_.count(), false);
  for (const int row : rows) {
    const int i = pattern_.inverse[row];
    r.rows_.push_back(i);
    for (int s = pattern_.supernode_of[i]; s >= 0 && !seen[s]; s = pattern_.parent[s]) {
      seen[s] = true;
      r.supernodes_.push_back(s);
    }
  }
  std::sort(r.supernodes_.begin(), r.supernodes_.end());
  return r;
}

template <class T>
void SparseCholesky<T>::solve(const Reach& from, const Row4<T>* b, const Reach& to, Row4<T>* x) {
  const auto clear = [&](const Reach& reach) {
    for (const int s : reach.supernodes_)
      std::fill_n(work_.begin() + pattern_.first[s], pattern_.columns(s), Row4<T>{});
  };
  clear(from);
  clear(to);
  for (std::size_t k = 0; k < from.rows_.size(); ++k) {
    Row4<T>& w = work_[from.rows_[k]];
    w = {w.x + b[k].x, w.y + b[k].y, w.z + b[k].z, 0};
  }
  for (const int s : from.supernodes_) forward(panels_of_[s]);
  work_[size()] = {};
  for (auto s = to.supernodes_.rbegin(); s != to.supernodes_.rend(); ++s) backward(panels_of_[*s]);
  for (std::size_t k = 0; k < to.rows_.size(); ++k) x[k] = work_[to.rows_[k]];
}

template class SparseCholesky<float>;
template class SparseCholesky<double>;

}  // namespace sinew
