#include "rigid/closed_islands.h"

#include <limits>

#include "rigid/islands.h"

namespace sinew {
namespace {

using Vec = Vec3T<double>;
using Sym = Sym3T<double>;

constexpr std::int64_t kEvery = 8;   // steps between looking anew at what holds on to the ground
constexpr double kMostLoss = 0.02;   // of all momenta of an island: more is no error of a step
constexpr double kMostShare = 0.02;  // of what the step took of the energy
constexpr double kMostGain = 1e-5;   // of energy, where the step took none

// A body's motion at a time, in double.
struct Moment {
  double mass;
  Vec place, velocity, spin;
  Sym inertia;
};

Moment moment_of(const BodyInfo& info, const Row8<Real>& pose, const Row8<Real>& velocity) {
  const auto &p = pose.c, &v = velocity.c;
  Moment m{.mass = info.mass,
           .place = {p[0], p[1], p[2]},
           .velocity = {v[0], v[1], v[2]},
           .spin = {v[3], v[4], v[5]},
           .inertia = {}};
  if (info.free_turns == Vec3{}) return m;  // never turns
  const Mat3T<double> r = QuatT<double>{p[4], p[5], p[6], p[7]}.matrix();
  const auto entry = [&](int i, int j) {
    double sum = 0;
    for (int k = 0; k < 3; ++k) sum += r(i, k) * info.inertia[k] * r(j, k);
    return sum;
  };
  m.inertia = {entry(0, 0), entry(0, 1), entry(0, 2), entry(1, 1), entry(1, 2), entry(2, 2)};
  return m;
}

// Sums over an island, about the origin, until they are told about its centre.
struct Whole {
  double mass = 0, energy = 0, size = 0;  // size: of all angular momenta
  Vec first = {}, linear = {}, angular = {};
  Sym inertia = {};

  void add(const Moment& m, const Vec& origin) {
    const Vec r = m.place - origin, orbit = cross(r, m.velocity) * m.mass, own = m.inertia * m.spin;
    mass += m.mass;
    first += r * m.mass;
    linear += m.velocity * m.mass;
    angular += orbit + own;
    size += length(orbit) + length(own);
    energy += (dot(m.velocity, m.velocity) * m.mass + dot(m.spin, own)) / 2;
    inertia = inertia + m.inertia + steiner(r, m.mass);
  }
  Vec center() const { return first / mass; }
  Vec about_center() const { return angular - cross(center(), linear); }
  double energy_about_center() const { return energy - dot(linear, linear) / (2 * mass); }
  Sym inertia_about_center() const { return inertia + steiner(center(), -mass); }

  static Sym steiner(const Vec& r, double m) {
    return Sym::identity() * (m * dot(r, r)) - outer(r, m);
  }
};

// Whether nothing acts on a body but gravity and what touches or holds it. Tumblers on joints are
// left as they are, too: what they lose is much, and they must not be fed.
bool left_alone(const RigidStep& s, BodyRow row) {
  const BodyInfo& info = s.world.info[row];
  if (s.scratch.tumbling[row] && !info.joints.empty()) return false;
  const bool turns = info.free_turns == Vec3{1, 1, 1} || info.free_turns == Vec3{};
  return turns && info.free_axes == Vec3{1, 1, 1} && info.drag == 0 && info.angular_drag == 0 &&
         (info.gravity_scale == 1 || s.gravity == Vec3{}) &&
         !s.scratch.pushed[s.world.track[row].awake_at];
}

// Bodies whose island is not known to hold on to the ground.
bool any_loose(const RigidWorld& world) {
  for (BodyRow row : world.awake)
    if (!world.track[row].grounded && is_held(world, row)) return true;
  return false;
}

// Joins bodies, and marks the islands that are not closed.
void find_closed(const RigidStep& s, Islands& islands, std::vector<std::uint32_t>& open) {
  const RigidWorld& world = s.world;
  open.assign(world.track.size(), 0);
  const auto join = [&](BodyRow a, BodyRow b) {
    const bool moves_a = is_movable(world, a), moves_b = is_movable(world, b);
    if (moves_a && moves_b)
      islands.join(a, b);
    else
      open[moves_a ? a : b] = 1;
  };
  // Positions may be corrected wherever there is a contact.
  for_each_bond(world, std::numeric_limits<Real>::max(), join);
  world.joints.for_each_pair([&](BodyRow a, BodyRow b, JointSlot joint) {
    join(a, b);
    if (world.joints.leans_on_world(joint)) open[a] = open[b] = 1;
  });
  for (BodyRow row : world.awake)
    if (!is_movable(world, row) || !left_alone(s, row)) open[row] = 1;
  for (BodyRow row : world.awake)
    if (open[row]) open[islands.find(row)] = 1;
}

void give_back(const RigidStep& s, std::span<const BodyRow> rows) {
  RigidWorld& world = s.world;
  Whole before, after;
  const auto& at = world.rows.pose[rows.front()].c;
  const Vec origin{at[0], at[1], at[2]};
  for (BodyRow row : rows) {
    const std::uint32_t i = world.track[row].awake_at;
    const BodyInfo& info = world.info[row];
    before.add(moment_of(info, s.scratch.start[i], s.scratch.start_velocity[i]), origin);
    after.add(moment_of(info, world.rows.pose[row], world.rows.velocity[row]), origin);
  }
  const Vec lost = before.about_center() - after.about_center();
  if (!(length(lost) <= kMostLoss * before.size)) return;
  // What lies on a line has nothing that turns about it.
  const Sym inertia = after.inertia_about_center();
  Vec turn = inverse(inertia + Sym::identity() * (1e-6 * trace(inertia))) * lost;
  // It may put back a little of the energy that the step took, and no more: about the axis of
  // something thin, a little momentum is much energy.
  const double gain = dot(turn, after.about_center()) + dot(turn, inertia * turn) / 2;
  const double was = before.energy_about_center(), is = after.energy_about_center();
  const double most = std::max(kMostShare * (was - is), kMostGain * is);
  if (gain > most) turn = turn * (most / gain);
  const Vec center = after.center() + origin;
  for (BodyRow row : rows) {
    const auto& p = world.rows.pose[row].c;
    auto& v = world.rows.velocity[row].c;
    const Vec dv = cross(turn, Vec{p[0], p[1], p[2]} - center);
    const bool turns = world.info[row].free_turns != Vec3{};
    for (int k = 0; k < 3; ++k) {
      v[k] += Real(dv[k]);
      if (turns) v[3 + k] += Real(turn[k]);
    }
  }
}

}  // namespace

void keep_angular_momentum(const RigidStep& s) {
  RigidWorld& world = s.world;
  const bool look_anew = s.number % kEvery == 0;
  if (!look_anew && !any_loose(world)) return;
  Islands islands(s.scratch.island, world.track.size());
  std::vector<std::uint32_t>& open = s.scratch.stack;
  find_closed(s, islands, open);
  std::vector<BodyRow>& loose = s.scratch.todo;
  loose.clear();
  for (BodyRow row : world.awake) {
    world.track[row].grounded = open[islands.find(row)] != 0;
    if (!world.track[row].grounded) loose.push_back(row);
  }
  // Islands one after the other, each in the order of its rows.
  std::sort(loose.begin(), loose.end(), [&](BodyRow a, BodyRow b) {
    return std::pair(islands.find(a), a) < std::pair(islands.find(b), b);
  });
  for (std::size_t begin = 0; begin < loose.size();) {
    std::size_t end = begin + 1;
    while (end < loose.size() && islands.find(loose[end]) == islands.find(loose[begin])) ++end;
    if (end - begin > 1) give_back(s, std::span(loose).subspan(begin, end - begin));
    begin = end;
  }
}

}  // namespace sinew
