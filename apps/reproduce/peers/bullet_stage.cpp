// Bullet, as its users get it: discrete dynamics, a dynamic tree of boxes, ten sequential impulses.
// The ground is a large box, as in its examples: on a plane it finds fewer points of contact.
#include <fmt/format.h>

#include <string>

#include "reproduce/peers/stage.h"

#ifdef SINEW_HAS_BULLET
#include <btBulletDynamicsCommon.h>
#endif

namespace sinew {
#ifdef SINEW_HAS_BULLET
namespace {

btVector3 to_bullet(const Vec3& v) { return {btScalar(v.x), btScalar(v.y), btScalar(v.z)}; }
Vec3 from_bullet(const btVector3& v) { return {Real(v.x()), Real(v.y()), Real(v.z())}; }
btTransform to_bullet(const Pose& p) {
  const Quat& q = p.orientation;
  return btTransform(btQuaternion(btScalar(q.x), btScalar(q.y), btScalar(q.z), btScalar(q.w)),
                     to_bullet(p.position));
}

// Bullet has no rods, but lets users write constraints of their own: one row, n·(v_a − v_b) = 0
// along the rod, with the share of the error to be mended that all its constraints have.
class Rod final : public btTypedConstraint {
 public:
  Rod(btRigidBody& a, btRigidBody& b, const btVector3& local_a, const btVector3& local_b)
      : btTypedConstraint(MAX_CONSTRAINT_TYPE, a, b),
        local_a_(local_a),
        local_b_(local_b),
        length_((a.getWorldTransform() * local_a - b.getWorldTransform() * local_b).length()) {}

  void getInfo1(btConstraintInfo1* info) override {
    info->m_numConstraintRows = 1;
    info->nub = 5;
  }
  void getInfo2(btConstraintInfo2* info) override {
    const btVector3 arm_a = m_rbA.getWorldTransform().getBasis() * local_a_;
    const btVector3 arm_b = m_rbB.getWorldTransform().getBasis() * local_b_;
    const btVector3 apart = m_rbA.getWorldTransform().getOrigin() + arm_a -
                            m_rbB.getWorldTransform().getOrigin() - arm_b;
    const btScalar distance = apart.length();
    const btVector3 n = distance > 0 ? apart / distance : btVector3(0, 1, 0);
    const btVector3 turn_a = arm_a.cross(n), turn_b = arm_b.cross(n);
    for (int k = 0; k < 3; ++k) {
      info->m_J1linearAxis[k] = n[k];
      info->m_J2linearAxis[k] = -n[k];
      info->m_J1angularAxis[k] = turn_a[k];
      info->m_J2angularAxis[k] = -turn_b[k];
    }
    info->m_constraintError[0] = -info->fps * info->erp * (distance - length_);
  }
  void setParam(int, btScalar, int) override {}
  btScalar getParam(int, int) const override { return 0; }

 private:
  btVector3 local_a_, local_b_;
  btScalar length_;
};

struct ShapeOf {
  using Made = std::unique_ptr<btCollisionShape>;
  Made operator()(const GroundForm&) const {
    return std::make_unique<btBoxShape>(btVector3(kGround, kGround, kGround));
  }
  Made operator()(const BoxForm& f) const {
    return std::make_unique<btBoxShape>(to_bullet(f.half));
  }
  Made operator()(const SphereForm& f) const {
    return std::make_unique<btSphereShape>(btScalar(f.radius));
  }
  Made operator()(const CapsuleForm& f) const {
    return std::make_unique<btCapsuleShape>(btScalar(f.radius), btScalar(2 * f.half_height));
  }
  Made operator()(const HullForm& f) const {
    auto hull = std::make_unique<btConvexHullShape>();
    for (const auto& p : f.solid.points)
      hull->addPoint({btScalar(p.x), btScalar(p.y), btScalar(p.z)}, false);
    hull->recalcLocalAabb();
    return hull;
  }
  static constexpr btScalar kGround = 100;  // half its edges [m]
};

class BulletStage final : public Stage {
 public:
  BulletStage(bool sleeping, int iterations) : sleeping_(sleeping) {
    world_.setGravity({0, btScalar(-9.81), 0});
    world_.getSolverInfo().m_numIterations = iterations;
    if (iterations != kBulletIterations) name_ += fmt::format(", {} iterations", iterations);
  }
  ~BulletStage() override {
    for (auto& joint : joints_) world_.removeConstraint(joint.get());
    for (auto& body : bodies_) world_.removeRigidBody(body.get());
  }
  const char* name() const override { return name_.c_str(); }

  void add_ball_joint(int a, int b, const Vec3& anchor) override {
    join(std::make_unique<btPoint2PointConstraint>(body(a), body(b), local(a, anchor),
                                                   local(b, anchor)));
  }
  void add_hinge(int a, int b, const Vec3& anchor, const Vec3& axis) override {
    const auto turned = [&](int i) {
      return body(i).getWorldTransform().getBasis().transpose() * to_bullet(axis);
    };
    join(std::make_unique<btHingeConstraint>(body(a), body(b), local(a, anchor), local(b, anchor),
                                             turned(a), turned(b)));
  }
  void add_distance(int a, int b, const Vec3& point_a, const Vec3& point_b) override {
    join(std::make_unique<Rod>(body(a), body(b), local(a, point_a), local(b, point_b)));
  }

  void step(Real dt) override { world_.stepSimulation(btScalar(dt), 0); }
  Pose pose(int i) const override {
    const btTransform& t = bodies_[i]->getWorldTransform();
    const btQuaternion q = t.getRotation();
    return {from_bullet(t.getOrigin()), {Real(q.x()), Real(q.y()), Real(q.z()), Real(q.w())}};
  }
  Vec3 velocity(int i) const override { return from_bullet(bodies_[i]->getLinearVelocity()); }
  bool asleep(int i) const override { return !bodies_[i]->isActive(); }

 private:
  void place(const Form& form, const Placement& start) override {
    shapes_.push_back(std::visit(ShapeOf{}, form));
    btCollisionShape& shape = *shapes_.back();
    const btScalar mass = btScalar(double(start.density) * volume(form));
    btVector3 inertia(0, 0, 0);
    if (mass > 0) shape.calculateLocalInertia(mass, inertia);
    btRigidBody::btRigidBodyConstructionInfo info(mass, nullptr, &shape, inertia);
    info.m_startWorldTransform = to_bullet(start.pose);
    if (std::holds_alternative<GroundForm>(form))
      info.m_startWorldTransform.setOrigin({0, -ShapeOf::kGround, 0});
    // Bullet multiplies those of a pair.
    info.m_friction = std::sqrt(btScalar(start.surface.friction));
    info.m_restitution = std::sqrt(btScalar(start.surface.restitution));
    bodies_.push_back(std::make_unique<btRigidBody>(info));
    bodies_.back()->setLinearVelocity(to_bullet(start.velocity));
    if (!sleeping_) bodies_.back()->setActivationState(DISABLE_DEACTIVATION);
    world_.addRigidBody(bodies_.back().get());
  }

  btRigidBody& body(int i) { return i == kWorld ? btTypedConstraint::getFixedBody() : *bodies_[i]; }
  btVector3 local(int i, const Vec3& point) {
    return body(i).getWorldTransform().inverse() * to_bullet(point);
  }
  void join(std::unique_ptr<btTypedConstraint> joint) {
    joints_.push_back(std::move(joint));
    world_.addConstraint(joints_.back().get(), true);
  }

  std::string name_ = "Bullet";
  bool sleeping_;
  btDefaultCollisionConfiguration configuration_;
  btCollisionDispatcher dispatcher_{&configuration_};
  btDbvtBroadphase broadphase_;
  btSequentialImpulseConstraintSolver solver_;
  btDiscreteDynamicsWorld world_{&dispatcher_, &broadphase_, &solver_, &configuration_};
  std::vector<std::unique_ptr<btCollisionShape>> shapes_;
  std::vector<std::unique_ptr<btRigidBody>> bodies_;
  std::vector<std::unique_ptr<btTypedConstraint>> joints_;
};

}  // namespace

std::unique_ptr<Stage> make_bullet_stage(bool sleeping, int iterations) {
  return std::make_unique<BulletStage>(sleeping, iterations);
}
#else
std::unique_ptr<Stage> make_bullet_stage(bool, int) { return nullptr; }
#endif

}  // namespace sinew
