// Light links under large tension.
//
// Tension T turns a link of length L and inertia I back with the stiffness TL, which the direction
// of J knows at the beginning of a substep only: light links that bear much would swing by more
// than ω = √(TL/I) < 2/h allows, and break loose. While the rows are made, stiffen() therefore adds
// as much inertia to such bodies as keeps ωh near 1, and none to those that swing more slowly (S.
// Andrews, M. Teichmann and P. Kry, "Geometric stiffness for real-time constrained multi-body
// dynamics", 2017).
//
// The same counts for positions. What is too long by e along a chain that is crooked by δ is mended
// by links that move sideways by e/δ rather than by a weight that moves by e, as long as m(e/δ)² <
// Me²; that is work against the tension, of which inertia alone knows nothing. A thousandth of a
// per cent of a link, and a weight of 10⁵ links was thrown up by its chain. With the stiffness of
// the whole step, TL·dt², it is the other way round whatever the weight, for T grows with M.
//
// Tension is that of the substep before, and may be more in this one: it is remembered for a while.
//
// What swings faster than substeps can follow is noise: from rounding, and from inertia that
// changes with the tension while it swings. It is damped where inertia was added, by a share of the
// difference of the turns of two bodies on a joint, which leaves their angular momentum and every
// turn of the chain as a whole. And no such body turns by more than J can tell of in a substep.
#include <cmath>

#include "rigid/direct_component.h"
#include "rigid/direct_joints.h"

namespace sinew {
namespace {

constexpr double kBending = 0.3;        // share of differences of turns that is lost in a substep
constexpr double kMemory = 0.2;         // [s]
constexpr double kMostStiffTurn = 0.1;  // in a substep [rad]

double trace(const Sym3T<double>& a) { return a.xx + a.yy + a.zz; }

// By cofactors; false: there is none.
bool invert(const Sym3T<double>& a, Sym3T<double>& inverse) {
  const Sym3T<double> c{a.yy * a.zz - a.yz * a.yz, a.xz * a.yz - a.xy * a.zz,
                        a.xy * a.yz - a.xz * a.yy, a.xx * a.zz - a.xz * a.xz,
                        a.xy * a.xz - a.xx * a.yz, a.xx * a.yy - a.xy * a.xy};
  const double determinant = a.xx * c.xx + a.xy * c.xy + a.xz * c.xz;
  const double size = trace(a);
  if (!(determinant > 1e-18 * size * size * size) || !std::isfinite(1 / determinant)) return false;
  inverse = sum({}, c, 1 / determinant);
  return true;
}

// The inverse inertia of a body with more inertia. What cannot turn about some axes stays.
void add_inertia(Row8<Real>& mass, const Sym3T<double>& more, double share) {
  auto& m = mass.c;
  Sym3T<double> inertia, inverse;
  if (!invert(inverse_inertia(m), inertia)) return;
  if (!invert(sum(inertia, more, share), inverse)) return;
  m[0] = Real(inverse.xx), m[1] = Real(inverse.xy), m[2] = Real(inverse.xz);
  m[3] = Real(inverse.yy), m[4] = Real(inverse.yz), m[5] = Real(inverse.zz);
}

double trace_of_product(const Sym3T<double>& a, const Sym3T<double>& b) {
  return a.xx * b.xx + a.yy * b.yy + a.zz * b.zz + 2 * (a.xy * b.xy + a.xz * b.xz + a.yz * b.yz);
}

}  // namespace

// From the impulses of rows. A force f at the arm r turns a body back by r·f (1 − r rᵀ/r²) for
// small turns, if it pulls; what pushes does not hold it.
void DirectComponent::find_stiffness(double h) {
  std::swap(stiffness, stiffness_before);
  std::fill(stiffness.begin(), stiffness.end(), Sym3T<double>{});
  for (std::size_t n = 0; n < joints.size(); ++n) {
    const Joint& joint = joints[n];
    for (int side = 0; side < 2; ++side) {
      const Vec3T<double>& r = side == 0 ? arms[n].a : arms[n].b;
      const double squares = dot(r, r);
      if (joint.local[side] < 0 || !(squares > 0)) continue;
      Vec3T<double> force{};
      for (int i = joint.first; i < joint.first + joint.rows; ++i) {
        const double* of = side == 0 ? j[i].a : j[i].b;
        force += Vec3T<double>{of[0], of[1], of[2]} * impulse[i];
      }
      const double pull = dot(r, force);
      if (!(pull > 0)) continue;
      const Vec3T<double> u = r * (1 / squares);
      Sym3T<double>& to = stiffness[joint.local[side]];
      to.xx += pull * (1 - r.x * u.x), to.xy -= pull * r.x * u.y, to.xz -= pull * r.x * u.z;
      to.yy += pull * (1 - r.y * u.y), to.yz -= pull * r.y * u.z, to.zz += pull * (1 - r.z * u.z);
    }
  }
  const double kept = std::exp(-h / kMemory);
  for (std::size_t i = 0; i < bodies.size(); ++i)
    if (trace(stiffness[i]) < kept * trace(stiffness_before[i]))
      stiffness[i] = sum({}, stiffness_before[i], kept);
}

void DirectComponent::damp_bending(BodyRows& all, double h) const {
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    if (!(stiffened[i] > 0)) continue;
    auto& v = all.velocity[bodies[i]].c;
    const double turn = h * length(Vec3T<double>{double(v[3]), double(v[4]), double(v[5])});
    if (!(turn > kMostStiffTurn)) continue;
    for (int k = 3; k < 6; ++k) v[k] = Real(v[k] * (kMostStiffTurn / turn));
  }
  for (const Joint& joint : joints) {
    if (joint.local[0] < 0 || joint.local[1] < 0) continue;
    const double part_of = kBending * stiffened[joint.local[0]] * stiffened[joint.local[1]];
    if (!(part_of > 0)) continue;
    auto &a = all.velocity[joint.body[0]].c, &b = all.velocity[joint.body[1]].c;
    const Sym3T<double> of_a = inverse_inertia(all.mass[joint.body[0]].c);
    const Sym3T<double> of_b = inverse_inertia(all.mass[joint.body[1]].c);
    Sym3T<double> both;
    if (!invert(sum(of_a, of_b, 1), both)) continue;
    const Vec3T<double> apart{double(a[3]) - b[3], double(a[4]) - b[4], double(a[5]) - b[5]};
    const Vec3T<double> torque = both * apart * part_of;
    const Vec3T<double> change_a = of_a * torque, change_b = of_b * torque;
    for (int k = 0; k < 3; ++k) {
      a[3 + k] = Real(a[3 + k] - change_a[k]);
      b[3 + k] = Real(b[3 + k] + change_b[k]);
    }
  }
}

void DirectJoints::stiffen(JointSet& joints, BodyRows& bodies, Real h, Real step, Use use) {
  stiffened_.clear();
  if (empty() || builds_ != joints.builds()) return;
  // Stiffness as it is kept is that of impulses: times h.
  const double time = use == Use::kSolve ? double(h) : double(step) * step / h;
  for (DirectComponent& c : components_) {
    if (c.retired) continue;
    if (use == Use::kSolve) {
      c.read_impulses(joints);
      if (c.wound_up()) {
        c.retire(joints);
        c.forget_impulses(joints, 1);
        continue;
      }
      c.find_stiffness(h);
    }
    bool any = false;
    for (std::size_t i = 0; i < c.bodies.size(); ++i) {
      Row8<Real>& mass = bodies.mass[c.bodies[i]];
      const Sym3T<double>& k = c.stiffness[i];
      const double square = time * trace_of_product(inverse_inertia(mass.c), k);  // (ωh)², or more
      c.stiffened[i] = square > 1 ? 1 - 1 / square : 0;
      if (!(square > 1)) continue;
      any = true;
      stiffened_.push_back({c.bodies[i], mass});
      add_inertia(mass, k, time * c.stiffened[i]);
    }
    if (any && use == Use::kSolve) c.damp_bending(bodies, h);
  }
}

void DirectJoints::relax(BodyRows& bodies) {
  for (const Stiffened& one : stiffened_) bodies.mass[one.body] = one.mass;
}

}  // namespace sinew
