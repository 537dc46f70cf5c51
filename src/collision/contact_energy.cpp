#include "collision/contact_energy.h"

#include "collision/static_contact.h"
#include "core/parallel.h"

namespace sinew {
namespace {

using W = Wide;

// κ: how many times stiffer than its inertia a contact is.
constexpr Real kContactStiffness = 50;
constexpr int kBlock = 64;  // packs

}  // namespace

struct ContactEnergy::Nearest {
  W distance;
  Vec3T<W> normal;
  W friction;
};

// Seen from where particles are. A plane is the same anywhere along itself, so it is taken where
// that is near: its middle may be kilometres away.
Vec3 ContactEnergy::place_of(const StaticBody& body) const {
  Vec3T<double> place = to_double(body.pose.position) - origin_;
  if (std::holds_alternative<Plane>(body.shape)) {
    const Vec3T<double> normal = to_double(body.pose.orientation.rotate(Vec3{0, 1, 0}));
    place = normal * dot(normal, place);
  }
  return {Real(place.x), Real(place.y), Real(place.z)};
}

ContactEnergy::Nearest ContactEnergy::nearest(const Vec3T<W>& x) const {
  Nearest best{W(Real(1e30)), {W(0), W(1), W(0)}, W(0)};
  for (const Obstacle& o : obstacles_) {
    const Mat3T<W> to_world = broadcast<W>(o.body->pose.orientation.matrix());
    const Vec3T<W> origin = broadcast<W>(place_of(*o.body));
    const SignedDistance<W> at = std::visit(
        [&](const auto& shape) {
          return world_distance(shape, transpose(to_world), to_world, origin, x);
        },
        o.body->shape);
    const auto nearer = at.distance < best.distance;
    best.distance = select(nearer, at.distance, best.distance);
    best.friction = select(nearer, W(o.friction), best.friction);
    for (int k = 0; k < 3; ++k) best.normal[k] = select(nearer, at.normal[k], best.normal[k]);
  }
  best.distance = best.distance - W(margin_);
  return best;
}

void ContactEnergy::resize(int packs, Real margin) {
  packs_ = packs;
  margin_ = margin;
  energy_.assign((packs + kBlock - 1) / kBlock, 0);
}

void ContactEnergy::begin(std::span<const Obstacle> obstacles, const Row4<Real>* target, Real h,
                          const Vec3T<double>& origin) {
  obstacles_ = obstacles;
  target_ = target;
  h_ = h;
  origin_ = origin;
}

double ContactEnergy::add_gradient(const Row4<Real>* x, Row4<Real>* gradient, Executor& executor) {
  const W rate(kContactStiffness / (h_ * h_));
  parallel_for(executor, packs_, kBlock, [&](int first, int end) {
    double sum_here = 0;
    for (int i = first * kLanes; i < end * kLanes; i += kLanes) {
      const Nearest at = nearest(load<W>(x + i).xyz);
      const W inverse_mass = load<W>(target_ + i).w;
      const W depth = select(inverse_mass > W(0), max(-at.distance, W(0)), W(0));
      if (!any(depth > W(0))) continue;
      // What is held, and what fills up packs, has no mass to be pushed: not ∞·0.
      const W k = select(inverse_mass > W(0), rate / inverse_mass, W(0));
      Rows4<W> g = load<W>(gradient + i);
      g.xyz -= at.normal * (k * depth);
      store<W>(gradient + i, g);
      sum_here += sum(W(Real(0.5)) * k * depth * depth);
    }
    energy_[first / kBlock] = sum_here;
  });
  double total = 0;
  for (double e : energy_) total += e;
  return total;
}

// k n nᵀ: of the shapes' curvature nothing, which would be of the order of their depth.
void ContactEnergy::add_hessian(const Row4<Real>* x, bool, BlockSymmetric& hessian) const {
  const Real rate = kContactStiffness / (h_ * h_);
  for (int i = 0; i < packs_ * kLanes; i += kLanes) {
    const Nearest at = nearest(load<W>(x + i).xyz);
    for (int k = 0; k < kLanes; ++k) {
      const Real inverse_mass = target_[i + k].w;
      if (!(inverse_mass > 0) || !(lane(at.distance, k) < 0)) continue;
      const Vec3 n{lane(at.normal.x, k), lane(at.normal.y, k), lane(at.normal.z, k)};
      const Vec3 scaled = n * (rate / inverse_mass);
      Mat3& block = hessian.diagonal(i + k);
      block = block + Mat3{{scaled * n.x, scaled * n.y, scaled * n.z}};
    }
  }
}

double ContactEnergy::energy(const Row4<Real>*) const { return 0; }

bool ContactEnergy::rub(Row4<Real>* x, const Row4<Real>* previous) const {
  bool rubs = false;
  if (obstacles_.empty()) return false;
  for (int i = 0; i < packs_ * kLanes; i += kLanes) {
    Rows4<W> here = load<W>(x + i);
    const Nearest at = nearest(here.xyz);
    // How far the contact pushed the particle in this step: its force by m/h².
    const W pushed = select(here.w > W(0), max(-at.distance, W(0)) * W(kContactStiffness), W(0));
    if (!any(pushed > W(0))) continue;
    const Vec3T<W> moved = here.xyz - load<W>(previous + i).xyz;
    const Vec3T<W> slid = moved - at.normal * dot(moved, at.normal);
    const W slid_length = length(slid);
    const W stopped = min(slid_length, at.friction * pushed);
    rubs = rubs || any(stopped > W(0));
    here.xyz -= slid * (stopped / max(slid_length, W(Real(1e-20))));
    store<W>(x + i, here);
  }
  return rubs;
}

}  // namespace sinew
