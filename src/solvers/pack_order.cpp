#include "solvers/pack_order.h"

#include <algorithm>

#include "geometry/morton.h"

namespace sinew {
namespace {

// Elements by pack; the spare lanes are filled in at the end.
class Packs {
 public:
  explicit Packs(int lanes) : lanes_(lanes) {}

  std::size_t count() const { return used_.size(); }
  void begin_pack() {
    cell_.resize(cell_.size() + lanes_);
    used_.push_back(0);
  }
  bool full() const { return used_.back() == lanes_; }
  void add(Index cell) { cell_[cell_.size() - lanes_ + used_.back()++] = cell; }
  std::span<const Index> pack(std::size_t i) const {
    return {cell_.data() + i * lanes_, static_cast<std::size_t>(used_[i])};
  }
  void append_to(PackOrder& order, std::size_t i) const {
    for (int lane = 0; lane < lanes_; ++lane)
      order.cell.push_back(cell_[i * lanes_ + (lane < used_[i] ? lane : 0)]);
    order.used.push_back(used_[i]);
  }

 private:
  int lanes_;
  std::vector<Index> cell_;
  std::vector<int> used_;
};

std::vector<Index> along_curve(const CellNodes& cells, std::span<const Vec3> vertices) {
  std::vector<Vec3> middle(cells.count());
  for (std::size_t i = 0; i < cells.count(); ++i)
    for (Index v : cells[i]) middle[i] += vertices[v] * (1 / Real(cells.arity()));
  return morton_order(middle);
}

Packs packs_of_neighbours(const CellNodes& cells, std::span<const Vec3> vertices, int lanes) {
  const std::size_t window_size = 16 * static_cast<std::size_t>(lanes);
  const std::vector<Index> order = along_curve(cells, vertices);
  Packs packs(lanes);
  std::vector<int> used(vertices.size(), -1);  // the last pack that has the vertex
  std::vector<Index> window;                   // elements that wait for a pack, in order
  std::size_t next = 0;
  while (next < order.size() || !window.empty()) {
    while (window.size() < window_size && next < order.size()) window.push_back(order[next++]);
    const int id = static_cast<int>(packs.count());
    packs.begin_pack();
    std::size_t kept = 0;
    for (const Index candidate : window) {
      const std::span<const Index> cell = cells[candidate];
      if (packs.full() ||
          std::any_of(cell.begin(), cell.end(), [&](Index v) { return used[v] == id; })) {
        window[kept++] = candidate;
        continue;
      }
      for (Index v : cell) used[v] = id;
      packs.add(candidate);
    }
    window.resize(kept);
  }
  return packs;
}

// Greedy colours of blocks of packs.
std::vector<int> colour_blocks(const Packs& packs, int block, const CellNodes& cells,
                               std::size_t vertex_count) {
  const int count = static_cast<int>(packs.count());
  std::vector<std::vector<int>> at_vertex(vertex_count);  // colours that are taken there
  std::vector<int> colour((count + block - 1) / block);
  std::vector<char> taken;
  int colours = 0;
  for (int b = 0; b < static_cast<int>(colour.size()); ++b) {
    const auto for_each_vertex = [&](auto&& f) {
      for (int p = b * block; p < std::min(count, (b + 1) * block); ++p)
        for (const Index cell : packs.pack(p))
          for (const Index v : cells[cell]) f(at_vertex[v]);
    };
    taken.assign(colours + 1, 0);
    for_each_vertex([&](const std::vector<int>& there) {
      for (int c : there) taken[c] = 1;
    });
    colour[b] = static_cast<int>(std::find(taken.begin(), taken.end(), 0) - taken.begin());
    colours = std::max(colours, colour[b] + 1);
    for_each_vertex([&](std::vector<int>& there) {
      if (there.empty() || there.back() != colour[b]) there.push_back(colour[b]);
    });
  }
  return colour;
}

}  // namespace

PackOrder order_by_colour(std::span<const int> colour, int lanes) {
  std::vector<Index> order(colour.size());
  for (Index i = 0; i < order.size(); ++i) order[i] = i;
  std::stable_sort(order.begin(), order.end(),
                   [&](Index a, Index b) { return colour[a] < colour[b]; });
  Packs packs(lanes);
  PackOrder out;
  for (std::size_t i = 0; i < order.size(); ++i) {
    const bool next_colour = i == 0 || colour[order[i]] != colour[order[i - 1]];
    if (next_colour) out.colour_begin.push_back(static_cast<int>(packs.count()));
    if (next_colour || packs.full()) packs.begin_pack();
    packs.add(order[i]);
  }
  out.colour_begin.push_back(static_cast<int>(packs.count()));
  for (std::size_t p = 0; p < packs.count(); ++p) packs.append_to(out, p);
  return out;
}

PackOrder order_by_place(const CellNodes& cells, std::span<const Vec3> vertices, int lanes) {
  const int block = std::max(kLocalBlock / lanes, 1);
  const Packs packs = packs_of_neighbours(cells, vertices, lanes);
  const std::vector<int> colour = colour_blocks(packs, block, cells, vertices.size());
  const int colours = colour.empty() ? 0 : *std::max_element(colour.begin(), colour.end()) + 1;
  PackOrder out;
  for (int c = 0; c < colours; ++c) {
    out.colour_begin.push_back(static_cast<int>(out.block_begin.size()));
    for (std::size_t b = 0; b < colour.size(); ++b) {
      if (colour[b] != c) continue;
      out.block_begin.push_back(static_cast<int>(out.packs()));
      for (std::size_t p = b * block; p < std::min(packs.count(), (b + 1) * block); ++p)
        packs.append_to(out, p);
    }
  }
  out.colour_begin.push_back(static_cast<int>(out.block_begin.size()));
  out.block_begin.push_back(static_cast<int>(packs.count()));
  return out;
}

int most_at_node(const CellNodes& cells, std::size_t vertex_count) {
  std::vector<int> at_vertex(vertex_count, 0);
  int most = 1;
  for (std::size_t i = 0; i < cells.count(); ++i)
    for (Index v : cells[i]) most = std::max(most, ++at_vertex[v]);
  return most;
}

}  // namespace sinew
