// Which elements share a pack, and which packs may run side by side: found for nodes of any number
// per element, so that packs of any kind only fill in their lanes (coloured_packs.h,
// local_packs.h).
#pragma once

#include <sinew/mesh.h>

#include <span>
#include <vector>

namespace sinew {

// The nodes of elements that all have as many.
class CellNodes {
 public:
  template <std::size_t N>
  CellNodes(std::span<const std::array<Index, N>> cells)
      : first_(cells.empty() ? nullptr : cells.front().data()), arity_(N), count_(cells.size()) {}

  std::size_t count() const { return count_; }
  int arity() const { return arity_; }
  std::span<const Index> operator[](std::size_t cell) const {
    return {first_ + cell * arity_, static_cast<std::size_t>(arity_)};
  }

 private:
  const Index* first_;
  int arity_;
  std::size_t count_;
};

struct PackOrder {
  std::vector<Index>
      cell;  // of each lane, pack after pack; spare lanes repeat the first of their pack
  std::vector<int> used;          // lanes in use, of each pack
  std::vector<int> block_begin;   // first pack of each block, and the end; of local packs
  std::vector<int> colour_begin;  // first pack (of local packs: block) of each colour, and the end

  std::size_t packs() const { return used.size(); }
};

// Packs by colour: the elements of a colour share no node, and keep their order.
PackOrder order_by_colour(std::span<const int> colour, int lanes);

// Packs of elements that lie close together, with lanes that share no node where that can be
// helped, in blocks of kLocalBlock/lanes packs. Blocks of one colour share no node.
inline constexpr int kLocalBlock = 256;
PackOrder order_by_place(const CellNodes& cells, std::span<const Vec3> vertices, int lanes);

// The most elements that share a node.
int most_at_node(const CellNodes& cells, std::size_t vertex_count);

}  // namespace sinew
