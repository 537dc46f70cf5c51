// The modes (hexahedron.h) of the hexahedra of a pack, from the rows of their particles.
#pragma once

#include "elements/hexahedron.h"
#include "solvers/coloured_packs.h"

namespace sinew {

template <class W>
SINEW_INLINE HexModes<W> modes_of(const Rows4<W> (&p)[8]) {
  Vec3T<W> x[8];
  for (int n = 0; n < 8; ++n) x[n] = p[n].xyz;
  return to_modes(x);
}

template <class W>
SINEW_INLINE HexModes<W> modes_of(const Row4<Real>* rows, const Index (&node)[8][kWidth<W>]) {
  Rows4<W> p[8];
  gather_nodes<W>(rows, node, p);
  return modes_of<W>(p);
}

}  // namespace sinew
