#include "rigid/direct_joints.h"

#include <cmath>
#include <numeric>

#include "core/parallel.h"

namespace sinew {
namespace {

constexpr double kMostSpeed = 1e4;  // that an impulse alone may give [m/s], [rad/s]
constexpr double kEpsilon = 1e-9;   // of the diagonal of K
constexpr int kTries = 4;           // with ε a thousand times larger each time
constexpr int kLeastJoints = 6;     // of a component that is worth it
constexpr double kLeastRatio = 20;  // of its masses
constexpr int kLeastMeshed = 50;    // joints of a net or frame, whatever its masses
constexpr double kMeshed = 1.5;     // joints to a body of such a one
constexpr int kMostRows = 6000;     // of a component
constexpr double kMostWork = 3e7;   // multiplications of a factorisation, if not asked for
constexpr double kMostWorkAsked = 1e9;
constexpr double kFarVelocity = 1e3;  // times the errors: more than any joint that can hold needs
constexpr double kFarWay = 1;
constexpr double kCaution = 25;      // ε by the squares of errors, when these are undone
constexpr double kMostError = 0.02;  // by the arms of joints: larger ones are left to sweeps
constexpr double kMostTurn = 0.25;   // of a correction [rad]

SINEW_INLINE double dot8(const double* a, const double* b) {
  double sum[4] = {a[0] * b[0], a[1] * b[1], a[2] * b[2], a[3] * b[3]};
  for (int i = 0; i < 4; ++i) sum[i] += a[4 + i] * b[4 + i];
  return (sum[0] + sum[2]) + (sum[1] + sum[3]);
}

double dot6(const double* a, const Row8<Real>& b) {
  double sum = 0;
  for (int i = 0; i < 6; ++i) sum += a[i] * double(b.c[i]);
  return sum;
}

Symmetric<double> sum(const Symmetric<double>& a, const Symmetric<double>& b, double share) {
  return {a.xx + share * b.xx, a.xy + share * b.xy, a.xz + share * b.xz,
          a.yy + share * b.yy, a.yz + share * b.yz, a.zz + share * b.zz};
}

// By cofactors; false: there is none.
bool invert(const Symmetric<double>& a, Symmetric<double>& inverse) {
  const Symmetric<double> c{a.yy * a.zz - a.yz * a.yz, a.xz * a.yz - a.xy * a.zz,
                            a.xy * a.yz - a.xz * a.yy, a.xx * a.zz - a.xz * a.xz,
                            a.xy * a.xz - a.xx * a.yz, a.xx * a.yy - a.xy * a.xy};
  const double determinant = a.xx * c.xx + a.xy * c.xy + a.xz * c.xz;
  const double trace = a.xx + a.yy + a.zz;
  if (!(determinant > 1e-18 * trace * trace * trace) || !std::isfinite(1 / determinant))
    return false;
  inverse = sum({}, c, 1 / determinant);
  return true;
}

// The inverse inertia of a body with more inertia. What cannot turn about some axes stays.
void add_inertia(Row8<Real>& mass, const Symmetric<double>& more, double share) {
  auto& m = mass.c;
  Symmetric<double> inertia, inverse;
  if (!invert({m[0], m[1], m[2], m[3], m[4], m[5]}, inertia)) return;
  if (!invert(sum(inertia, more, share), inverse)) return;
  m[0] = Real(inverse.xx), m[1] = Real(inverse.xy), m[2] = Real(inverse.xz);
  m[3] = Real(inverse.yy), m[4] = Real(inverse.yz), m[5] = Real(inverse.zz);
}

// Sets of rows that are one component.
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

}  // namespace

// A component that may be chosen.
struct DirectJoints::Candidate {
  struct JointRows {
    int kind;
    BodyRow a, b;
    std::vector<RowPlace> places;
  };
  std::vector<JointRows> joints;
  int rows = 0, bodies = 0;
  double light = 0, heavy = 0;  // the largest and smallest inverse masses
};

bool DirectJoints::worth_it(const Candidate& candidate, JointSolver choice) {
  if (candidate.rows == 0 || candidate.rows > kMostRows) return false;
  if (choice == JointSolver::kDirect) return true;
  const int joints = static_cast<int>(candidate.joints.size());
  if (joints >= kLeastMeshed && joints >= kMeshed * candidate.bodies) return true;
  return joints >= kLeastJoints && candidate.light >= kLeastRatio * candidate.heavy;
}

// Two rows are coupled where they share a body that can move.
void DirectJoints::make_pattern(Component& c) {
  const int n = static_cast<int>(c.ends.size());
  std::vector<std::vector<int>> of(c.bodies.size());
  for (int i = 0; i < n; ++i)
    for (const int body : c.ends[i].local)
      if (body >= 0) of[body].push_back(i);
  c.begin.assign(1, 0);
  c.row.clear();
  for (int i = 0; i < n; ++i) {
    const std::ptrdiff_t first = static_cast<std::ptrdiff_t>(c.row.size());
    c.row.push_back(i);
    for (const int body : c.ends[i].local)
      if (body >= 0)
        c.row.insert(c.row.end(), std::upper_bound(of[body].begin(), of[body].end(), i),
                     of[body].end());
    std::sort(c.row.begin() + first, c.row.end());
    c.row.erase(std::unique(c.row.begin() + first, c.row.end()), c.row.end());
    c.begin.push_back(static_cast<int>(c.row.size()));
  }
}

void DirectJoints::find_terms(Component& c) {
  const int n = static_cast<int>(c.ends.size());
  c.terms.clear();
  c.diagonal.clear();
  for (int i = 0; i < n; ++i) {
    c.diagonal.push_back(c.factor.place(i, i));
    for (int k = c.begin[i]; k < c.begin[i + 1]; ++k)
      for (int side = 0; side < 2; ++side)
        for (int other = 0; other < 2; ++other) {
          const int body = c.ends[i].local[side];
          if (body >= 0 && body == c.ends[c.row[k]].local[other])
            c.terms.push_back({i, side, c.row[k], other, c.factor.place(i, c.row[k])});
        }
  }
  c.read.resize(n);
  c.rows.assign(n, Row{});
  c.impulse.assign(n, 0.0);
  c.stiffness.assign(c.bodies.size(), {});
  c.change.assign(8 * c.bodies.size(), 0.0);
}

void DirectJoints::rebuild(const JointSet& joints, const BodyRows& bodies, JointSolver choice) {
  std::vector<Component> old = std::move(components_);
  components_.clear();
  if (choice == JointSolver::kIterative) return;
  const auto movable = [&](BodyRow body) { return is_movable(bodies.mass[body]); };

  Sets sets(bodies.mass.size());
  std::vector<Candidate::JointRows> all;
  joints.for_each_pair([&](BodyRow a, BodyRow b, JointSlot slot) {
    Candidate::JointRows one{joints.kind(slot), a, b, {}};
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
      if (!(inverse > 0)) continue;
      c.bodies += counted[body] ? 0 : 1;
      counted[body] = true;
      c.light = std::max(c.light, inverse);
      c.heavy = c.heavy > 0 ? std::min(c.heavy, inverse) : inverse;
    }
    c.joints.push_back(std::move(one));
  }

  std::vector<int> local(bodies.mass.size(), -1);
  for (Candidate& candidate : candidates) {
    if (!worth_it(candidate, choice)) continue;
    std::stable_sort(candidate.joints.begin(), candidate.joints.end(),
                     [](const auto& a, const auto& b) { return a.kind < b.kind; });
    Component c;
    const auto local_of = [&](BodyRow body) {
      if (!movable(body)) return -1;
      if (local[body] < 0) {
        local[body] = static_cast<int>(c.bodies.size());
        c.bodies.push_back(body);
      }
      return local[body];
    };
    for (const Candidate::JointRows& one : candidate.joints) {
      if (c.groups.empty() || c.groups.back().kind != one.kind)
        c.groups.push_back({one.kind, static_cast<int>(c.places.size()), 0});
      c.groups.back().count += static_cast<int>(one.places.size());
      const int a = local_of(one.a), b = local_of(one.b);
      for (const RowPlace& place : one.places) {
        c.places.push_back(place);
        c.ends.push_back({{one.a, one.b}, {a, b}});
      }
    }
    make_pattern(c);
    // What has not changed keeps its factor: finding one is far more work than using it.
    const auto same = std::find_if(old.begin(), old.end(), [&](const Component& o) {
      return o.begin == c.begin && o.row == c.row;
    });
    if (same != old.end()) {
      c.factor = std::move(same->factor);
      same->begin.clear();
    } else {
      c.factor.analyse(c.begin, c.row);
    }
    if (c.factor.work() > (choice == JointSolver::kDirect ? kMostWorkAsked : kMostWork)) continue;
    find_terms(c);
    components_.push_back(std::move(c));
  }
}

// Points of bodies go on arcs, of which J knows the tangents: they leave them by up to ½ω²rh² in a
// substep, rods by ½v²h²/l. Undone in the next substep by velocities, this is a force that does its
// work as it should. Undone at the end of the step by positions alone, it would push a chain that
// is taut out to the sides, where it can go, harder than it had swung.
void DirectJoints::find_drift(const HardRow& from, const Ends& ends, const BodyRows& bodies,
                              double h, Row& to) {
  double spin[2], turning = 0, arcs = 0, value = to.start;
  Vec3T<double> between{};  // velocity of a seen from b
  for (int side = 0; side < 2; ++side) {
    const auto& v = bodies.velocity[ends.body[side]].c;
    spin[side] = std::sqrt(double(v[3]) * v[3] + double(v[4]) * v[4] + double(v[5]) * v[5]);
    const double arm = ends.local[side] < 0 ? 0 : length(to.arm[side]);
    arcs += spin[side] * spin[side] * arm;
    between += Vec3T<double>{v[0], v[1], v[2]} * (side == 0 ? 1.0 : -1.0);
    turning += spin[side] * arm;
    value += dot6(to.j[side], bodies.way[ends.body[side]]);
  }
  const double apart = length(from.apart);
  const double speed = length(between) + turning;
  if (apart > 0) arcs += speed * speed / apart;
  to.drift = h * h * (arcs * to.length + spin[0] * spin[1]);
  // What is wrong by more has other reasons, and no velocity may come of it.
  const double share = to.drift > 0 ? std::clamp(2 - std::abs(value) / to.drift, 0.0, 1.0) : 0.0;
  to.bias = to.on ? share * value / h : 0;
  const double size = std::max(std::max(length(to.arm[0]) * (ends.local[0] < 0 ? 0 : 1),
                                        length(to.arm[1]) * (ends.local[1] < 0 ? 0 : 1)),
                               apart);
  to.error = !to.on ? 0 : to.length > 0 && size > 0 ? value / (to.length * size) : value;
}

void DirectJoints::read(Component& c, const JointSet& joints, const BodyRows& bodies, double h) {
  for (const Group& g : c.groups)
    joints.read_rows(g.kind, std::span(c.places).subspan(g.first, g.count), &c.read[g.first]);
  for (std::size_t i = 0; i < c.rows.size(); ++i) {
    const HardRow& from = c.read[i];
    Row& to = c.rows[i];
    to.on = from.on;
    to.start = from.start;
    const auto center = [&](int side) {
      const auto& p = bodies.pose[c.ends[i].body[side]].c;
      return Vec3T<double>{p[0], p[1], p[2]};
    };
    to.arm[1] = from.arm_b;
    to.arm[0] = center(1) - center(0) + from.arm_b + from.apart;
    double squares = 0;
    for (int side = 0; side < 2; ++side) {
      const Real* j = side == 0 ? from.a : from.b;
      for (int k = 0; k < 6; ++k) to.j[side][k] = from.on ? double(j[k]) : 0.0;
      const auto& m = bodies.mass[c.ends[i].body[side]].c;
      const Symmetric<double> inertia{m[0], m[1], m[2], m[3], m[4], m[5]};
      const double* d = to.j[side];
      const Vec3T<double> turn = inertia * Vec3T<double>{d[3], d[4], d[5]};
      for (int k = 0; k < 3; ++k) to.w[side][k] = double(m[6]) * d[k];
      for (int k = 0; k < 3; ++k) to.w[side][3 + k] = turn[k];
      squares = std::max(squares, d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
    }
    to.length = std::sqrt(squares);
    find_drift(from, c.ends[i], bodies, h, to);
  }
  double farthest = 0;
  const auto& first = bodies.pose[c.bodies[0]].c;
  for (const BodyRow body : c.bodies) {
    double squares = 0;
    for (int k = 0; k < 3; ++k) {
      const double d = double(bodies.pose[body].c[k]) - double(first[k]);
      squares += d * d;
    }
    farthest = std::max(farthest, squares);
  }
  c.size = std::sqrt(farthest);
}

void DirectJoints::factor(Component& c, Use use) {
  const std::span<double> k = c.factor.numbers();
  c.factored = false;
  if (c.retired) return;
  // Alike for all rows: those with the largest errors must not give way to the others.
  double error = 0;
  if (use == Use::kCorrect)
    for (const Row& row : c.rows) error = std::max(error, std::abs(row.error));
  double epsilon = kEpsilon + kCaution * error * error;
  c.share = std::clamp(2 - 2 * error / kMostError, 0.0, 1.0);
  for (int attempt = 0; attempt < kTries && !c.factored; ++attempt, epsilon *= 1000) {
    c.factor.clear();
    for (const Term& t : c.terms)
      k[t.place] += dot8(c.rows[t.row].j[t.side], c.rows[t.other].w[t.other_side]);
    for (std::size_t i = 0; i < c.rows.size(); ++i) {
      double& d = k[c.diagonal[i]];
      d = d > 0 ? d * (1 + epsilon) : 1;
    }
    c.factored = c.factor.factor();
  }
}

// From the impulses of rows. A force f at the arm r turns a body back by r·f (1 − r rᵀ/r²) for
// small turns, if it pulls; what pushes does not hold it.
void DirectJoints::find_stiffness(Component& c) {
  std::fill(c.stiffness.begin(), c.stiffness.end(), Symmetric<double>{});
  const auto same_joint = [&](std::size_t i, std::size_t j) {
    return c.ends[i].body[0] == c.ends[j].body[0] && c.ends[i].body[1] == c.ends[j].body[1] &&
           c.places[i].pack == c.places[j].pack && c.places[i].lane == c.places[j].lane;
  };
  for (std::size_t i = 0, end = 0; i < c.rows.size(); i = end) {
    for (end = i + 1; end < c.rows.size() && same_joint(i, end);) ++end;
    for (int side = 0; side < 2; ++side) {
      const int body = c.ends[i].local[side];
      if (body < 0) continue;
      Vec3T<double> force{};
      for (std::size_t k = i; k < end; ++k) {
        const double* j = c.rows[k].j[side];
        force += Vec3T<double>{j[0], j[1], j[2]} * c.impulse[k];
      }
      const Vec3T<double> r = c.rows[i].arm[side];
      const double pull = dot(r, force), squares = dot(r, r);
      if (!(pull > 0) || !(squares > 0)) continue;
      const Vec3T<double> u = r * (1 / squares);
      Symmetric<double>& to = c.stiffness[body];
      to.xx += pull * (1 - r.x * u.x), to.xy -= pull * r.x * u.y, to.xz -= pull * r.x * u.z;
      to.yy += pull * (1 - r.y * u.y), to.yz -= pull * r.y * u.z, to.zz += pull * (1 - r.z * u.z);
    }
  }
}

bool DirectJoints::wound_up(const Component& c) {
  double most = 0;  // velocity that an impulse alone would give
  for (std::size_t i = 0; i < c.rows.size(); ++i)
    for (int side = 0; side < 2; ++side)
      for (int k = 0; k < 6; ++k)
        most = std::max(most, std::abs(c.rows[i].w[side][k] * c.impulse[i]));
  return !(most < kMostSpeed);
}

void DirectJoints::stiffen(const JointSet& joints, BodyRows& bodies, Real h) {
  stiffened_.clear();
  if (empty() || builds_ != joints.builds()) return;
  for (Component& c : components_) {
    for (const Group& g : c.groups)
      joints.read_impulses(g.kind, std::span(c.places).subspan(g.first, g.count),
                           &c.impulse[g.first]);
    if (wound_up(c)) c.retired = true;
    if (c.retired) continue;
    find_stiffness(c);
    for (std::size_t i = 0; i < c.bodies.size(); ++i) {
      Row8<Real>& mass = bodies.mass[c.bodies[i]];
      const Symmetric<double>& k = c.stiffness[i];  // times h: of impulses
      const auto& m = mass.c;
      const Symmetric<double> inverse{m[0], m[1], m[2], m[3], m[4], m[5]};
      const double square =
          double(h) *
          (inverse.xx * k.xx + inverse.yy * k.yy + inverse.zz * k.zz +
           2 * (inverse.xy * k.xy + inverse.xz * k.xz + inverse.yz * k.yz));  // (ωh)², or more
      if (!(square > 1)) continue;
      stiffened_.push_back({c.bodies[i], mass});
      add_inertia(mass, k, double(h) * (1 - 1 / square));
    }
  }
}

void DirectJoints::relax(BodyRows& bodies) {
  for (const Stiffened& one : stiffened_) bodies.mass[one.body] = one.mass;
}

void DirectJoints::prepare(const JointSet& joints, const BodyRows& bodies, Real h, Use use,
                           JointSolver choice, Executor& executor) {
  if (builds_ != joints.builds() || choice_ != choice) {
    builds_ = joints.builds();
    choice_ = choice;
    rebuild(joints, bodies, choice);
  }
  if (empty()) return;
  parallel_for(executor, static_cast<int>(components_.size()), 1, [&](int begin, int end) {
    for (int i = begin; i < end; ++i) {
      read(components_[i], joints, bodies, h);
      factor(components_[i], use);
    }
  });
}

// From errors of rows in `impulse` to impulses, and what they do to the motion: less, if it were
// farther than `bound` times all errors.
void DirectJoints::move(Component& c, std::vector<Row8<Real>>& motion, double bound) {
  double errors = 0;
  for (std::size_t i = 0; i < c.rows.size(); ++i) {
    const double error = std::abs(c.impulse[i]);
    errors += c.rows[i].length > 0 ? error / c.rows[i].length : error * c.size;
  }
  c.factor.solve(c.impulse.data());
  std::fill(c.change.begin(), c.change.end(), 0.0);
  for (std::size_t i = 0; i < c.rows.size(); ++i)
    for (int side = 0; side < 2; ++side) {
      if (c.ends[i].local[side] < 0) continue;
      double* change = c.change.data() + 8 * std::size_t(c.ends[i].local[side]);
      for (int k = 0; k < 8; ++k) change[k] += c.rows[i].w[side][k] * c.impulse[i];
    }
  double way = 0, turn = 0;
  for (std::size_t i = 0; i < c.bodies.size(); ++i) {
    const double* d = c.change.data() + 8 * i;
    way = std::max(way, d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
    turn = std::max(turn, d[3] * d[3] + d[4] * d[4] + d[5] * d[5]);
  }
  double share = 1;
  if (std::sqrt(way) > bound * errors) share = bound * errors / std::sqrt(way);
  if (bound == kFarWay && std::sqrt(turn) * share > kMostTurn) share = kMostTurn / std::sqrt(turn);
  if (!(share > 0)) share = 0;  // nothing that is not a number
  for (double& impulse : c.impulse) impulse = share > 0 ? impulse * share : 0;
  if (share == 0) return;
  for (std::size_t i = 0; i < c.bodies.size(); ++i) {
    auto& of = motion[c.bodies[i]].c;
    for (int k = 0; k < 6; ++k) of[k] = Real(double(of[k]) + share * c.change[8 * i + k]);
  }
}

void DirectJoints::solve(JointSet& joints, BodyRows& bodies, Executor& executor) {
  if (empty()) return;
  parallel_for(executor, static_cast<int>(components_.size()), 1, [&](int begin, int end) {
    for (int n = begin; n < end; ++n) {
      Component& c = components_[n];
      if (!c.factored) continue;
      for (std::size_t i = 0; i < c.rows.size(); ++i)
        c.impulse[i] = -(dot6(c.rows[i].j[0], bodies.velocity[c.ends[i].body[0]]) +
                         dot6(c.rows[i].j[1], bodies.velocity[c.ends[i].body[1]]) + c.rows[i].bias);
      move(c, bodies.velocity, kFarVelocity);
    }
  });
  for (Component& c : components_) {
    if (!c.retired || c.cleared) continue;
    c.cleared = true;
    for (const Group& g : c.groups) {
      const auto places = std::span(c.places).subspan(g.first, g.count);
      joints.read_impulses(g.kind, places, &c.impulse[g.first]);
      for (int i = 0; i < g.count; ++i) c.impulse[g.first + i] *= -1;
      joints.add_impulses(g.kind, places, &c.impulse[g.first]);
    }
  }
  // Components share packs: one after the other.
  for (Component& c : components_)
    for (const Group& g : c.groups)
      if (c.factored)
        joints.add_impulses(g.kind, std::span(c.places).subspan(g.first, g.count),
                            &c.impulse[g.first]);
}

void DirectJoints::correct(BodyRows& bodies, Executor& executor) {
  if (empty()) return;
  parallel_for(executor, static_cast<int>(components_.size()), 1, [&](int begin, int end) {
    for (int n = begin; n < end; ++n) {
      Component& c = components_[n];
      if (!c.factored || !(c.share > 0)) continue;
      for (std::size_t i = 0; i < c.rows.size(); ++i) {
        const Row& row = c.rows[i];
        const double error = row.start + dot6(row.j[0], bodies.way[c.ends[i].body[0]]) +
                             dot6(row.j[1], bodies.way[c.ends[i].body[1]]);
        c.impulse[i] = row.on ? c.share * (std::clamp(error, -row.drift, row.drift) - error) : 0.0;
      }
      move(c, bodies.way, kFarWay);
    }
  });
}

int DirectJoints::rows() const {
  int sum = 0;
  for (const Component& c : components_) sum += static_cast<int>(c.rows.size());
  return sum;
}

}  // namespace sinew
