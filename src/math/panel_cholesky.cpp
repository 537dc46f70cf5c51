#include "math/panel_cholesky.h"

#include <algorithm>
#include <cmath>

#include "math/dense_cholesky.h"

namespace sinew {
namespace {

// Numbers from all over. Written to memory one by one and then read as a pack, they would have to
// wait until all of them have arrived there.
template <class W, int... I>
SINEW_INLINE W gathered(const double* from, const int* at, std::integer_sequence<int, I...>) {
  if constexpr (sizeof...(I) == 1)
    return from[at[0]];
  else
    return W::from(typename W::Raw{from[at[I]]...});
}

// factor_columns() for few columns; pivots are not written by themselves, for the same reason.
// False: one is not positive.
bool factor_few_columns(double* a, int stride, int rows, int columns) {
  using W = PackOf<double>;
  constexpr int kRows = kPackLanes<double>;
  for (int j = 0; j < columns; ++j) {
    double* column = a + std::size_t(j) * stride;
    const int top = j / kRows * kRows;
    for (int i = top; i < rows; i += kRows) {
      W sum = load_lanes<W>(column + i);
      for (int k = 0; k < j; ++k) {
        const double* other = a + std::size_t(k) * stride;
        sum -= load_lanes<W>(other + i) * W(other[j]);
      }
      store_lanes<W>(column + i, sum);
    }
    const double d = column[j];
    if (!(d > 0) || !std::isfinite(d)) return false;
    const W inverse(1 / std::sqrt(d));
    for (int i = top; i < rows; i += kRows)
      store_lanes<W>(column + i, load_lanes<W>(column + i) * inverse);
  }
  return true;
}

}  // namespace

void PanelCholesky::analyse(std::span<const int> begin, std::span<const int> row) {
  *this = {};
  pattern_ = sinew::analyse(begin, row);
  const int count = pattern_.count();
  std::size_t used = 0;
  int below_max = 0, rows_max = 0;
  for (int s = 0; s < count; ++s) {
    Panel p{};
    p.column = pattern_.first[s];
    p.columns = pattern_.columns(s);
    p.below = static_cast<int>(pattern_.rows_below(s).size());
    p.stride = padded<double>(p.columns + p.below);
    p.numbers = used;
    p.rows = pattern_.rows_begin[s];
    used += std::size_t(p.stride) * p.columns;
    below_max = std::max(below_max, p.below);
    rows_max = std::max(rows_max, p.columns + p.below);
    const double all = p.columns + p.below;
    work_ += (all * all * all - double(p.below) * p.below * p.below) / 6;
    panels_.push_back(p);
    add_blocks(p);
  }
  for (int s = 0; s < count; ++s) {
    Panel& p = panels_[s];
    const std::span<const int> rows = pattern_.rows_below(s);
    p.first_target = static_cast<int>(targets_.size());
    for (int j = 0; j < p.below;) {
      Target t{j, j, pattern_.supernode_of[rows[j]], place_.size()};
      while (t.end < p.below && pattern_.supernode_of[rows[t.end]] == t.to) ++t.end;
      const Panel& to = panels_[t.to];
      const std::span<const int> there = pattern_.rows_below(t.to);
      for (int i = j; i < p.below; ++i)
        place_.push_back(
            i < t.end ? rows[i] - to.column
                      : to.columns +
                            static_cast<int>(std::lower_bound(there.begin(), there.end(), rows[i]) -
                                             there.begin()));
      targets_.push_back(t);
      j = t.end;
    }
    p.end_target = static_cast<int>(targets_.size());
  }
  numbers_.assign(used + kPackLanes<double>, 0.0);
  update_.assign(std::size_t(padded<double>(below_max)) * below_max, 0.0);
  x_.assign(size() + kPackLanes<double>, 0.0);
  part_.assign(padded<double>(rows_max) + kPackLanes<double>, 0.0);
}

void PanelCholesky::add_blocks(const Panel& p) {
  for (int first = 0; first < p.columns; first += kSide) {
    Block b{};
    b.column = p.column + first;
    b.columns = std::min(kSide, p.columns - first);
    b.below = p.columns + p.below - first - b.columns;
    b.stride = p.stride;
    b.numbers = p.numbers + std::size_t(first) * p.stride + first;
    b.inverse = inverse_.size();
    b.rows = static_cast<int>(rows_.size());
    inverse_.resize(inverse_.size() + std::size_t(b.columns) * padded<double>(b.columns));
    for (int i = first + b.columns; i < p.columns; ++i) rows_.push_back(p.column + i);
    rows_.insert(rows_.end(), pattern_.rows.begin() + p.rows,
                 pattern_.rows.begin() + p.rows + p.below);
    rows_.resize(b.rows + padded<double>(b.below), size());  // where x_ is zero
    blocks_.push_back(b);
  }
}

std::size_t PanelCholesky::place(int i, int j) const {
  const auto [column, row] = std::minmax(pattern_.inverse[i], pattern_.inverse[j]);
  const int s = pattern_.supernode_of[column];
  const Panel& p = panels_[s];
  const std::span<const int> below = pattern_.rows_below(s);
  const int at =
      row < p.column + p.columns
          ? row - p.column
          : p.columns +
                static_cast<int>(std::lower_bound(below.begin(), below.end(), row) - below.begin());
  return p.numbers + std::size_t(column - p.column) * p.stride + at;
}

void PanelCholesky::clear() { std::fill(numbers_.begin(), numbers_.end(), 0.0); }

// What the columns of a panel take from those to come. That of few columns goes there at once.
void PanelCholesky::update(const Panel& p) {
  const double* under = numbers_.data() + p.numbers + p.columns;
  const auto for_each_column = [&](auto&& f) {
    for (int k = p.first_target; k < p.end_target; ++k) {
      const Target& t = targets_[k];
      const Panel& to = panels_[t.to];
      const int* place = place_.data() + t.at - t.begin;
      for (int j = t.begin; j < t.end; ++j)
        f(j, place, numbers_.data() + to.numbers + std::size_t(place[j]) * to.stride);
    }
  };
  if (p.columns <= 4) {
    with_up_to_four(p.columns, [&]<int kColumns>() {
      for_each_column([&](int j, const int* place, double* column) {
        double share[kColumns];
        for (int c = 0; c < kColumns; ++c) share[c] = under[std::size_t(c) * p.stride + j];
        for (int i = j; i < p.below; ++i) {
          double sum = 0;
          for (int c = 0; c < kColumns; ++c) sum += under[std::size_t(c) * p.stride + i] * share[c];
          column[place[i]] -= sum;
        }
      });
    });
    return;
  }
  const int stride = padded<double>(p.below);
  std::fill_n(update_.data(), std::size_t(stride) * p.below, 0.0);
  // Packs that reach beyond the last row bring what means nothing, to rows that do not count.
  subtract_square<double>(update_.data(), stride, under, p.stride, p.below, p.below, p.columns);
  for_each_column([&](int j, const int* place, double* column) {
    const double* from = update_.data() + std::size_t(j) * stride;
    for (int i = j; i < p.below; ++i) column[place[i]] += from[i];
  });
}

// Row by row: those of L₁⁻¹ before it, and its own of L₁, make the next.
void PanelCholesky::invert(const Block& b) {
  using W = PackOf<double>;
  constexpr int kRows = kPackLanes<double>;
  static_assert(kSide % kRows == 0);
  const double* a = numbers_.data() + b.numbers;
  double* inverse = inverse_.data() + b.inverse;
  const int stride = padded<double>(b.columns);
  for (int k = 0; k < b.columns; ++k) {
    double* to = inverse + std::size_t(k) * stride;
    const double pivot = 1 / a[std::size_t(k) * b.stride + k];
    for (int i = 0; i < stride; i += kRows) {
      W sum(0.0);
      for (int j = i; j < k; ++j)
        sum -= load_lanes<W>(inverse + std::size_t(j) * stride + i) *
               W(a[std::size_t(j) * b.stride + k]);
      store_lanes<W>(to + i, sum * W(pivot));
    }
    to[k] = pivot;
  }
}

bool PanelCholesky::factor() {
  for (const Panel& p : panels_) {
    double* a = numbers_.data() + p.numbers;
    const int rows = p.columns + p.below;
    if (p.columns <= kSide ? !factor_few_columns(a, p.stride, rows, p.columns)
                           : factor_columns(a, p.stride, rows, p.columns) >= 0)
      return false;
    if (p.below > 0) update(p);
  }
  for (const Block& b : blocks_) invert(b);
  return true;
}

// b ← L₁⁻¹b, and what that takes from the rows below.
void PanelCholesky::substitute(const Block& b) {
  using W = PackOf<double>;
  constexpr int kRows = kPackLanes<double>;
  double* x = x_.data() + b.column;
  const double *inverse = inverse_.data() + b.inverse, *under = numbers_.data() + b.numbers;
  const int *rows = rows_.data() + b.rows, stride = padded<double>(b.columns);
  if (b.columns == 1) {
    x[0] *= inverse[0];
    for (int i = 0; i < b.below; ++i) x_[rows[i]] -= under[1 + i] * x[0];
    return;
  }
  double y[kSide];
  for (int j = 0; j < b.columns; ++j) {
    W parts(0.0);
    for (int i = 0; i <= j; i += kRows)
      parts += load_lanes<W>(inverse + std::size_t(j) * stride + i) * load_lanes<W>(x + i);
    y[j] = sum(parts);
  }
  for (int j = 0; j < b.columns; ++j) x[j] = y[j];
  under += b.columns;
  for (int i = 0; i < b.below; i += kRows) {
    W sum(0.0);
    for (int j = 0; j < b.columns; ++j)
      sum += load_lanes<W>(under + std::size_t(j) * b.stride + i) * W(y[j]);
    double part[kRows];
    store_lanes<W>(part, sum);
    const int count = std::min(kRows, b.below - i);
    for (int k = 0; k < count; ++k) x_[rows[i + k]] -= part[k];
  }
}

// b ← L₁⁻ᵀ(b − L₂ᵀx).
void PanelCholesky::substitute_back(const Block& b) {
  using W = PackOf<double>;
  constexpr int kRows = kPackLanes<double>;
  double* x = x_.data() + b.column;
  const double *inverse = inverse_.data() + b.inverse, *under = numbers_.data() + b.numbers;
  const int *rows = rows_.data() + b.rows, stride = padded<double>(b.columns);
  if (b.columns == 1) {
    double sum = x[0];
    for (int i = 0; i < b.below; ++i) sum -= under[1 + i] * x_[rows[i]];
    x[0] = sum * inverse[0];
    return;
  }
  under += b.columns;
  const int packs = padded<double>(b.below);
  for (int i = 0; i < packs; i += kRows)
    store_lanes<W>(part_.data() + i,
                   gathered<W>(x_.data(), rows + i, std::make_integer_sequence<int, kRows>()));
  double y[kSide];
  for (int j = 0; j < b.columns; ++j) {
    const double* column = under + std::size_t(j) * b.stride;
    W parts(0.0);
    for (int i = 0; i < packs; i += kRows)
      parts += load_lanes<W>(column + i) * load_lanes<W>(part_.data() + i);
    y[j] = x[j] - sum(parts);
  }
  for (int i = 0; i < stride; i += kRows) {
    W parts(0.0);
    for (int j = i; j < b.columns; ++j)
      parts += load_lanes<W>(inverse + std::size_t(j) * stride + i) * W(y[j]);
    double part[kRows];
    store_lanes<W>(part, parts);
    const int count = std::min(kRows, b.columns - i);
    for (int k = 0; k < count; ++k) x[i + k] = part[k];
  }
}

void PanelCholesky::solve(double* x) {
  solve_first(x);
  solve_second(x);
}

void PanelCholesky::solve_first(const double* b) {
  for (int i = 0; i < size(); ++i) x_[i] = b[pattern_.permutation[i]];
  for (const Block& block : blocks_) substitute(block);
}

void PanelCholesky::solve_second(double* x) {
  for (auto at = blocks_.rbegin(); at != blocks_.rend(); ++at) substitute_back(*at);
  for (int i = 0; i < size(); ++i) x[pattern_.permutation[i]] = x_[i];
}

void PanelCholesky::find_half(std::span<const int> row, std::span<const double> value, Half& half) {
  half.pieces.clear();
  half.numbers.clear();
  std::fill_n(x_.begin(), size(), 0.0);
  for (std::size_t i = 0; i < row.size(); ++i) x_[pattern_.inverse[row[i]]] += value[i];
  for (const Block& b : blocks_) {
    const auto from = x_.begin() + b.column, end = from + b.columns;
    if (std::all_of(from, end, [](double x) { return x == 0; })) continue;
    substitute(b);
    half.pieces.push_back({b.column, b.columns, static_cast<int>(half.numbers.size())});
    half.numbers.insert(half.numbers.end(), from, end);
  }
}

double PanelCholesky::product(const Half& a, const Half& b) {
  double sum = 0;
  for (std::size_t i = 0, k = 0; i < a.pieces.size() && k < b.pieces.size();) {
    const Half::Piece &p = a.pieces[i], &q = b.pieces[k];
    if (p.column == q.column)
      for (int n = 0; n < p.columns; ++n) sum += a.numbers[p.at + n] * b.numbers[q.at + n];
    i += p.column <= q.column;
    k += q.column <= p.column;
  }
  return sum;
}

double PanelCholesky::product(const Half& half) const {
  double sum = 0;
  for (const Half::Piece& p : half.pieces)
    for (int n = 0; n < p.columns; ++n) sum += half.numbers[p.at + n] * x_[p.column + n];
  return sum;
}

void PanelCholesky::take(const Half& half, double times) {
  for (const Half::Piece& p : half.pieces)
    for (int n = 0; n < p.columns; ++n) x_[p.column + n] -= times * half.numbers[p.at + n];
}

}  // namespace sinew
