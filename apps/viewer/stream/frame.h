// What the page is told: which bodies there are (SceneTable) and where they are (Frame). Both are
// values that never change once they are made, so that they can be sent, kept and recorded at the
// same time. What a client knows already (Known) is not said again.
#pragma once

#include <sinew/scene.h>

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <unordered_map>

#include "message.h"

namespace sinew::viewer {

struct MeshDescription {
  std::uint32_t id;
  Block positions, triangles;  // f32 × 3, u32 × 3
  std::size_t vertex_count, triangle_count;
};

struct SurfaceDescription {
  std::uint32_t stream;
  std::size_t vertices;
  Block triangles = {}, edges = {}, groups = {};  // u32 × 3, u32 × 2, u8 per triangle
  std::size_t triangle_count = 0, edge_count = 0;
};

enum class BodyKind { kStatic, kKinematic, kRigid, kSoft };

struct BodyDescription {
  std::uint32_t id;
  BodyKind kind;
  std::string name, pointer;
  Vec3 colour;                                       // sRGB
  Real mass = 0;                                     // [kg]
  Pose pose = {};                                    // at the start
  std::shared_ptr<const MeshDescription> mesh = {};  // of a rigid body; none: a plane
  const char* shape = "";                            // of a soft one: solid, sheet, line
  std::optional<SurfaceDescription> surface = {}, cage = {};
};

struct JointDescription {
  std::string kind;
  std::int64_t a, b;  // bodies; -1: the world
};

struct SceneTable {
  std::uint64_t epoch = 0;  // another one: another scene
  std::string name = {}, title = {}, description = {};
  double dt = 0;  // [s]
  Vec3 gravity = {};
  std::optional<Camera> camera = {};
  std::vector<std::shared_ptr<const BodyDescription>> bodies = {};
  std::vector<JointDescription> joints = {};
};

// As it is sent.
struct RigidRecord {
  std::uint32_t id, flags;  // flags: 1: asleep
  float position[3];
  std::int16_t orientation[4];

  friend bool operator==(const RigidRecord&, const RigidRecord&) = default;
};
static_assert(sizeof(RigidRecord) == 28);

struct StreamFrame {
  std::uint32_t stream;
  Vec3T<double> origin;  // [m]
  double cell;           // [m]
  Block vertices;
  std::size_t count;
  Block field = {};  // u8 per vertex; null: none
};

struct FieldScale {
  const char *name, *unit;
  double min, max;
};

struct GrabFrame {
  int client;
  std::uint32_t body;
  Vec3 point, place, force;  // [m], [m], [N]
};

// Points and lines that are drawn over the bodies: f32, so many to an entry.
struct OverlayFrame {
  Block block = {};
  std::size_t count = 0;
};

struct Frame {
  std::shared_ptr<const SceneTable> scene = {};
  std::int64_t step = 0;
  double time = 0;                      // [s]
  std::vector<RigidRecord> rigid = {};  // of all that may move
  std::vector<StreamFrame> streams = {};
  std::optional<FieldScale> field = {};
  std::optional<OverlayFrame> contacts = {}, joints = {}, bounds = {}, pins = {};
  std::vector<GrabFrame> grabs = {};
  std::shared_ptr<const Json> stats = {};
};

// What has been told to somebody.
struct Known {
  std::shared_ptr<const SceneTable> scene = {};
  std::map<std::uint32_t, std::shared_ptr<const BodyDescription>> bodies = {};
  std::set<std::uint32_t> meshes = {};
  std::unordered_map<std::uint32_t, RigidRecord> rigid = {};
  std::unordered_map<std::uint32_t, Block> vertices = {}, fields = {};
  std::shared_ptr<const Json> stats = {};
};

// SCEN: what has changed in the table since; nothing if that is nothing.
std::optional<Message> scene_message(const std::shared_ptr<const SceneTable>& scene, Known& known);
// FRAM: what has changed in the frame since.
Message frame_message(const Frame& frame, Known& known, std::uint64_t number,
                      std::optional<double> echo = {});

}  // namespace sinew::viewer
