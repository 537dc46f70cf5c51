// Definitions at random for the chaos test: shapes, rigid bodies, soft bodies, joints. Sizes are
// given by the caller. Many combinations are refused by World::add; the caller then asks for
// another one.
#pragma once

#include <sinew/generators.h>
#include <sinew/world.h>

#include <cmath>
#include <random>

namespace sinew::chaos {

// The same numbers on every machine: std's distributions are not.
class Random {
 public:
  explicit Random(unsigned number) : engine_(number) {
    for (int i = 0; i < 4; ++i) engine_();
  }
  double unit() { return double(engine_() >> 11) / double(1ull << 53); }
  double number(double low, double high) { return low + (high - low) * unit(); }
  Real real(double low, double high) { return Real(number(low, high)); }
  Real log(double low, double high) { return Real(low * std::pow(high / low, unit())); }
  int whole(int low, int high) { return low + int(engine_() % std::uint64_t(high - low + 1)); }
  bool chance(double p) { return unit() < p; }
  Vec3 vector(double size) {
    const Real x = real(-size, size), y = real(-size, size), z = real(-size, size);
    return {x, y, z};
  }
  Vec3 direction() {
    for (;;) {
      const Vec3 v = vector(1);
      if (dot(v, v) > Real(0.01) && dot(v, v) <= 1) return normalized(v);
    }
  }
  Quat turn() { return Quat::from_axis_angle(direction(), real(-3, 3)); }
  template <class T>
  const T& of(const std::vector<T>& list) {
    return list[std::size_t(whole(0, int(list.size()) - 1))];
  }
  template <class Enum>
  Enum word() {
    return Enum(whole(0, int(std::size(EnumWords<Enum>::kWords)) - 1));
  }

 private:
  std::mt19937_64 engine_;
};

// A convex shape that fits into a ball of this radius.
inline Shape convex_shape(Random& r, Real radius) {
  const auto part = [&](double low) { return radius * r.real(low, 1) * Real(0.57); };
  switch (r.whole(0, 4)) {
    case 0:
      return Sphere{.radius = radius};
    case 1:
      return Box{.size = {2 * part(0.2), 2 * part(0.2), 2 * part(0.2)}};
    case 2: {
      const Real thick = radius * r.real(0.1, 0.8);
      return Capsule{.radius = thick, .half_height = radius - thick};
    }
    case 3:
      return Cylinder{.radius = radius * r.real(0.1, 0.7),
                      .half_height = radius * r.real(0.1, 0.7)};
    default: {
      ConvexHull hull;
      for (int i = r.whole(4, 12); i > 0; --i) hull.points.push_back(r.direction() * radius);
      return hull;
    }
  }
}

inline StaticBody ground(Random& r, Real size) {
  StaticBody body{.friction = r.real(0, 1), .restitution = r.chance(0.3) ? r.real(0, 1) : Real(0)};
  switch (r.whole(0, 5)) {
    case 0: {
      HeightField hills{.columns = 9, .rows = 9, .cell = 2 * size};
      for (int i = 0; i < 81; ++i) hills.heights.push_back(size * r.real(-0.5, 0));
      body.shape = hills;
      break;
    }
    case 1: {
      TriangleMesh plate{.mesh = cloth(30 * size, 30 * size, 6, 6), .thickness = 2 * size};
      for (Vec3& v : plate.mesh.vertices) v.y = size * r.real(-0.3, 0);
      body.shape = plate;
      break;
    }
    case 2:
      body.shape = Box{.size = {40 * size, 4 * size, 40 * size}};
      body.pose.position = {0, -2 * size, 0};
      break;
    default:
      if (r.chance(0.2))  // a slope along the row of bodies' depth: they are all at z = 0
        body.pose = {{0, -size * Real(0.1), 0},
                     Quat::from_axis_angle({1, 0, 0}, r.real(-0.3, 0.3))};
      break;
  }
  return body;
}

// A rigid body within a ball of this radius about the origin.
inline RigidBody rigid_body(Random& r, Real radius) {
  RigidBody body{.shape = convex_shape(r, radius),
                 .density = r.log(50, 8000),
                 .friction = r.real(0, 1),
                 .restitution = r.chance(0.3) ? r.real(0, 1) : Real(0)};
  body.pose.orientation = r.turn();
  if (r.chance(0.15)) {
    for (int i = r.whole(2, 3); i > 0; --i)
      body.parts.push_back({.shape = convex_shape(r, radius * Real(0.45)),
                            .pose = {r.direction() * (radius * Real(0.5)), r.turn()},
                            .density = r.log(100, 5000)});
  }
  if (r.chance(0.1)) body.motion = Motion::kKinematic;
  if (r.chance(0.05)) body.point_mass = true;
  if (r.chance(0.1)) body.margin = radius * r.real(0, 0.1);
  if (r.chance(0.1)) body.drag = r.real(0, 5);
  if (r.chance(0.05)) body.gravity_scale = r.real(0, 2);
  if (r.chance(0.05)) body.free_turns = {0, Real(r.whole(0, 1)), 1};
  if (r.chance(0.05)) body.free_axes = {1, Real(r.whole(0, 1)), 1};
  body.bullet = r.chance(0.1);
  body.sensor = r.chance(0.03);
  body.can_sleep = !r.chance(0.1);
  return body;
}

inline BodyMesh mesh(Random& r, Real radius) {
  const Real side = radius * Real(1.1);
  const auto cells = [&](int most) {
    return Cells3{r.whole(1, most), r.whole(1, most), r.whole(1, most)};
  };
  const Vec3 size{side * r.real(0.2, 1), side * r.real(0.2, 1), side * r.real(0.2, 1)};
  switch (r.whole(0, 7)) {
    case 0:
    case 1:
      return box_tets(size, cells(3), r.word<Split>());
    case 2:
    case 3:
      return box_hexes(size, cells(3));
    case 4:
      return r.chance(0.5) ? BodyMesh{sphere_tets(radius * Real(0.9), 2)}
                           : BodyMesh{sphere_hexes(radius * Real(0.9), 2)};
    case 5:
      return cloth(side, side * r.real(0.3, 1), r.whole(1, 5), r.whole(1, 5));
    case 6:
      return sphere_surface(radius * Real(0.9), 1);
    default: {
      LineMesh line = rope(2 * side, r.whole(1, 10));
      for (Vec3& v : line.vertices) v.x -= side;
      return line;
    }
  }
}

inline Material material(Random& r, double stiffest) {
  Material made = None{};
  const int wanted = r.whole(0, int(std::variant_size_v<Material>) - 1);
  int at = 0;
  MaterialList::for_each([&]<class M>() {
    if (at++ != wanted) return;
    M one{};
    if constexpr (requires { one.young; }) one.young = r.log(1e3, stiffest);
    if constexpr (requires { one.poisson; })
      one.poisson = r.chance(0.2) ? r.real(0.45, 0.499) : r.real(0, 0.45);
    if constexpr (requires { one.preset; }) one.preset = r.word<SplinePreset>();
    made = one;
  });
  return made;
}

inline Integrator integrator(Random& r) {
  return r.chance(0.6) ? Integrator::kImplicitEuler : r.word<Integrator>();
}

inline Solver solver(Random& r) {
  switch (r.whole(0, 6)) {
    case 0:
    case 1:
      return Position{.order = r.word<SweepOrder>(), .chebyshev = r.chance(0.5)};
    case 2:
    case 3: {
      QuasiNewton s{};
      if (r.chance(0.5)) s.iterations = r.whole(1, 12), s.history = r.whole(0, 6);
      s.integrator = integrator(r);
      return s;
    }
    case 4:
      return Projective{.iterations = r.whole(1, 12), .integrator = integrator(r)};
    case 5: {
      Newton s{.iterations = r.whole(1, 5), .integrator = integrator(r)};
      s.linear_solver = r.word<LinearSolver>();
      s.preconditioner = r.word<Preconditioner>();
      s.definiteness = r.word<Definiteness>();
      return s;
    }
    default:
      return Explicit{};
  }
}

inline Constraint constraint(Random& r, Index vertices, Real radius) {
  const Real plain = r.chance(0.3) ? r.real(0.05, 1) : Real(0);
  switch (r.whole(0, 10)) {
    case 0:
      return Distance{.stiffness = r.chance(0.3) ? Real(0) : r.log(10, 1e5),
                      .tension_only = r.chance(0.3),
                      .plain = plain};
    case 1:
      return Bending{.model = r.word<BendingModel>(), .plain = plain};
    case 2:
      return Attachment{.vertices = {Index(r.whole(0, int(vertices) - 1))},
                        .stiffness = r.log(10, 1e5)};
    case 3:
      return CellVolume{.min = r.real(0.5, 1), .max = r.real(1, 1.5), .stiffness = r.log(1e3, 1e6)};
    case 4:
      return FiniteElements{.shape = r.real(0, 1),
                            .volume = r.real(0, 1),
                            .measure = r.word<VolumeMeasure>(),
                            .rotation = r.word<RotationMethod>()};
    case 5:
      return KeepInSphere{.radius = radius * r.real(0.1, 1)};
    case 6:
      return LongRangeAttachment{.slack = r.real(1, 1.5)};
    case 7:
      return PlainCells{.edge = r.real(0, 1),
                        .face = r.real(0, 1),
                        .diagonal = r.real(0, 1),
                        .volume = r.real(0, 1)};
    case 8:
      return ShapeMatching{.clusters = r.word<MatchingClusters>(),
                           .rotation = r.word<RotationMethod>(),
                           .stiffness = r.chance(0.3) ? Real(0) : r.log(10, 1e5),
                           .plain = plain};
    case 9:
      return StrainLimit{.min = r.real(0.6, 1), .max = r.real(1, 1.5)};
    default:
      return Volume{.bulk = r.chance(0.3) ? Real(0) : r.log(1e3, 1e6), .plain = plain};
  }
}

// A soft body within a ball of this radius about the origin.
inline SoftBody soft_body(Random& r, Real radius, double stiffest) {
  SoftBody body{.mesh = mesh(r, radius)};
  body.solver = solver(r);
  // As many substeps as it takes: that of stiff small bodies is another test's.
  body.material = material(r, std::holds_alternative<Explicit>(body.solver) ? 1e4 : stiffest);
  if (std::holds_alternative<Projective>(body.solver))
    body.material = r.chance(0.7) ? Material{Arap{.young = r.log(1e3, 1e6)}} : Material{None{}};
  body.density = r.log(50, 8000);
  body.thickness = radius * r.real(0.01, 0.05);
  const auto vertices = Index(vertices_of(body.mesh).size());
  const int constraints = std::holds_alternative<None>(body.material) ? r.whole(1, 2)
                          : r.chance(0.3)                             ? r.whole(1, 2)
                                                                      : 0;
  for (int i = 0; i < constraints; ++i) body.constraints.push_back(constraint(r, vertices, radius));
  if (std::holds_alternative<HexMesh>(body.mesh) && r.chance(0.5))
    body.integration = r.word<HexIntegration>();
  if (r.chance(0.1)) body.plasticity = Plasticity{.yield_strain = r.real(0.001, 0.1)};
  if (r.chance(0.1))
    body.regions.push_back({.min = {-radius, -radius, -radius},
                            .max = {0, radius, radius},
                            .material = material(r, stiffest)});
  if (r.chance(0.05))
    body.fibres.push_back({.stiffness = r.log(1e3, 1e6), .direction = r.direction()});
  if (r.chance(0.3)) body.damping = r.log(1e-4, 0.1);
  if (r.chance(0.1)) body.drag = r.real(0, 3);
  if (r.chance(0.1)) body.settling = r.real(0, 3);
  if (r.chance(0.3)) body.pins.push_back(Index(r.whole(0, int(vertices) - 1)));
  body.friction = r.real(0, 1);
  body.pose.orientation = r.turn();
  return body;
}

inline std::optional<Motor> motor(Random& r, double force) {
  if (r.chance(0.5)) return {};
  return Motor{.kind = MotorKind::kVelocity, .target = r.real(-5, 5), .max_force = Real(force)};
}

// A joint of any kind that holds where the bodies are. `reach` is how far its anchor may be from a.
inline Joint joint(Random& r, RigidId a, const Vec3& at, RigidId b, Real reach, double force) {
  const Vec3 anchor = at + r.vector(reach), axis = r.direction();
  const auto range = [&]() -> std::optional<Range> {
    if (r.chance(0.6)) return {};
    return Range{r.real(-1, 0), r.real(0, 1)};
  };
  const auto spring = [&]() -> std::optional<Spring> {
    if (r.chance(0.7)) return {};
    return Spring{r.real(0.5, 20), r.real(0, 2)};
  };
  const Real breaks = r.chance(0.1) ? Real(force) : Real(0);
  const bool collide = r.chance(0.3);
  const auto lock = [&] {
    return Vec3{Real(r.whole(0, 1)), Real(r.whole(0, 1)), Real(r.whole(0, 1))};
  };
  Joint made = BallJoint{.a = a, .b = b, .anchor = anchor, .spring = spring()};
  switch (r.whole(0, 12)) {
    case 0:
      made = ConeJoint{.a = a, .b = b, .anchor = anchor, .axis = axis, .swing = r.real(0.05, 1.5)};
      break;
    case 1:
      made = DistanceJoint{.a = a,
                           .b = b,
                           .anchor_a = anchor,
                           .anchor_b = anchor + r.vector(reach),
                           .spring = spring()};
      break;
    case 2:
      made = FixedJoint{.a = a, .b = b, .anchor = anchor, .spring = spring()};
      break;
    case 3:
      made = GearJoint{
          .a = a, .b = b, .axis_a = axis, .axis_b = r.direction(), .ratio = r.real(0.2, 3)};
      break;
    case 4:
    case 5: {
      HingeJoint hinge{.a = a, .b = b, .anchor = anchor, .axis = axis, .range = range()};
      if (hinge.range) hinge.spring = spring();
      hinge.motor = motor(r, force * double(reach));
      made = hinge;
      break;
    }
    case 6:
      made = NailJoint{.a = a, .anchor = anchor, .spring = spring()};
      break;
    case 7:
      made = PulleyJoint{.a = a,
                         .b = b,
                         .anchor_a = anchor,
                         .anchor_b = at + r.vector(reach),
                         .wheel_a = anchor + Vec3{0, 3 * reach, 0},
                         .wheel_b = at + Vec3{reach, 3 * reach, 0},
                         .ratio = r.real(0.3, 3),
                         .rope = r.chance(0.5)};
      break;
    case 8:
      made = RotationLockJoint{.a = a, .b = b, .axes = r.turn(), .lock = lock()};
      break;
    case 9: {
      SixDofJoint six{.a = a, .b = b, .anchor = anchor, .axes = r.turn()};
      if (r.chance(0.3)) six.y = JointAxis{};
      if (r.chance(0.5))
        six.turn_x = JointAxis{.range = range(), .motor = motor(r, force * double(reach))};
      if (r.chance(0.3)) six.turn_z = JointAxis{.range = range()};
      made = six;
      break;
    }
    case 10: {
      SliderJoint slider{.a = a, .b = b, .anchor = anchor, .axis = axis};
      if (r.chance(0.4)) slider.range = Range{-reach * r.real(0, 1), reach * r.real(0, 1)};
      made = slider;
      break;
    }
    case 11:
      made =
          TranslationLockJoint{.a = a, .b = b, .anchor = anchor, .axes = r.turn(), .lock = lock()};
      break;
    case 12:
      made = UniversalJoint{.a = a,
                            .b = b,
                            .anchor = anchor,
                            .axis_a = axis,
                            .axis_b = r.direction(),
                            .range_a = range(),
                            .motor_a = motor(r, force * double(reach))};
      break;
    default:
      break;
  }
  std::visit([&](auto& j) { j.break_force = breaks, j.collide = collide; }, made);
  return made;
}

}  // namespace sinew::chaos
