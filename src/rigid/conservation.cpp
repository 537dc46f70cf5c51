#include "rigid/conservation.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "rigid/islands.h"
#include "rigid/joint_memory.h"

namespace sinew {
namespace {

using Vec = Vec3T<double>;
using Sym = Sym3T<double>;

constexpr std::int64_t kEvery = 8;    // steps between looking anew at what holds on to the ground
constexpr double kMostLoss = 0.02;    // of all momenta of an island: more is no error of a step
constexpr double kMostShare = 0.02;   // of what the step took of the energy
constexpr double kMostGain = 1e-5;    // of energy, where the step took none
constexpr double kMostCredit = 0.02;  // of energy
constexpr double kRounding = 1e-6;    // of all kinetic energy
constexpr double kMostDebt = 0.02;    // of energy, that what is driven may owe
constexpr double kLeastWithin = 0.9;  // of the motion within an island, that is left to it

// A body's motion at a time, in double.
struct Moment {
  double mass;
  Vec place, velocity, spin;
  Sym inertia;

  double energy() const { return (dot(velocity, velocity) * mass + dot(spin, inertia * spin)) / 2; }
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
    energy += m.energy();
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

// Whether nothing acts on a body but gravity and what touches or holds it.
bool left_alone(const RigidStep& s, BodyRow row) {
  const BodyInfo& info = s.world.info[row];
  const bool turns = info.free_turns == Vec3{1, 1, 1} || info.free_turns == Vec3{};
  return turns && info.free_axes == Vec3{1, 1, 1} && info.drag == 0 && info.angular_drag == 0 &&
         (info.gravity_scale == 1 || s.gravity == Vec3{}) &&
         !s.scratch.pushed[s.world.track[row].awake_at];
}

// Thin bodies that turn far in a step, on joints, lose much of their angular momentum and have
// gained energy without end; tops gain some, as joints turn them by the inertia of a substep ago.
bool spins_on_joints(const RigidStep& s, BodyRow row) {
  constexpr Real kFar = Real(0.25);  // [rad]
  const BodyInfo& info = s.world.info[row];
  if (info.joints.empty() || info.round) return false;
  const auto& v = s.world.rows.velocity[row].c;
  return s.scratch.tumbling[row] || length(Vec3{v[3], v[4], v[5]}) * s.dt > kFar;
}

bool is_unruly(const RigidStep& s, BodyRow row) {
  return s.world.info[row].lively || spins_on_joints(s, row);
}

// Bodies whose island is not known to hold on to the ground.
bool any_loose(const RigidWorld& world) {
  for (BodyRow row : world.awake)
    if (!world.track[row].grounded && is_held(world, row)) return true;
  return false;
}

// What is known of an island, by its root.
constexpr std::uint32_t kOpen = 1;     // something beyond it acts on it
constexpr std::uint32_t kDriven = 2;   // something may give it energy
constexpr std::uint32_t kUnruly = 4;   // it may gain some by itself
constexpr std::uint32_t kJointed = 8;  // it has joints

// Joins bodies, and marks islands.
void find_islands(const RigidStep& s, Islands& islands, std::vector<std::uint32_t>& marks) {
  const RigidWorld& world = s.world;
  marks.assign(world.track.size(), 0);
  const auto join = [&](BodyRow a, BodyRow b) {
    const bool moves_a = is_movable(world, a), moves_b = is_movable(world, b);
    if (moves_a && moves_b) {
      islands.join(a, b);
    } else {
      const BodyRow one = moves_a ? a : b, ground = moves_a ? b : a;
      marks[one] |= moves(world, ground) ? kOpen | kDriven : kOpen;
    }
  };
  // Positions may be corrected wherever there is a contact.
  for_each_bond(world, std::numeric_limits<Real>::max(), join);
  world.joints.for_each_pair([&](BodyRow a, BodyRow b, JointSlot joint) {
    join(a, b);
    std::uint32_t mark = world.joints.leans_on_world(joint) ? kOpen | kJointed : kJointed;
    if (world.joints.drives(joint)) mark |= kDriven;
    marks[a] |= mark, marks[b] |= mark;
  });
  for (BodyRow row : world.awake) {
    if (!is_movable(world, row)) {
      marks[row] |= kOpen | kDriven;
      continue;
    }
    if (!left_alone(s, row)) marks[row] |= kOpen;
    if (s.scratch.pushed[world.track[row].awake_at]) marks[row] |= kDriven;
    if (is_unruly(s, row)) marks[row] |= kUnruly;
  }
  for (BodyRow row : world.awake) marks[islands.find(row)] |= marks[row];
}

// An island before and after the step, seen from a place of its own.
struct Island {
  std::span<const BodyRow> rows;
  Vec origin;
  Whole before, after;
  double work = 0;                  // of gravity and of forces in the step [J]
  double driven = 0;                // work of what drives it, at most [J]
  double noise = 0;                 // energy of what gravity does in a substep [J]
  double credit = 0;                // what errors of the last steps took; below 0: gave [J]
  double spinning = 0, lively = 0;  // what bodies gained beyond the work done on them [J]
  double gained = 0;                // those that gained, all in all [J]
};

// Of motors, springs and what is moved: told in joint_memory.h, of all the island by its first row.
// A torque turns a body by no more than its faster spin.
double driven_work(const RigidStep& s, BodyRow row, const Moment& before, const Moment& after) {
  double work = s.world.joints.size() > 0 ? s.scratch.sums[row].work : 0;
  const std::uint32_t i = s.world.track[row].awake_at;
  if (!s.scratch.pushed[i]) return work;
  const auto& a = s.scratch.drive[i].c;
  const Vec torque = before.inertia * Vec{a[3], a[4], a[5]};
  return work + length(torque) * std::max(length(before.spin), length(after.spin)) * s.dt;
}

Island look_at(const RigidStep& s, std::span<const BodyRow> rows) {
  const RigidWorld& world = s.world;
  const double h = double(s.dt) / s.settings.substeps;
  const auto& at = world.rows.pose[rows.front()].c;
  Island island{.rows = rows, .origin = {at[0], at[1], at[2]}, .before = {}, .after = {}};
  s.scratch.totals.clear();
  s.scratch.changes.clear();
  for (BodyRow row : rows) {
    const std::uint32_t i = world.track[row].awake_at;
    const BodyInfo& info = world.info[row];
    const Moment before = moment_of(info, s.scratch.start[i], s.scratch.start_velocity[i]);
    const Moment after = moment_of(info, world.rows.pose[row], world.rows.velocity[row]);
    island.before.add(before, island.origin);
    island.after.add(after, island.origin);
    // What falls freely in substeps of h, v' = v + a h and x' = x + v' h, keeps
    // v²/2 − a·x + h a·v/2, not its energy; what bounces would lose the difference. Corrections of
    // positions are no motion, and nothing has to pay for being lifted out of something; but those
    // of joints feed what spins on them.
    const auto &a = s.scratch.drive[i].c, &way_of = s.scratch.free_spin[i].c;
    const Vec corrected = spins_on_joints(s, row) ? Vec{} : Vec{way_of[2], way_of[3], way_of[4]};
    const Vec way =
        after.place - before.place - corrected - (after.velocity - before.velocity) * (h / 2);
    island.credit += world.track[row].credit;
    island.noise += info.mass * dot(Vec{a[0], a[1], a[2]}, Vec{a[0], a[1], a[2]}) * (h * h / 2);
    island.driven += driven_work(s, row, before, after);
    const double work = info.mass * dot(Vec{a[0], a[1], a[2]}, way);
    island.work += work;
    const double gain = after.energy() - before.energy() - work;
    const bool spins = spins_on_joints(s, row);
    if (spins) island.spinning += gain;
    // Told as a share of what it has.
    s.scratch.changes.push_back(gain > 0 ? Real(gain / after.energy()) : 0);
    island.gained += std::max(gain, 0.0);
    s.scratch.totals.push_back(!spins && info.lively && gain > 0 ? Real(gain / after.energy()) : 0);
    if (s.scratch.totals.back() > 0) island.lively += gain;
  }
  return island;
}

// Errors swing about nothing: what one step takes, another may give again. What an island was
// allowed to have and has not stays to the credit of its bodies. That is little, as impacts and
// friction take energy for good.
void keep_credit(RigidWorld& world, const Island& island, double unused) {
  const double most = kMostCredit * island.before.energy;
  const Real each = Real(std::clamp(unused, 0.0, most) / double(island.rows.size()));
  for (BodyRow row : island.rows) world.track[row].credit = each;
}

void set_credit(RigidWorld& world, const Island& island, double credit) {
  const Real each = Real(credit / double(island.rows.size()));
  for (BodyRow row : island.rows) world.track[row].credit = each;
}

void scale_motion(RigidWorld& world, BodyRow row, double energy_left) {
  const Real share = Real(std::sqrt(std::max(energy_left, 0.0)));
  for (int k = 0; k < 6; ++k) world.rows.velocity[row].c[k] *= share;
}

// What to scale a motion by that has the energy `of`, for no more than `energy` to be left. Either
// may be nothing, and less than nothing by rounding.
double root_of_share(double energy, double of) {
  if (!(energy > 0)) return 0;
  return energy < of ? std::sqrt(energy / of) : 1;
}

// Velocities become share times what they are, about the motion of the whole as a rigid body with
// angular velocity `whole`, which is replaced by `turn`.
void set_motion(RigidWorld& world, const Island& island, double share, const Vec& whole,
                const Vec& turn) {
  const Vec center = island.after.center() + island.origin,
            drift = island.after.linear / island.after.mass, other = turn - whole * share;
  for (BodyRow row : island.rows) {
    const auto& p = world.rows.pose[row].c;
    auto& v = world.rows.velocity[row].c;
    const Vec rigid = drift * (1 - share) + cross(other, Vec{p[0], p[1], p[2]} - center);
    const bool turns = world.info[row].free_turns != Vec3{};
    for (int k = 0; k < 3; ++k) {
      v[k] = Real(share * v[k] + rigid[k]);
      if (turns) v[3 + k] = Real(share * v[3 + k] + other[k]);
    }
  }
}

// What lies on a line has nothing that turns about it.
Vec turn_of(const Sym& inertia, const Vec& momentum) {
  return inverse(inertia + Sym::identity() * (1e-6 * trace(inertia))) * momentum;
}

// A closed island that does no more than lose some of its angular momentum.
void give_back(RigidWorld& world, const Island& island) {
  const Whole &before = island.before, &after = island.after;
  const Vec lost = before.about_center() - after.about_center();
  if (!(length(lost) <= kMostLoss * before.size)) return;
  const Sym inertia = after.inertia_about_center();
  Vec turn = turn_of(inertia, lost);
  // It may put back a little of the energy that the step took, and no more: about the axis of
  // something thin, a little momentum is much energy.
  const double gain = dot(turn, after.about_center()) + dot(turn, inertia * turn) / 2;
  const double was = before.energy_about_center(), is = after.energy_about_center();
  const double most = std::max({kMostShare * (was - is), kMostGain * is, 0.0});
  if (gain > most) turn = turn * (most / gain);
  set_motion(world, island, 1, {}, turn);
}

// A closed island that might gain energy: it is turned as a whole with the angular momentum that it
// had, if what it does within can pay for that, and its energy is no more than it was.
void keep_both(RigidWorld& world, const Island& island) {
  const double is = island.after.energy_about_center();
  if (!(is > kRounding * island.after.energy)) return;  // moves as one
  const Sym inertia = island.after.inertia_about_center();
  const double most = std::max(island.before.energy_about_center() + island.credit, 0.0);
  const Vec whole = turn_of(inertia, island.after.about_center());
  const Vec wanted = turn_of(inertia, island.before.about_center());
  const auto rigid_energy = [&](const Vec& turn) { return dot(turn, inertia * turn) / 2; };
  // What share of the motion within leaves no more energy than `most`; below 0: none.
  const double within = is - rigid_energy(whole);
  const auto share_for = [&](const Vec& turn) {
    const double left = most - rigid_energy(turn);
    if (!(left >= 0)) return -1.0;
    return left < within ? std::sqrt(left / within) : 1.0;
  };
  Vec turn = wanted;
  double share = share_for(wanted);
  if (share <= kLeastWithin) turn = whole, share = share_for(whole);
  if (share < 0) turn = whole * std::sqrt(most / rigid_energy(whole)), share = 0;
  set_motion(world, island, share, whole, turn);
  keep_credit(world, island, most - rigid_energy(turn) - share * share * within);
}

// One on the ground. Those that are unruly answer for what they have gained, and for no more:
// crates that settle beside a ball would stop it. What spins on joints answers with all that hangs
// on them, what bounces by itself.
void keep_energy(const RigidStep& s, std::span<const BodyRow> rows) {
  RigidWorld& world = s.world;
  const Island island = look_at(s, rows);
  const std::vector<Real>& gains = s.scratch.totals;
  const double most = std::max(island.before.energy + island.work + island.credit, 0.0);
  const double is = island.after.energy, excess = is - most;
  keep_credit(world, island, -excess);
  if (!(excess > 0)) return;
  const double of_all = std::clamp(island.spinning, 0.0, excess);
  if (of_all > 0)
    for (BodyRow row : island.rows) scale_motion(world, row, 1 - of_all / is);
  if (!(island.lively > 0)) return;
  const double of_each = std::min((excess - of_all) / island.lively, 1.0);
  for (std::size_t i = 0; i < island.rows.size(); ++i)
    if (gains[i] > 0) scale_motion(world, island.rows[i], 1 - of_each * gains[i]);
}

// The last line, for all that hangs on joints, driven or not: few sweeps over equations that
// contradict each other do not end, and what is left of them may be any velocity. An island has no
// more energy than it had, and what gravity, forces, motors, springs and bodies that are moved can
// have given to it. What it has beyond that it owes, up to a small share; more is taken from those
// bodies that gained, or, of a closed island, from the motion within.
void keep_bounded(const RigidStep& s, std::span<const BodyRow> rows, bool closed, bool strict) {
  RigidWorld& world = s.world;
  const Island island = look_at(s, rows);
  const Whole &before = island.before, &after = island.after;
  const double is = closed ? after.energy_about_center() : after.energy;
  const double was = closed ? before.energy_about_center() : before.energy + island.work;
  const double debt = kMostDebt * std::max(was, 0.0) + island.noise;
  // Those that are looked at more strictly have used their credit already.
  const double credit = strict ? kMostCredit * std::max(was, 0.0) : island.credit;
  const double most = std::max(was + island.driven, 0.0) + credit;
  const double excess = is - most - debt;
  if (!strict) set_credit(world, island, std::clamp(most - is, -debt, kMostCredit * before.energy));
  if (!(excess > 0)) return;
  if (closed) {
    const Vec turn = turn_of(after.inertia_about_center(), after.about_center());
    const double whole = dot(turn, after.inertia_about_center() * turn) / 2, within = is - whole;
    const double allowed = std::max(most + debt, 0.0);
    set_motion(world, island, root_of_share(allowed - whole, within), turn,
               turn * root_of_share(allowed, whole));
    return;
  }
  const double of_each = std::min(excess / island.gained, 1.0);
  for (std::size_t i = 0; i < rows.size(); ++i)
    scale_motion(world, rows[i], 1 - of_each * s.scratch.changes[i]);
}

}  // namespace

void keep_conserved(const RigidStep& s) {
  RigidWorld& world = s.world;
  const bool look_anew = s.number % kEvery == 0;
  const bool any_jointed = world.joints.size() > 0 &&
                           std::any_of(world.awake.begin(), world.awake.end(), [&](BodyRow row) {
                             return !world.info[row].joints.empty();
                           });
  if (!look_anew && !any_jointed && world.bouncing == 0 && !any_loose(world)) return;
  if (any_jointed) add_pushes(s);
  Islands islands(s.scratch.island, world.track.size());
  std::vector<std::uint32_t>& marks = s.scratch.stack;
  find_islands(s, islands, marks);
  const auto mark_of = [&](BodyRow row) { return marks[islands.find(row)]; };
  std::vector<BodyRow>& members = s.scratch.todo;
  members.clear();
  for (BodyRow row : world.awake) {
    const std::uint32_t mark = mark_of(row);
    world.track[row].grounded = (mark & kOpen) != 0;
    if (!(mark & kOpen) || (mark & kJointed) || (mark & (kUnruly | kDriven)) == kUnruly)
      members.push_back(row);
  }
  // Islands one after the other, each in the order of its rows.
  std::sort(members.begin(), members.end(), [&](BodyRow a, BodyRow b) {
    return std::pair(islands.find(a), a) < std::pair(islands.find(b), b);
  });
  for (std::size_t begin = 0; begin < members.size();) {
    std::size_t end = begin + 1;
    while (end < members.size() && islands.find(members[end]) == islands.find(members[begin]))
      ++end;
    const std::span<const BodyRow> rows = std::span(members).subspan(begin, end - begin);
    begin = end;
    const std::uint32_t mark = mark_of(rows.front());
    const bool closed = !(mark & kOpen), strict = (mark & (kUnruly | kDriven)) == kUnruly;
    if (!closed && strict)
      keep_energy(s, rows);
    else if (closed && strict && rows.size() > 1)
      keep_both(world, look_at(s, rows));
    else if (closed && rows.size() > 1)
      give_back(world, look_at(s, rows));
    if (mark & kJointed) keep_bounded(s, rows, closed, strict);
  }
}

}  // namespace sinew
