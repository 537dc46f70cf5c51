#include "rigid/direct_joints.h"

#include <algorithm>
#include <utility>

#include "core/parallel.h"
#include "rigid/direct_component.h"
#include "rigid/rigid_world.h"

namespace sinew {
namespace {

constexpr double kMostError = 0.02;  // by the arms of joints: larger ones are left to sweeps

}  // namespace

DirectJoints::DirectJoints() = default;
DirectJoints::~DirectJoints() = default;
DirectJoints::DirectJoints(const DirectJoints& other) = default;
DirectJoints::DirectJoints(DirectJoints&&) noexcept = default;
DirectJoints& DirectJoints::operator=(const DirectJoints& other) = default;
DirectJoints& DirectJoints::operator=(DirectJoints&&) noexcept = default;

void DirectJoints::clear() {
  components_.clear();
  home_.clear();
  builds_ = -1;
}

void DirectJoints::prepare(JointSet& joints, const BodyRows& bodies, Real h, Use use,
                           JointSolver choice, Executor& executor) {
  if (builds_ != joints.builds() || choice_ != choice) {
    builds_ = joints.builds();
    choice_ = choice;
    rebuild(joints, bodies, choice);
  }
  if (empty()) return;
  parallel_for(executor, static_cast<int>(components_.size()), 1, [&](int begin, int end) {
    for (int i = begin; i < end; ++i) {
      DirectComponent& c = components_[i];
      c.factored = false;
      c.held.clear();
      if (c.retired) continue;
      c.load(joints, bodies, h);
      if (c.doubtful && c.largest_error() > kMostError) continue;
      c.doubtful = false;
      if (use == Use::kSolve)
        c.factorise(0);
      else
        c.mended = std::clamp(2 - 2 * c.largest_error() / kMostError, 0.0, 1.0);
    }
  });
  if (use == Use::kCorrect) return;
  for (DirectComponent& c : components_) {
    // What has wound up and is far from its joints has equations that no velocity fulfils.
    if (std::exchange(c.doubtful, false)) c.retire(joints);
    // Joints that say the same twice may pull against each other with any force. Once one of them
    // is gone, others throw what they held. The solution finds what is needed from nothing.
    if (std::exchange(c.changed, false)) c.forget_impulses(joints, 1);
    if (c.swept != c.factored) continue;
    c.swept = !c.factored;
    for (const DirectComponent::Group& g : c.groups)
      joints.set_swept(g.kind, std::span(c.places).subspan(g.first, g.rows), c.swept);
  }
}

void DirectJoints::solve(JointSet& joints, BodyRows& bodies, Executor& executor) {
  if (empty()) return;
  parallel_for(executor, static_cast<int>(components_.size()), 1, [&](int begin, int end) {
    for (int n = begin; n < end; ++n)
      components_[n].moved = components_[n].factored && components_[n].solve(bodies);
  });
  // Components share packs: one after the other.
  for (const DirectComponent& c : components_)
    if (c.moved) c.add_impulses(joints), c.add_held();
}

void DirectJoints::forget(JointSet& joints, std::span<const Real> forgotten) {
  if (builds_ != joints.builds()) return;
  for (DirectComponent& c : components_) {
    if (c.retired) continue;
    Real share = 0;
    for (const BodyRow body : c.bodies) share = std::max(share, forgotten[body]);
    if (share > 0) c.forget_impulses(joints, double(share));
  }
}

void DirectJoints::hold(RigidWorld& world, Real h) {
  for (std::size_t n = 0; n < components_.size(); ++n) {
    DirectComponent& c = components_[n];
    c.find_held(world, double(h), home_, static_cast<int>(n));
    const auto elsewhere = [&](const HeldContact& one) {
      const BodyRow outside = one.body[one.local[0] < 0 ? 0 : 1];
      for (std::size_t k = 0; k < n; ++k)
        for (const HeldContact& other : components_[k].held)
          if (other.body[0] == outside || other.body[1] == outside) return true;
      return false;
    };
    std::erase_if(c.held, elsewhere);
  }
}

void DirectJoints::correct(BodyRows& bodies, Real slop, Real share, Real most, Executor& executor) {
  if (empty()) return;
  parallel_for(executor, static_cast<int>(components_.size()), 1, [&](int begin, int end) {
    for (int n = begin; n < end; ++n) {
      DirectComponent& c = components_[n];
      if (!c.retired && (c.mended > 0 || !c.held.empty()))
        c.correct(bodies, double(slop), double(share), double(most));
    }
  });
}

int DirectJoints::rows() const {
  int sum = 0;
  for (const DirectComponent& c : components_) sum += static_cast<int>(c.places.size());
  return sum;
}

}  // namespace sinew
