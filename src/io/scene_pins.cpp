#include "io/scene_pins.h"

#include <fmt/format.h>
#include <sinew/error.h>

namespace sinew {
namespace {

// "[0, 0, 0] to [1, 2, 1]"
std::string extent(const Bounds& box) {
  return fmt::format("[{}, {}, {}] to [{}, {}, {}]", box.lower.x, box.lower.y, box.lower.z,
                     box.upper.x, box.upper.y, box.upper.z);
}

// Generators and files round coordinates; "all at x = 0.1" shall find those at 0.10000001.
Real tolerance(std::span<const Vec3> vertices) {
  const Bounds box = bounds(vertices);
  return length(box.upper - box.lower) * Real(1e-5);
}

template <class Predicate>
std::vector<Index> select_if(std::span<const Vec3> vertices, Predicate inside) {
  std::vector<Index> selected;
  for (std::size_t i = 0; i < vertices.size(); ++i)
    if (inside(vertices[i])) selected.push_back(static_cast<Index>(i));
  return selected;
}

}  // namespace

std::vector<Index> VertexPins::select(std::span<const Vec3> vertices) const {
  for (const int index : indices)
    if (std::size_t(index) >= vertices.size())
      throw Error(
          fmt::format("names vertex {}; the mesh has {}, numbered from 0", index, vertices.size()));
  return {indices.begin(), indices.end()};
}

std::vector<Index> BoxPins::select(std::span<const Vec3> vertices) const {
  const Real slack = tolerance(vertices);
  return select_if(vertices, [&](const Vec3& x) {
    for (int k = 0; k < 3; ++k)
      if (x[k] < lower[k] - slack || x[k] > upper[k] + slack) return false;
    return true;
  });
}

std::vector<Index> SpherePins::select(std::span<const Vec3> vertices) const {
  const Real reach = radius + tolerance(vertices);
  return select_if(vertices, [&](const Vec3& x) { return length(x - center) <= reach; });
}

std::vector<Index> select_pins(const PinSelector& selector, std::span<const Vec3> vertices) {
  std::vector<Index> pins =
      std::visit([&](const auto& one) { return one.select(vertices); }, selector);
  if (pins.empty())
    throw Error(
        fmt::format("selects no vertex; the mesh extends from {}", extent(bounds(vertices))));
  return pins;
}

}  // namespace sinew
