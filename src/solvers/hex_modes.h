// The modes (hexahedron.h) of the hexahedra of a pack, from the rows of their particles. All but
// the middle, which is seen from the first corner.
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
SINEW_INLINE HexModes<W> modes_of(const Places& at, const Index (&node)[8][kWidth<W>]) {
  Vec3T<W> x[8];
  gather_seen_from_first<W>(at, node, x);
  return to_modes(x);
}

// Those at the start of a substep, of which modes are a linear function: with displacements u they
// are these and the modes of u.
template <class W>
struct StartModes {
  Vec3T<W> edge[3], hourglass[4];

  SINEW_INLINE void set(const HexModes<W>& m) {
    for (int k = 0; k < 3; ++k) edge[k] = m.edge[k];
    for (int i = 0; i < 4; ++i) hourglass[i] = m.hourglass[i];
  }
  SINEW_INLINE HexModes<W> get() const {
    HexModes<W> m{};
    for (int k = 0; k < 3; ++k) m.edge[k] = edge[k];
    for (int i = 0; i < 4; ++i) m.hourglass[i] = hourglass[i];
    return m;
  }
  SINEW_INLINE HexModes<W> moved(const Rows4<W> (&u)[8]) const {
    HexModes<W> m = modes_of<W>(u);
    for (int k = 0; k < 3; ++k) m.edge[k] += edge[k];
    for (int i = 0; i < 4; ++i) m.hourglass[i] += hourglass[i];
    return m;
  }
};

}  // namespace sinew
