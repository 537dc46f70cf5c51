#include "world/skins.h"

#include <sinew/error.h>
#include <sinew/log.h>

#include <cmath>

#include "core/format.h"
#include "world/check_body.h"

namespace sinew {
namespace {

void check_skin(const std::string& where, const SoftBody& body) {
  const TriMesh& skin = *body.skin;
  if (!is_solid(body.mesh))
    throw Error(where +
                ".skin is for solids, of tetrahedra or hexahedra; leave it out for sheets and "
                "lines, which are seen as they are");
  if (skin.cells.empty())
    throw Error(where +
                ".skin has no triangle; make one with a generator, read one from a file, or leave "
                "it out");
  for (std::size_t i = 0; i < skin.vertices.size(); ++i)
    for (int k = 0; k < 3; ++k)
      if (!std::isfinite(skin.vertices[i][k]))
        throw Error(
            formatted("{}.skin: vertex {} is not finite; mend() the surface, or correct "
                      "its file",
                      where, i));
  for (std::size_t i = 0; i < skin.cells.size(); ++i)
    for (Index v : skin.cells[i])
      if (v >= skin.vertices.size())
        throw Error(
            formatted("{}.skin: triangle {} names vertex {}, but there are {} vertices; correct "
                      "its indices",
                      where, i, v, skin.vertices.size()));
}

// "0.3 × 0.5 × 0.2 m about (0, 1, 0)"
std::string extent(std::span<const Vec3> points) {
  const Bounds box = bounds(points);
  const Vec3 size = box.upper - box.lower, middle = (box.lower + box.upper) / 2;
  return formatted("{:.3g} × {:.3g} × {:.3g} m about ({:.3g}, {:.3g}, {:.3g})", size.x, size.y,
                   size.z, middle.x, middle.y, middle.z);
}

// A coarse mesh that ends a little inside its skin is usual. What was clamped has lost its shape,
// and what is mostly outside was hardly meant so: another unit, another place.
void tell(const std::string& where, const Skin& skin, std::span<const Vec3> vertices) {
  const Embedding& e = skin.embedding;
  const auto both = [&] {
    return formatted("it is {}, the mesh {}", extent(skin.surface.vertices), extent(vertices));
  };
  if (!e.clamped.empty())
    log_message(LogLevel::kWarning,
                formatted("{}.skin: {} of {} points are too far outside the mesh to ride along "
                          "and were moved to its surface; {}",
                          where, e.clamped.size(), e.size(), both()));
  else if (2 * e.outside.size() > e.size())
    log_message(LogLevel::kInfo,
                formatted("{}.skin: {} of {} points are outside the mesh and follow its nearest "
                          "cells; {}",
                          where, e.outside.size(), e.size(), both()));
}

template <std::size_t kCorners>
void interpolate(const Embedding& embedding, const Row4<Real>* particles,
                 std::vector<Vec3>& points) {
  const Index* v = embedding.vertices.data();
  const Real* w = embedding.weights.data();
  for (Vec3& point : points) {
    // From corner 0: far from the origin, the weights' rounding would show.
    const Row4<Real> origin = particles[v[0]];
    Vec3 x{origin.x, origin.y, origin.z};
    for (std::size_t k = 1; k < kCorners; ++k) {
      const Row4<Real>& corner = particles[v[k]];
      x.x += (corner.x - origin.x) * w[k];
      x.y += (corner.y - origin.y) * w[k];
      x.z += (corner.z - origin.z) * w[k];
    }
    point = x;
    v += kCorners, w += kCorners;
  }
}

}  // namespace

std::shared_ptr<const Skin> make_skin(const std::string& where, SoftBody& body) {
  if (!body.skin) return nullptr;
  check_skin(where, body);
  auto skin = std::make_shared<Skin>();
  skin->surface = std::move(*body.skin);
  body.skin.reset();
  const std::span<const Vec3> points = skin->surface.vertices;
  if (const auto* tets = std::get_if<TetMesh>(&body.mesh)) skin->embedding = embed(points, *tets);
  if (const auto* hexes = std::get_if<HexMesh>(&body.mesh)) skin->embedding = embed(points, *hexes);
  tell(where, *skin, vertices_of(body.mesh));
  return skin;
}

std::vector<Vec3> skin_positions(const Skin& skin, const Row4<Real>* particles) {
  std::vector<Vec3> points(skin.embedding.size());
  if (skin.embedding.corners == 4)
    interpolate<4>(skin.embedding, particles, points);
  else
    interpolate<8>(skin.embedding, particles, points);
  return points;
}

}  // namespace sinew
