// Greedy colouring of cells that share vertices. A vertex keeps the colours of its cells as bits of
// one word, so that a cell finds the colours it may have by an or. Every cell first takes the
// lowest free colour, which needs few of them; then cells move from large colours to small ones
// where they can, which makes the colours alike in size. Where 64 colours are not enough (a vertex
// in very many cells), the cells left over are coloured with 64 new ones, until none is left.
#include <bit>
#include <numeric>

#include "geometry/cells.h"

namespace sinew {
namespace {

constexpr int kColoursPerRound = 64;

// One round over some of the cells, with colours of its own.
template <class Cell>
class ColourRound {
 public:
  // `taken` holds a word per vertex and is overwritten.
  ColourRound(std::span<const Cell> cells, std::span<std::uint64_t> taken,
              std::span<const std::size_t> pending)
      : cells_(cells), taken_(taken) {
    for (const std::size_t c : pending)
      for (const Index v : cells_[c]) taken_[v] = 0;
  }

  int count() const { return static_cast<int>(std::bit_width(used_)); }

  // The lowest free colour, or -1 when all 64 are taken.
  int assign(const Cell& cell) {
    const int colour = std::countr_one(taken_by(cell));
    if (colour == kColoursPerRound) return -1;
    used_ |= std::uint64_t{1} << colour;
    ++uses_[colour];
    flip(cell, colour);
    return colour;
  }

  // The least used colour that the cell can have instead of its own.
  int reassign(const Cell& cell, int own) {
    int best = own;
    for (std::uint64_t free = ~taken_by(cell) & used_; free != 0; free &= free - 1) {
      const int colour = std::countr_zero(free);
      const std::size_t after = uses_[colour] + 1;
      if (after < uses_[best] + (best == own ? 0 : 1)) best = colour;
    }
    if (best == own) return own;
    --uses_[own];
    ++uses_[best];
    flip(cell, own);
    flip(cell, best);
    return best;
  }

 private:
  std::uint64_t taken_by(const Cell& cell) const {
    std::uint64_t bits = 0;
    for (const Index v : cell) bits |= taken_[v];
    return bits;
  }

  // A bit at a vertex belongs to one cell only, so that its cell can also clear it. Corners may be
  // repeated in a degenerate cell: they flip once.
  void flip(const Cell& cell, int colour) {
    const std::uint64_t bit = std::uint64_t{1} << colour;
    const bool set = (taken_[cell[0]] & bit) == 0;
    for (const Index v : cell) taken_[v] = set ? taken_[v] | bit : taken_[v] & ~bit;
  }

  std::span<const Cell> cells_;
  std::span<std::uint64_t> taken_;
  std::size_t uses_[kColoursPerRound] = {};
  std::uint64_t used_ = 0;  // colours in use, the lowest ones
};

// Colours what it can of `pending` with at most 64 colours from `first` on, and returns how many it
// needed; the cells that found none stay in `pending`.
template <class Cell>
int colour_some(std::span<const Cell> cells, std::vector<std::size_t>& pending, int first,
                std::span<std::uint64_t> taken, std::vector<int>& colours) {
  ColourRound<Cell> round(cells, taken, pending);
  std::vector<std::size_t> left;
  for (const std::size_t c : pending) {
    colours[c] = first + round.assign(cells[c]);
    if (colours[c] < first) left.push_back(c);
  }
  for (const std::size_t c : pending)
    if (colours[c] >= first) colours[c] = first + round.reassign(cells[c], colours[c] - first);
  pending = std::move(left);
  return round.count();
}

}  // namespace

template <class Cell>
std::vector<int> colour_cells(std::span<const Cell> cells, std::size_t vertex_count) {
  check_indices(cells, vertex_count);
  std::vector<int> colours(cells.size(), 0);
  std::vector<std::uint64_t> taken(vertex_count, 0);
  std::vector<std::size_t> pending(cells.size());
  std::iota(pending.begin(), pending.end(), std::size_t{0});
  for (int first = 0; !pending.empty();)
    first += colour_some(cells, pending, first, std::span(taken), colours);
  return colours;
}

template std::vector<int> colour_cells(std::span<const std::array<Index, 1>>, std::size_t);
template std::vector<int> colour_cells(std::span<const Segment>, std::size_t);
template std::vector<int> colour_cells(std::span<const Triangle>, std::size_t);
template std::vector<int> colour_cells(std::span<const Tetrahedron>, std::size_t);
template std::vector<int> colour_cells(std::span<const Hexahedron>, std::size_t);
// Stencils, which differ in size.
template std::vector<int> colour_cells(std::span<const std::span<const Index>>, std::size_t);

}  // namespace sinew
