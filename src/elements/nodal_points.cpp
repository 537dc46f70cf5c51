#include "elements/nodal_points.h"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "elements/tetrahedron.h"
#include "geometry/morton.h"

namespace sinew {
namespace {

// Fitted, not derived: bars of four kinds of mesh, two cells across, sag 0.97 to 1.04 of
// second-order elements for ν from 0 to 0.49.
constexpr double kShare = 0.165, kShareMin = 0.05, kVolume = 0.25, kVolumeAt = 20;

struct Tet {
  bool sound = false;
  Vec3T<double> b[4];
  double weight = 0;   // Vₑ/4 times the factor on its stiffness
  double quality = 0;  // 1 for a regular one, 0 for a flat one
  int stiffness_class = 0;
  Index point[4] = {};
};

// 6√2 V by the mean squared edge to the power 3/2.
double quality_of(const Vec3T<double> (&x)[4], double volume) {
  double edges = 0;
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < i; ++j) edges += dot(x[i] - x[j], x[i] - x[j]) / 6;
  return 6 * std::sqrt(2.0) * volume / (edges * std::sqrt(edges));
}

std::vector<Tet> tets_of(const TetMesh& mesh, std::span<const Real> factors) {
  std::vector<Tet> tets(mesh.cells.size());
  for (std::size_t e = 0; e < tets.size(); ++e) {
    Vec3T<double> x[4];
    for (int i = 0; i < 4; ++i) x[i] = to_double(mesh.vertices[mesh.cells[e][i]]);
    const auto rest = TetrahedronElement::rest(x);
    const double factor = factors.empty() ? 1 : double(factors[e]);
    Tet& tet = tets[e];
    tet.sound = rest.volume > 0 && factor > 0;
    if (!tet.sound) continue;
    TetrahedronElement::shape_gradients(rest, tet.b);
    tet.weight = rest.volume * factor / 4;
    tet.quality = quality_of(x, rest.volume);
    tet.stiffness_class = static_cast<int>(std::lround(std::log2(factor)));
  }
  return tets;
}

// A corner of a tetrahedron, on its way into a point.
struct Corner {
  Index rank;  // of its vertex along the curve
  int stiffness_class;
  Index tet, corner;
};

std::vector<Corner> corners_of(const TetMesh& mesh, const std::vector<Tet>& tets) {
  const std::vector<Index> order = morton_order(mesh.vertices);
  std::vector<Index> rank(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) rank[order[i]] = static_cast<Index>(i);
  std::vector<Corner> corners;
  for (std::size_t e = 0; e < tets.size(); ++e)
    for (int i = 0; i < 4 && tets[e].sound; ++i)
      corners.push_back({rank[mesh.cells[e][i]], tets[e].stiffness_class, static_cast<Index>(e),
                         static_cast<Index>(i)});
  std::sort(corners.begin(), corners.end(), [](const Corner& a, const Corner& b) {
    return std::tie(a.rank, a.stiffness_class, a.tet) < std::tie(b.rank, b.stiffness_class, b.tet);
  });
  return corners;
}

double share_of(double quality, double mu, double lambda) {
  const double stiff = lambda + kVolumeAt * mu;
  const double volume = stiff > 0 ? kVolume * std::clamp(lambda / stiff, 0.0, 1.0) : kVolume;
  return std::max(kShareMin, kShare * std::sqrt(quality) * (1 - volume));
}

// The other vertices of tetrahedra, in ascending order.
void find_nodes(const TetMesh& mesh, std::span<const Corner> corners, NodalPoint& point,
                std::vector<NodalNode>& nodes) {
  std::vector<Index> around;
  for (const Corner& c : corners)
    for (const Index v : mesh.cells[c.tet])
      if (v != point.vertex) around.push_back(v);
  std::sort(around.begin(), around.end());
  around.erase(std::unique(around.begin(), around.end()), around.end());
  point.begin = static_cast<int>(nodes.size());
  for (const Index v : around) nodes.push_back({v, {}, 0});
  point.end = static_cast<int>(nodes.size());
}

NodalNode& node_of(NodalPoints& all, const NodalPoint& point, Index vertex) {
  const auto first = all.nodes.begin() + point.begin, last = all.nodes.begin() + point.end;
  return *std::lower_bound(first, last, vertex,
                           [](const NodalNode& n, Index v) { return n.vertex < v; });
}

}  // namespace

NodalPoints nodal_points(const TetMesh& mesh, double mu, double lambda,
                         std::span<const Real> factors) {
  std::vector<Tet> tets = tets_of(mesh, factors);
  const std::vector<Corner> corners = corners_of(mesh, tets);
  NodalPoints all;
  for (auto first = corners.begin(); first != corners.end();) {
    const auto last = std::find_if(first, corners.end(), [&](const Corner& c) {
      return c.rank != first->rank || c.stiffness_class != first->stiffness_class;
    });
    NodalPoint& point = all.points.emplace_back();
    point.vertex = mesh.cells[first->tet][first->corner];
    double quality = 0;
    for (auto c = first; c != last; ++c) {
      tets[c->tet].point[c->corner] = static_cast<Index>(all.points.size() - 1);
      point.weight += tets[c->tet].weight;
      quality += tets[c->tet].quality;
    }
    point.share = share_of(quality / double(last - first), mu, lambda);
    find_nodes(mesh, {first, last}, point, all.nodes);
    first = last;
  }
  for (const Corner& c : corners) {
    const Tet& tet = tets[c.tet];
    const NodalPoint& point = all.points[tet.point[c.corner]];
    double share = 0;
    for (const Index p : tet.point) share += all.points[p].share / 4;
    for (Index i = 0; i < 4; ++i) {
      if (i == c.corner) continue;
      NodalNode& node = node_of(all, point, mesh.cells[c.tet][i]);
      node.gradient += tet.b[i] * (tet.weight / point.weight);
      node.laplacian -= 8 * tet.weight * share * dot(tet.b[i], tet.b[c.corner]);
    }
  }
  return all;
}

}  // namespace sinew
