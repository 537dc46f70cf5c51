// Nanoseconds per joint of the joints between rigid bodies, one thread: of a sweep (solve), of
// prepare and of a pass over positions (correct); packs against the same templates on plain
// numbers, in one run.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <random>

#include "rigid/joint_batch.h"
#include "rigid/joint_kinds.h"

namespace sinew {
namespace {

constexpr int kChains = 128, kLength = 17;  // 2,048 joints; no two in a row share a pack

// Chains of bodies, a little out of place.
struct Chains {
  BodyRows rows;
  ScratchRows scratch{1, 16};

  Chains() {
    std::mt19937 generator(1);
    std::uniform_real_distribution<Real> noise(Real(-0.01), Real(0.01));
    for (int i = 0; i < 1 + scratch.count + kChains * kLength; ++i) {
      const bool body = i > scratch.count;
      const int n = i - 1 - scratch.count;
      rows.velocity.push_back({{noise(generator), noise(generator), noise(generator)}});
      rows.way.push_back({});
      rows.pose.push_back({{body ? Real(n % kLength) : 0, noise(generator),
                            body ? Real(n / kLength) : 0, 0, 0, 0, 0, 1}});
      rows.mass.push_back({});
      if (body) rows.mass.back() = {{6, 0, 0, 5, 0, 4, 1, 0}};
    }
  }
  BodyRow row(int chain, int n) const {
    return static_cast<BodyRow>(1 + scratch.count + chain * kLength + n);
  }
  BodyPose<Real> pose(BodyRow row) const { return gather_pose<Real>(rows.pose, &row); }
};

struct Cost {
  double solve = 1e30, prepare = 1e30, correct = 1e30;  // [ns]
};

// Best of many, over long enough for a busy machine to have a quiet moment.
template <class E, class W, class J>
Cost cost(const J& sample) {
  constexpr double kSeconds = 0.5;
  Chains chains;
  RowBatch<E, W> batch;
  int count = 0;
  for (int c = 0; c < kChains; ++c)
    for (int n = 0; n + 1 < kLength; ++n) {
      const BodyRow a = chains.row(c, n), b = chains.row(c, n + 1);
      J joint = sample;
      const Vec3 middle = (chains.pose(a).center + chains.pose(b).center) * Real(0.5);
      if constexpr (requires { joint.anchor; }) joint.anchor = middle;
      if constexpr (requires { joint.anchor_a; }) joint.anchor_a = middle;
      batch.add(count++, a, b, E::parameters(joint, chains.pose(a), chains.pose(b)));
    }
  const auto executor = make_serial_executor();
  Cost best;
  const auto timed = [&](double& least, auto&& f) {
    const auto start = std::chrono::steady_clock::now();
    f();
    const std::chrono::duration<double, std::nano> time = std::chrono::steady_clock::now() - start;
    least = std::min(least, time.count() / count);
  };
  batch.prepare(chains.rows, Real(1.0 / 480), chains.scratch, *executor);
  const auto began = std::chrono::steady_clock::now();
  while (std::chrono::steady_clock::now() - began < std::chrono::duration<double>(kSeconds)) {
    timed(best.prepare,
          [&] { batch.prepare(chains.rows, Real(1.0 / 480), chains.scratch, *executor); });
    timed(best.solve, [&] { batch.solve(chains.rows, *executor); });
    timed(best.correct, [&] { batch.correct(chains.rows, Real(0.4), *executor); });
  }
  return best;
}

template <class E, class J>
struct Pair {
  static inline J sample = {};
  static Cost packs() { return cost<E, Wide>(sample); }
  static Cost plain() { return cost<E, Real>(sample); }
};

struct Kernel {
  const char* name;
  Cost (*run)();
  Cost (*plain)();
  double aim;  // of a sweep [ns], with AVX-512; 0: none
  Cost with_packs = {}, with_plain = {};
};

using Ball = Pair<BallRows, BallJoint>;
using Hinge = Pair<HingeRows<false>, HingeJoint>;
using DrivenHinge = Pair<HingeRows<true>, HingeJoint>;
using Distance = Pair<DistanceRows, DistanceJoint>;
using Fixed = Pair<FixedRows, FixedJoint>;
using Cone = Pair<ConeRows, ConeJoint>;
using SixDof = Pair<SixDofRows<false>, SixDofJoint>;

Kernel kernels[] = {
    {"ball", Ball::packs, Ball::plain, 12},
    {"hinge", Hinge::packs, Hinge::plain, 0},
    {"hinge, driven", DrivenHinge::packs, DrivenHinge::plain, 0},
    {"distance", Distance::packs, Distance::plain, 0},
    {"fixed", Fixed::packs, Fixed::plain, 0},
    {"cone", Cone::packs, Cone::plain, 0},
    {"six_dof", SixDof::packs, SixDof::plain, 0},
};

void measure_kernel(benchmark::State& state, Cost (*kernel)(), Cost* result) {
  for (auto _ : state) {
    *result = kernel();
    state.counters["prepare_ns"] = result->prepare;
    state.counters["correct_ns"] = result->correct;
    state.SetIterationTime(result->solve * 1e-9);
  }
}

}  // namespace
}  // namespace sinew

int main(int argc, char** argv) {
  using sinew::kernels, sinew::Kernel;
  for (Kernel& k : kernels) {
    const std::string name = k.name;
    benchmark::RegisterBenchmark((name + "/pack").c_str(), sinew::measure_kernel, k.run,
                                 &k.with_packs)
        ->Iterations(1)
        ->UseManualTime();
    benchmark::RegisterBenchmark((name + "/scalar").c_str(), sinew::measure_kernel, k.plain,
                                 &k.with_plain)
        ->Iterations(1)
        ->UseManualTime();
  }
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
  fmt::print("\n{:<16} {:>8} {:>8} {:>7} {:>6} {:>16} {:>16}\n", "ns per joint", "solve", "scalar",
             "ratio", "aim", "prepare, scalar", "correct, scalar");
  for (const Kernel& k : kernels)
    if (k.with_packs.solve < 1e30 && k.with_plain.solve < 1e30)
      fmt::print("{:<16} {:>8.1f} {:>8.1f} {:>6.1f}× {:>6} {:>7.1f} {:>8.1f} {:>7.1f} {:>8.1f}\n",
                 k.name, k.with_packs.solve, k.with_plain.solve,
                 k.with_plain.solve / k.with_packs.solve,
                 k.aim > 0 ? fmt::format("≤ {:.0f}", k.aim) : "", k.with_packs.prepare,
                 k.with_plain.prepare, k.with_packs.correct, k.with_plain.correct);
}
