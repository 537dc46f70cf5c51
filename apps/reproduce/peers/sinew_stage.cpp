// Sinew, with the settings that a World comes with, on one thread.
#include <sinew/joints.h>
#include <sinew/world.h>

#include "reproduce/peers/stage.h"

namespace sinew {
namespace {

struct SinewShape {
  Shape operator()(const GroundForm&) const { return Plane{}; }
  Shape operator()(const BoxForm& f) const { return Box{.size = f.half * Real(2)}; }
  Shape operator()(const SphereForm& f) const { return Sphere{.radius = f.radius}; }
  Shape operator()(const CapsuleForm& f) const {
    return Capsule{.radius = f.radius, .half_height = f.half_height};
  }
  Shape operator()(const HullForm& f) const {
    ConvexHull hull;
    for (const auto& p : f.solid.points) hull.points.push_back({Real(p.x), Real(p.y), Real(p.z)});
    return hull;
  }
};

WorldSettings settings(bool sleeping) {
  WorldSettings s;
  s.rigid.sleeping = sleeping;
  return s;
}

class SinewStage final : public Stage {
 public:
  explicit SinewStage(bool sleeping) : world_(settings(sleeping)) {}
  const char* name() const override { return "Sinew"; }

  void add_ball_joint(int a, int b, const Vec3& anchor) override {
    world_.add(BallJoint{.a = id(a), .b = id(b), .anchor = anchor});
  }
  void add_hinge(int a, int b, const Vec3& anchor, const Vec3& axis) override {
    world_.add(HingeJoint{.a = id(a), .b = id(b), .anchor = anchor, .axis = axis});
  }
  void add_distance(int a, int b, const Vec3& point_a, const Vec3& point_b) override {
    world_.add(DistanceJoint{.a = id(a), .b = id(b), .anchor_a = point_a, .anchor_b = point_b});
  }

  void step(Real dt) override { world_.step(dt); }
  Pose pose(int i) const override { return world_.state(ids_[i]).pose; }
  Vec3 velocity(int i) const override { return world_.state(ids_[i]).velocity; }
  bool asleep(int i) const override { return world_.state(ids_[i]).asleep; }

 private:
  void place(const Form& form, const Placement& start) override {
    const Shape shape = std::visit(SinewShape{}, form);
    if (start.density > 0) {
      ids_.push_back(world_.add(RigidBody{.shape = shape,
                                          .pose = start.pose,
                                          .density = start.density,
                                          .velocity = start.velocity,
                                          .friction = start.surface.friction,
                                          .restitution = start.surface.restitution}));
    } else {
      ids_.push_back(world_.add(StaticBody{.shape = shape,
                                           .pose = start.pose,
                                           .friction = start.surface.friction,
                                           .restitution = start.surface.restitution}));
    }
  }
  RigidId id(int i) const { return i == kWorld ? RigidId{} : ids_[i]; }

  World world_;
  std::vector<RigidId> ids_;
};

}  // namespace

std::unique_ptr<Stage> make_sinew_stage(bool sleeping) {
  return std::make_unique<SinewStage>(sleeping);
}

}  // namespace sinew
