// Every kind of cell is looked at in the same way: F = Σ xₙ bₙᵀ at one point
// (elements/shape_points.h), of a hexahedron its mean. In packs, in the order of the mesh but for
// regions, so that neighbours share their vertices' cache lines.
#include <algorithm>

#include "core/parallel.h"
#include "elements/shape_points.h"
#include "math/jacobi.h"
#include "solvers/cell_stress.h"
#include "solvers/line_measure.h"
#include "variational/regions.h"
#include "world/cell_field.h"

namespace sinew {
namespace {

constexpr int kBlock = 32;  // packs that are looked at together

template <class Cell>
inline constexpr bool kSheet = std::is_same_v<Cell, Triangle>;
template <class Cell>
inline constexpr bool kLine = std::is_same_v<Cell, Segment>;

ShapePoints<Segment> points_of(const LineMesh& mesh) { return shape_points(mesh, 1); }
ShapePoints<Triangle> points_of(const TriMesh& mesh) { return shape_points(mesh, 1); }
ShapePoints<Tetrahedron> points_of(const TetMesh& mesh) { return shape_points(mesh); }
ShapePoints<Hexahedron> points_of(const HexMesh& mesh) {
  return shape_points(mesh, HexPoints::kMean);
}

// max |σᵢ − 1|, σ² the eigenvalues of FᵀF; scaled, so that squares are numbers.
SINEW_INLINE Wide largest_strain(const Mat3T<Wide>& f) {
  constexpr Real kLeast = Real(1e-12), kMost = Real(1e30);
  const Wide scale = min(max(largest_entry(f), Wide(kLeast)), Wide(kMost));
  Sym3T<Wide> c = gram(f * (Wide(Real(1)) / scale));
  diagonalise(c, kJacobiSweeps<Wide>);
  Wide strain(Real(0));
  for (const Wide& square : {c.xx, c.yy, c.zz})
    strain = max(strain, abs(sqrt(max(square, Wide(Real(0)))) * scale - Wide(Real(1))));
  return strain;
}

template <class Cell>
class SamplesOf final : public CellSamples {
 public:
  static constexpr int kNodes = kCornersOf<Cell>;

  SamplesOf(const SoftRuntime& body, const Mesh<Cell>& mesh) {
    const ShapePoints<Cell> points = points_of(mesh);
    std::vector<std::size_t> part_of(mesh.cells.size(), 0);
    for (std::size_t r = 0; r < body.regions.size(); ++r)
      for (std::size_t i : cells_of(body.regions[r], mesh)) part_of[i] = r + 1;
    for (std::size_t part = 0; part <= body.regions.size(); ++part) {
      const std::size_t first = packs_.size();
      int lanes = kLanes;
      for (std::size_t i = 0; i < mesh.cells.size(); ++i) {
        if (part_of[i] != part) continue;
        if (lanes == kLanes) packs_.emplace_back(), lanes = 0;
        const Real factor = body.cell_stiffness.empty() ? Real(1) : body.cell_stiffness[i];
        // The rest of the last pack repeats its last cell.
        for (int lane = lanes; lane < kLanes; ++lane)
          set(packs_.back(), lane, mesh.cells[i], points.at[i], factor);
        packs_.back().cell[lanes++] = static_cast<Index>(i);
        packs_.back().count = lanes;
      }
      if (packs_.size() > first)
        groups_.push_back({static_cast<int>(first), static_cast<int>(packs_.size()),
                           part == 0 ? body.material : body.regions[part - 1].material});
    }
  }

  void measure(CellField field, const Row* x, std::span<const Mat3T<double>> flowed,
               Executor& executor, std::span<Real> out) const override {
    for (const Group& group : groups_)
      parallel_for(executor, group.end - group.begin, kBlock, [&](int begin, int end) {
        const std::span<const Pack> packs(&packs_[group.begin + begin], std::size_t(end - begin));
        Wide values[kBlock];
        if constexpr (kLine<Cell>)
          measure_lines(field, packs, x, Real(young_of(group.material)), values);
        else
          measure_cells(field, packs, x, flowed, group.material, values);
        for (std::size_t i = 0; i < packs.size(); ++i)
          for (int k = 0; k < packs[i].count; ++k) out[packs[i].cell[k]] = lane(values[i], k);
      });
  }

 private:
  struct Pack {
    Index node[kNodes][kLanes];
    Vec3T<Wide> gradient[kNodes];
    Vec3T<Wide> normal;  // of sheets, at rest
    Wide known;          // 0: too flat at rest to tell anything
    Wide factor;         // on the stiffness
    Index cell[kLanes];
    int count;  // lanes in use
  };
  struct Group {
    int begin, end;  // packs
    Material material;
  };

  static void set(Pack& pack, int lane, const Cell& cell, const ShapePoint<kNodes>& point,
                  Real factor) {
    for (int n = 0; n < kNodes; ++n) {
      pack.node[n][lane] = cell[n];
      set_lane(pack.gradient[n], lane, point.gradient[n]);
    }
    if constexpr (kSheet<Cell>)
      set_lane(pack.normal, lane, normalized(cross(point.gradient[1], point.gradient[2])));
    set_lane(pack.known, lane, point.volume > 0 ? Real(1) : Real(0));
    set_lane(pack.factor, lane, factor);
  }

  SINEW_INLINE static DeformedCells deformed(const Pack& pack, const Row* x,
                                             std::span<const Mat3T<double>> flowed) {
    Vec3T<Wide> at[kNodes];
    for (int n = 0; n < kNodes; ++n) at[n] = gather<Wide>(x, pack.node[n]).xyz;
    DeformedCells c;
    c.f = gradient_of(pack.gradient, at);
    if (!flowed.empty()) {  // F = Fₑ Fₚ
      Mat3T<Wide> inverse;
      for (int k = 0; k < kLanes; ++k)
        set_lane(inverse, k, flowed[pack.cell[std::min(k, pack.count - 1)]]);
      c.f = c.f * inverse;
    }
    c.carried = c.f;
    if constexpr (kSheet<Cell>) {
      const Vec3T<Wide> n = normalized(cross(at[1] - at[0], at[2] - at[0]));
      for (int k = 0; k < 3; ++k) c.f.c[k] += n * pack.normal[k];
    }
    return c;
  }

  SINEW_FLATTEN static void measure_cells(CellField field, std::span<const Pack> packs,
                                          const Row* x, std::span<const Mat3T<double>> flowed,
                                          const Material& material, Wide* out) {
    const Wide one(Real(1)), none(Real(0));
    if (field == CellField::kStress) {
      DeformedCells cells[kBlock];
      for (std::size_t i = 0; i < packs.size(); ++i) cells[i] = deformed(packs[i], x, flowed);
      von_mises_stress(material, kSheet<Cell>, {cells, packs.size()}, out);
      for (std::size_t i = 0; i < packs.size(); ++i)
        out[i] = select(packs[i].known > none, out[i] * packs[i].factor, none);
      return;
    }
    for (std::size_t i = 0; i < packs.size(); ++i) {
      const Mat3T<Wide> f = deformed(packs[i], x, flowed).f;
      const auto known = packs[i].known > none;
      out[i] = field == CellField::kVolume ? select(known, determinant(f), one)
                                           : select(known, largest_strain(f), none);
    }
  }

  // Springs of stiffness EA/L: their stress is E (l/L − 1), their section stays as it is.
  static void measure_lines(CellField field, std::span<const Pack> packs, const Row* x, Real young,
                            Wide* out) {
    const Wide one(Real(1));
    for (std::size_t i = 0; i < packs.size(); ++i) {
      const Pack& pack = packs[i];
      const Vec3T<Wide> way = gather<Wide>(x, pack.node[1]).xyz - gather<Wide>(x, pack.node[0]).xyz;
      const Wide stretch =
          select(pack.known > Wide(Real(0)), length(way) * length(pack.gradient[1]), one);
      const Wide strain = abs(stretch - one);
      out[i] = field == CellField::kVolume   ? stretch
               : field == CellField::kStrain ? strain
                                             : strain * Wide(young) * pack.factor;
    }
  }

  std::vector<Pack> packs_;
  std::vector<Group> groups_;
};

}  // namespace

std::shared_ptr<const CellSamples> make_cell_samples(const SoftRuntime& body) {
  return std::visit(
      [&]<class Cell>(const Mesh<Cell>& mesh) -> std::shared_ptr<const CellSamples> {
        return std::make_shared<const SamplesOf<Cell>>(body, mesh);
      },
      body.rest_mesh);
}

}  // namespace sinew
