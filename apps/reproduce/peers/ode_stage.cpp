// ODE, as its users get it: dWorldQuickStep with 20 iterations, its ERP and CFM, a hash space, and
// up to four points for each pair of bodies, with a friction pyramid (dContactApprox1). The surface
// layer and the bound on the speed of correction are those of its demonstrations.
#include "reproduce/peers/stage.h"

#ifdef SINEW_HAS_ODE
#include <ode/ode.h>
#endif

#include <algorithm>
#include <cstdint>

namespace sinew {
#ifdef SINEW_HAS_ODE
namespace {

constexpr int kContacts = 4;  // of a pair

// The arrays of a convex geom, which ODE does not copy.
struct ConvexData {
  explicit ConvexData(const Solid& solid) {
    for (const auto& p : solid.points) points.insert(points.end(), {p.x, p.y, p.z});
    for (const auto& face : solid.faces) {
      const auto& a = solid.points[face[0]];
      const auto n = normalized(cross(solid.points[face[1]] - a, solid.points[face[2]] - a));
      planes.insert(planes.end(), {n.x, n.y, n.z, dot(n, a)});
      polygons.push_back(3);
      for (const int corner : face) polygons.push_back(static_cast<unsigned>(corner));
    }
  }
  std::vector<dReal> points, planes;
  std::vector<unsigned> polygons;
};

class OdeStage final : public Stage {
 public:
  explicit OdeStage(bool sleeping) {
    static const int kReady = dInitODE2(0);
    (void)kReady;
    dRandSetSeed(1);  // QuickStep shuffles its constraints
    world_ = dWorldCreate();
    space_ = dHashSpaceCreate(nullptr);
    contacts_ = dJointGroupCreate(0);
    dWorldSetGravity(world_, 0, -9.81, 0);
    dWorldSetContactMaxCorrectingVel(world_, 0.1);
    dWorldSetContactSurfaceLayer(world_, 0.001);
    dWorldSetAutoDisableFlag(world_, sleeping);
  }
  ~OdeStage() override {
    dJointGroupDestroy(contacts_);
    dSpaceDestroy(space_);
    dWorldDestroy(world_);
  }
  OdeStage(const OdeStage&) = delete;
  OdeStage& operator=(const OdeStage&) = delete;
  const char* name() const override { return "ODE"; }

  void add_ball_joint(int a, int b, const Vec3& anchor) override {
    const dJointID joint = dJointCreateBall(world_, nullptr);
    dJointAttach(joint, body(a), body(b));
    dJointSetBallAnchor(joint, anchor.x, anchor.y, anchor.z);
  }
  void add_hinge(int a, int b, const Vec3& anchor, const Vec3& axis) override {
    const dJointID joint = dJointCreateHinge(world_, nullptr);
    dJointAttach(joint, body(a), body(b));
    dJointSetHingeAnchor(joint, anchor.x, anchor.y, anchor.z);
    dJointSetHingeAxis(joint, axis.x, axis.y, axis.z);
  }
  void add_distance(int a, int b, const Vec3& point_a, const Vec3& point_b) override {
    const dJointID joint = dJointCreateDBall(world_, nullptr);
    dJointAttach(joint, body(a), body(b));
    dJointSetDBallAnchor1(joint, point_a.x, point_a.y, point_a.z);
    dJointSetDBallAnchor2(joint, point_b.x, point_b.y, point_b.z);
  }

  void step(Real dt) override {
    dSpaceCollide(space_, this, [](void* stage, dGeomID a, dGeomID b) {
      static_cast<OdeStage*>(stage)->collide(a, b);
    });
    dWorldQuickStep(world_, dReal(dt));
    dJointGroupEmpty(contacts_);
  }
  Pose pose(int i) const override {
    if (!bodies_[i]) return items()[i].start.pose;
    const dReal* p = dBodyGetPosition(bodies_[i]);
    const dReal* q = dBodyGetQuaternion(bodies_[i]);
    return {{Real(p[0]), Real(p[1]), Real(p[2])}, {Real(q[1]), Real(q[2]), Real(q[3]), Real(q[0])}};
  }
  Vec3 velocity(int i) const override {
    if (!bodies_[i]) return {};
    const dReal* v = dBodyGetLinearVel(bodies_[i]);
    return {Real(v[0]), Real(v[1]), Real(v[2])};
  }
  bool asleep(int i) const override { return bodies_[i] && !dBodyIsEnabled(bodies_[i]); }

 private:
  struct MakeGeom {
    OdeStage& stage;
    dGeomID operator()(const GroundForm&) const { return dCreatePlane(stage.space_, 0, 1, 0, 0); }
    dGeomID operator()(const BoxForm& f) const {
      return dCreateBox(stage.space_, 2 * f.half.x, 2 * f.half.y, 2 * f.half.z);
    }
    dGeomID operator()(const SphereForm& f) const { return dCreateSphere(stage.space_, f.radius); }
    dGeomID operator()(const CapsuleForm& f) const {
      return dCreateCapsule(stage.space_, f.radius, 2 * f.half_height);
    }
    dGeomID operator()(const HullForm& f) const {
      ConvexData& data = *stage.hulls_.emplace_back(std::make_unique<ConvexData>(f.solid));
      return dCreateConvex(stage.space_, data.planes.data(), unsigned(f.solid.faces.size()),
                           data.points.data(), unsigned(f.solid.points.size()),
                           data.polygons.data());
    }
  };
  struct MakeMass {
    dReal total;
    dMass operator()(const GroundForm&) const { return {}; }
    dMass operator()(const BoxForm& f) const { return box(f.half); }
    dMass operator()(const SphereForm& f) const {
      dMass m;
      dMassSetSphereTotal(&m, total, f.radius);
      return m;
    }
    dMass operator()(const CapsuleForm& f) const {
      constexpr int kAlongY = 2;
      dMass m;
      dMassSetCapsuleTotal(&m, total, kAlongY, f.radius, 2 * f.half_height);
      return m;
    }
    dMass operator()(const HullForm& f) const { return box(half_extents(f)); }  // as Bullet does
    dMass box(const Vec3& half) const {
      dMass m;
      dMassSetBoxTotal(&m, total, 2 * half.x, 2 * half.y, 2 * half.z);
      return m;
    }
  };

  void place(const Form& form, const Placement& start) override {
    const dGeomID geom = std::visit(MakeGeom{*this}, form);
    dGeomSetData(geom, reinterpret_cast<void*>(bodies_.size()));
    surfaces_.push_back(start.surface);
    bodies_.push_back(nullptr);
    if (std::holds_alternative<GroundForm>(form)) return;
    // ODE's capsules are along z.
    const Quat along_y{Real(-0.70710678118654752), 0, 0, Real(0.70710678118654752)};
    const bool turned = std::holds_alternative<CapsuleForm>(form);
    const Vec3& p = start.pose.position;
    const Quat& q = start.pose.orientation;
    if (start.density > 0) {
      const dBodyID body = bodies_.back() = dBodyCreate(world_);
      const dMass mass = std::visit(MakeMass{double(start.density) * volume(form)}, form);
      dBodySetMass(body, &mass);
      dGeomSetBody(geom, body);
      if (turned) set_quaternion(dGeomSetOffsetQuaternion, geom, along_y);
      dBodySetLinearVel(body, start.velocity.x, start.velocity.y, start.velocity.z);
      dBodySetPosition(body, p.x, p.y, p.z);
      set_quaternion(dBodySetQuaternion, body, q);
    } else {
      dGeomSetPosition(geom, p.x, p.y, p.z);
      set_quaternion(dGeomSetQuaternion, geom, turned ? q * along_y : q);
    }
  }
  template <class Thing>
  static void set_quaternion(void (*set)(Thing, const dQuaternion), Thing thing, const Quat& q) {
    const dQuaternion values{dReal(q.w), dReal(q.x), dReal(q.y), dReal(q.z)};
    set(thing, values);
  }

  void collide(dGeomID a, dGeomID b) {
    const dBodyID body_a = dGeomGetBody(a), body_b = dGeomGetBody(b);
    if (!body_a && !body_b) return;
    if (body_a && body_b && dAreConnectedExcluding(body_a, body_b, dJointTypeContact)) return;
    dContact points[kContacts] = {};
    const int count = dCollide(a, b, kContacts, &points[0].geom, sizeof(dContact));
    const Surface &s = surface(a), &t = surface(b);
    const Real bounce = std::max(s.restitution, t.restitution);
    for (int i = 0; i < count; ++i) {
      points[i].surface.mode = dContactApprox1 | (bounce > 0 ? dContactBounce : 0);
      points[i].surface.mu = std::sqrt(s.friction * t.friction);
      points[i].surface.bounce = bounce;
      points[i].surface.bounce_vel = 0.1;
      dJointAttach(dJointCreateContact(world_, contacts_, &points[i]), body_a, body_b);
    }
  }
  const Surface& surface(dGeomID geom) const {
    return surfaces_[reinterpret_cast<std::uintptr_t>(dGeomGetData(geom))];
  }
  dBodyID body(int i) const { return i == kWorld ? nullptr : bodies_[i]; }

  dWorldID world_;
  dSpaceID space_;
  dJointGroupID contacts_;
  std::vector<dBodyID> bodies_;  // null: never moves
  std::vector<Surface> surfaces_;
  std::vector<std::unique_ptr<ConvexData>> hulls_;
};

}  // namespace

std::unique_ptr<Stage> make_ode_stage(bool sleeping) {
  return std::make_unique<OdeStage>(sleeping);
}
#else
std::unique_ptr<Stage> make_ode_stage(bool) { return nullptr; }
#endif

}  // namespace sinew
