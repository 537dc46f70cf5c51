// The world under way, and what hands have done to it: everything that time turned back brings
// back. Commands that change the world come in here; the session around it keeps the past and paces
// time.
#pragma once

#include <sinew/scene.h>

#include <map>
#include <memory>
#include <vector>

#include "command.h"
#include "document.h"
#include "world_view.h"

namespace sinew::viewer {

// What a client holds in its hand.
struct Hand {
  std::uint32_t body;
  std::variant<JointId, GrabId> hold;
  Vec3 place;        // where the hand is [m]
  Vec3 offset = {};  // to there from what is pulled: a soft body is held inside [m]
};

struct Nail {
  std::uint32_t body;
  JointId joint;
};

// The parts of a stage that are copied into a snapshot beside that of the world.
struct StageState {
  Document document;
  WorldView view;
  Real dt = 0;                                       // [s]
  std::map<int, Hand> hands;                         // by client
  std::vector<Nail> nails;                           // that pin rigid bodies
  std::map<std::uint32_t, std::vector<Index>> pins;  // vertices that were pinned by hand
};

// A time to go back to.
struct Checkpoint {
  std::shared_ptr<World> world;
  Snapshot snapshot;
  StageState state;
};

class Stage {
 public:
  // Throws Error when the document cannot be made a world.
  Stage(Document document, std::uint64_t epoch, const Numbers& numbers,
        std::shared_ptr<Executor> executor);

  const World& world() const { return *world_; }
  const Document& document() const { return state_.document; }
  const WorldView& view() const { return state_.view; }
  Real dt() const { return state_.dt; }

  void step();
  Checkpoint checkpoint() const { return {world_, world_->snapshot(), state_}; }
  void restore(const Checkpoint& checkpoint);
  Frame take(const Show& show);

  // Whether a command is one that changes the world.
  static bool changes_world(const std::string& type);
  // Carries one out. Throws Error, and changes nothing, if that cannot be done.
  void apply(const Command& command);
  bool holds(int client) const { return state_.hands.contains(client); }
  std::vector<int> holders() const;  // clients
  void let_go(int client);

  // What can be dropped.
  static std::vector<std::string> drops();

 private:
  void grab(const Command& command);
  void move(const Command& command);
  void pin(const Command& command);
  void pin_rigid(std::uint32_t number, RigidId id, const Vec3& point);
  void pin_soft(std::uint32_t number, SoftId id, const Vec3& point);
  void set(const Command& command);
  void set_in_body(std::size_t index, const Document& changed, const std::string& pointer);
  void shoot(const Command& command);
  void drop(const Command& command);
  void remove(const Command& command);
  std::uint32_t add_body(const nlohmann::json& body);
  // The point of a body that a command names, as it is now [m].
  Vec3 point_of(const Command& command, std::uint32_t number, const WorldView::Id& id) const;
  Real size_of(SoftId id) const;  // [m]
  std::optional<WorldView::Id> body_at(std::size_t index) const;

  std::shared_ptr<World> world_;
  StageState state_;
};

}  // namespace sinew::viewer
