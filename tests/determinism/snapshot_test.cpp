// Soft bodies resume from a snapshot to the bit, whatever their solvers remember.
#include <sinew/generators.h>

#include <limits>

#include "body_kinds.h"
#include "constrained_bodies.h"
#include "snapshot_support.h"
#include "support.h"

namespace sinew {
namespace {

const WorldSettings kFew{.substeps = 2, .substeps_max = 4, .iterations = 2};

// Of another length, so that whatever is prepared for a step is prepared anew; and with other pins.
void something_else(World& world) {
  for (SoftId id : world.soft_bodies()) {
    world.pin(id, 2);
    world.unpin(id, 0);
  }
  world.step(Real(1.0 / 90));
}

// The first vertex is carried to and fro.
void move_pins(World& world, int i) {
  for (SoftId id : world.soft_bodies()) {
    const Real way = i % 4 < 2 ? Real(0.02) : Real(-0.02);
    world.move_pin(id, 0, world.particles(id)[0].position + Vec3{0, way, way});
  }
}

// Bodies of every kind side by side, that spin above a floor and fall on it.
template <class Change>
void add_every_kind(World& world, Change&& change) {
  world.add(StaticBody{.pose = {{0, Real(-0.3), 0}}});
  Real x = 0;
  for (NamedBody& b : bodies_of_every_kind()) {
    b.body.name = b.name;
    b.body.pose.position.x = x += 2;
    b.body.velocity = {0, -3, 0};
    b.body.angular_velocity = {1, 2, 3};
    change(b.body);
    world.add(b.body);
  }
}

bool is_solid_mesh(const BodyMesh& mesh) {
  return std::holds_alternative<TetMesh>(mesh) || std::holds_alternative<HexMesh>(mesh);
}

TEST(Snapshot, ResumesPositionBasedBodiesOfEveryKind) {
  const Material materials[] = {StableNeoHookean{.young = Real(2e4), .poisson = Real(0.3)},
                                Corotated{.young = Real(2e4), .poisson = Real(0.3)}};
  for (const Material& material : materials)
    for (const NamedSolver& solver : kSolvers) {
      World world(kFew);
      add_every_kind(world, [&](SoftBody& body) {
        body.material = material;
        body.solver = solver.solver;
        body.damping = Real(0.002);
      });
      expect_resumes(solver.name, world, 6, move_pins, something_else);
    }
}

TEST(Snapshot, ResumesPlasticBodies) {
  for (const NamedSolver& solver : kSolvers) {
    World world(kFew);
    add_every_kind(world, [&](SoftBody& body) {
      body.solver = solver.solver;
      if (is_solid_mesh(body.mesh)) body.plasticity = Plasticity{.yield_strain = Real(0.005)};
    });
    const double before = world.energy().elastic;
    expect_resumes(solver.name, world, 6, move_pins, something_else);
    EXPECT_NE(world.energy().elastic, before);
  }
}

const Solver kVariational[] = {QuasiNewton{},
                               QuasiNewton{.integrator = Integrator::kImplicitMidpoint},
                               QuasiNewton{.integrator = Integrator::kBdf2},
                               QuasiNewton{.substeps = 2},
                               Newton{.iterations = 2},
                               Newton{.iterations = 2, .integrator = Integrator::kBdf2},
                               Newton{.iterations = 2,
                                      .linear_solver = LinearSolver::kConjugateGradients,
                                      .preconditioner = Preconditioner::kConstant,
                                      .linear_iterations = 10},
                               Explicit{.substeps = 20},
                               Explicit{.method = ExplicitMethod::kEuler, .substeps = 40}};

std::string name_of(const Solver& solver) {
  return std::string(std::visit([](const auto& s) { return s.kName; }, solver));
}

TEST(Snapshot, ResumesVariationalBodiesOfEveryKind) {
  for (const Solver& solver : kVariational) {
    World world;
    add_every_kind(world, [&](SoftBody& body) {
      body.solver = solver;
      if (!std::holds_alternative<Explicit>(solver)) body.damping = Real(0.002);
      body.settling = Real(0.1);
    });
    expect_resumes(name_of(solver), world, 6, move_pins, something_else);
  }
}

TEST(Snapshot, ResumesFreeBodies) {  // whose momentum is kept, and energy guarded
  for (const Solver& solver : kVariational) {
    World world;
    add_every_kind(world, [&](SoftBody& body) {
      body.solver = solver;
      body.pose.position.y = 5;
    });
    expect_resumes(
        name_of(solver), world, 6, [](World&, int) {}, something_else);
  }
}

// Turned inside out in the second step: elements are folded, and recover for many steps.
TEST(Snapshot, ResumesBodiesThatAreInsideOut) {
  const auto turn_over = [](World& world, int i) {
    if (i != 1) return;
    for (SoftId id : world.soft_bodies()) {
      std::vector<Vec3> x = world.positions(id);
      for (std::size_t k = 0; k < x.size(); ++k) x[k].y = k % 3 == 0 ? Real(-0.5) * x[k].y : x[k].y;
      world.set_positions(id, x);
    }
  };
  for (const Solver& solver : {Solver(Position{}), Solver(QuasiNewton{}), Solver(Newton{})}) {
    World world({.gravity = {0, 0, 0}, .substeps = 2, .substeps_max = 4, .iterations = 2});
    add_every_kind(world, [&](SoftBody& body) { body.solver = solver; });
    std::vector<std::vector<Vec3>> start;
    for (SoftId id : world.soft_bodies()) start.push_back(world.positions(id));
    int inverted = 0;
    expect_resumes(
        name_of(solver), world, 8,
        [&](World& w, int i) {
          turn_over(w, i);
          for (SoftId id : w.soft_bodies()) inverted += w.state(id).inverted;
        },
        [&](World& w) {  // all recover
          for (std::size_t i = 0; i < start.size(); ++i) {
            w.set_positions(w.soft_bodies()[i], start[i]);
            w.set_velocities(w.soft_bodies()[i], std::vector<Vec3>(start[i].size()));
          }
          for (int i = 0; i < 20; ++i) w.step(Real(1.0 / 60));
        });
    EXPECT_GT(inverted, 0);
  }
}

TEST(Snapshot, ResumesBodiesWithEveryConstraint) {
  for (SweepOrder order : {SweepOrder::kForward, SweepOrder::kSymmetric}) {
    World world({.substeps = 2, .substeps_max = 2, .iterations = 1});
    world.add(StaticBody{});
    add_constrained_bodies(world, Position{.order = order});
    expect_resumes("constraints", world, 3, move_pins, [](World& w) { w.step(Real(1.0 / 90)); });
  }
}

TEST(Snapshot, ResumesBodiesWithEveryEnergy) {
  for (const Solver& solver :
       {Solver(Projective{.iterations = 3}), Solver(QuasiNewton{.iterations = 3})}) {
    World world;
    world.add(StaticBody{});
    add_bodies_with_energies(world, solver);
    expect_resumes(name_of(solver), world, 3, move_pins, [](World& w) { w.step(Real(1.0 / 90)); });
  }
}

// Volumes on their way to a target, attachments that are carried, and pins that follow an anchor.
TEST(Snapshot, ResumesWhatChangesInTime) {
  const auto inflated = [](const Solver& solver) {
    return SoftBody{.name = "inflated",
                    .mesh = sphere_surface(Real(0.5), 2),
                    .constraints = {Volume{.pressure = 2, .bulk = Real(1e5)}, Bending{}},
                    .solver = solver};
  };
  const auto attached = [](const Solver& solver) {
    return SoftBody{.name = "attached",
                    .mesh = box_tets({1, 1, 1}, {3, 3, 3}),
                    .constraints = {Attachment{.vertices = {0, 1}, .anchored = true},
                                    Attachment{.vertices = {5, 6}}},
                    .solver = solver,
                    .pose = {{3, 0, 0}},
                    .pins = {60},
                    .anchor_motion = AnchorMotion{.swing = {0, Real(0.1), 0}}};
  };
  for (const Solver& solver : {Solver(Position{}), Solver(Position{.order = SweepOrder::kJacobi}),
                               Solver(QuasiNewton{})}) {
    World world(kFew);
    world.add(inflated(solver));
    const SoftId id = world.add(attached(solver));
    expect_resumes(
        name_of(solver), world, 6,
        [&](World& w, int i) {
          if (i >= 2) w.move_attachment(id, 5, {Real(3.2), Real(0.1) * Real(i), 0});
          if (i == 4) w.move_attachment(id, 0, {3, 1, 1});  // no longer follows the anchor
          if (i == 5) w.unpin(id, 60);
        },
        something_else);
  }
}

TEST(Snapshot, ResumesAfterABalanceWasLookedFor) {
  World world;
  const SoftId id = world.add(SoftBody{.mesh = box_tets({1, 1, 1}, {4, 2, 2}),
                                       .solver = QuasiNewton{.integrator = Integrator::kBdf2},
                                       .pins = {0, 1, 2}});
  expect_resumes(
      "balance", world, 6, [](World&, int) {},
      [&](World& w) { w.find_equilibrium(id, {.iterations = 20}); });
}

TEST(Snapshot, RemembersThatABodyIsFrozen) {
  World world({.gravity = {0, 0, 0}});
  const SoftId id = world.add(SoftBody{.mesh = box_tets({1, 1, 1}, {2, 2, 2})});
  const Snapshot whole = world.snapshot();
  std::vector<Vec3> velocities(27);
  velocities[3] = {std::numeric_limits<Real>::max(), 0, 0};
  world.set_velocities(id, velocities);
  world.step(1);
  ASSERT_FALSE(world.finite());
  const Snapshot frozen = world.snapshot();
  ASSERT_EQ(world.events().size(), 1u);
  world.restore(whole);
  EXPECT_TRUE(world.finite());
  EXPECT_TRUE(world.events().empty());
  world.restore(frozen);
  EXPECT_FALSE(world.finite());
  EXPECT_EQ(world.events().size(), 1u);
}

SoftBody jelly(Real x) {
  return {.mesh = box_tets({1, 1, 1}, {3, 3, 3}),
          .material = Corotated{.young = Real(2e4)},
          .pose = {{x, 1, 0}},
          .angular_velocity = {1, 2, 3}};
}

// Bodies that were removed are back with all that they remember, those that were added are gone.
TEST(Snapshot, BringsBackBodiesThatWereRemoved) {
  World world;
  world.add(StaticBody{});
  const SoftId first = world.add(jelly(0)), second = world.add(jelly(3));
  SoftId added{};
  expect_resumes(
      "removed", world, 6, [](World&, int) {},
      [&](World& w) {
        w.remove(first);
        added = w.add(jelly(6));
        w.add(jelly(9));
        w.step(Real(1.0 / 60));
      });
  EXPECT_TRUE(world.contains(first));
  EXPECT_TRUE(world.contains(second));
  EXPECT_FALSE(world.contains(added));
  EXPECT_EQ(world.soft_bodies().size(), 2u);
  // As it would have been without.
  EXPECT_EQ(world.add(jelly(6)).index, 2u);
}

// Handles may come again: the snapshot still knows which body it meant.
TEST(Snapshot, KnowsBodiesApartWhoseHandlesAreTheSame) {
  World world;
  const Snapshot empty = world.snapshot();
  const SoftId id = world.add(jelly(0));
  world.step(Real(1.0 / 60));
  const Snapshot with_jelly = world.snapshot();
  const Seen seen = see(world);
  world.restore(empty);
  EXPECT_FALSE(world.contains(id));
  EXPECT_EQ(world.add(SoftBody{.mesh = rope(1, 5), .thickness = Real(0.02)}), id);
  world.step(Real(1.0 / 60));
  world.restore(with_jelly);
  EXPECT_TRUE(see(world) == seen);
}

TEST(Snapshot, OfAnotherWorldIsRefused) {
  World world, other;
  const Snapshot of_other = other.snapshot();
  const SoftId id = world.add(jelly(0));
  world.step(Real(1.0 / 60));
  const Seen seen = see(world);
  expect_error([&] { world.restore(of_other); }, {"another world"});
  expect_error([&] { world.restore(Snapshot{}); }, {"empty", "World::snapshot()"});
  EXPECT_TRUE(see(world) == seen);
  EXPECT_TRUE(world.contains(id));
  World moved = std::move(other);
  moved.step(Real(1.0 / 60));
  moved.restore(of_other);
  EXPECT_EQ(moved.time(), 0);
}

TEST(Snapshot, OutlivesItsWorld) {
  Snapshot snapshot;
  EXPECT_EQ(snapshot.time(), 0);
  {
    World world;
    world.add(jelly(0));
    world.step(Real(0.25));
    snapshot = world.snapshot();
  }
  EXPECT_EQ(snapshot.time(), 0.25);
  World world;
  expect_error([&] { world.restore(snapshot); }, {"another world"});
}

}  // namespace
}  // namespace sinew
