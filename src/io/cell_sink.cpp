#include "io/cell_sink.h"

#include <fmt/format.h>

#include <algorithm>

#include "io/mesh_format.h"

namespace sinew {
namespace {

// How many nodes at the front are corners; `nodes` for kinds that may have any number.
std::size_t corners_of(const CellType& type, std::size_t nodes) {
  if (type.corners != 0) return type.corners;
  switch (type.kind) {
    case CellKind::kTriangle:
      return 3;
    case CellKind::kTetrahedron:
    case CellKind::kPixel:
      return 4;
    case CellKind::kHexahedron:
    case CellKind::kVoxel:
      return 8;
    default:
      return nodes;
  }
}

void count(std::map<std::string, std::size_t, std::less<>>& counts, std::string_view name,
           std::size_t n) {
  const auto it = counts.find(name);
  if (it == counts.end())
    counts.emplace(name, n);
  else
    it->second += n;
}

}  // namespace

const CellType* find_cell_type(std::span<const CellType> table, std::int64_t code) {
  const auto it = std::find_if(table.begin(), table.end(),
                               [code](const CellType& type) { return type.code == code; });
  return it == table.end() ? nullptr : &*it;
}

bool fits(const CellType& type, std::size_t nodes) {
  return type.nodes != 0 ? nodes == type.nodes : nodes >= corners_of(type, nodes);
}

void CellSink::add(const CellType& type, std::span<const Index> nodes) {
  const std::size_t corners = corners_of(type, nodes.size());
  if (nodes.size() > corners) count(reduced_, type.name, 1);
  const std::span<const Index> n = nodes.first(corners);
  switch (type.kind) {
    case CellKind::kIgnored:
      break;
    case CellKind::kSkipped:
      skip(type.name);
      break;
    case CellKind::kTriangle:
    case CellKind::kPolygon:
      add_polygon(file_.triangles, n);
      break;
    case CellKind::kPixel:
      add_polygon(file_.triangles, std::array{n[0], n[1], n[3], n[2]});
      break;
    case CellKind::kStrip:  // every other triangle is turned round
      for (std::size_t i = 0; i + 2 < n.size(); ++i)
        file_.triangles.push_back(i % 2 == 0 ? Triangle{n[i], n[i + 1], n[i + 2]}
                                             : Triangle{n[i + 1], n[i], n[i + 2]});
      break;
    case CellKind::kTetrahedron:
      file_.tetrahedra.push_back({n[0], n[1], n[2], n[3]});
      break;
    case CellKind::kHexahedron:
      file_.hexahedra.push_back({n[0], n[1], n[2], n[3], n[4], n[5], n[6], n[7]});
      break;
    case CellKind::kVoxel:
      file_.hexahedra.push_back({n[0], n[1], n[3], n[2], n[4], n[5], n[7], n[6]});
      break;
  }
}

void CellSink::skip(std::string_view name, std::size_t n) { count(skipped_, name, n); }

void CellSink::finish() {
  for (const auto& [name, n] : skipped_)
    file_.warnings.push_back(fmt::format("{} skipped", counted(n, name)));
  for (const auto& [name, n] : reduced_)
    file_.warnings.push_back(fmt::format("{}: only the corners are used", counted(n, name)));
}

std::string counted(std::size_t count, std::string_view noun) {
  if (count == 1) return fmt::format("1 {}", noun);
  if (noun.ends_with("hedron"))
    return fmt::format("{} {}a", count, noun.substr(0, noun.size() - 2));
  return fmt::format("{} {}s", count, noun);
}

}  // namespace sinew
