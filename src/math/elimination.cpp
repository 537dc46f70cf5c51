#include "math/elimination.h"

#include <metis.h>

#include <algorithm>
#include <mutex>
#include <numeric>

namespace sinew {
namespace {

using Ints = std::vector<int>;

// Lists of numbers, one after the other.
struct Lists {
  Ints begin{0}, item;
  std::span<const int> operator[](int i) const {
    return std::span(item).subspan(begin[i], begin[i + 1] - begin[i]);
  }
};

// The neighbours of every unknown, for `number` of which the unknowns have new numbers; all of
// them, or only those with smaller numbers.
Lists neighbours(std::span<const int> begin, std::span<const int> row, const Ints& number,
                 bool only_smaller) {
  const int size = static_cast<int>(begin.size()) - 1;
  Lists lists;
  lists.begin.assign(size + 1, 0);
  const auto for_each_pair = [&](auto&& f) {
    for (int j = 0; j < size; ++j)
      for (int k = begin[j]; k < begin[j + 1]; ++k) {
        if (row[k] == j) continue;
        const int a = number[row[k]], b = number[j];
        if (!only_smaller || b < a) f(a, b);
        if (!only_smaller || a < b) f(b, a);
      }
  };
  for_each_pair([&](int a, int) { ++lists.begin[a + 1]; });
  std::partial_sum(lists.begin.begin(), lists.begin.end(), lists.begin.begin());
  lists.item.resize(lists.begin.back());
  Ints at(lists.begin.begin(), lists.begin.end() - 1);
  for_each_pair([&](int a, int b) { lists.item[at[a]++] = b; });
  return lists;
}

// permutation[new] = old.
Ints nested_dissection(std::span<const int> begin, std::span<const int> row) {
  const int size = static_cast<int>(begin.size()) - 1;
  Ints order(size);
  std::iota(order.begin(), order.end(), 0);
  const Lists graph = neighbours(begin, row, order, false);
  if (graph.item.empty()) return order;  // METIS wants edges
  // METIS draws from the one generator of the C library: two at once would disturb each other.
  static std::mutex one_at_a_time;
  const std::lock_guard lock(one_at_a_time);
  idx_t n = size, options[METIS_NOPTIONS];
  METIS_SetDefaultOptions(options);
  options[METIS_OPTION_SEED] = 1;
  std::vector<idx_t> xadj(graph.begin.begin(), graph.begin.end());
  std::vector<idx_t> adjacent(graph.item.begin(), graph.item.end());
  std::vector<idx_t> permutation(size), inverse(size);
  if (METIS_NodeND(&n, xadj.data(), adjacent.data(), nullptr, options, permutation.data(),
                   inverse.data()) == METIS_OK)
    order.assign(permutation.begin(), permutation.end());
  return order;
}

Ints inverse_of(const Ints& permutation) {
  Ints inverse(permutation.size());
  for (int i = 0; i < static_cast<int>(permutation.size()); ++i) inverse[permutation[i]] = i;
  return inverse;
}

// Liu's algorithm: the parent of a column is the row of its first entry below the diagonal, fill
// included; -1: none.
Ints elimination_tree(const Lists& smaller, int size) {
  Ints parent(size, -1), ancestor(size, -1);
  for (int i = 0; i < size; ++i)
    for (int k : smaller[i])
      while (k != -1 && k != i) {
        const int next = ancestor[k];
        ancestor[k] = i;
        if (next == -1) parent[k] = i;
        k = next;
      }
  return parent;
}

// Columns so that children come right before their parents: order[new] = old.
Ints postorder(const Ints& parent) {
  const int size = static_cast<int>(parent.size());
  Ints first_child(size, -1), sibling(size, -1), order, stack;
  for (int i = size - 1; i >= 0; --i)
    if (parent[i] >= 0) {
      sibling[i] = first_child[parent[i]];
      first_child[parent[i]] = i;
    }
  order.reserve(size);
  for (int root = 0; root < size; ++root) {
    if (parent[root] >= 0) continue;
    stack.push_back(root);
    while (!stack.empty()) {
      const int top = stack.back();
      const int child = first_child[top];
      if (child >= 0) {
        first_child[top] = sibling[child];
        stack.push_back(child);
      } else {
        order.push_back(top);
        stack.pop_back();
      }
    }
  }
  return order;
}

// Entries in each column of the factor, with the diagonal: column k has row i if k is on the way
// from an entry of row i up to i in the tree.
Ints column_counts(const Lists& smaller, const Ints& parent) {
  const int size = static_cast<int>(parent.size());
  Ints count(size, 1), mark(size, -1);
  for (int i = 0; i < size; ++i) {
    mark[i] = i;
    for (int k : smaller[i])
      for (; mark[k] != i; k = parent[k]) {
        mark[k] = i;
        ++count[k];
      }
  }
  return count;
}

// May so many columns be one supernode, of which `zeros` of `entries` are stored in vain?
bool worth_merging(long long columns, long long zeros, long long entries) {
  const double share = double(zeros) / double(entries);
  return columns <= 4 || (columns <= 16 && share < 0.8) || (columns <= 48 && share < 0.1) ||
         share < 0.05;
}

// First columns of the supernodes, and the end.
Ints find_supernodes(const Ints& parent, const Ints& count) {
  const int size = static_cast<int>(parent.size());
  Ints first;
  for (int j = 0; j < size; ++j)
    if (j == 0 || parent[j - 1] != j || count[j - 1] != count[j] + 1) first.push_back(j);
  first.push_back(size);

  // From the last to the first: may a supernode join the group that begins right after it?
  const int groups = static_cast<int>(first.size()) - 1;
  Ints kept{size};
  long long columns = 0, below = 0, zeros = 0;  // of the group that begins at kept.back()
  for (int s = groups - 1; s >= 0; --s) {
    const long long own = first[s + 1] - first[s], own_below = count[first[s]] - own;
    if (columns > 0 && parent[first[s + 1] - 1] == first[s + 1]) {
      const long long more = zeros + own * (columns + below - own_below);
      const long long all = columns + own;
      if (worth_merging(all, more, all * (all + 1) / 2 + all * below)) {
        columns = all, zeros = more;
        kept.back() = first[s];
        continue;
      }
    }
    kept.push_back(first[s]);
    columns = own, below = own_below, zeros = 0;
  }
  std::reverse(kept.begin(), kept.end());
  return kept;
}

// The rows below every supernode: those of the matrix and those of its children.
void find_rows(const Lists& larger, SupernodalPattern& p) {
  const int count = static_cast<int>(p.first.size()) - 1;
  p.parent.assign(count, -1);
  Ints mark(p.size(), -1);
  std::vector<Ints> children(count);
  for (int s = 0; s < count; ++s) {
    const int end = p.first[s + 1];
    const std::size_t begin = p.rows.size();
    const auto add = [&](int row) {
      if (row < end || mark[row] == s) return;
      mark[row] = s;
      p.rows.push_back(row);
    };
    for (int j = p.first[s]; j < end; ++j)
      for (const int row : larger[j]) add(row);
    for (const int child : children[s])
      for (int k = p.rows_begin[child]; k < p.rows_begin[child + 1]; ++k) add(p.rows[k]);
    std::sort(p.rows.begin() + begin, p.rows.end());
    p.rows_begin.push_back(static_cast<int>(p.rows.size()));
    if (p.rows.size() == begin) continue;
    p.parent[s] = p.supernode_of[p.rows[begin]];
    children[p.parent[s]].push_back(s);
  }
}

Lists transposed(const Lists& lists, int size) {
  Lists t;
  t.begin.assign(size + 1, 0);
  for (const int k : lists.item) ++t.begin[k + 1];
  std::partial_sum(t.begin.begin(), t.begin.end(), t.begin.begin());
  t.item.resize(lists.item.size());
  Ints at(t.begin.begin(), t.begin.end() - 1);
  for (int i = 0; i < size; ++i)
    for (const int k : lists[i]) t.item[at[k]++] = i;
  return t;
}

}  // namespace

long long SupernodalPattern::entries() const {
  long long sum = 0;
  for (int s = 0; s < count(); ++s) {
    const long long n = columns(s), below = rows_begin[s + 1] - rows_begin[s];
    sum += n * (n + 1) / 2 + n * below;
  }
  return sum;
}

SupernodalPattern analyse(std::span<const int> begin, std::span<const int> row) {
  const int size = static_cast<int>(begin.size()) - 1;
  SupernodalPattern p;
  const Ints dissected = nested_dissection(begin, row);
  const Ints order =
      postorder(elimination_tree(neighbours(begin, row, inverse_of(dissected), true), size));
  p.permutation.resize(size);
  for (int i = 0; i < size; ++i) p.permutation[i] = dissected[order[i]];
  p.inverse = inverse_of(p.permutation);

  const Lists smaller = neighbours(begin, row, p.inverse, true);
  const Ints parent = elimination_tree(smaller, size);
  p.first = find_supernodes(parent, column_counts(smaller, parent));
  p.supernode_of.resize(size);
  for (int s = 0; s + 1 < static_cast<int>(p.first.size()); ++s)
    std::fill(p.supernode_of.begin() + p.first[s], p.supernode_of.begin() + p.first[s + 1], s);
  find_rows(transposed(smaller, size), p);
  return p;
}

}  // namespace sinew
