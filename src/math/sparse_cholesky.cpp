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
  int columns_max = 0, below_max = 0;
  std::size_t front_max = 0;
  for (int s = 0; s < count; ++s) {
    Panel p{};
    p.column = pattern_.first[s];
    p.columns = pattern_.columns(s);
    p.below = static_cast<int>(pattern_.rows_below(s).size());
    p.column_stride = padded<T>(p.columns);
    p.below_stride = padded<T>(p.below);
    p.diagonal = inverses_.size();
    p.under = panels_.size();
    p.index = rows_.size();
    inverses_.resize(inverses_.size() + std::size_t(p.column_stride) * p.columns);
    panels_.resize(panels_.size() + std::size_t(p.below_stride) * p.columns);
    for (const int row : pattern_.rows_below(s)) rows_.push_back(row);
    rows_.resize(p.index + p.below_stride, n);
    columns_max = std::max(columns_max, p.column_stride);
    below_max = std::max(below_max, p.below_stride);
    front_max = std::max(front_max, std::size_t(padded<T>(p.columns + p.below)) * p.columns);
    panels_of_.push_back(p);
  }
  front_.resize(front_max);
  work_.resize(n + 1);
  partial_.resize(columns_max);
  for (auto& g : gathered_) g.resize(std::max(columns_max, below_max));

  // How much children leave to their parents at any one time: a supernode stacks its own before it
  // removes theirs.
  std::vector<std::size_t> left(count + 1, 0);
  std::size_t room = 0, used = 0;
  for (int s = 0; s < count; ++s) {
    const std::size_t own = triangle_room<T>(panels_of_[s].below);
    room = std::max(room, used + own);
    used += own - left[s];
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
          row < p.column + p.columns
              ? row - p.column
              : p.columns + (std::lower_bound(below.begin(), below.end(), row) - below.begin());
      entry_.push_back(k);
      entry_place_.push_back(std::size_t(column - p.column) * padded<T>(p.columns + p.below) + at);
    }
    entry_begin_.push_back(static_cast<int>(entry_.size()));
  }
}

// The entries of A in the columns of a supernode.
template <class T>
void SparseCholesky<T>::build_front(int s, const SparseSymmetric<T>& a, Front& front) {
  const Panel& p = panels_of_[s];
  std::fill_n(front.columns, std::size_t(front.stride) * p.columns, T(0));
  std::fill_n(front.update, triangle_room<T>(p.below), T(0));
  for (int k = entry_begin_[s]; k < entry_begin_[s + 1]; ++k)
    front.columns[entry_place_[k]] += a.value[entry_[k]];
  for (int j = 0; j < p.columns; ++j) local_[p.column + j] = j;
  for (int i = 0; i < p.below; ++i) local_[rows_[p.index + i]] = p.columns + i;
}

template <class T>
void SparseCholesky<T>::add_child(int child, const T* update, Front& front) {
  const Panel& c = panels_of_[child];
  const Panel& p = panels_of_[pattern_.parent[child]];
  const std::uint32_t* rows = rows_.data() + c.index;
  for (int j = 0; j < c.below; ++j) {
    const T* from = update + std::size_t(j) * c.below_stride;
    const int column = local_[rows[j]];
    if (column < p.columns) {
      T* to = front.columns + std::size_t(column) * front.stride;
      for (int i = j; i < c.below; ++i) to[local_[rows[i]]] += from[i];
    } else {
      T* to = front.update + std::size_t(column - p.columns) * front.update_stride - p.columns;
      for (int i = j; i < c.below; ++i) to[local_[rows[i]]] += from[i];
    }
  }
}

// Stores a factored panel: its diagonal block inverted, column by column.
template <class T>
void SparseCholesky<T>::keep(const Panel& p, const T* factored, int stride) {
  T* inverse = inverses_.data() + p.diagonal;
  const auto l = [&](int i, int j) { return factored[std::size_t(j) * stride + i]; };
  std::fill_n(inverse, std::size_t(p.column_stride) * p.columns, T(0));
  for (int j = 0; j < p.columns; ++j) {
    // L x = e_j, with what is known subtracted from all rows below at once.
    T* x = inverse + std::size_t(j) * p.column_stride;
    x[j] = 1;
    for (int k = j; k < p.columns; ++k) {
      x[k] /= l(k, k);
      const T* column = factored + std::size_t(k) * stride;
      for (int i = k + 1; i < p.columns; ++i) x[i] -= column[i] * x[k];
    }
  }
  for (int j = 0; j < p.columns; ++j)
    std::copy_n(factored + std::size_t(j) * stride + p.columns, p.below,
                panels_.data() + p.under + std::size_t(j) * p.below_stride);
}

template <class T>
std::optional<BadPivot> SparseCholesky<T>::factor(const SparseSymmetric<T>& a) {
  // Children have left their updates one after the other on top of the stack.
  std::vector<std::size_t> children_begin(pattern_.count(), 0);
  std::vector<std::vector<int>> children(pattern_.count());
  std::size_t top = 0;
  std::vector<std::size_t> place(pattern_.count(), 0);
  for (int s = 0; s < pattern_.count(); ++s) {
    const Panel& p = panels_of_[s];
    const int rows = p.columns + p.below;
    Front front{front_.data(), padded<T>(rows), stack_.data() + top, p.below_stride};
    build_front(s, a, front);
    for (const int child : children[s]) add_child(child, stack_.data() + place[child], front);
    const int bad = factor_columns(front.columns, front.stride, rows, p.columns);
    if (bad >= 0) {
      const T pivot = front.columns[std::size_t(bad) * front.stride + bad];
      return BadPivot{pattern_.permutation[p.column + bad], double(pivot)};
    }
    // The rows below do not begin at a pack's boundary in the front; they do where they are kept.
    keep(p, front.columns, front.stride);
    subtract_square<T>(front.update, front.update_stride, panels_.data() + p.under, p.below_stride,
                       p.below, p.below, p.columns);
    const std::size_t base = children[s].empty() ? top : place[children[s].front()];
    if (base != top) std::copy_n(front.update, triangle_room<T>(p.below), stack_.data() + base);
    place[s] = base;
    top = base + triangle_room<T>(p.below);
    if (pattern_.parent[s] >= 0) children[pattern_.parent[s]].push_back(s);
  }
  return {};
}

// y = L⁻¹ b for the columns of a supernode, and what that takes from the rows below.
template <class T>
void SparseCholesky<T>::forward(const Panel& p) {
  using W = PackOf<T>;
  constexpr int kRows = kPackLanes<T>;
  Row4<T>* w = work_.data() + p.column;
  const T* inverse = inverses_.data() + p.diagonal;
  for (int i = 0; i < p.columns; i += kRows) {
    Rows4<W> sum{{W(T(0)), W(T(0)), W(T(0))}, W(T(0))};
    const int end = std::min(p.columns, i + kRows);
    for (int j = 0; j < end; ++j) {
      const W l = load_lanes<W>(inverse + std::size_t(j) * p.column_stride + i);
      sum.xyz.x = sum.xyz.x + l * W(w[j].x);
      sum.xyz.y = sum.xyz.y + l * W(w[j].y);
      sum.xyz.z = sum.xyz.z + l * W(w[j].z);
    }
    store<W>(partial_.data() + i, sum);
  }
  std::copy_n(partial_.data(), p.columns, w);
  const T* panel = panels_.data() + p.under;
  const std::uint32_t* rows = rows_.data() + p.index;
  const Row4<T>* y = partial_.data();
  int i = 0;
  for (; i + 2 * kRows <= p.below_stride; i += 2 * kRows) {
    Vec3T<W> low{W(T(0)), W(T(0)), W(T(0))}, high = low;
    for (int j = 0; j < p.columns; ++j) {
      const T* at = panel + std::size_t(j) * p.below_stride + i;
      const W a = load_lanes<W>(at), b = load_lanes<W>(at + kRows);
      const Vec3T<W> v{W(y[j].x), W(y[j].y), W(y[j].z)};
      low += v * a;
      high += v * b;
    }
    Rows4<W> r = gather<W>(work_.data(), rows + i);
    r.xyz -= low;
    scatter<W>(work_.data(), rows + i, r);
    r = gather<W>(work_.data(), rows + i + kRows);
    r.xyz -= high;
    scatter<W>(work_.data(), rows + i + kRows, r);
  }
  for (; i < p.below_stride; i += kRows) {
    Vec3T<W> sum{W(T(0)), W(T(0)), W(T(0))};
    for (int j = 0; j < p.columns; ++j) {
      const W a = load_lanes<W>(panel + std::size_t(j) * p.below_stride + i);
      sum += Vec3T<W>{W(y[j].x), W(y[j].y), W(y[j].z)} * a;
    }
    Rows4<W> r = gather<W>(work_.data(), rows + i);
    r.xyz -= sum;
    scatter<W>(work_.data(), rows + i, r);
  }
}

// x = L⁻ᵀ (y − what the rows below take).
template <class T>
void SparseCholesky<T>::backward(const Panel& p) {
  using W = PackOf<T>;
  constexpr int kRows = kPackLanes<T>;
  const std::uint32_t* rows = rows_.data() + p.index;
  T *gx = gathered_[0].data(), *gy = gathered_[1].data(), *gz = gathered_[2].data();
  const auto put = [&](int i, const Rows4<W>& r) {
    store_lanes<W>(gx + i, r.xyz.x);
    store_lanes<W>(gy + i, r.xyz.y);
    store_lanes<W>(gz + i, r.xyz.z);
  };
  // Σ over rows of kColumns neighbouring columns with the gathered right-hand sides.
  const auto products = [&]<int kColumns>(const T* column, int stride, int begin, int end,
                                          Row4<T>(&sum)[kColumns]) {
    Vec3T<W> s[kColumns];
    for (auto& v : s) v = {W(T(0)), W(T(0)), W(T(0))};
    for (int i = begin; i < end; i += kRows) {
      const Vec3T<W> v{load_lanes<W>(gx + i), load_lanes<W>(gy + i), load_lanes<W>(gz + i)};
      for (int c = 0; c < kColumns; ++c)
        s[c] += v * load_lanes<W>(column + std::size_t(c) * stride + i);
    }
    for (int c = 0; c < kColumns; ++c) sum[c] = row_sum(Rows4<W>{s[c], W(T(0))});
  };

  Row4<T>* w = work_.data() + p.column;
  if (p.below > 0) {
    for (int i = 0; i < p.below_stride; i += kRows) put(i, gather<W>(work_.data(), rows + i));
    const auto subtract = [](Row4<T>& a, const Row4<T>& b) {
      a = {a.x - b.x, a.y - b.y, a.z - b.z, a.w};
    };
    const T* panel = panels_.data() + p.under;
    int j = 0;
    for (; j + 4 <= p.columns; j += 4) {
      Row4<T> sum[4];
      products(panel + std::size_t(j) * p.below_stride, p.below_stride, 0, p.below_stride, sum);
      for (int c = 0; c < 4; ++c) subtract(w[j + c], sum[c]);
    }
    for (; j < p.columns; ++j) {
      Row4<T> sum[1];
      products(panel + std::size_t(j) * p.below_stride, p.below_stride, 0, p.below_stride, sum);
      subtract(w[j], sum[0]);
    }
  }
  std::copy_n(w, p.columns, partial_.data());
  std::fill(partial_.begin() + p.columns, partial_.begin() + p.column_stride, Row4<T>{});
  for (int i = 0; i < p.column_stride; i += kRows) put(i, load<W>(partial_.data() + i));
  const T* inverse = inverses_.data() + p.diagonal;
  for (int j = 0; j < p.columns; ++j) {
    Row4<T> sum[1];
    products(inverse + std::size_t(j) * p.column_stride, p.column_stride, j / kRows * kRows,
             p.column_stride, sum);
    w[j] = {sum[0].x, sum[0].y, sum[0].z, w[j].w};
  }
}

template <class T>
void SparseCholesky<T>::solve(const Row4<T>* b, Row4<T>* x) {
  const int n = size();
  for (int i = 0; i < n; ++i) work_[i] = b[pattern_.permutation[i]];
  for (const Panel& p : panels_of_) forward(p);
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
  for (auto s = to.supernodes_.rbegin(); s != to.supernodes_.rend(); ++s) backward(panels_of_[*s]);
  for (std::size_t k = 0; k < to.rows_.size(); ++k) x[k] = work_[to.rows_[k]];
}

template class SparseCholesky<float>;
template class SparseCholesky<double>;

}  // namespace sinew
