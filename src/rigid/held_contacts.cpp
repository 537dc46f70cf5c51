#include "rigid/held_contacts.h"

#include <algorithm>
#include <cmath>

#include "rigid/direct_component.h"
#include "rigid/rigid_world.h"

namespace sinew {
namespace {

constexpr double kHeldRatio = 15;       // ratio of masses from which on sweeps are not enough
constexpr double kHeldGap = 2e-3;       // contacts that bear, or will [m]
constexpr std::size_t kMostHeld = 64;   // by a component
constexpr int kHeldRounds = 60;         // of choosing which contacts bear
constexpr int kHeldPatience = 3;        // rounds that may leave as many wrong ones as before
constexpr int kHeldSweeps = 20;         // sweeps where that has not ended
constexpr double kHeldRidge = 1e-6;     // of the diagonal, for contacts that say the same
constexpr double kHeldRounding = 1e-9;  // of velocities [m/s]

double six_product(const double* a, const double* b) {
  double sum = 0;
  for (int k = 0; k < 6; ++k) sum += a[k] * b[k];
  return sum;
}
double held_rate(const double* j, const Row8<Real>& motion) {
  double sum = 0;
  for (int k = 0; k < 6; ++k) sum += j[k] * double(motion.c[k]);
  return sum;
}

Vec3T<double> in_lane(const Vec3T<Wide>& v, int l) {
  return {double(lane(v.x, l)), double(lane(v.y, l)), double(lane(v.z, l))};
}

void set_held_row(double (&j)[8], const Vec3T<double>& n, const Vec3T<double>& arm, double sign) {
  const Vec3T<double> turn = cross(arm, n);
  const double row[8] = {sign * n.x,    sign * n.y,    sign * n.z, sign * turn.x,
                         sign * turn.y, sign * turn.z, 0,          0};
  std::copy(row, row + 8, j);
}

void respond(const double (&mass)[8], const double (&j)[8], double (&response)[8]) {
  const Vec3T<double> turned = inverse_inertia(mass) * Vec3T<double>{j[3], j[4], j[5]};
  for (int k = 0; k < 3; ++k) response[k] = mass[6] * j[k], response[3 + k] = turned[k];
  response[6] = response[7] = 0;
}

// Where a contact bears, as its impulses are spread, or where it will: at its deepest point.
void find_place(HeldContact& held) {
  const ContactPack<Wide>& pack = *held.pack;
  const int l = held.lane;
  double load = 0, deepest = 0;
  int first = 0;
  for (int i = 0; i < kPoints; ++i) {
    load += held.share[i] = double(lane(pack.impulse[i], l));
    const double gap = double(lane(pack.gap[i], l));
    if (i == 0 || gap < deepest) deepest = gap, first = i;
  }
  Vec3T<double> middle{};
  held.gap = 0;
  for (int i = 0; i < kPoints; ++i) {
    held.share[i] = load > 0 ? held.share[i] / load : (i == first ? 1 : 0);
    held.gap += held.share[i] * double(lane(pack.gap[i], l));
    middle += in_lane(pack.tangent1, l) * (held.share[i] * double(lane(pack.along1[i], l))) +
              in_lane(pack.tangent2, l) * (held.share[i] * double(lane(pack.along2[i], l)));
  }
  const Vec3T<double> n = in_lane(pack.normal, l);
  set_held_row(held.j[0], n, in_lane(pack.arm_a, l) + middle, -1);
  set_held_row(held.j[1], n, in_lane(pack.arm_b, l) + middle, 1);
}

double carried_by(const HeldContact& held) {
  double least = std::numeric_limits<double>::infinity();
  for (int i = 0; i < kPoints; ++i)
    if (held.share[i] > 0)
      least = std::min(least, double(lane(held.pack->impulse[i], held.lane)) / held.share[i]);
  return least;
}

// What has a velocity `speed` beside it, pulled by joints, may close within h.
bool may_bear(const HeldContact& held, const BodyRows& all, double now, double speed, double h) {
  double closing = -speed;
  for (int side = 0; side < 2; ++side)
    closing = std::min(closing, held_rate(held.j[side], all.velocity[held.body[side]]));
  return now < kHeldGap || now + closing * h < 0 || carried_by(held) > 0;
}

}  // namespace

double HeldProblem::velocity(std::size_t i) const {
  double w = b[i];
  for (std::size_t k = 0; k < x.size(); ++k) w += c[i * x.size() + k] * x[k];
  return w;
}

void HeldProblem::solve_bearing() {
  const std::size_t n = x.size(), m = of_.size();
  factor_.resize(m * m);
  right_.resize(m);
  for (std::size_t i = 0; i < m; ++i) right_[i] = -velocity(of_[i]);
  for (std::size_t i = 0; i < m; ++i) {
    double* l = &factor_[i * m];
    for (std::size_t j = 0; j <= i; ++j) {
      const double* other = &factor_[j * m];
      double sum = c[of_[i] * n + of_[j]] * (i == j ? 1 + kHeldRidge : 1);
      for (std::size_t k = 0; k < j; ++k) sum -= l[k] * other[k];
      const double least_pivot = kHeldRidge * c[of_[i] * n + of_[i]];
      l[j] = i == j ? std::sqrt(std::max(sum, least_pivot)) : sum / other[j];
    }
    for (std::size_t k = 0; k < i; ++k) right_[i] -= l[k] * right_[k];
    right_[i] /= l[i];
  }
  for (std::size_t i = m; i-- > 0;) {
    for (std::size_t k = i + 1; k < m; ++k) right_[i] -= factor_[k * m + i] * right_[k];
    right_[i] /= factor_[i * m + i];
  }
}

// All that are wrong change sides at once, as long as fewer and fewer are; then the last of them
// alone, which ends for a positive definite C (Júdice and Pires, "A block principal pivoting
// algorithm for large-scale strictly monotone linear complementarity problems", 1994).
void HeldProblem::solve() {
  const std::size_t n = b.size();
  x.assign(n, 0.0);
  bears_.resize(n);
  for (std::size_t i = 0; i < n; ++i) bears_[i] = b[i] < 0 || least[i] < 0;
  std::size_t fewest = n + 1;
  int patience = kHeldPatience;
  for (int round = 0; round < kHeldRounds; ++round) {
    of_.clear();
    for (std::size_t i = 0; i < n; ++i) {
      x[i] = bears_[i] ? 0 : least[i];
      if (bears_[i]) of_.push_back(i);
    }
    solve_bearing();
    for (std::size_t k = 0; k < of_.size(); ++k) x[of_[k]] = right_[k];
    of_.clear();
    for (std::size_t i = 0; i < n; ++i)
      if (bears_[i] ? x[i] < least[i] : velocity(i) < -kHeldRounding) of_.push_back(i);
    if (of_.empty()) return;
    patience = of_.size() < fewest ? kHeldPatience : patience - 1;
    fewest = std::min(fewest, of_.size());
    if (patience < 0) of_.erase(of_.begin(), of_.end() - 1);
    for (const std::size_t i : of_) bears_[i] = !bears_[i];
  }
  for (std::size_t i = 0; i < n; ++i) x[i] = std::max(x[i], least[i]);
  for (int sweep = 0; sweep < kHeldSweeps; ++sweep)
    for (std::size_t i = 0; i < n; ++i)
      x[i] = std::max(x[i] - velocity(i) / c[i * n + i], least[i]);
}

// The manifolds of a pair, of which the lighter body is the component's, and the other if `inside`.
void DirectComponent::hold_pair(RigidWorld& world, const Pair& pair, double h, int light,
                                bool inside) {
  const BodyRows& all = world.rows;
  for (int k = 0; k < pair.contacts && held.size() < kMostHeld; ++k) {
    const Contact& contact = world.contacts[pair.contact[k]];
    if (contact.colour < 0) continue;
    ContactColour& colour = world.zones[contact.zone].colours[contact.colour];
    const auto lanes = static_cast<std::uint32_t>(ContactColour::lanes(contact.colour));
    HeldContact one{};
    one.pack = &colour.packs[contact.slot / lanes];
    one.lane = static_cast<int>(contact.slot % lanes);
    one.body[0] = one.pack->a[one.lane], one.body[1] = one.pack->b[one.lane];
    find_place(one);
    double now = one.gap;
    for (int side = 0; side < 2; ++side) now += held_rate(one.j[side], all.way[one.body[side]]);
    if (!may_bear(one, all, now, speed, h)) continue;
    one.rate = std::max(now, 0.0) / h;
    for (int side = 0; side < 2; ++side) {
      const BodyRow body = one.body[side];
      one.local[side] = body == bodies[light] ? light : -1;
      if (body != bodies[light] && inside)
        one.local[side] =
            static_cast<int>(std::find(bodies.begin(), bodies.end(), body) - bodies.begin());
      double numbers[8];
      for (int i = 0; i < 8; ++i)
        numbers[i] = one.local[side] >= 0 ? mass[one.local[side]][i] : double(all.mass[body].c[i]);
      respond(numbers, one.j[side], one.response[side]);
    }
    held.push_back(std::move(one));
  }
}

void DirectComponent::find_held(RigidWorld& world, double h, std::span<const int> home, int own) {
  held.clear();
  responded = false;
  if (retired) return;
  for (std::size_t n = 0; n < bodies.size(); ++n)
    for_each_pair(world, bodies[n], [&](std::uint32_t index, BodyRow other) {
      const double light = world.rows.mass[bodies[n]].c[6], heavy = world.rows.mass[other].c[6];
      if (!(heavy > 0 && heavy * kHeldRatio < light)) return;
      const int place = other < home.size() ? home[other] : -1;
      if (place < 0 || place == own)
        hold_pair(world, world.pairs[index], h, static_cast<int>(n), place == own);
    });
}

// L⁻¹Y and C.
void DirectComponent::respond_held() {
  std::vector<int> at;
  std::vector<double> value;
  for (HeldContact& c : held) {
    at.clear(), value.clear();
    for (int side = 0; side < 2; ++side) {
      const int body = c.local[side];
      if (body < 0) continue;
      for (int n = part_begin[body]; n < part_begin[body + 1]; ++n) {
        at.push_back(part[n] / 2);
        const HardRow& of = j[part[n] / 2];
        value.push_back(six_product(part[n] % 2 == 0 ? of.a : of.b, c.response[side]));
      }
    }
    factor.find_half(at, value, c.half);
  }
  const std::size_t n = held.size();
  std::vector<double>& to = held_problem.c;
  to.assign(n * n, 0.0);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t k = 0; k <= i; ++k) {
      double sum = -PanelCholesky::product(held[i].half, held[k].half), own = 0;
      for (int s = 0; s < 2; ++s)
        for (int t = 0; t < 2; ++t)
          if (held[i].body[s] == held[k].body[t])
            own += six_product(held[i].j[s], held[k].response[t]);
      sum += own;
      if (i == k) sum = std::max(sum, kHeldRidge * own);
      to[i * n + k] = to[k * n + i] = sum;
    }
  responded = true;
}

// Between the halves of a solution for the joints.
void DirectComponent::push_held() {
  HeldProblem& p = held_problem;
  p.b.clear(), p.least.clear();
  for (const HeldContact& c : held) {
    p.b.push_back(c.wrong + factor.product(c.half));
    p.least.push_back(c.least);
  }
  p.solve();
  for (std::size_t i = 0; i < held.size(); ++i) {
    held[i].push = p.x[i];
    if (p.x[i] != 0) factor.take(held[i].half, p.x[i]);
  }
}

double DirectComponent::velocity_of_held(const BodyRows& all) {
  double largest = 0;
  for (HeldContact& c : held) {
    c.wrong = c.rate;
    for (int side = 0; side < 2; ++side)
      c.wrong += held_rate(c.j[side], all.velocity[c.body[side]]);
    c.least = -std::max(carried_by(c), 0.0);
    largest = std::max(largest, c.least < 0 ? std::abs(c.wrong) : -c.wrong);
  }
  return largest;
}

double DirectComponent::overlap_of_held(const BodyRows& all, double slop, double share,
                                        double most) {
  double largest = 0;
  for (HeldContact& c : held) {
    double gap = c.gap + slop;
    for (int side = 0; side < 2; ++side) gap += held_rate(c.j[side], all.way[c.body[side]]);
    c.wrong = gap < 0 ? std::max(share * gap, -most) : gap;
    c.least = 0;
    largest = std::max(largest, -c.wrong);
  }
  return largest;
}

void DirectComponent::move_held(std::vector<Row8<Real>>& motion, double share) {
  for (HeldContact& c : held) {
    c.push *= share;
    for (int side = 0; side < 2; ++side) {
      if (c.local[side] >= 0) continue;
      auto& of = motion[c.body[side]].c;
      for (int k = 0; k < 6; ++k) of[k] = Real(double(of[k]) + c.push * c.response[side][k]);
    }
  }
}

void DirectComponent::add_held() const {
  for (const HeldContact& c : held)
    for (int i = 0; i < kPoints; ++i) {
      const double before = double(lane(c.pack->impulse[i], c.lane));
      const double after = std::max(before + c.push * c.share[i], 0.0);
      set_lane(c.pack->impulse[i], c.lane, Real(after));
      set_lane(c.pack->total, c.lane, Real(double(lane(c.pack->total, c.lane)) + after - before));
    }
}

}  // namespace sinew
