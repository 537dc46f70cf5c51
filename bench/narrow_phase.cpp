// Nanoseconds per pair of the narrow phase, one thread, by kinds of shapes and how they lie.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <numbers>
#include <random>
#include <string>
#include <vector>

#include "collision/collide.h"

namespace sinew {
namespace {

constexpr Real kPi = std::numbers::pi_v<Real>;
constexpr Real kMargin = Real(0.02);

Convex sphere() { return {.kind = ConvexKind::kSphere, .radius = Real(0.5)}; }
Convex capsule() {
  return {.kind = ConvexKind::kCapsule, .radius = Real(0.5), .half = {0, Real(0.5), 0}};
}
Convex box() { return {.kind = ConvexKind::kBox, .half = {Real(0.5), Real(0.5), Real(0.5)}}; }
Convex cylinder() { return {.kind = ConvexKind::kCylinder, .half = {Real(0.5), Real(0.5), 0}}; }
Convex triangle() {
  return {.kind = ConvexKind::kTriangle, .corner = {{-2, 0, -2}, {0, 0, 3}, {2, 0, -2}}};
}
// A ball of so many points.
Convex hull(int points) {
  static std::vector<std::pair<int, Hull>> made;
  made.reserve(16);
  for (const auto& [n, h] : made)
    if (n == points) return {.kind = ConvexKind::kHull, .hull = &h};
  std::vector<Vec3> p;
  for (int i = 0; i < points; ++i) {  // on a spiral from pole to pole
    const Real y = 1 - (2 * Real(i) + 1) / Real(points), angle = Real(2.399963) * Real(i);
    const Real r = std::sqrt(1 - y * y) / 2;
    p.push_back({r * std::cos(angle), y / 2, r * std::sin(angle)});
  }
  made.emplace_back(points, make_hull(p));
  return {.kind = ConvexKind::kHull, .hull = &made.back().second};
}

Quat about(const Vec3& axis, Real angle) { return Quat::from_axis_angle(axis, angle); }

struct Case {
  std::string name;
  Convex a, b;  // a ignored for the plane
  Pose pose;
  bool plane = false;
  double aim = 0;  // [ns], on one core of Zen 3; 0: none
  double ns = 0;   // as measured
  int points = 0;
};

std::vector<Case> cases() {
  const Quat turned = about({0, 1, 0}, Real(0.3)), tilted = about({1, 2, 3}, Real(0.7));
  const Quat on_edge = about({0, 0, 1}, kPi / 4);
  const Real diagonal = std::sqrt(Real(0.5));
  std::vector<Case> list = {
      {"sphere-sphere", sphere(), sphere(), {{Real(0.7), Real(0.7), 0}, tilted}},
      {"sphere-box", sphere(), box(), {{0, Real(-0.99), Real(0.1)}, turned}},
      {"capsule-capsule", capsule(), capsule(), {{Real(0.99), 0, 0}, about({1, 0, 0}, 1)}},
      {"capsule-capsule beside", capsule(), capsule(), {{Real(0.99), 0, 0}, {}}},
      {"capsule-box lying", box(), capsule(), {{0, Real(0.99), 0}, about({1, 0, 0}, kPi / 2)}},
      {"capsule-box standing", box(), capsule(), {{0, Real(1.49), 0}, {}}},
      {"box-box face", box(), box(), {{Real(0.1), Real(0.999), Real(0.2)}, {}}, false, 250},
      {"box-box face turned", box(), box(), {{Real(0.1), Real(0.999), 0}, turned}, false, 250},
      {"box-box octagon", box(), box(), {{0, Real(0.999), 0}, about({0, 1, 0}, kPi / 4)}},
      {"box-box edge",
       box(),
       box(),
       {{Real(0.8), Real(0.8), 0}, about({1, 0, 0}, kPi / 4) * about({0, 1, 0}, kPi / 4)}},
      {"box-box apart", box(), box(), {{2, Real(0.5), Real(0.3)}, tilted}, false, 60},
      {"cylinder-box standing", box(), cylinder(), {{0, Real(0.999), 0}, turned}},
      {"cylinder-box lying", box(), cylinder(), {{0, Real(0.999), 0}, about({1, 0, 0}, kPi / 2)}},
      {"cylinder-cylinder standing", cylinder(), cylinder(), {{Real(0.1), Real(0.999), 0}, turned}},
      {"cylinder-cylinder crossed", cylinder(), cylinder(), {{0, Real(0.9), Real(0.5)}, tilted}},
      {"box-triangle face", box(), triangle(), {{0, Real(-0.499), 0}, {}}},
      {"box-triangle edge", triangle(), box(), {{0, diagonal - Real(0.001), 0}, on_edge}},
      {"hull-box", box(), hull(12), {{0, Real(0.95), 0}, turned}},
      {"box-plane", box(), box(), {{0, Real(0.499), 0}, turned}, true},
      {"cylinder-plane", box(), cylinder(), {{0, Real(0.499), 0}, turned}, true},
      {"hull-plane", box(), hull(32), {{0, Real(0.45), 0}, turned}, true},
  };
  for (const int n : {8, 12, 16, 24, 32, 64}) {
    list.push_back({fmt::format("hull-hull {} vertices", n),
                    hull(n),
                    hull(n),
                    {{Real(0.5), Real(0.7), Real(0.2)}, tilted}});
    list.push_back({fmt::format("hull-hull {} apart", n),
                    hull(n),
                    hull(n),
                    {{Real(0.9), Real(1.2), Real(0.2)}, tilted}});
  }
  return list;
}

// Best of many rounds over poses that differ a little, so that no branch is learnt by heart.
void measure(benchmark::State& state, Case* c) {
  constexpr int kPoses = 64;
  constexpr double kSeconds = 0.1;
  std::mt19937 generator(3);
  std::uniform_real_distribution<Real> noise(Real(-5e-4), Real(5e-4));
  std::vector<Pose> poses(kPoses, c->pose);
  for (Pose& p : poses) p.position += Vec3{noise(generator), noise(generator), noise(generator)};
  Manifold m;
  for (auto _ : state) {
    double best = 1e30;
    const auto began = std::chrono::steady_clock::now();
    while (std::chrono::steady_clock::now() - began < std::chrono::duration<double>(kSeconds)) {
      const auto start = std::chrono::steady_clock::now();
      for (const Pose& pose : poses) {
        if (c->plane)
          collide_plane(c->b, pose, kMargin, m);
        else
          collide(c->a, c->b, pose, kMargin, m);
        benchmark::DoNotOptimize(m);
      }
      const std::chrono::duration<double, std::nano> t = std::chrono::steady_clock::now() - start;
      best = std::min(best, t.count() / kPoses);
    }
    c->ns = best;
    c->points = m.count;
    state.counters["ns_per_pair"] = best;
    state.SetIterationTime(best * 1e-9);
  }
}

}  // namespace
}  // namespace sinew

int main(int argc, char** argv) {
  std::vector<sinew::Case> cases = sinew::cases();
  for (sinew::Case& c : cases)
    benchmark::RegisterBenchmark(c.name.c_str(), sinew::measure, &c)
        ->Iterations(1)
        ->UseManualTime();
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
  fmt::print("\n{:<28} {:>9} {:>7} {:>8}\n", "ns per pair, one thread", "ns", "points", "aim");
  for (const sinew::Case& c : cases)
    if (c.ns > 0)
      fmt::print("{:<28} {:>9.1f} {:>7} {:>8}\n", c.name, c.ns, c.points,
                 c.aim > 0 ? fmt::format("≤ {:.0f}", c.aim) : "");
}
