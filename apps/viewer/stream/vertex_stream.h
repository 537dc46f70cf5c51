// Vertices of a body on their way to the page, as 16-bit numbers on a lattice that is so fine that
// nobody sees it: 32,768 cells or fewer are as long as the body, so that a jelly of one metre is
// off by 46 µm at most. The lattice stays where it is while the body fits into it: what rests
// gives the same numbers again, and is not sent.
#pragma once

#include <sinew/mesh.h>

#include <cstdint>
#include <span>
#include <vector>

#include "message.h"

namespace sinew::viewer {

class VertexStream {
 public:
  // Where the vertices are now. If one of them has moved by as much as a cell, block() is a new
  // one.
  void update(std::span<const Vec3> positions);

  const Block& block() const { return block_; }  // u16 × 3 each; null before the first update
  std::size_t count() const { return count_; }
  const Vec3T<double>& origin() const { return origin_; }  // [m]
  double cell() const { return cell_; }                    // [m]; a power of two

 private:
  bool fits(const Vec3T<double>& lower, const Vec3T<double>& upper) const;
  bool fill(std::span<const Vec3> positions, const std::uint16_t* last);
  void lay_lattice(const Vec3T<double>& lower, const Vec3T<double>& upper);

  Vec3T<double> origin_{};
  double cell_ = 0;
  std::size_t count_ = 0;
  int since_look_ = 0;  // updates since the size was looked at
  Block block_;
  std::vector<std::uint16_t> scratch_;
};

}  // namespace sinew::viewer
