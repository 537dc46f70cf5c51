// A world as the page sees it: gives its bodies numbers, knows what is drawn of them, and takes
// frames. A value: history and snapshots keep copies, so that numbers mean the same again when time
// is turned back.
#pragma once

#include <sinew/embedding.h>

#include <optional>
#include <variant>

#include "appearance/appearance.h"
#include "frame.h"
#include "vertex_stream.h"

namespace sinew::viewer {

// What frames hold beside positions.
struct Show {
  std::optional<CellField> field = {};
  bool contacts = false, joints = false, bounds = false;
  bool cage = false;  // of what has a skin: the surface that is simulated

  friend bool operator==(const Show&, const Show&) = default;
};

// The last that were given. Those of bodies and streams are given again when time is turned back
// and comes to the same, as what was asked of them then is, too; meshes are never asked for.
struct Numbers {
  std::uint32_t body = 0, stream = 0;
  std::shared_ptr<std::uint32_t> mesh = std::make_shared<std::uint32_t>(0);
};

class WorldView {
 public:
  using Id = std::variant<RigidId, SoftId>;

  WorldView() = default;
  // Starts a table for a scene, without bodies.
  WorldView(const Scene& scene, std::uint64_t epoch, const Numbers& numbers);

  // `pointer` is the place of its definition in the scene. Returns its number.
  std::uint32_t add(const World& world, Id id, std::string pointer);
  void remove(std::uint32_t number);
  void add_joint(JointId id, const JointDescription& joint);
  void set_timing(double dt, const Vec3& gravity);

  const std::shared_ptr<const SceneTable>& table() const { return table_; }
  const Numbers& numbers() const { return numbers_; }
  // Throw Error for numbers that nobody has.
  Id find(std::uint32_t number) const;
  const std::string& pointer(std::uint32_t number) const;
  bool is_solid(std::uint32_t number) const;
  // The middle of a triangle of what is drawn of a soft body, by the weights of its corners.
  Vec3 surface_point(const World& world, std::uint32_t number, std::uint32_t stream,
                     std::size_t triangle, const Vec3& weights) const;

  // Where everything is now.
  Frame take(const World& world, const Show& show);

 private:
  // A surface of a soft body and its way to the page.
  struct Surface {
    std::uint32_t number;
    bool is_cage = false;
    std::vector<Index> used = {};  // particles that are drawn; empty: what the skin says
    std::optional<SoftSkin> skin = {};
    std::vector<Triangle> triangles = {};
    VertexStream stream = {};
    std::shared_ptr<const Embedding> embedding = {};  // of the skin, for fields
    std::vector<float> field = {};
  };
  struct Entry {
    std::shared_ptr<const BodyDescription> description;
    Id id;
    std::vector<Surface> surfaces = {};
  };

  const Entry& entry(std::uint32_t number) const;
  void add_surfaces(const World& world, SoftId id, Entry& entry, BodyDescription& description);
  std::shared_ptr<const MeshDescription> mesh_of(const World& world, RigidId id);
  void drop_broken_joints(const World& world);
  void publish();
  std::span<const Vec3> positions(const World& world, SoftId id, const Surface& surface);
  void take_field(const World& world, SoftId id, CellField field, Surface& surface);
  std::optional<FieldScale> scale_field(CellField field, Frame& frame);

  Numbers numbers_;
  SceneTable scene_;
  std::shared_ptr<const SceneTable> table_;
  std::vector<Entry> entries_;
  std::vector<JointId> joints_;  // in the order of the table
  std::map<std::size_t, std::vector<std::shared_ptr<const MeshDescription>>> meshes_;  // by hash
  Colours colours_;
  double field_top_ = 0;  // the scale's end, which falls slowly
  std::vector<Vec3> scratch_;
};

// Of the mesh's vertices: the mean over the cells of each. For what is drawn.
std::vector<float> vertex_means(const BodyMesh& mesh, std::span<const Real> cells);

}  // namespace sinew::viewer
