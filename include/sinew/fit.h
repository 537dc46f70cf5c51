// Stiffnesses for plain position-based dynamics and for springs from Young's modulus and Poisson's
// ratio. A cell of particles, held together by distance constraints and one that keeps its volume
// (its area, for triangles), is made to answer loads as the linear finite element of the same shape
// does (the fitting thesis, §2.2.1 and chapter 4). Everything here is in double, whatever Real is.
#pragma once

#include <sinew/bodies.h>

namespace sinew {

enum class FitCell {
  kHexahedron,   // a cube, trilinear: edges, face diagonals, internal diagonals, volume
  kTetrahedron,  // regular, linear: edges, volume
  kTriangle,     // equilateral, linear, plane stress: edges, area
};

// What is to be alike.
enum class FitObjective {
  kMatrix,         // the stiffness matrices, in the Frobenius norm (eq. 4.6)
  kDisplacements,  // where the vertices come to rest under loads, after all iterations of a step
};

// The shear entry of the elasticity matrix beside 1 − ν and ν.
enum class FitShear {
  kIsotropic,  // (1 − 2ν)/2: isotropic elasticity
  kDoubled,    // 1 − 2ν: as the fitting thesis has it, which doubles the shear modulus
};

struct FitRequest {
  FitCell cell = FitCell::kHexahedron;
  FitObjective objective = FitObjective::kMatrix;
  FitShear shear = FitShear::kIsotropic;
  double young = 1e5;       // [Pa]
  double poisson = 0.3;     // between -1 and 0.5
  double size = 0.1;        // edge of the cell [m]
  double thickness = 1e-3;  // of a triangle [m]
  double density = 1000;    // [kg/m³]; gives the mass of a vertex
  double vertex_mass = 0;   // [kg]; 0: from the density
  double step = 0;          // Δt [s]; 0: √(m/‖K‖), eq. 4.5
  bool fit_step = false;    // objective kDisplacements: Δt is a variable too, from `step` on
  int iterations = 1;       // of the solver in one step
  bool volume = true;       // may the volume constraint be used?
  bool finite_differences = false;  // derivatives as the fitting thesis takes them, not exact
};

// What a correction is multiplied by in each iteration, from 0 to 1. All constraints see the same
// positions and their corrections are added up (Jacobi). What the cell does not have is 0. The
// volume of a hexahedron is kept by two constraints, one for each way to cut its faces into
// triangles; each has half of `volume`.
struct PbdStiffness {
  double edge = 0, face = 0, diagonal = 0, volume = 0;
};

struct FitResult {
  PbdStiffness stiffness;
  double step = 0;         // Δt [s]
  double vertex_mass = 0;  // [kg]
  // ‖K_PBD − K_FEM‖ / ‖K_FEM‖ (eq. 4.8), with the correction that all iterations of a step make.
  double matrix_error = 0;
  // Root mean square over loads of |u_PBD − u_FEM| / |u_FEM|.
  double training_error = 0, test_error = 0;
  // The test error of objective kMatrix at the same step and iterations: with its stiffnesses in
  // each iteration, and spread over them by 1 − (1 − k)^(1/n) (§3.2).
  double matrix_test_error = 0, spread_matrix_test_error = 0;
};

// Throws Error for values out of range. Objective kMatrix is exact for one iteration; for more, the
// stiffnesses are spread over them as in §3.2.
FitResult fit_stiffness(const FitRequest& request);

// Spring stiffnesses [N/m] that minimise ‖K_springs − K_FEM‖; none is negative. Of the request only
// cell, shear, young, poisson, size and thickness are used.
struct SpringFit {
  double edge = 0, face = 0, diagonal = 0;
  double matrix_error = 0;  // relative to ‖K_FEM‖
};
SpringFit fit_springs(const FitRequest& request);

// How a world sweeps a body.
struct BodyFitSettings {
  double substep = 1.0 / 600;       // h: the step by its substeps [s]
  int iterations = 1;               // WorldSettings::iterations
  Vec3 gravity{0, Real(-9.81), 0};  // its direction counts most; 0: no direction does
};

struct BodyFit {
  static constexpr double kReachable = 0.15;

  PlainCells constraint = {};     // for SoftBody::constraints, with the material None
  double young = 0, poisson = 0;  // that of the body's material at small strains
  // Root mean square over loads of |u − u_FEM|/|u_FEM|, gravity counting as much as all others.
  double error = 0;
  double sag_ratio = 0;  // displacement under gravity by that of finite elements
  bool calm = false;     // a disturbance dies out
  // The sag is within kReachable of finite elements, and the body is calm. If not, it is too stiff
  // for so long a substep and so few iterations: k ≤ 1 cannot do more.
  bool reachable = false;
};

// The plain constraints with which a solid comes to rest where linear finite elements (eight-point
// hexahedra, or tetrahedra) with the Young's modulus and Poisson's ratio of its material do: in its
// own mesh, with its masses and pins, in the order and number of its sweeps. Loads vary linearly
// over the body; displacements are small. Throws Error for values out of range.
BodyFit fit_body(const SoftBody& body, const BodyFitSettings& settings);

}  // namespace sinew
