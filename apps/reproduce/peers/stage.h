// One engine running one scene of rigid bodies: what Sinew, Bullet and ODE have in common, so that
// the same scene is built in each of them. Each runs with the settings that it comes with, on one
// thread, with gravity 9.81 m/s² downwards. A pair of bodies slides by √(μ₁μ₂) in all of them.
#pragma once

#include <sinew/math.h>

#include <memory>
#include <variant>
#include <vector>

#include "reproduce/peers/solid.h"

namespace sinew {

struct GroundForm {};  // everything below y = 0
struct BoxForm {
  Vec3 half;
};
struct SphereForm {
  Real radius;
};
struct CapsuleForm {  // along y
  Real radius, half_height;
};
struct HullForm {
  Solid solid;  // symmetric about the origin, so that this is its centre of mass
};
using Form = std::variant<GroundForm, BoxForm, SphereForm, CapsuleForm, HullForm>;

struct Surface {
  Real friction = Real(0.5);
  Real restitution = 0;  // the same for all bodies of a scene: engines combine it differently
};

struct Placement {
  Pose pose = {};
  Real density = 1000;  // [kg/m³]; 0: never moves
  Vec3 velocity = {};   // [m/s]
  Surface surface = {};
};

constexpr int kWorld = -1;  // as the second body of a joint: a fixed place

class Stage {
 public:
  struct Item {
    Form form;
    Placement start;
    bool moves() const { return start.density > 0; }
  };

  virtual ~Stage() = default;
  virtual const char* name() const = 0;

  // Puts a body in and returns its number, counted from 0.
  int add(Form form, const Placement& start) {
    place(form, start);
    items_.push_back({std::move(form), start});
    return static_cast<int>(items_.size()) - 1;
  }
  const std::vector<Item>& items() const { return items_; }

  // Places and directions are the world's; body a must be one that moves. Bodies that are joined do
  // not collide.
  virtual void add_ball_joint(int a, int b, const Vec3& anchor) = 0;
  virtual void add_hinge(int a, int b, const Vec3& anchor, const Vec3& axis) = 0;
  // A rod of the length that is now between the points.
  virtual void add_distance(int a, int b, const Vec3& point_a, const Vec3& point_b) = 0;

  virtual void step(Real dt) = 0;
  virtual Pose pose(int body) const = 0;
  virtual Vec3 velocity(int body) const = 0;
  virtual bool asleep(int body) const = 0;

 private:
  virtual void place(const Form& form, const Placement& start) = 0;

  std::vector<Item> items_;
};

// Null where Sinew was built without the engine.
std::unique_ptr<Stage> make_sinew_stage(bool sleeping);
constexpr int kBulletIterations = 10;  // that it comes with
std::unique_ptr<Stage> make_bullet_stage(bool sleeping, int iterations = kBulletIterations);
std::unique_ptr<Stage> make_ode_stage(bool sleeping);

// Volume [m³]; of the ground: 0.
double volume(const Form& form);
// Half the extents of the box about a hull, along its axes [m].
Vec3 half_extents(const HullForm& form);

}  // namespace sinew
