// Vertices that are pulled to places in space (constraints/attachment.h): E = ½ k |x − y|².
#pragma once

#include "constraints/attachment.h"
#include "variational/local_energy.h"

namespace sinew {

struct AttachmentKernel {
  static constexpr int kNodes = 1;

  template <class T>
  struct Rest {
    Vec3T<T> place;  // y [m]
    T stiffness;     // k [N/m]
  };
  template <class T>
  static void set_lane(Rest<T>& rest, int lane, const Rest<double>& from) {
    sinew::set_lane(rest.place, lane, from.place);
    sinew::set_lane(rest.stiffness, lane, NumberOf<T>(from.stiffness));
  }
  template <class T>
  SINEW_INLINE static T evaluate(const Rest<T>& rest, const Vec3T<T> (&x)[1],
                                 Vec3T<T> (&gradient)[1]) {
    const Vec3T<T> error = x[0] - rest.place;
    gradient[0] = error * rest.stiffness;
    return T(NumberOf<T>(0.5)) * rest.stiffness * dot(error, error);
  }
  template <class T>
  static void hessian(const Rest<T>& rest, const Vec3T<T> (&)[1], bool, Mat3T<T> (&block)[1][1]) {
    block[0][0] = Mat3T<T>::identity() * rest.stiffness;
  }
  template <class T>
  static void metric(const Rest<T>& rest, T (&weight)[1][1]) {
    weight[0][0] = rest.stiffness;
  }
};

class AttachmentEnergy final : public LocalEnergy<AttachmentKernel, Wide> {
 public:
  AttachmentEnergy(std::span<const Item> items, std::size_t vertex_count,
                   std::shared_ptr<const AttachmentTargets> targets)
      : LocalEnergy(items, vertex_count), targets_(std::move(targets)) {}

  void begin_step(const Row4<Real>*, Real) override { find_places(); }
  bool external() const override { return true; }
  // The places are kept with the body, and put back before this.
  void visit_state(StateBytes& state) override {
    if (state.restoring()) find_places();
  }

 private:
  void find_places() {
    for_each_lane([&](AttachmentKernel::Rest<Wide>& rest, int lane, const Cell& node) {
      set_lane(rest.place, lane, targets_->at(node[0]) - targets_->origin);
    });
  }

  std::shared_ptr<const AttachmentTargets> targets_;
};

}  // namespace sinew
