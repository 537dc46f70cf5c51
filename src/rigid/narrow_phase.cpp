// Narrow phase: manifolds of the pairs that broad phase found. A manifold is kept while the bodies
// have hardly moved against each other; pairs that are apart are left alone until they may have
// come near. Which pairs have to be looked at is found serially, the manifolds are made in
// parallel, and they are put into the graph serially and in the order of the pairs.
#include <algorithm>
#include <cmath>

#include "core/parallel.h"
#include "math/perpendicular.h"
#include "rigid/rigid_step.h"
#include "rigid/skins.h"
#include "rigid/swept.h"

namespace sinew {
namespace {

// A manifold is kept while its bodies moved less than this against each other, or than this share
// of the smaller one.
constexpr Real kKeep = Real(1e-3);  // [m]
constexpr Real kKeepShare = Real(0.02);
// Points are kept that are farther apart than they can come in a step by this, or by this share of
// the smaller one: so the manifold has them when the bodies tilt.
constexpr Real kMargin = Real(0.02);  // [m]
constexpr Real kMarginShare = Real(0.2);

Pose relative_pose(const RigidWorld& world, BodyRow a, BodyRow b) {
  const BodyPose<Real> pa = motion_pose(world, a), pb = motion_pose(world, b);
  const Quat inverse = pa.turn.conjugate();
  return {inverse.rotate(pb.center - pa.center), normalized(inverse * pb.turn)};
}

Real smaller_size(const RigidWorld& world, const Pair& pair) {
  return smaller_size(world.colliders[pair.collider[0]], world.colliders[pair.collider[1]]);
}

// Bound on how far points of B near A moved against A.
Real moved_apart(const RigidWorld& world, const Pair& pair, const Pose& now) {
  const Quat turn = pair.seen.orientation.conjugate() * now.orientation;
  const Real sine = std::sqrt(turn.x * turn.x + turn.y * turn.y + turn.z * turn.z);
  return length(now.position - pair.seen.position) + 2 * sine * world.track[pair.body[1]].radius;
}

bool has_to_be_made(const RigidWorld& world, Pair& pair) {
  const BodyTrack &a = world.track[pair.body[0]], &b = world.track[pair.body[1]];
  const double travel = a.travel + b.travel;
  if (pair.stale) return true;
  if (pair.contacts == 0) return travel + a.reach + b.reach >= pair.good_until;
  if (travel < pair.good_until) return false;
  const Real keep = std::min(kKeep, kKeepShare * smaller_size(world, pair));
  const Real moved = moved_apart(world, pair, relative_pose(world, pair.body[0], pair.body[1]));
  if (!(moved < keep)) return true;
  pair.good_until = travel + (keep - moved);
  return false;
}

// The same within a step, of a pair with a tumbler.
bool has_moved_on(const RigidWorld& world, const Pair& pair) {
  if (pair.contacts > 0)
    return !(moved_apart(world, pair, relative_pose(world, pair.body[0], pair.body[1])) <
             kKeepShare * smaller_size(world, pair));
  double travel = 0;
  for (BodyRow row : pair.body) {
    const auto& way = world.rows.way[row].c;
    const BodyTrack& track = world.track[row];
    travel += track.travel + track.reach + length(Vec3{way[0], way[1], way[2]}) +
              length(Vec3{way[3], way[4], way[5]}) * track.radius;
  }
  return travel >= pair.good_until;
}

void to_body_frames(const Collider& a, const Collider& b, Manifold& m) {
  m.normal = a.local.orientation.rotate(m.normal);
  for (int i = 0; i < m.count; ++i) {
    m.on_a[i] = a.local.to_world(m.on_a[i]);
    m.on_b[i] = b.local.to_world(m.on_b[i]);
  }
}

// Shapes whose middles coincide may part in any direction. With one for all, spheres that were put
// into one place rose as a column. Each pair takes a horizontal one of its own, by its number, and
// sees the other shape shifted that way by next to nothing.
void part_middles(const RigidWorld& world, const Pair& pair, Real size, Vec3& gap) {
  const Real least = Real(1e-6) * size;
  if (dot(gap, gap) >= least * least) return;
  std::uint32_t h = pair.collider[0] * 0x9E3779B9u ^ pair.collider[1] * 0x85EBCA6Bu;
  h = (h ^ h >> 16) * 0x7FEB352Du;
  const Real angle = Real(h ^ h >> 15) * Real(6.2831853 / 4294967296.0);
  const Quat& local = world.colliders[pair.collider[0]].local.orientation;
  const Quat to_a = (motion_pose(world, pair.body[0]).turn * local).conjugate();
  gap = to_a.rotate({std::cos(angle), 0, std::sin(angle)}) * least;
}

void make(const RigidWorld& world, const Pair& pair, Real dt, Found& out) {
  const Collider& a = world.colliders[pair.collider[0]];
  const Collider& b = world.colliders[pair.collider[1]];
  const BodyTrack &ta = world.track[pair.body[0]], &tb = world.track[pair.body[1]];
  out.relative = relative_pose(world, pair.body[0], pair.body[1]);
  Pose b_in_a = a.local.inverse() * out.relative * b.local;
  const Real size = smaller_size(world, pair);
  if (a.kind == Collider::Kind::kConvex) part_middles(world, pair, size, b_in_a.position);
  const Real within = std::min(kMargin, kMarginShare * size) + ta.reach + tb.reach;
  // By how they move now: what only might fall in the step is no reason to look ahead.
  const Real way = reach_within(world, pair.body[0], dt) + reach_within(world, pair.body[1], dt);
  out.count = a.kind != Collider::Kind::kPlane && way > size / 2
                  ? collide_swept(world, pair, b_in_a, dt, within, out.manifold)
                  : collide_skins(a, b, b_in_a, within, out.manifold);
  out.distance = out.manifold[0].distance;
  for (int i = 0; i < out.count; ++i) to_body_frames(a, b, out.manifold[i]);
}

// Impulses of the points that were there before: the same features, or else the nearest.
SavedContact matched(const Manifold& now, const SavedContact* old, Real near) {
  SavedContact s;
  s.manifold = now;
  if (!old) return s;
  bool used[4] = {};
  for (int pass = 0; pass < 2; ++pass)
    for (int i = 0; i < now.count; ++i) {
      if (s.impulse[i] != 0) continue;
      int best = -1;
      Real best_distance = near * near;
      for (int j = 0; j < old->manifold.count; ++j) {
        if (used[j]) continue;
        const Vec3 d = now.on_a[i] - old->manifold.on_a[j];
        if (pass == 0 ? now.feature[i] == old->manifold.feature[j] : dot(d, d) < best_distance) {
          best = j;
          best_distance = dot(d, d);
        }
      }
      if (best < 0) continue;
      used[best] = true;
      s.impulse[i] = old->impulse[best];
    }
  // Friction goes on in the directions of the new plane.
  const Vec3 &n0 = old->manifold.normal, &n1 = now.normal;
  const Vec3 t0 = perpendicular(n0), t1 = perpendicular(n1);
  const Vec3 slide = t0 * old->slide1 + cross(n0, t0) * old->slide2;
  s.slide1 = dot(slide, t1);
  s.slide2 = dot(slide, cross(n1, t1));
  s.twist = old->twist;
  return s;
}

// Of the contacts there are, the one whose normal is most like that of a new manifold.
int counterpart(const SavedContact* old, const bool* used, int count, const Manifold& now) {
  int best = -1;
  Real best_cosine = Real(0.7);
  for (int i = 0; i < count; ++i) {
    const Real cosine = dot(old[i].manifold.normal, now.normal);
    if (used[i] || !(cosine > best_cosine)) continue;
    best = i;
    best_cosine = cosine;
  }
  return best;
}

// A manifold that was not found again, put where it does nothing: one point far beyond, on the line
// between the centres, so that nobody who spins, however fast, closes it with a lever.
SavedContact put_away(const Found& found, SavedContact old) {
  constexpr Real kFar = 1000;  // [m]
  Manifold& m = old.manifold;
  const Vec3& center = found.relative.position;
  if (const Real distance = length(center); distance > 0) m.normal = center / distance;
  m.count = 1;
  m.on_a[0] = {};
  m.on_b[0] = found.relative.to_local(center + m.normal * kFar);
  return old;
}

// What becomes of contacts that were not found again. Within a step, where the rest of their packs
// is in use, they stay, and do nothing.
enum class Missing { kDrop, kSpare };

void put_into_graph(RigidWorld& world, std::uint32_t index, const Found& found, Missing missing) {
  Pair& pair = world.pairs[index];
  SavedContact old[kSurfaceManifolds];
  bool used[kSurfaceManifolds] = {};
  std::uint32_t contact[kSurfaceManifolds];
  const int before = pair.contacts;
  for (int i = 0; i < before; ++i) {
    old[i] = read_contact(world, pair.contact[i]);
    contact[i] = pair.contact[i];
  }
  const Real near = Real(0.1) * smaller_size(world, pair);
  std::uint32_t fresh[kSurfaceManifolds];
  for (int i = 0; i < found.count; ++i) {
    const int same = counterpart(old, used, before, found.manifold[i]);
    fresh[i] = kNone;
    if (same < 0) continue;
    used[same] = true;
    fresh[i] = contact[same];
    write_contact(world, fresh[i], matched(found.manifold[i], &old[same], near));
  }
  pair.contacts = 0;
  for (int i = 0; i < before; ++i) {
    if (used[i]) continue;
    if (missing == Missing::kDrop) {
      drop_contact(world, contact[i]);
    } else {
      write_contact(world, contact[i], put_away(found, old[i]));
      pair.contact[pair.contacts++] = contact[i];
    }
  }
  for (int i = 0; i < found.count; ++i) {
    if (fresh[i] == kNone) {
      if (pair.contacts + found.count - i > kSurfaceManifolds) continue;
      fresh[i] = world.contacts.take();
      world.contacts[fresh[i]].pair = index;
      add_to_graph(world, fresh[i], matched(found.manifold[i], nullptr, near));
    }
    pair.contact[pair.contacts++] = fresh[i];
  }
}

bool about_to_touch(const RigidWorld& world, const Pair& pair, const Found& found) {
  const Real reach = world.track[pair.body[0]].reach + world.track[pair.body[1]].reach;
  for (int i = 0; i < found.count; ++i)
    for (int k = 0; k < found.manifold[i].count; ++k)
      if (found.manifold[i].separation[k] <= reach) return true;
  return false;
}

void take_over(RigidWorld& world, std::uint32_t index, const Found& found) {
  Pair& pair = world.pairs[index];
  const BodyTrack &a = world.track[pair.body[0]], &b = world.track[pair.body[1]];
  pair.seen = found.relative;
  pair.stale = false;
  pair.good_until = a.travel + b.travel;
  if (found.count == 0) pair.good_until += std::max(found.distance, Real(0));
  if (pair.sensor) {
    pair.overlapping = false;
    for (int i = 0; i < found.count; ++i)
      for (int k = 0; k < found.manifold[i].count; ++k)
        pair.overlapping |= found.manifold[i].separation[k] <= 0;
    if (found.count > 0) pair.good_until = -1;
    return;
  }
  if (a.asleep || b.asleep) {
    if (!about_to_touch(world, pair, found)) {
      // Not yet: nothing is put into the graph for what sleeps. If neither moves, nothing will
      // change until one does.
      pair.good_until = -1;
      pair.asleep = !moves(world, pair.body[0]) && !moves(world, pair.body[1]);
      return;
    }
    wake_island(world, a.asleep ? pair.body[0] : pair.body[1]);
  }
  put_into_graph(world, index, found, Missing::kDrop);
}

// Manifolds of the pairs in scratch.todo.
void make_all(const RigidWorld& world, RigidScratch& scratch, Executor& executor, Real dt) {
  const int count = static_cast<int>(scratch.todo.size());
  if (scratch.found.size() < scratch.todo.size()) scratch.found.resize(scratch.todo.size());
  constexpr int kPairs = 16;
  parallel_for(executor, count, kPairs, [&](int begin, int end) {
    for (int i = begin; i < end; ++i)
      make(world, world.pairs[scratch.todo[i]], dt, scratch.found[i]);
  });
}

}  // namespace

void make_manifolds(RigidWorld& world, RigidScratch& scratch, Executor& executor, Real dt) {
  scratch.todo.clear();
  for (std::uint32_t i = 0; i < world.pairs.items.size(); ++i) {
    Pair& pair = world.pairs[i];
    if (pair.alive && !pair.asleep && has_to_be_made(world, pair)) scratch.todo.push_back(i);
  }
  make_all(world, scratch, executor, dt);
  for (std::size_t i = 0; i < scratch.todo.size(); ++i)
    take_over(world, scratch.todo[i], scratch.found[i]);
}

bool remake_manifolds(RigidWorld& world, RigidScratch& scratch, Executor& executor, Real h) {
  scratch.todo.clear();
  for (BodyRow row : scratch.tumblers) {
    world.track[row].reach = reach_within(world, row, h);
    for_each_pair(world, row, [&](std::uint32_t index, BodyRow other) {
      Pair& pair = world.pairs[index];
      // Nobody is woken within a step.
      const bool sleeps = world.track[other].asleep && pair.contacts == 0;
      if (!pair.asleep && !pair.sensor && !sleeps && has_moved_on(world, pair))
        scratch.todo.push_back(index);
    });
  }
  std::sort(scratch.todo.begin(), scratch.todo.end());
  scratch.todo.erase(std::unique(scratch.todo.begin(), scratch.todo.end()), scratch.todo.end());
  make_all(world, scratch, executor, h);
  bool more = false;
  for (std::size_t i = 0; i < scratch.todo.size(); ++i) {
    const Found& found = scratch.found[i];
    Pair& pair = world.pairs[scratch.todo[i]];
    const int before = pair.contacts;
    put_into_graph(world, scratch.todo[i], found, Missing::kSpare);
    pair.seen = found.relative;
    pair.stale = true;
    more |= pair.contacts > before;
  }
  return more;
}

}  // namespace sinew
