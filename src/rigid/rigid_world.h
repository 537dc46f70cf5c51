// The data of all rigid bodies of a world: a value that can be copied, which is what a snapshot is.
// The stages of a step are free functions over it (rigid_step.h).
//
// Bodies move in a frame of their own, at the centre of mass and along the principal axes of
// inertia; everything in here is told in that frame. The first rows belong to no body: row 0 is the
// world, which joints may hold on to and which lanes without a contact read, and those after it
// take what is written for bodies that cannot move, one for every block of a parallel loop.
#pragma once

#include <sinew/rigid_body.h>
#include <sinew/rigid_settings.h>
#include <sinew/world.h>

#include <array>
#include <bit>
#include <memory>

#include "collision/convex.h"
#include "collision/dynamic_tree.h"
#include "collision/manifold.h"
#include "rigid/contact_packs.h"
#include "rigid/direct_joints.h"
#include "rigid/joint_set.h"
#include "rigid/pair_table.h"
#include "rigid/surface_shape.h"

namespace sinew {

inline constexpr BodyRow kWorldRow = 0;
inline constexpr int kScratchRows = 255;
inline constexpr BodyRow kFirstBody = 1 + kScratchRows;
inline constexpr std::uint32_t kNone = 0xffffffffu;

enum class BodyKind : std::uint8_t { kStatic, kKinematic, kDynamic };

// What is looked at in every step.
struct BodyTrack {
  double travel = 0;        // bound on how far any of its points has gone since it was added [m]
  double travel_boxed = 0;  // the same when its boxes were last made
  Real reach = 0;           // bound on how far any of its points goes in this step [m]
  Real radius = 0;          // of a ball about the centre of mass that holds it [m]
  Real inner = 0;           // of the smallest of the balls that fit into its colliders [m]
  Real still = 0;           // how long it has been at rest [s]
  Real jolt = 0;            // by what constraints changed its velocity in the last substep [m/s]
  Real recall = 1;          // share of that which contacts should remember (contact_memory.h)
  Real kept = 1;            // share of impulses to be done again (joint_memory.h)
  Real credit = 0;          // energy that errors took from it (conservation.cpp) [J]
  Vec3 followed = {};       // where its centre was when its way was last followed (stop_fast.cpp)
  BodyKind kind = BodyKind::kStatic;
  bool alive = false, asleep = false;
  bool grounded = false;             // its island holds on to what cannot move, when last looked at
  std::uint32_t zone = 0;            // of its contacts with bodies of the same
  std::uint32_t awake_at = kNone;    // place in the list of those that are awake
  std::uint64_t colours[2] = {};     // of its contacts between zones, and in its own
  std::uint32_t first_pair = kNone;  // of a list through all its pairs
};

// And what is not.
struct BodyInfo {
  RigidId id = {};
  std::string name;
  Pose frame;  // the frame of motion in the body's own frame
  Real mass = 0;
  Vec3 inertia = {}, inverse_inertia = {};  // principal moments
  Vec3 free_axes{1, 1, 1}, free_turns{1, 1, 1};
  Vec3 force = {}, torque = {};  // for the next step
  Real drag = 0, angular_drag = 0, gravity_scale = 1;
  bool can_sleep = true, bullet = false, sensor = false;
  bool round = false;   // turns alike about all axes: no gyroscopic torque
  bool lively = false;  // has touched something with which it gives back half of an impact's speed
  int group = 0;
  std::uint32_t mask = 0xffffffffu;
  std::vector<std::uint32_t> colliders;
  Row8<Real> awake_mass = {};  // its inverse mass while it sleeps
  struct Held {
    JointSlot joint;
    BodyRow other;
  };
  std::vector<Held> joints;
};

struct Collider {
  enum class Kind : std::uint8_t { kConvex, kPlane, kSurface };
  Kind kind = Kind::kConvex;
  bool alive = false;
  BodyRow body = kWorldRow;
  Pose local;  // in the body's frame of motion
  Convex convex;
  std::shared_ptr<const Hull> hull;  // what `convex` refers to
  std::shared_ptr<const SurfaceShape> surface;
  Real friction = 0, restitution = 0;
  Real margin = 0;  // skin that it meets others with; `convex` and `surface` are bare [m]
  Real size = 0;    // radius of the ball about its own middle [m]
  Real inner = 0;   // and of the one that fits into its skin [m]
  std::uint32_t leaf = kNone;
  Aabb fat = {};
  std::uint32_t shape = 0;  // which part of its body it is
};

// The size of the smaller of two, or of what touches a surface, which has none.
inline Real smaller_size(const Collider& a, const Collider& b) {
  return a.kind == Collider::Kind::kConvex ? std::min(a.size, b.size) : b.size;
}
// Solid below without end: no box holds it.
inline bool is_endless(const Collider& collider) {
  return collider.kind == Collider::Kind::kPlane ||
         (collider.kind == Collider::Kind::kSurface && is_endless(*collider.surface));
}

inline constexpr Real kLively = Real(0.5);   // restitution
inline constexpr int kSurfaceManifolds = 6;  // of a convex with a surface

// Two colliders that are near each other.
struct Pair {
  std::uint32_t collider[2] = {kNone, kNone};  // A has the smaller row, or is the surface
  BodyRow body[2] = {0, 0};
  std::uint32_t next[2] = {kNone, kNone}, previous[2] = {kNone, kNone};  // in the bodies' lists
  std::uint32_t contact[kSurfaceManifolds] = {kNone, kNone, kNone, kNone, kNone, kNone};
  int contacts = 0;
  bool alive = false, asleep = false, sensor = false, touching = false;
  bool overlapping = false;  // of a sensor
  bool fresh = false;        // has begun to touch in this step
  bool stale = false;        // manifolds have to be made anew, however little has moved
  double good_until = -1;    // travel of both up to which nothing has to be done again [m]
  Pose seen;                 // B in A when the manifold was made
};

// A manifold of a pair.
struct Contact {
  std::uint32_t pair = kNone;
  std::uint32_t zone = 0;
  int colour = -1;         // in the graph; −1: asleep, saved aside
  std::uint32_t slot = 0;  // place among those of the colour, or among the saved
  bool touching = false;
};

// A manifold with its impulses, outside the graph.
struct SavedContact {
  Manifold manifold;
  Real impulse[4] = {};
  Real slide1 = 0, slide2 = 0, twist = 0;
  bool touched = false;
};

inline constexpr int kColours = 64;  // the last takes those that fit nowhere, one to a pack

struct ContactColour {
  std::vector<ContactPack<Wide>> packs;
  std::vector<ContactGeometry<Wide>> geometry;
  int count = 0;

  static int lanes(int colour) { return colour == kColours - 1 ? 1 : kLanes; }
};

// Contacts are coloured zone by zone (zones.cpp). Zones share no body that can move, so that a
// thread sweeps one from its first colour to its last without waiting for the others. Contacts
// between zones are a zone of their own, whose turn comes before or after that of all others.
struct ContactZone {
  std::array<ContactColour, kColours> colours;
  std::uint64_t used = 0;  // bits of colours that have contacts
};
inline constexpr std::uint32_t kBetween = 0;  // the zone of contacts between zones

// f(colour's number, colour) for all that have contacts, or backwards.
template <class Zone, class F>
void for_each_colour(Zone& zone, bool backwards, F&& f) {
  for (std::uint64_t left = zone.used; left != 0;) {
    const int k = backwards ? std::bit_width(left) - 1 : std::countr_zero(left);
    left &= ~(std::uint64_t(1) << k);
    f(k, zone.colours[k]);
  }
}

// Things in slots that are used again.
template <class T>
struct Slots {
  std::vector<T> items;
  std::vector<std::uint32_t> vacant;

  std::uint32_t take() {
    if (vacant.empty()) {
      items.emplace_back();
      return static_cast<std::uint32_t>(items.size() - 1);
    }
    const std::uint32_t i = vacant.back();
    vacant.pop_back();
    return i;
  }
  void release(std::uint32_t i) {
    items[i] = T{};
    vacant.push_back(i);
  }
  T& operator[](std::uint32_t i) { return items[i]; }
  const T& operator[](std::uint32_t i) const { return items[i]; }
};

struct TouchEvent {
  enum class Kind : std::uint8_t { kBegin, kPersist, kEnd };
  Kind kind;
  RigidId body[2];
  int part[2];
  Real impulse;  // along the normal, of the whole step [N s]
};

struct RigidWorld {
  BodyRows rows;
  std::vector<Row8<Real>> held_velocity;  // before constraints acted in the last substep
  std::vector<BodyTrack> track;
  std::vector<BodyInfo> info;
  std::vector<BodyRow> awake;  // dynamic and kinematic bodies that move
  Slots<Collider> colliders;
  std::vector<std::uint32_t> planes;
  std::vector<std::uint32_t> endless;  // colliders that no box holds: planes and height fields
  DynamicTree fixed, moving;
  Slots<Pair> pairs;
  PairTable pair_table;
  PairTable unmeeting;  // pairs of bodies that joints keep from colliding; values count the joints
  Slots<Contact> contacts;
  std::vector<ContactZone> zones;
  Real between_left = 0;  // share of contacts between zones after these were last chosen anew
  int zoned_for = 0;      // steps since then
  Slots<SavedContact> saved;
  std::vector<std::uint32_t> sensor_pairs;
  std::vector<BodyRow> locked;       // cannot turn about some axes
  std::vector<BodyRow> railed;       // cannot move along some
  std::vector<BodyRow> frozen;       // would have become non-finite
  std::vector<BodyRow> just_frozen;  // those of them of the last step
  JointSet joints;
  DirectJoints direct;                       // those of them that are solved at once
  int bouncing = 0;                          // contacts in the graph with a restitution
  std::vector<std::uint32_t> new_colliders;  // that have not been paired yet
  std::vector<BodyRow> boxed;                // whose boxes were made anew in this step
  std::vector<TouchEvent> touches;           // of the last step
};

struct RigidScratch;

// --- bodies (bodies.cpp) -------------------------------------------------------------------------
struct ColliderDef {
  Shape shape;
  Pose pose;  // in the body's frame
  Real friction, restitution, margin;
};
// Makes room for a body's row.
void place_body(RigidWorld& world, BodyRow row, BodyKind kind, BodyInfo info, const Pose& pose,
                std::span<const ColliderDef> shapes);
void erase_body(RigidWorld& world, BodyRow row);
void set_body_pose(RigidWorld& world, BodyRow row, const Pose& pose);
Pose body_pose(const RigidWorld& world, BodyRow row);
Real pair_impulse(const RigidWorld& world, const Pair& pair);
BodyPose<Real> motion_pose(const RigidWorld& world, BodyRow row);
// Forgets and finds anew what a static body that was moved is near to.
void replace_static(RigidWorld& world, BodyRow row);
void update_world_inertia(RigidWorld& world, BodyRow row);
// Puts a body among those that move, or takes it out.
void wake_body(RigidWorld& world, BodyRow row);
void stop_body(RigidWorld& world, BodyRow row);
// Whether it may be elsewhere after a step: kinematic bodies without a velocity will not.
bool moves(const RigidWorld& world, BodyRow row);

// --- pairs (pairs.cpp) ---------------------------------------------------------------------------
void find_pairs(RigidWorld& world, Real dt, const Vec3& gravity);
// How far any point of a body gets in a time, as it moves now [m].
Real reach_within(const RigidWorld& world, BodyRow row, Real time);
// f(pair, the other body) for all pairs of a body.
template <class F>
void for_each_pair(const RigidWorld& world, BodyRow row, F&& f) {
  for (std::uint32_t i = world.track[row].first_pair; i != kNone;) {
    const Pair& pair = world.pairs[i];
    const int side = pair.body[0] == row ? 0 : 1;
    const std::uint32_t next = pair.next[side];
    f(i, pair.body[1 - side]);
    i = next;
  }
}
// Boxes anew what a step threw out of its box, for queries.
void hold_boxes(RigidWorld& world);
void erase_pair(RigidWorld& world, std::uint32_t pair);
TouchEvent touch_event(const RigidWorld& world, const Pair& pair, TouchEvent::Kind kind);
bool may_meet(const RigidWorld& world, BodyRow a, BodyRow b);
// With its skin.
Aabb collider_bounds(const RigidWorld& world, const Collider& collider);

// --- zones (zones.cpp) ---------------------------------------------------------------------------
std::uint32_t first_zone(BodyRow row);
// Chooses zones anew when too many contacts are between them.
void choose_zones(RigidWorld& world, RigidScratch& scratch);

// --- the graph of contacts (contact_graph.cpp) ---------------------------------------------------
void add_to_graph(RigidWorld& world, std::uint32_t contact, const SavedContact& content);
SavedContact take_from_graph(RigidWorld& world, std::uint32_t contact);
SavedContact read_contact(const RigidWorld& world, std::uint32_t contact);
void write_contact(RigidWorld& world, std::uint32_t contact, const SavedContact& content);
// Friction and restitution of a collider have changed.
void renew_surfaces(RigidWorld& world, std::uint32_t contact);
// Takes a contact out for good, or lays it aside while its bodies sleep.
void drop_contact(RigidWorld& world, std::uint32_t contact);
void lay_aside(RigidWorld& world, std::uint32_t contact);
void take_up(RigidWorld& world, std::uint32_t contact);

}  // namespace sinew
