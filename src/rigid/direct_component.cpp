#include "rigid/direct_component.h"

#include <cmath>
#include <limits>

namespace sinew {
namespace {

using Eight = Pack<double, 8>;

constexpr double kEpsilon = 1e-9;  // of the diagonal of K
constexpr int kTries = 4;          // with ε a thousand times larger each time
// Velocities that are wrong by less are as right as they can be, as a share of the component's.
constexpr double kRoundVelocity = 1e-6;
constexpr double kRoundPlace = double(std::numeric_limits<Real>::epsilon());
constexpr double kFarVelocity = 1e3;  // times the errors: more than any joint that can hold needs
constexpr double kFarWay = 1;
constexpr double kMostTurn = 0.25;  // of a correction [rad]
constexpr double kShortArm = 1e-4;  // of what else a joint measures: none
constexpr double kCaution = 25;     // ε by the squares of errors, when these are undone
constexpr double kMostSpeed = 1e4;  // that an impulse alone may give [m/s], [rad/s]
constexpr double kMostOfAll = 100;  // and all bodies together, if it were theirs [m/s]

SINEW_INLINE Eight eight(const double* from) { return load_lanes<Eight>(from); }
SINEW_INLINE Eight eight(const Row8<Real>& from) {
  return Eight::from(__builtin_convertvector(load_lanes<Pack<Real, 8>>(from.c).v, Eight::Raw));
}

// Sums of the lanes of four packs at once, which takes half the time.
SINEW_INLINE void sums_of_four(const Eight& a, const Eight& b, const Eight& c, const Eight& d,
                               double* out) {
  constexpr auto kHalf = std::make_integer_sequence<int, 4>();
  const auto fold = [&](const Eight& p) {
    return pack_detail::part<double, 8, 0>(p.v, kHalf) +
           pack_detail::part<double, 8, 4>(p.v, kHalf);
  };
  auto w = fold(a), x = fold(b), y = fold(c), z = fold(d);
  pack_detail::transpose_fours<double, 4>(w, x, y, z);
  store_lanes<Pack<double, 4>>(out, Pack<double, 4>::from((w + x) + (y + z)));
}

double square(const double* v) { return v[0] * v[0] + v[1] * v[1] + v[2] * v[2]; }

}  // namespace

// Points of bodies go on arcs, of which J knows the tangents: they leave them by up to ½ω²rh² in a
// substep, rods by ½v²h²/l. Undone in the next substep by velocities, this is a force that does its
// work as it should. Undone at the end of the step by positions alone, it would push a chain that
// is taut out to the sides, where it can go, harder than it had swung.
void DirectComponent::find_drift(double h, double across) {
  const Eight zero(0.0), one(1.0), two(2.0);
  OfJoints& o = of_joints;
  for (std::size_t n = 0; n < joints.size(); n += 8) {
    const auto root = [&](const std::vector<double>& of) { return sqrt(eight(&of[n])); };
    const Eight arm_a = root(o.arm_a), arm_b = root(o.arm_b), apart = root(o.apart);
    const Eight spin_a = root(o.spin_a), spin_b = root(o.spin_b);
    const Eight turning_a = spin_a * arm_a, turning_b = spin_b * arm_b;
    const Eight speeds = root(o.between) + turning_a + turning_b;
    const auto rod = apart > zero;
    const Eight bent = select(rod, speeds * speeds / select(rod, apart, one), zero);
    store_lanes<Eight>(&o.arcs[n], spin_a * turning_a + spin_b * turning_b + bent);
    store_lanes<Eight>(&o.turns[n], spin_a * spin_b);
    store_lanes<Eight>(&o.size[n], max(max(arm_a, arm_b), apart));
  }
  OfRows& r = rows;
  for (std::size_t n = 0; n < joints.size(); ++n)
    for (int i = joints[n].first; i < joints[n].first + joints[n].rows; ++i)
      r.arcs[i] = o.arcs[n], r.turns[i] = o.turns[n], r.size[i] = o.size[n];
  const Eight square_h(h * h), rate(1 / h);
  for (std::size_t i = 0; i < places.size(); i += 8) {
    const Eight length = sqrt(eight(&r.square[i])), size = eight(&r.size[i]);
    const Eight value = eight(&r.value[i]), on = eight(&r.on[i]);
    const auto straight = length > zero;
    const Eight inverse = one / select(straight, length, one);
    const Eight drift = square_h * (eight(&r.arcs[i]) * length + eight(&r.turns[i]));
    // What is wrong by more than twice has other reasons, and no velocity may come of it.
    const auto drifts = drift > zero;
    const Eight share = max(min(two - abs(value) / select(drifts, drift, one), one), zero);
    const auto measured = straight & (size > zero);
    store_lanes<Eight>(&r.drift[i], drift);
    store_lanes<Eight>(&r.bias[i], select(drifts, on * share * value * rate, zero));
    store_lanes<Eight>(&r.error[i],
                       on * value * select(measured, inverse / select(measured, size, one), one));
    store_lanes<Eight>(&r.inverse_length[i], select(straight, inverse, Eight(across)));
  }
}

// What a joint's drift comes from, and where its rows are. What cannot move has no arm.
void DirectComponent::measure_joint(std::size_t n, const BodyRows& all) {
  const Joint& joint = joints[n];
  HardArms& of = arms[n];
  const auto &v = all.velocity[joint.body[0]].c, &w = all.velocity[joint.body[1]].c;
  const auto &a = all.pose[joint.body[0]].c, &b = all.pose[joint.body[1]].c;
  const Vec3T<double> between{double(b[0]) - a[0], double(b[1]) - a[1], double(b[2]) - a[2]};
  of.a = between + of.b + of.apart;
  // Differences of places: what is nothing but rounding is none.
  if (dot(of.a, of.a) < kShortArm * kShortArm * dot(between, between)) of.a = {};
  const auto spin_of = [&](int side, const auto& c) {
    if (joint.local[side] >= 0) return spin[joint.local[side]];
    return double(c[3]) * c[3] + double(c[4]) * c[4] + double(c[5]) * c[5];
  };
  of_joints.arm_a[n] = joint.local[0] >= 0 ? dot(of.a, of.a) : 0;
  of_joints.arm_b[n] = joint.local[1] >= 0 ? dot(of.b, of.b) : 0;
  of_joints.apart[n] = dot(of.apart, of.apart);
  const double speeds[3] = {double(v[0]) - w[0], double(v[1]) - w[1], double(v[2]) - w[2]};
  of_joints.between[n] = square(speeds);
  of_joints.spin_a[n] = spin_of(0, v);
  of_joints.spin_b[n] = spin_of(1, w);
  const Eight way_a = eight(all.way[joint.body[0]]), way_b = eight(all.way[joint.body[1]]);
  for (int i = joint.first; i < joint.first + joint.rows; ++i) {
    rows.start[i] = read[i].start;
    rows.on[i] = read[i].on ? 1 : 0;
    rows.value[i] = read[i].start + sum(eight(j[i].a) * way_a + eight(j[i].b) * way_b);
    rows.square[i] = std::max(square(j[i].a), square(j[i].b));
  }
}

void DirectComponent::load(const JointSet& set, const BodyRows& all, double h) {
  for (const Group& g : groups) {
    set.read_rows(g.kind, std::span(places).subspan(g.first, g.rows), &j[g.first], &read[g.first]);
    set.read_arms(g.kind, std::span(leads).subspan(g.first_joint, g.joints), &arms[g.first_joint]);
  }
  double fastest = 0, farthest = 0;
  Eight most(0.0);
  const Eight middle = eight(all.pose[bodies[0]]);
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    const BodyRow body = bodies[i];
    store_lanes<Eight>(mass[i].data(), eight(all.mass[body]));
    const Eight v = eight(all.velocity[body]), p = eight(all.pose[body]), way = p - middle;
    double squares[8], ways[8];
    store_lanes<Eight>(squares, v * v);
    store_lanes<Eight>(ways, way * way);
    spin[i] = squares[3] + squares[4] + squares[5];
    fastest = std::max(fastest, squares[0] + squares[1] + squares[2]);
    farthest = std::max(farthest, ways[0] + ways[1] + ways[2]);
    most = max(most, abs(p));
  }
  speed = std::sqrt(fastest);
  reach = std::max({lane(most, 0), lane(most, 1), lane(most, 2)});
  for (std::size_t n = 0; n < joints.size(); ++n) measure_joint(n, all);
  find_drift(h, std::sqrt(farthest));
}

double DirectComponent::largest_error() const {
  double error = 0;
  for (const double one : rows.error) error = std::max(error, std::abs(one));
  return error;
}

// K body by body: M⁻¹Jᵀ of a row, times J of those before it.
bool DirectComponent::factorise(double caution) {
  const std::span<double> k = factor.numbers();
  factored = false;
  double epsilon = kEpsilon + caution;
  for (int attempt = 0; attempt < kTries && !factored; ++attempt, epsilon *= 1000) {
    factor.clear();
    const std::size_t* at = entry.data();
    for (std::size_t body = 0; body < bodies.size(); ++body) {
      const Eight::Raw m = eight(mass[body].data()).v, none = Eight(0.0).v;
      const Eight linear = Eight::from(__builtin_shufflevector(m, none, 6, 6, 6, 8, 8, 8, 8, 8));
      const Eight x = Eight::from(__builtin_shufflevector(m, none, 8, 8, 8, 0, 1, 2, 8, 8));
      const Eight y = Eight::from(__builtin_shufflevector(m, none, 8, 8, 8, 1, 3, 4, 8, 8));
      const Eight z = Eight::from(__builtin_shufflevector(m, none, 8, 8, 8, 2, 4, 5, 8, 8));
      const auto of = [&](int n) { return part[n] % 2 == 0 ? j[part[n] / 2].a : j[part[n] / 2].b; };
      for (int n = part_begin[body]; n < part_begin[body + 1]; ++n) {
        const double* own = of(n);
        const Eight response_of =
            eight(own) * linear + x * Eight(own[3]) + (y * Eight(own[4]) + z * Eight(own[5]));
        int l = part_begin[body];
        for (; l + 3 <= n; l += 4, at += 4) {
          double four[4];
          sums_of_four(response_of * eight(of(l)), response_of * eight(of(l + 1)),
                       response_of * eight(of(l + 2)), response_of * eight(of(l + 3)), four);
          for (int i = 0; i < 4; ++i) k[at[i]] += four[i];
        }
        for (; l <= n; ++l) k[*at++] += sum(response_of * eight(of(l)));
      }
    }
    for (std::size_t i = 0; i < diagonal.size(); ++i) {
      double& d = k[diagonal[i]];
      response[i] = d;
      d = d > 0 ? d * (1 + epsilon) : 1;
    }
    factored = factor.factor();
  }
  return factored;
}

void DirectComponent::move(std::vector<Row8<Real>>& motion, double bound, double most_turn) {
  double errors = 0;
  for (std::size_t i = 0; i < impulse.size(); ++i)
    errors += std::abs(impulse[i]) * rows.inverse_length[i];
  for (auto& one : push) one = {};
  if (held.empty()) {
    factor.solve(impulse.data());
  } else {
    if (!responded) respond_held();
    factor.solve_first(impulse.data());
    push_held();
    factor.solve_second(impulse.data());
    for (const HeldContact& c : held) {
      errors += c.least < 0 ? std::abs(c.wrong) : std::max(-c.wrong, 0.0);
      for (int side = 0; side < 2; ++side)
        if (c.local[side] >= 0)
          for (int k = 0; k < 6; ++k) push[c.local[side]][k] += c.push * c.j[side][k];
    }
  }
  for (const Joint& joint : joints) {
    Eight on_a(0.0), on_b(0.0);
    for (int i = joint.first; i < joint.first + joint.rows; ++i) {
      on_a += eight(j[i].a) * Eight(impulse[i]);
      on_b += eight(j[i].b) * Eight(impulse[i]);
    }
    for (int side = 0; side < 2; ++side)
      if (joint.local[side] >= 0) {
        double* to = push[joint.local[side]].data();
        store_lanes<Eight>(to, eight(to) + (side == 0 ? on_a : on_b));
      }
  }
  double way = 0, turn = 0;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    double* d = push[i].data();
    for (int k = 0; k < 3; ++k) d[k] *= mass[i][6];
    const Vec3T<double> turned = inverse_inertia(mass[i]) * Vec3T<double>{d[3], d[4], d[5]};
    for (int k = 0; k < 3; ++k) d[3 + k] = turned[k];
    way = std::max(way, square(d));
    turn = std::max(turn, square(d + 3));
  }
  double share = 1;
  if (std::sqrt(way) > bound * errors) share = bound * errors / std::sqrt(way);
  if (std::sqrt(turn) * share > most_turn) share = most_turn / std::sqrt(turn);
  if (!(share > 0)) share = 0;  // nothing that is not a number
  for (double& one : impulse) one = share > 0 ? one * share : 0;
  move_held(motion, share);
  if (share == 0) return;
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    auto& of = motion[bodies[i]].c;
    for (int k = 0; k < 6; ++k) of[k] = Real(double(of[k]) + share * push[i][k]);
  }
}

bool DirectComponent::solve(BodyRows& all) {
  double largest = 0;
  for (const Joint& joint : joints) {
    const Eight a = eight(all.velocity[joint.body[0]]), b = eight(all.velocity[joint.body[1]]);
    for (int i = joint.first; i < joint.first + joint.rows; ++i) {
      impulse[i] = -(sum(eight(j[i].a) * a + eight(j[i].b) * b) + rows.bias[i]);
      largest = std::max(largest, std::abs(impulse[i]) * rows.inverse_length[i]);
    }
  }
  if (!held.empty()) largest = std::max(largest, velocity_of_held(all));
  if (largest <= kRoundVelocity * (1 + speed)) return false;
  move(all.velocity, kFarVelocity, std::numeric_limits<double>::infinity());
  return true;
}

bool DirectComponent::correct(BodyRows& all, double slop, double share, double most) {
  double largest = 0;
  for (const Joint& joint : joints) {
    const Eight a = eight(all.way[joint.body[0]]), b = eight(all.way[joint.body[1]]);
    for (int i = joint.first; i < joint.first + joint.rows; ++i) {
      const double error = rows.start[i] + sum(eight(j[i].a) * a + eight(j[i].b) * b);
      const double allowed = rows.drift[i];
      impulse[i] = rows.on[i] * mended * (std::clamp(error, -allowed, allowed) - error);
      largest = std::max(largest, std::abs(impulse[i]) * rows.inverse_length[i]);
    }
  }
  if (!held.empty()) largest = std::max(largest, overlap_of_held(all, slop, share, most));
  if (largest <= kRoundPlace * reach) return false;
  const double error = largest_error();
  if (!factored && !factorise(kCaution * error * error)) return false;
  move(all.way, kFarWay, kMostTurn);
  return true;
}

void DirectComponent::read_impulses(const JointSet& set) {
  for (const Group& g : groups)
    set.read_impulses(g.kind, std::span(places).subspan(g.first, g.rows), &impulse[g.first]);
}

void DirectComponent::add_impulses(JointSet& set) const {
  for (const Group& g : groups)
    set.add_impulses(g.kind, std::span(places).subspan(g.first, g.rows), &impulse[g.first]);
}

void DirectComponent::forget_impulses(JointSet& set, double share) {
  read_impulses(set);
  for (double& one : impulse) one *= -share;
  add_impulses(set);
}

void DirectComponent::retire(JointSet& set) {
  retired = true;
  for (const JointSlot slot : slots) set.note_wound_up(slot);
}

bool DirectComponent::wound_up() const {
  for (std::size_t i = 0; i < impulse.size(); ++i) {
    const double size = std::abs(impulse[i]);
    if (!(size * response[i] < kMostSpeed) && !(size < kMostOfAll * total)) return true;
  }
  return false;
}

}  // namespace sinew
