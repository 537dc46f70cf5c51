#include "solvers/cell_stress.h"

#include <algorithm>
#include <limits>

#include "elements/triangle.h"
#include "math/sym3.h"
#include "solvers/material_at.h"

namespace sinew {
namespace {

// The symmetric part of a bᵀ. Materials that do not know rotations from strains (linear) have a
// stress that is not symmetric.
SINEW_INLINE Sym3T<Wide> symmetric_product(const Mat3T<Wide>& a, const Mat3T<Wide>& b) {
  const Wide half(Real(0.5));
  const Mat3T<Wide> m = a * transpose(b);
  return {m(0, 0), (m(0, 1) + m(1, 0)) * half, (m(0, 2) + m(2, 0)) * half,
          m(1, 1), (m(1, 2) + m(2, 1)) * half, m(2, 2)};
}

SINEW_INLINE Wide equivalent(const Sym3T<Wide>& s) {
  const Wide xy = s.xx - s.yy, yz = s.yy - s.zz, zx = s.zz - s.xx;
  const Wide normal = xy * xy + yz * yz + zx * zx;
  const Wide shear = s.xy * s.xy + s.yz * s.yz + s.xz * s.xz;
  return sqrt(normal * Wide(Real(0.5)) + shear * Wide(Real(3)));
}

// Squares of what is thrown far beyond all reason are not numbers any more.
SINEW_INLINE Wide finite(const Wide& x) {
  const Wide most(std::numeric_limits<Real>::max());
  return select(x <= most, x, most);
}

template <class M>
SINEW_FLATTEN void stress_of(const M& material, std::span<const DeformedCells> cells, Wide* out) {
  const auto kernel = prepared(material);
  for (std::size_t i = 0; i < cells.size(); ++i) {
    const DeformedCells& c = cells[i];
    const Mat3T<Wide> p = response_at(kernel, c.f).stress;
    const Wide j = max(abs(determinant(c.f)), Wide(kLeastVolume));
    out[i] = finite(equivalent(symmetric_product(p, c.carried) * (Wide(Real(1)) / j)));
  }
}

}  // namespace

void von_mises_stress(const Material& material, bool sheet, std::span<const DeformedCells> cells,
                      Wide* out) {
  std::visit(
      [&]<class M>(const M& m) {
        if constexpr (M::kElastic)
          stress_of(sheet ? plane_stress(m) : m, cells, out);
        else
          std::fill_n(out, cells.size(), Wide(Real(0)));
      },
      material);
}

}  // namespace sinew
