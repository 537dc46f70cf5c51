// What can be put into a World: plain structs with defaults, to be filled with designated
// initialisers. SI units; y is up.
#pragma once

#include <sinew/constraints.h>
#include <sinew/fibres.h>
#include <sinew/materials.h>
#include <sinew/mesh.h>
#include <sinew/plasticity.h>
#include <sinew/region.h>
#include <sinew/rigid_body.h>
#include <sinew/rigid_settings.h>
#include <sinew/solvers.h>

#include <optional>
#include <string>
#include <vector>

namespace sinew {

// How hexahedra are integrated.
enum class HexIntegration {
  kAssumedStrain,  // one point, hourglass modes as the bending and torsion they stand for: bends
                   // right even with one element across
  kSelective,      // one point, and the Laplacian of the hourglass modes at eight
  kPerturbation,   // one point, and a plain stiffness on the hourglass modes
  kOnePoint,       // one point and nothing else: hourglass modes are free; for comparison
  kEightPoint,     // Gauss's eight points: the textbook's element, stiff in bending
};
template <>
struct EnumWords<HexIntegration> {
  static constexpr const char* kWords[] = {"assumed_strain", "selective", "perturbation",
                                           "one_point", "eight_point"};
};

// How tetrahedra are integrated.
enum class TetIntegration {
  kPlain,     // one point in each: stiff in bending, and the more so the less the volume gives way
  kAveraged,  // one at each vertex, the mean of those about it, stabilised: bends right from two
              // cells across on
};
template <>
struct EnumWords<TetIntegration> {
  static constexpr const char* kWords[] = {"plain", "averaged"};
};

// How the pins of a body move together: to and fro about where they are at the start.
struct AnchorMotion {
  static constexpr const char* kName = "anchor_motion";
  static constexpr const char* kDoc =
      "How the pins of a body move together: to and fro about where they are at the start, as a "
      "sine of time.";

  Vec3 swing = {};     // amplitude of the way [m]
  Vec3 turn = {};      // amplitude of the turn about their middle, along its axis [rad]
  Real frequency = 1;  // [Hz]

  template <class Visitor>
  void describe(Visitor& v) {
    v.field("swing", swing, {.doc = "Amplitude of the way", .unit = "m"});
    v.field("turn", turn,
            {.doc = "Axis of a turn about their middle, as long as its amplitude", .unit = "rad"});
    v.field("frequency", frequency, {.doc = "How often", .unit = "Hz", .min = 0});
  }
};

// A deformable body: a solid of tetrahedra or hexahedra, a sheet of triangles, a line.
struct SoftBody {
  static constexpr const char* kName = "soft";
  static constexpr const char* kDoc = "A deformable body: a solid, a cloth or a rope.";

  std::string name = {};
  BodyMesh mesh = {};                // rest shape; every solid cell positive (see mend())
  std::optional<TriMesh> skin = {};  // detailed surface that rides in a solid, to be seen
  Material material = StableNeoHookean{};
  Real density = 1000;          // [kg/m³]
  Real thickness = Real(1e-3);  // of sheets; diameter of lines [m]
  HexIntegration integration = HexIntegration::kAssumedStrain;
  Real hourglass = 1;  // stiffness of hourglass modes with kPerturbation, by shear modulus
  std::optional<Plasticity> plasticity = {};
  TetIntegration tetrahedra = TetIntegration::kPlain;
  std::vector<Region> regions = {};          // parts of it that are made of something else
  std::vector<Real> cell_stiffness = {};     // factor on the stiffness of every cell; empty: 1
  std::vector<Fibres> fibres = {};           // in its material
  std::vector<Constraint> constraints = {};  // beside the material, solved in this order
  Solver solver = Position{};
  Pose pose = {};  // where the rest shape starts
  // Where its vertices start, if not at rest: in the frame of the mesh, before the pose [m].
  std::optional<std::vector<Vec3>> start = {};
  Vec3 velocity = {};            // [m/s]
  Vec3 angular_velocity = {};    // about the centre of mass [rad/s]
  Real friction = Real(0.5);     // Coulomb's μ
  Real damping = 0;              // viscosity by shear modulus: resists deforming, not moving [s]
  Real drag = 0;                 // velocities decay as exp(-drag·t) [1/s]
  Real settling = 0;             // motion beside the rigid one decays as exp(-settling·t) [1/s]
  std::vector<Index> pins = {};  // vertices held in place
  std::optional<AnchorMotion> anchor_motion = {};  // of the pins

  template <class Visitor>
  void describe(Visitor& v) {
    v.field("name", name, {.doc = "Name in messages, metrics and recordings"});
    v.field("mesh", mesh, {.doc = "Rest shape", .required = true});
    v.field("skin", skin,
            {.doc = "Detailed surface that rides in a solid, seen instead of the mesh's own"});
    v.field("material", material, {.doc = "What it is made of"});
    v.field("density", density,
            {.doc = "Mass per volume", .unit = "kg/m³", .min = 0, .exclusive_min = true});
    v.field("thickness", thickness,
            {.doc = "Thickness of a sheet, diameter of a line",
             .unit = "m",
             .min = 0,
             .exclusive_min = true});
    v.field("integration", integration, {.doc = "How hexahedra are integrated"});
    v.field("tetrahedra", tetrahedra,
            {.doc = "How tetrahedra are integrated: plain, one point in each, which is stiff in "
                    "bending, or averaged, one at each vertex, which is not"});
    v.field("hourglass", hourglass,
            {.doc = "Stiffness of the hourglass modes with the integration \"perturbation\", by "
                    "that of a shear across the cell",
             .min = 0,
             .max = 100});
    v.field("plasticity", plasticity, {.doc = "Lasting deformation of a solid; without: none"});
    v.field("regions", regions, {.doc = "Parts that are made of something else"});
    v.field("fibres", fibres,
            {.doc = "What makes a solid or a sheet stiffer in some directions; for the variational "
                    "solvers"});
    v.field("constraints", constraints,
            {.doc = "What holds it beside its material, in this order"});
    v.field("solver", solver, {.doc = "How it is solved"});
    v.field("pose", pose, {.doc = "Where the rest shape starts"});
    v.field("start", start, {.doc = "Shape that it starts in; without: at rest", .unit = "m"});
    v.field("velocity", velocity, {.doc = "Initial velocity", .unit = "m/s"});
    v.field("angular_velocity", angular_velocity,
            {.doc = "Initial angular velocity about the centre of mass", .unit = "rad/s"});
    v.field("friction", friction, {.doc = "Coulomb's μ; a pair slides by √(μ₁μ₂)", .min = 0});
    v.field(
        "damping", damping,
        {.doc = "Viscosity by shear modulus, and of springs, hinges and plain finite elements by "
                "their stiffness: resists deforming but not moving. With it, the solver "
                "\"position\" sweeps stiff bodies, and those with stiff constraints, to and fro. "
                "Try 0.01",
         .unit = "s",
         .min = 0});
    v.field("drag", drag, {.doc = "Velocities decay as exp(−drag·t)", .unit = "1/s", .min = 0});
    v.field(
        "settling", settling,
        {.doc = "Motion beside the rigid one decays as exp(−settling·t): stops jiggling, whatever "
                "holds the body",
         .unit = "1/s",
         .min = 0});
    v.field("pins", pins, {.doc = "Vertices held in place"});
    v.field("anchor_motion", anchor_motion, {.doc = "How the pins move; without: not at all"});
  }
};

// What a metre, square metre or cubic metre of a body's cells weighs [kg].
inline Real mass_per_measure(const SoftBody& body) {
  constexpr Real kQuarterPi = Real(0.78539816339744831);
  const Real t = body.thickness;
  if (std::holds_alternative<TriMesh>(body.mesh)) return body.density * t;
  if (std::holds_alternative<LineMesh>(body.mesh)) return body.density * kQuarterPi * t * t;
  return body.density;
}

struct WorldSettings {
  Vec3 gravity{0, Real(-9.81), 0};  // [m/s²]
  int substeps = 10;                // per step; more is livelier
  // As many substeps are done as the stiffest body needs to be as stiff as its material says, up to
  // this; beyond, bodies are softer by degrees.
  int substeps_max = 250;
  int iterations = 1;  // solver sweeps per substep
  RigidSettings rigid = {};

  template <class Visitor>
  void describe(Visitor& v) {
    v.field("gravity", gravity, {.doc = "Acceleration of free fall", .unit = "m/s²"});
    v.field("substeps", substeps, {.doc = "Substeps in a step, at least", .min = 1, .max = 10000});
    v.field(
        "substeps_max", substeps_max,
        {.doc = "… and at most: as many as the stiffest body needs to be as stiff as its material "
                "says, and the fastest spinning one to keep its shape",
         .min = 1,
         .max = 10000});
    v.field("iterations", iterations,
            {.doc = "Solver sweeps in a substep", .min = 1, .max = 10000});
    v.field("rigid", rigid, {.doc = "How rigid bodies are solved"});
  }
};

}  // namespace sinew
