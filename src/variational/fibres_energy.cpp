#include "variational/fibres_energy.h"

#include "variational/stretch_energy.h"

namespace sinew {
namespace {

// What a sheet has of a direction lies in its plane; of one across it, nothing worth a fibre.
constexpr double kLeastInPlane = 1e-3;

// d of a sheet's triangle: in its plane, of length one, or zero.
Vec3T<double> in_plane(const Vec3T<double>& direction, const ShapePoint<3>& point) {
  const Vec3T<double> normal = normalized(cross(point.gradient[1], point.gradient[2]));
  const Vec3T<double> along = direction - normal * dot(direction, normal);
  return length(along) > kLeastInPlane ? normalized(along) : Vec3T<double>{};
}

template <class Cell>
std::unique_ptr<EnergyTerm> make(const Mesh<Cell>& mesh, const ShapePoints<Cell>& points,
                                 const Fibres& fibres, bool bounding) {
  constexpr int kN = kCornersOf<Cell>;
  // Scaled first: squares of small numbers vanish.
  const Vec3T<double> given = to_double(fibres.direction);
  const double size = std::max({std::abs(given.x), std::abs(given.y), std::abs(given.z)});
  const Vec3T<double> direction = normalized(given / size);
  std::vector<typename StretchEnergy<kN>::Item> items;
  for (const ShapePoint<kN>& point : points.at) {
    auto& item = items.emplace_back();
    Vec3T<double> d = direction;
    if constexpr (kN == 3) d = in_plane(direction, point);
    for (int n = 0; n < kN; ++n) item.weight[n] = dot(point.gradient[n], d);
    if (dot(d, d) > 0) item.stiffness = double(fibres.stiffness) * point.volume;
  }
  return std::make_unique<StretchEnergy<kN>>(mesh, points.per_cell, items, bounding);
}

}  // namespace

void add_fibres(const SoftBody& body, std::vector<std::unique_ptr<EnergyTerm>>& terms,
                bool bounding) {
  for (const Fibres& fibres : body.fibres) {
    if (const auto* tets = std::get_if<TetMesh>(&body.mesh))
      terms.push_back(make(*tets, shape_points(*tets), fibres, bounding));
    else if (const auto* sheet = std::get_if<TriMesh>(&body.mesh))
      terms.push_back(make(*sheet, shape_points(*sheet, body.thickness), fibres, bounding));
    else if (const auto* hexes = std::get_if<HexMesh>(&body.mesh))
      terms.push_back(
          make(*hexes, shape_points(*hexes, hex_points(body.integration)), fibres, bounding));
  }
}

}  // namespace sinew
