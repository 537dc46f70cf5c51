// Making a mesh fit for simulation: weld, drop what is degenerate or double, orient, drop what is
// unused. All work is done on a copy, so that an error leaves the mesh as it was.
#include <numeric>

#include "core/format.h"
#include "geometry/keyed.h"
#include "geometry/orient.h"
#include "geometry/weld.h"

namespace sinew {
namespace {

template <class Cell>
void check(const Mesh<Cell>& mesh, const MendOptions& options) {
  if (!(std::isfinite(options.weld_distance) && options.weld_distance >= 0))
    throw Error(formatted("mend: weld_distance is {}; it must be a finite number, 0 or above",
                          options.weld_distance));
  if (mesh.vertices.size() >= kNoIndex)
    throw Error(formatted("mend: the mesh has {} vertices; the most is {}", mesh.vertices.size(),
                          kNoIndex - 1));
  check_finite(mesh.vertices);
  check_indices(mesh);
  if (mesh.cells.empty())
    throw Error(formatted("mend: the mesh has no {}; give it at least one", kCellName<Cell>));
}

// Keeps the vertices that lead themselves, in order, and lets cells use the leaders of their
// corners. Returns how many vertices went.
template <class Cell>
std::size_t follow_leaders(Mesh<Cell>& mesh, std::span<const Index> leaders) {
  std::vector<Index> renumbered(leaders.size(), kNoIndex);
  Index kept = 0;
  for (Index v = 0; v < leaders.size(); ++v)
    if (leaders[v] == v) {
      mesh.vertices[kept] = mesh.vertices[v];
      renumbered[v] = kept++;
    }
  for (Cell& cell : mesh.cells)
    for (Index& v : cell) v = renumbered[leaders[v]];
  mesh.vertices.resize(kept);
  return leaders.size() - kept;
}

template <class Cell>
std::size_t drop_unused(Mesh<Cell>& mesh) {
  std::vector<Index> leaders(mesh.vertices.size(), kNoIndex);
  for (const Cell& cell : mesh.cells)
    for (const Index v : cell) leaders[v] = v;
  return follow_leaders(mesh, leaders);
}

// Keeps the cells that are not marked, in order. Returns how many went.
template <class Cell>
std::size_t drop_marked(Mesh<Cell>& mesh, const std::vector<char>& marked) {
  std::size_t kept = 0;
  for (std::size_t c = 0; c < mesh.cells.size(); ++c)
    if (!marked[c]) mesh.cells[kept++] = mesh.cells[c];
  const std::size_t dropped = mesh.cells.size() - kept;
  mesh.cells.resize(kept);
  return dropped;
}

// Slivers stay: only what has no measure at all cannot be simulated.
template <class Cell>
std::size_t drop_degenerate(Mesh<Cell>& mesh) {
  std::vector<char> marked(mesh.cells.size(), 0);
  for (std::size_t c = 0; c < mesh.cells.size(); ++c) {
    Cell sorted = mesh.cells[c];
    std::sort(sorted.begin(), sorted.end());
    marked[c] =
        std::adjacent_find(sorted.begin(), sorted.end()) != sorted.end() || measure(mesh, c) == 0;
  }
  return drop_marked(mesh, marked);
}

template <class Cell>
std::size_t drop_duplicates(Mesh<Cell>& mesh) {
  constexpr std::size_t kCorners = std::tuple_size_v<Cell>;
  std::vector<Keyed<kCorners>> keys;
  keys.reserve(mesh.cells.size());
  for (const Cell& cell : mesh.cells) keys.push_back(keyed<kCorners>(cell, keys.size()));
  std::vector<char> marked(mesh.cells.size(), 0);
  for_each_group(sorted(keys, mesh.vertices.size()), [&](std::span<const Keyed<kCorners>> same) {
    for (const Keyed<kCorners>& later : same.subspan(1)) marked[later.owner] = 1;
  });
  return drop_marked(mesh, marked);
}

}  // namespace

std::string MendReport::summary() const {
  std::string text;
  const auto add = [&](std::size_t count, const char* one, const char* many, const char* what) {
    if (count > 0)
      text +=
          formatted("{}{} {}{}", text.empty() ? "" : ", ", count, count == 1 ? one : many, what);
  };
  add(reoriented, "cell", "cells", " reoriented");
  add(welded, "vertex", "vertices", " welded");
  add(degenerate, "degenerate cell", "degenerate cells", " dropped");
  add(duplicate, "duplicate cell", "duplicate cells", " dropped");
  add(unused, "unused vertex", "unused vertices", " dropped");
  return text.empty() ? "nothing" : text;
}

template <class Cell>
MendReport mend(Mesh<Cell>& mesh, const MendOptions& options) {
  check(mesh, options);
  Mesh<Cell> work = mesh;
  MendReport report;
  if (options.weld)
    report.welded = follow_leaders(
        work, weld_leaders(work.vertices, static_cast<double>(options.weld_distance)));
  report.degenerate = drop_degenerate(work);
  report.duplicate = drop_duplicates(work);
  report.reoriented = orient(work);
  if (work.cells.empty())
    throw Error(
        formatted("mend: no {} is left: all {} have repeated corners or no extent; give the "
                  "mesh cells with distinct corners{}",
                  kCellName<Cell>, mesh.cells.size(),
                  options.weld_distance > 0 ? " or a smaller weld_distance" : ""));
  if (options.drop_unused) report.unused = drop_unused(work);
  mesh = std::move(work);
  return report;
}

template MendReport mend(LineMesh&, const MendOptions&);
template MendReport mend(TriMesh&, const MendOptions&);
template MendReport mend(TetMesh&, const MendOptions&);
template MendReport mend(HexMesh&, const MendOptions&);

}  // namespace sinew
