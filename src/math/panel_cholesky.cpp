#include "math/panel_cholesky.h"

#include <algorithm>

#include "math/dense_cholesky.h"

namespace sinew {

void PanelCholesky::analyse(std::span<const int> begin, std::span<const int> row) {
  *this = {};
  pattern_ = sinew::analyse(begin, row);
  const int count = pattern_.count();
  std::size_t used = 0;
  int below_max = 0;
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
    const double all = p.columns + p.below;
    work_ += (all * all * all - double(p.below) * p.below * p.below) / 6;
    panels_.push_back(p);
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
  x_.assign(size(), 0.0);
  part_.assign(padded<double>(below_max), 0.0);
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

// What the columns of a panel take from those to come.
void PanelCholesky::update(const Panel& p) {
  const int stride = padded<double>(p.below);
  std::fill_n(update_.data(), std::size_t(stride) * p.below, 0.0);
  // Packs that reach beyond the last row bring what means nothing, to rows that do not count.
  subtract_square<double>(update_.data(), stride, numbers_.data() + p.numbers + p.columns, p.stride,
                          p.below, p.below, p.columns);
  for (int k = p.first_target; k < p.end_target; ++k) {
    const Target& t = targets_[k];
    const Panel& to = panels_[t.to];
    const int* place = place_.data() + t.at - t.begin;
    for (int j = t.begin; j < t.end; ++j) {
      double* column = numbers_.data() + to.numbers + std::size_t(place[j]) * to.stride;
      const double* from = update_.data() + std::size_t(j) * stride;
      for (int i = j; i < p.below; ++i) column[place[i]] += from[i];
    }
  }
}

bool PanelCholesky::factor() {
  for (const Panel& p : panels_) {
    if (factor_columns(numbers_.data() + p.numbers, p.stride, p.columns + p.below, p.columns) >= 0)
      return false;
    if (p.below > 0) update(p);
  }
  return true;
}

void PanelCholesky::solve(double* x) {
  const int n = size();
  for (int i = 0; i < n; ++i) x_[i] = x[pattern_.permutation[i]];
  for (const Panel& p : panels_) {
    double* own = x_.data() + p.column;
    const int* rows = pattern_.rows.data() + p.rows;
    std::fill_n(part_.data(), p.below, 0.0);
    for (int j = 0; j < p.columns; ++j) {
      const double* column = numbers_.data() + p.numbers + std::size_t(j) * p.stride;
      const double y = own[j] /= column[j];
      for (int i = j + 1; i < p.columns; ++i) own[i] -= column[i] * y;
      const double* under = column + p.columns;
      for (int i = 0; i < p.below; ++i) part_[i] += under[i] * y;
    }
    for (int i = 0; i < p.below; ++i) x_[rows[i]] -= part_[i];
  }
  for (auto at = panels_.rbegin(); at != panels_.rend(); ++at) {
    const Panel& p = *at;
    double* own = x_.data() + p.column;
    const int* rows = pattern_.rows.data() + p.rows;
    for (int i = 0; i < p.below; ++i) part_[i] = x_[rows[i]];
    for (int j = p.columns - 1; j >= 0; --j) {
      const double* column = numbers_.data() + p.numbers + std::size_t(j) * p.stride;
      const double* under = column + p.columns;
      double sum = own[j];
      for (int i = 0; i < p.below; ++i) sum -= under[i] * part_[i];
      for (int i = j + 1; i < p.columns; ++i) sum -= column[i] * own[i];
      own[j] = sum / column[j];
    }
  }
  for (int i = 0; i < n; ++i) x[pattern_.permutation[i]] = x_[i];
}

}  // namespace sinew
