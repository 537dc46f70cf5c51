// Rays per second, one thread: into a mesh of about 100,000 triangles, a bumpy ring, and into a
// height field of about as many, each from everywhere to everywhere (no two rays alike) and from
// one eye in rows; and through a world of 10,000 boxes, balls, capsules and cylinders.
#include <benchmark/benchmark.h>
#include <sinew/generators.h>
#include <sinew/world.h>

#include <algorithm>
#include <random>

#include "collision/height_field_data.h"
#include "collision/triangle_soup.h"

namespace sinew {
namespace {

constexpr std::size_t kRays = 1 << 16;

TriMesh bumpy_ring() {
  TriMesh mesh = torus_surface(2, 1, 320, 160);  // 102,400 triangles
  for (Vec3& v : mesh.vertices) {
    const double bump =
        std::sin(9.0 * double(v.x)) * std::sin(8.0 * double(v.y)) * std::sin(7.0 * double(v.z));
    v *= static_cast<Real>(1 + 0.05 * bump);
  }
  return mesh;
}

HeightFieldData hills() {
  constexpr int kSide = 225;  // 100,352 triangles
  std::vector<Real> heights;
  for (int row = 0; row < kSide; ++row)
    for (int column = 0; column < kSide; ++column)
      heights.push_back(static_cast<Real>(2 * std::sin(0.11 * column) * std::cos(0.07 * row) +
                                          0.2 * std::sin(1.3 * column + row)));
  return HeightFieldData(kSide, kSide, Real(0.2), Real(0.2), heights);
}

// From random points of a sphere about it through random triangles: all of them hit.
template <Surface S>
std::vector<SurfaceRay> rays_everywhere(const S& surface) {
  std::mt19937 generator(1);
  const auto number = [&] { return static_cast<Real>(generator() / 2147483648.0 - 1); };
  const Vec3 center = surface.bounds().center();
  const Real radius = length(surface.bounds().half());
  std::vector<SurfaceRay> rays;
  while (rays.size() < kRays) {
    const Vec3 p{number(), number(), number()};
    if (dot(p, p) > 1 || dot(p, p) < Real(0.01)) continue;
    const Vec3 from = center + normalized(p) * radius;
    Vec3 corner[3];
    surface.triangle(static_cast<Index>(generator() % surface.triangle_count()), corner);
    rays.push_back({from, ((corner[0] + corner[1] + corner[2]) / Real(3) - from) * Real(2), 1});
  }
  return rays;
}

std::vector<SurfaceRay> rays_from_an_eye(const Aabb& box) {
  std::vector<SurfaceRay> rays;
  const Real radius = length(box.half());
  const Vec3 eye = box.center() + Vec3{Real(0.3), Real(0.8), Real(1)} * radius;
  constexpr int kSide = 256;
  for (int y = 0; y < kSide; ++y)
    for (int x = 0; x < kSide; ++x) {
      const Vec3 to{Real(2.0 * x / kSide - 1), Real(2.0 * y / kSide - 1), 0};
      rays.push_back({eye, (box.center() + to * radius - eye) * Real(2), 1});
    }
  return rays;
}

template <class S>
void cast(benchmark::State& state, const S& surface, std::span<const SurfaceRay> rays) {
  std::size_t hits = 0;
  for (auto _ : state) {
    hits = 0;
    for (const SurfaceRay& ray : rays)
      hits += surface.cast_ray(ray.origin, ray.way, ray.max_fraction).has_value() ? 1 : 0;
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations() * rays.size()));
  state.counters["hits_percent"] = 100 * static_cast<double>(hits) / double(rays.size());
}

void mesh_incoherent(benchmark::State& state) {
  const TriangleSoup soup(bumpy_ring());
  cast(state, soup, rays_everywhere(soup));
}
void mesh_coherent(benchmark::State& state) {
  const TriangleSoup soup(bumpy_ring());
  cast(state, soup, rays_from_an_eye(soup.bounds()));
}
void mesh_build(benchmark::State& state) {
  const TriMesh mesh = bumpy_ring();
  for (auto _ : state) benchmark::DoNotOptimize(TriangleSoup(mesh).triangle_count());
}
void height_field_incoherent(benchmark::State& state) {
  const HeightFieldData field = hills();
  cast(state, field, rays_everywhere(field));
}
void height_field_coherent(benchmark::State& state) {
  const HeightFieldData field = hills();
  cast(state, field, rays_from_an_eye(field.bounds()));
}

// A body to 8 m³ on average; rays of 40 m that most often end on one.
World crowd() {
  World world;
  std::mt19937 generator(2);
  const auto number = [&](Real most) {
    return most * static_cast<Real>(generator() / 2147483648.0 - 1);
  };
  for (int i = 0; i < 10000; ++i) {
    const Vec3 place{number(22), number(22), number(22)}, axis{number(1), number(1), 1};
    const Pose pose{place, Quat::from_axis_angle(axis, number(3))};
    const Shape shapes[] = {Box{}, Sphere{}, Capsule{}, Cylinder{}};
    if (i % 2 == 0)
      world.add(StaticBody{.shape = shapes[i / 2 % 4], .pose = pose});
    else
      world.add(RigidBody{.shape = shapes[i / 2 % 4], .pose = pose});
  }
  return world;
}

void world_incoherent(benchmark::State& state) {
  const World world = crowd();
  std::mt19937 generator(3);
  const auto number = [&] { return static_cast<Real>(22 * (generator() / 2147483648.0 - 1)); };
  std::vector<Ray> rays;
  while (rays.size() < kRays) {
    const Vec3 from{number(), number(), number()};
    const Vec3 to{number(), number(), number()};
    rays.push_back({.origin = from, .way = normalized(to - from) * Real(40)});
  }
  std::vector<std::optional<RayHit>> hits(rays.size());
  for (auto _ : state) world.cast_rays(rays, hits);
  const auto count = std::count_if(hits.begin(), hits.end(), [](const auto& hit) { return !!hit; });
  state.SetItemsProcessed(static_cast<std::int64_t>(state.iterations() * rays.size()));
  state.counters["hits_percent"] = 100 * static_cast<double>(count) / double(rays.size());
}

BENCHMARK(mesh_incoherent)->Unit(benchmark::kMillisecond);
BENCHMARK(mesh_coherent)->Unit(benchmark::kMillisecond);
BENCHMARK(mesh_build)->Unit(benchmark::kMillisecond);
BENCHMARK(height_field_incoherent)->Unit(benchmark::kMillisecond);
BENCHMARK(height_field_coherent)->Unit(benchmark::kMillisecond);
BENCHMARK(world_incoherent)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace sinew

BENCHMARK_MAIN();
