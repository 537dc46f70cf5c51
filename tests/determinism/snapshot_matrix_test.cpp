// Every mesh × material × solver × constraint × extra resumes from a snapshot to the bit: some of
// them here, all of them with SINEW_WHOLE_MATRIX set.
#include <sinew/generators.h>
#include <sinew/world.h>

#include <cstdlib>

#include "support.h"

namespace sinew {
namespace {

struct NamedMesh {
  const char* name;
  BodyMesh mesh;
};

const std::vector<Material> kMaterials = {
    Arap{}, Corotated{}, CorrectedCorotated{}, Linear{},     MooneyRivlin{},    NeoHookean{},
    None{}, Spline{},    StVenantKirchhoff{},  Polynomial{}, StableNeoHookean{}};

const std::vector<Solver> kSolvers = {Position{},
                                      Position{.order = SweepOrder::kSymmetric},
                                      Position{.order = SweepOrder::kJacobi},
                                      QuasiNewton{},
                                      QuasiNewton{.integrator = Integrator::kImplicitMidpoint},
                                      QuasiNewton{.integrator = Integrator::kBdf2},
                                      Newton{.iterations = 2},
                                      Newton{.iterations = 2,
                                             .integrator = Integrator::kBdf2,
                                             .linear_solver = LinearSolver::kConjugateGradients},
                                      Projective{},
                                      Explicit{}};

const std::vector<std::optional<Constraint>> kConstraints = {
    std::nullopt,
    Attachment{.vertices = {1, 2}},
    Bending{},
    CellVolume{},
    Distance{.stiffness = 1000},
    FiniteElements{},
    KeepInSphere{},
    LongRangeAttachment{},
    PlainCells{},
    ShapeMatching{},
    ShapeMatching{.clusters = MatchingClusters::kCells},
    StrainLimit{},
    Volume{}};

enum Extra { kNothing, kPins, kPlastic, kDamped, kFibres, kExtras };

struct Choice {
  const NamedMesh* mesh;
  int material, solver, constraint, integration, extra;

  std::string name() const {
    const auto word = [](const auto& v) {
      return std::string(std::visit([](const auto& x) { return x.kName; }, v));
    };
    return std::string(mesh->name) + ", " + word(kMaterials[material]) + ", solver " +
           std::to_string(solver) + " (" + word(kSolvers[solver]) + "), " +
           (kConstraints[constraint] ? word(*kConstraints[constraint]) : "no constraint") +
           ", integration " + std::to_string(integration) + ", extra " + std::to_string(extra);
  }
  SoftBody body() const {
    SoftBody b{.mesh = mesh->mesh,
               .material = kMaterials[material],
               .thickness = Real(0.01),
               .integration = HexIntegration(integration),
               .solver = kSolvers[solver],
               .pose = {.position = {0, Real(0.55), 0}},
               .velocity = {2, -3, 1},
               .angular_velocity = {1, 2, 3}};
    if (kConstraints[constraint]) b.constraints.push_back(*kConstraints[constraint]);
    if (extra == kPins || (kConstraints[constraint] && std::holds_alternative<LongRangeAttachment>(
                                                           *kConstraints[constraint]))) {
      b.pins = {0, 3};
      b.anchor_motion = AnchorMotion{
          .swing = {Real(0.2), Real(0.1), 0}, .turn = {Real(0.3), 0, Real(0.2)}, .frequency = 2};
    }
    if (extra == kPlastic) b.plasticity = Plasticity{};
    if (extra == kDamped) b.damping = Real(0.02), b.settling = 1, b.drag = Real(0.5);
    if (extra == kFibres) b.fibres.push_back(Fibres{});
    return b;
  }
};

// Whether it resumes; nothing if there is no such body.
std::optional<bool> resumes(const Choice& choice) {
  World world({.substeps_max = 10});
  world.add(StaticBody{});
  SoftId id;
  try {
    id = world.add(choice.body());
  } catch (const Error&) {
    return std::nullopt;
  }
  const auto step = [&] {
    world.step(Real(1.0 / 60));
    return world.state_hash();
  };
  for (int i = 0; i < 4; ++i) step();
  const Snapshot kept = world.snapshot();
  std::vector<std::uint64_t> seen;
  for (int i = 0; i < 3; ++i) seen.push_back(step());
  world.set_velocities(id, std::vector<Vec3>(world.particles(id).size(), Vec3{5, 3, -9}));
  for (int i = 0; i < 4; ++i) step();
  world.restore(kept);
  for (std::uint64_t hash : seen)
    if (step() != hash) return false;
  return true;
}

// Calls f(choice) for every `stride`-th that may exist.
template <class F>
void for_each_choice(int stride, F&& f) {
  const std::vector<NamedMesh> meshes = {{"tetrahedra", box_tets({1, 1, 1}, {2, 2, 2})},
                                         {"hexahedra", box_hexes({1, 1, 1}, {2, 2, 2})},
                                         {"cloth", cloth(1, 1, 4, 4)},
                                         {"rope", rope(1, 6)},
                                         {"shell", sphere_surface(Real(0.5), 1)}};
  long number = 0;
  for (const NamedMesh& mesh : meshes)
    for (int m = 0; m < int(kMaterials.size()); ++m)
      for (int s = 0; s < int(kSolvers.size()); ++s)
        for (int c = 0; c < int(kConstraints.size()); ++c) {
          const int integrations = std::holds_alternative<HexMesh>(mesh.mesh) ? 5 : 1;
          for (int i = 0; i < integrations; ++i)
            for (int e = 0; e < kExtras; ++e) {
              if (kConstraints[c] && (e > kPins || (i != 0 && i != 3))) continue;
              if (number++ % stride == 0) f(Choice{&mesh, m, s, c, i, e});
            }
        }
}

TEST(SnapshotMatrix, EveryCombinationResumes) {
  const bool whole = std::getenv("SINEW_WHOLE_MATRIX") != nullptr;
  int tried = 0, differ = 0;
  for_each_choice(whole ? 1 : 3, [&](const Choice& choice) {
    const std::optional<bool> same = resumes(choice);
    tried += same.has_value();
    if (same.value_or(true)) return;
    ++differ;
    ADD_FAILURE() << choice.name();
  });
  EXPECT_GT(tried, whole ? 8000 : 2500);
  EXPECT_EQ(differ, 0) << "of " << tried;
}

// Those that differed: the midpoint rule asked for energies with the viscosity of the step before.
TEST(SnapshotMatrix, DampedBodiesOfTheMidpointRuleResume) {
  int tried = 0;
  for_each_choice(1, [&](const Choice& choice) {
    if (choice.solver != 4 || choice.extra != kDamped || choice.integration > 0) return;
    const std::optional<bool> same = resumes(choice);
    tried += same.has_value();
    EXPECT_TRUE(same.value_or(true)) << choice.name();
  });
  EXPECT_GT(tried, 25);
}

}  // namespace
}  // namespace sinew
