// A step asks nothing of the heap once it has warmed up. The counting operator new serves this
// whole test program.
#include <gtest/gtest.h>
#include <sinew/generators.h>
#include <sinew/world.h>

#include <atomic>
#include <cstdlib>
#include <new>

#include "body_kinds.h"
#include "constrained_bodies.h"
#include "grab_support.h"

namespace {

std::atomic<long> allocations{0};

void* counted(std::size_t size, std::size_t alignment) {
  ++allocations;
  void* p = alignment <= alignof(std::max_align_t)
                ? std::malloc(size)
                : std::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
  if (!p) throw std::bad_alloc();
  return p;
}
// Not inlined, or GCC takes a free() for the partner of an operator new that it did not inline.
__attribute__((noinline)) void release(void* p) { std::free(p); }

}  // namespace

void* operator new(std::size_t size) { return counted(size, 1); }
void* operator new(std::size_t size, std::align_val_t alignment) {
  return counted(size, std::size_t(alignment));
}
void* operator new(std::size_t size, const std::nothrow_t&) noexcept { return counted(size, 1); }
void operator delete(void* p, const std::nothrow_t&) noexcept { release(p); }
void operator delete(void* p) noexcept { release(p); }
void operator delete(void* p, std::size_t) noexcept { release(p); }
void operator delete(void* p, std::align_val_t) noexcept { release(p); }
void operator delete(void* p, std::size_t, std::align_val_t) noexcept { release(p); }

namespace sinew {
namespace {

// Stacks and a hanging chain, whose contacts and joints stay.
TEST(Allocation, NoneForRigidBodies) {
  for (int threads : {1, 2}) {
    World world({.rigid = {.sleeping = false}}, make_thread_pool(threads));
    world.add(StaticBody{});
    for (int i = 0; i < 30; ++i)
      world.add(RigidBody{.shape = Box{}, .pose = {{Real(3 * (i / 5)), Real(0.5 + i % 5), 0}}});
    RigidId last = {};
    for (int i = 0; i < 20; ++i) {
      const Vec3 place{0, Real(20 - 0.3 * i), 5};
      const RigidId link = world.add(
          RigidBody{.shape = Sphere{.radius = Real(0.1)}, .pose = {place - Vec3{0, Real(0.3), 0}}});
      world.add(BallJoint{.a = link, .b = last, .anchor = place});
      last = link;
    }
    for (int i = 0; i < 60; ++i) world.step(Real(1.0 / 60));
    const long before = allocations;
    for (int i = 0; i < 60; ++i) world.step(Real(1.0 / 60));
    EXPECT_EQ(allocations - before, 0) << threads << " threads";
  }
}

TEST(Allocation, NoneInAStepAfterTheFirstTen) {
  for (int threads : {1, 2}) {
    World world({}, make_thread_pool(threads));
    world.enable_profile(true);
    world.add(StaticBody{});
    world.add(StaticBody{.shape = Box{}, .pose = {{Real(0.7), Real(0.2), 0}}});
    for (int i = 0; i < 4; ++i)
      world.add(SoftBody{.mesh = box_tets({1, 1, 1}, {8, 8, 8}),
                         .pose = {{0, Real(0.7) + 2 * Real(i), 0}}});
    for (int i = 0; i < 10; ++i) world.step(Real(1.0 / 60));
    const long before = allocations;
    EXPECT_GT(before, 0);  // the counter counts
    for (int i = 0; i < 60; ++i) world.step(Real(1.0 / 60));
    EXPECT_EQ(allocations - before, 0) << threads << " threads";
  }
}

TEST(Allocation, NoneForAnyKindOfBodyAndSolver) {
  for (const NamedSolver& solver : kSolvers) {
    World world({.iterations = 2}, make_thread_pool(2));
    world.add(StaticBody{.pose = {{0, Real(-0.6), 0}}});
    for (const NamedBody& b : bodies_of_every_kind()) {
      SoftBody body = b.body;
      body.solver = solver.solver;
      body.damping = Real(0.005);
      body.pins = {0};
      body.anchor_motion = AnchorMotion{.swing = {0, Real(0.1), 0}};
      if (!std::holds_alternative<TriMesh>(body.mesh) &&
          !std::holds_alternative<LineMesh>(body.mesh))
        body.plasticity = Plasticity{};
      else
        body.constraints = {Distance{.stiffness = 100}};
      world.add(body);
    }
    for (int i = 0; i < 10; ++i) world.step(Real(1.0 / 60));
    const long before = allocations;
    for (int i = 0; i < 30; ++i) world.step(Real(1.0 / 60));
    EXPECT_EQ(allocations - before, 0) << solver.name;
  }
}

// But for Newton's method, which makes a new factor in every iteration.
TEST(Allocation, NoneForVariationalBodies) {
  const Solver solvers[] = {QuasiNewton{}, QuasiNewton{.integrator = Integrator::kImplicitMidpoint},
                            QuasiNewton{.integrator = Integrator::kBdf2}, Explicit{}};
  for (const Solver& solver : solvers) {
    World world({}, make_thread_pool(2));
    world.add(StaticBody{.pose = {{0, Real(-0.6), 0}}});
    for (const NamedBody& b : bodies_of_every_kind()) {
      SoftBody body = b.body;
      body.solver = solver;
      if (!std::holds_alternative<Explicit>(solver)) body.damping = Real(0.005);
      body.pins = {0};
      body.anchor_motion = AnchorMotion{.swing = {0, Real(0.1), 0}};
      world.add(body);
    }
    for (int i = 0; i < 10; ++i) world.step(Real(1.0 / 60));
    const long before = allocations;
    for (int i = 0; i < 30; ++i) world.step(Real(1.0 / 60));
    EXPECT_EQ(allocations - before, 0) << solver.index();
  }
}

// But for Newton's method, again.
TEST(Allocation, NoneForGrabs) {
  for (const AnySolver& s : every_solver()) {
    if (std::holds_alternative<Newton>(s.solver)) continue;
    World world({}, make_thread_pool(2));
    const SoftId id = world.add(cube(s.solver));
    std::vector<GrabId> hands;
    for (Real x : {Real(-0.2), Real(0.2), Real(0.2)})
      hands.push_back(world.add(
          Grab{.body = id, .point = {x, Real(0.2), 0}, .radius = Real(0.15), .max_force = 400}));
    const auto go = [&](int steps) {
      for (int i = 0; i < steps; ++i) {
        for (GrabId hand : hands)
          world.move_grab(hand, world.state(hand).place + Vec3{0, Real(0.01), 0});
        world.step(Real(1.0 / 60));
      }
    };
    go(10);
    world.remove(hands.back());  // fewer need no more room
    hands.pop_back();
    const long before = allocations;
    go(30);
    EXPECT_EQ(allocations - before, 0) << s.name;
  }
}

TEST(Allocation, NoneForAnyConstraint) {
  for (SweepOrder order : {SweepOrder::kForward, SweepOrder::kJacobi}) {
    World world({.substeps = 2, .substeps_max = 2, .iterations = 2}, make_thread_pool(2));
    world.add(StaticBody{});
    add_constrained_bodies(world, Position{.order = order});
    for (int i = 0; i < 3; ++i) world.step(Real(1.0 / 60));
    const long before = allocations;
    for (int i = 0; i < 5; ++i) world.step(Real(1.0 / 60));
    EXPECT_EQ(allocations - before, 0);
  }
}

}  // namespace
}  // namespace sinew
