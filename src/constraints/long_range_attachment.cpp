// Long range attachments (Kim, Chentanez and Müller-Fischer, "Long range attachments – a method to
// simulate inextensible clothing in computer games", 2012): no vertex is further from the nearest
// pin than the way along the edges at rest, which takes Dijkstra's algorithm from all pins at once.
#include <sinew/error.h>

#include <cmath>
#include <queue>

#include "constraints/tether_batch.h"
#include "constraints_functions.h"
#include "geometry/edges.h"

namespace sinew {
namespace {

struct Way {
  double length = INFINITY;  // [m]
  Index pin = 0;
};

struct Neighbour {
  Index vertex;
  double length;
};

std::vector<Way> ways_to_pins(const BodyMesh& mesh, std::span<const Index> pins) {
  const std::span<const Vec3> x = vertices_of(mesh);
  std::vector<std::vector<Neighbour>> neighbours(x.size());
  for (const auto& [a, b] : edges_of(mesh)) {
    const double apart = length(to_double(x[b]) - to_double(x[a]));
    neighbours[a].push_back({b, apart});
    neighbours[b].push_back({a, apart});
  }
  std::vector<Way> ways(x.size());
  using Open = std::pair<double, Index>;  // the nearest first, and of those the lowest number
  std::priority_queue<Open, std::vector<Open>, std::greater<>> open;
  for (Index pin : pins) {
    ways[pin] = {0, pin};
    open.push({0, pin});
  }
  while (!open.empty()) {
    const auto [so_far, vertex] = open.top();
    open.pop();
    if (so_far > ways[vertex].length) continue;
    for (const Neighbour& next : neighbours[vertex]) {
      const double way = so_far + next.length;
      if (!(way < ways[next.vertex].length)) continue;
      ways[next.vertex] = {way, ways[vertex].pin};
      open.push({way, next.vertex});
    }
  }
  return ways;
}

}  // namespace

void add_batches(const LongRangeAttachment& definition, const ConstraintSource& body,
                 BatchList& batches) {
  using Tethers = TetherBatch<TetherKind::kAnchor, Wide>;
  if (body.pins.empty())
    throw Error("constraint long_range_attachment needs pins to attach the vertices to");
  const std::vector<Way> ways = ways_to_pins(body.mesh, body.pins);
  std::vector<Tethers::Item> items;
  for (Index i = 0; i < ways.size(); ++i)
    if (ways[i].length > 0 && std::isfinite(ways[i].length))
      items.push_back({i, ways[i].pin, ways[i].length * double(definition.slack)});
  batches.push_back(std::make_unique<Tethers>(items, ways.size()));
}

void add_energies(const LongRangeAttachment&, const ConstraintSource&, EnergyList&) {
  throw Error(
      "constraint long_range_attachment is for the solver \"position\", whose sweeps leave a cloth "
      "stretched; variational solvers do not: leave it out, or take distance with tension_only");
}

}  // namespace sinew
