// Which joints are solved at once, and how their equations are connected.
#include <cmath>
#include <numeric>
#include <tuple>

#include "rigid/direct_component.h"
#include "rigid/direct_joints.h"

namespace sinew {
namespace {

constexpr int kLeastJoints = 6;     // of a component that is worth it
constexpr double kLeastRatio = 20;  // of its masses
constexpr int kLeastMeshed = 50;    // joints of a net or frame, whatever its masses
constexpr double kMeshed = 1.5;     // joints to a body of such a one
constexpr int kMostRows = 6000;     // of a component
constexpr double kMostWork = 3e7;   // multiplications of a factorisation, if not asked for
constexpr double kMostWorkAsked = 1e9;

// Sets of bodies that are one component.
class Sets {
 public:
  explicit Sets(std::size_t size) : parent_(size) {
    std::iota(parent_.begin(), parent_.end(), BodyRow(0));
  }
  BodyRow find(BodyRow i) {
    while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
    return i;
  }
  void join(BodyRow i, BodyRow j) {
    i = find(i), j = find(j);
    parent_[std::max(i, j)] = std::min(i, j);
  }

 private:
  std::vector<BodyRow> parent_;
};

// A component that may be chosen.
struct Candidate {
  struct JointRows {
    JointSlot slot;
    int kind;
    BodyRow a, b;
    std::vector<RowPlace> places;
  };
  std::vector<JointRows> joints;
  int rows = 0, bodies = 0;
  double total = 0;             // mass
  double light = 0, heavy = 0;  // the largest and smallest inverse masses
};

bool worth_it(const Candidate& candidate, JointSolver choice) {
  if (candidate.rows == 0 || candidate.rows > kMostRows) return false;
  if (choice == JointSolver::kDirect) return true;
  const int joints = static_cast<int>(candidate.joints.size());
  if (joints >= kLeastMeshed && joints >= kMeshed * candidate.bodies) return true;
  return joints >= kLeastJoints && candidate.light >= kLeastRatio * candidate.heavy;
}

// Joints by the bodies that can move and that they share.
std::vector<Candidate> find_candidates(const JointSet& joints, const BodyRows& bodies) {
  const auto movable = [&](BodyRow body) { return is_movable(bodies.mass[body]); };
  Sets sets(bodies.mass.size());
  std::vector<Candidate::JointRows> all;
  joints.for_each_pair([&](BodyRow a, BodyRow b, JointSlot slot) {
    Candidate::JointRows one{slot, joints.kind(slot), a, b, {}};
    joints.hard_rows(slot, one.places);
    if (one.places.empty() || !(movable(a) || movable(b))) return;
    if (movable(a) && movable(b)) sets.join(a, b);
    all.push_back(std::move(one));
  });
  std::vector<int> index(bodies.mass.size(), -1);
  std::vector<bool> counted(bodies.mass.size(), false);
  std::vector<Candidate> candidates;
  for (Candidate::JointRows& one : all) {
    int& at = index[sets.find(movable(one.a) ? one.a : one.b)];
    if (at < 0) at = static_cast<int>(candidates.size()), candidates.emplace_back();
    Candidate& c = candidates[at];
    c.rows += static_cast<int>(one.places.size());
    for (const BodyRow body : {one.a, one.b}) {
      const double inverse = bodies.mass[body].c[6];
      if (!(inverse > 0) || counted[body]) continue;
      counted[body] = true;
      c.bodies += 1;
      c.total += 1 / inverse;
      c.light = std::max(c.light, inverse);
      c.heavy = c.heavy > 0 ? std::min(c.heavy, inverse) : inverse;
    }
    c.joints.push_back(std::move(one));
  }
  return candidates;
}

// Joints of a kind together, as they lie in its packs. `local` is −1 for all bodies.
DirectComponent make_component(Candidate& candidate, const BodyRows& bodies,
                               std::vector<int>& local) {
  std::stable_sort(candidate.joints.begin(), candidate.joints.end(),
                   [](const auto& a, const auto& b) {
                     const RowPlace &p = a.places.front(), &q = b.places.front();
                     return std::tie(a.kind, p.pack, p.lane) < std::tie(b.kind, q.pack, q.lane);
                   });
  DirectComponent c;
  c.total = candidate.total;
  const auto local_of = [&](BodyRow body) {
    if (!is_movable(bodies.mass[body])) return -1;
    if (local[body] < 0) {
      local[body] = static_cast<int>(c.bodies.size());
      c.bodies.push_back(body);
    }
    return local[body];
  };
  for (const Candidate::JointRows& one : candidate.joints) {
    const int first = static_cast<int>(c.places.size()), rows = static_cast<int>(one.places.size());
    if (c.groups.empty() || c.groups.back().kind != one.kind)
      c.groups.push_back({one.kind, first, 0, static_cast<int>(c.joints.size()), 0});
    c.groups.back().rows += rows;
    c.groups.back().joints += 1;
    c.joints.push_back({first, rows, {one.a, one.b}, {local_of(one.a), local_of(one.b)}});
    c.slots.push_back(one.slot);
    c.leads.push_back(one.places.front());
    c.places.insert(c.places.end(), one.places.begin(), one.places.end());
  }
  return c;
}

}  // namespace

// Two rows are coupled where they share a body that can move.
void DirectComponent::make_pattern() {
  const int n = static_cast<int>(places.size());
  std::vector<std::vector<int>> of(bodies.size());  // 2·row + side
  for (const Joint& joint : joints)
    for (int i = joint.first; i < joint.first + joint.rows; ++i)
      for (int side = 0; side < 2; ++side)
        if (joint.local[side] >= 0) of[joint.local[side]].push_back(2 * i + side);
  part_begin.assign(1, 0);
  for (const std::vector<int>& one : of) {
    part.insert(part.end(), one.begin(), one.end());
    part_begin.push_back(static_cast<int>(part.size()));
  }
  begin.assign(1, 0);
  row.clear();
  for (const Joint& joint : joints)
    for (int i = joint.first; i < joint.first + joint.rows; ++i) {
      const std::ptrdiff_t first = static_cast<std::ptrdiff_t>(row.size());
      row.push_back(i);
      for (const int body : joint.local)
        if (body >= 0)
          for (const int other : of[body])
            if (other / 2 > i) row.push_back(other / 2);
      std::sort(row.begin() + first, row.end());
      row.erase(std::unique(row.begin() + first, row.end()), row.end());
      begin.push_back(static_cast<int>(row.size()));
    }
  j.assign(n, HardRow{});
  read.resize(n);
  const auto whole = [](std::size_t count) { return (count + 7) / 8 * 8; };
  for (auto* one : {&rows.start, &rows.value, &rows.on, &rows.square, &rows.arcs, &rows.turns,
                    &rows.size, &rows.drift, &rows.bias, &rows.error, &rows.inverse_length})
    one->assign(whole(n), 0.0);
  OfJoints& o = of_joints;
  for (auto* one :
       {&o.arm_a, &o.arm_b, &o.apart, &o.between, &o.spin_a, &o.spin_b, &o.arcs, &o.turns, &o.size})
    one->assign(whole(joints.size()), 0.0);
  response.assign(n, 0.0);
  impulse.assign(n, 0.0);
  arms.resize(joints.size());
  spin.assign(bodies.size(), 0.0);
  mass.resize(bodies.size());
  push.resize(bodies.size());
  stiffness.assign(bodies.size(), {});
  stiffness_before.assign(bodies.size(), {});
  stiffened.assign(bodies.size(), 0.0);
}

// With the factor's places.
void DirectComponent::find_parts() {
  diagonal.clear();
  entry.clear();
  for (int i = 0; i < static_cast<int>(places.size()); ++i) diagonal.push_back(factor.place(i, i));
  for (std::size_t body = 0; body < bodies.size(); ++body)
    for (int k = part_begin[body]; k < part_begin[body + 1]; ++k)
      for (int l = part_begin[body]; l <= k; ++l)
        entry.push_back(factor.place(part[k] / 2, part[l] / 2));
}

void DirectJoints::rebuild(JointSet& joints, const BodyRows& bodies, JointSolver choice) {
  std::vector<DirectComponent> old = std::move(components_);
  components_.clear();
  joints.sweep_all();
  home_.assign(bodies.mass.size(), -1);
  if (choice == JointSolver::kIterative) return;
  std::vector<int> local(bodies.mass.size(), -1);
  for (Candidate& candidate : find_candidates(joints, bodies)) {
    if (!worth_it(candidate, choice)) continue;
    DirectComponent c = make_component(candidate, bodies, local);
    c.make_pattern();
    // What has not changed keeps its factor: finding one is far more work than using it.
    const auto same = std::find_if(old.begin(), old.end(), [&](const DirectComponent& o) {
      return o.begin == c.begin && o.row == c.row;
    });
    if (same != old.end()) {
      c.factor = std::move(same->factor);
      same->begin.clear();
    } else {
      c.factor.analyse(c.begin, c.row);
      c.changed = true;
    }
    if (c.factor.work() > (choice == JointSolver::kDirect ? kMostWorkAsked : kMostWork)) continue;
    c.find_parts();
    c.doubtful = std::any_of(c.slots.begin(), c.slots.end(),
                             [&](JointSlot slot) { return joints.wound_up(slot); });
    for (const BodyRow body : c.bodies) home_[body] = static_cast<int>(components_.size());
    components_.push_back(std::move(c));
  }
}

}  // namespace sinew
