#include "stage.h"

#include <fmt/format.h>
#include <sinew/error.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "scene_bodies.h"

namespace sinew::viewer {
namespace {

constexpr double kFarthest = 1e6;  // [m]
constexpr std::int64_t kMostBodies = 1u << 31;
constexpr std::size_t kMostDropped = 2000;  // bodies that hands put into a world
constexpr Spring kHandSpring{.frequency = 4, .damping_ratio = 1};
constexpr Real kHandReach = Real(0.25);  // of a body's size: how much of it a hand holds
constexpr Real kPinReach = Real(0.05);   // and pins

using nlohmann::json;

json triple(const Vec3& v) { return json::array({v.x, v.y, v.z}); }

// What can be dropped, of a size [m].
struct Drop {
  const char* name;
  json (*make)(double size);
};

json rigid(json shape, double density = 1000) {
  return {{"type", "rigid"}, {"shape", std::move(shape)}, {"density", density}};
}
json jelly(json mesh) {
  return {{"type", "soft"},
          {"mesh", std::move(mesh)},
          {"material", {{"type", "stable_neo_hookean"}, {"young", 5e4}, {"poisson", 0.45}}},
          {"damping", 0.01}};
}

const std::array kDrops{
    Drop{"ball",
         [](double s) {
           json ball = rigid({{"type", "sphere"}, {"radius", s / 2}});
           ball["restitution"] = 0.4;
           return ball;
         }},
    Drop{"box",
         [](double s) {
           return rigid({{"type", "box"}, {"size", {s, s, s}}});
         }},
    Drop{"plank",
         [](double s) {
           return rigid({{"type", "box"}, {"size", {2 * s, s / 5, s / 2}}}, 600);
         }},
    Drop{"capsule",
         [](double s) {
           return rigid({{"type", "capsule"}, {"radius", s / 4}, {"half_height", s / 2}});
         }},
    Drop{"cylinder",
         [](double s) {
           return rigid({{"type", "cylinder"}, {"radius", s / 2}, {"half_height", s / 4}});
         }},
    Drop{"steel ball",
         [](double s) {
           return rigid({{"type", "sphere"}, {"radius", s / 2}}, 7800);
         }},
    Drop{"jelly",
         [](double s) {
           return jelly({{"type", "box"}, {"size", {s, s, s}}, {"cells", {5, 5, 5}}});
         }},
    Drop{"jelly ball",
         [](double s) {
           return jelly({{"type", "sphere"}, {"radius", s / 2}, {"cells", 7}});
         }},
};

std::string capitalised(std::string name) {
  if (!name.empty()) name[0] = static_cast<char>(std::toupper(name[0]));
  return name;
}

Real longest(const Bounds& b) {
  const Vec3 size = b.upper - b.lower;
  return std::max({size.x, size.y, size.z});
}

}  // namespace

Stage::Stage(Document document, std::uint64_t epoch, const Numbers& numbers,
             std::shared_ptr<Executor> executor) {
  const Scene scene = document.scene();
  world_ = std::make_shared<World>(make_world(scene, std::move(executor)));
  world_->enable_profile(true);
  state_.document = std::move(document);
  state_.dt = scene.dt;
  state_.view = WorldView(scene, epoch, numbers);
  add_scene_bodies(scene, *world_, state_.view);
}

void Stage::step() { world_->step(state_.dt); }

void Stage::restore(const Checkpoint& checkpoint) {
  world_ = checkpoint.world;
  world_->restore(checkpoint.snapshot);
  state_ = checkpoint.state;
}

Frame Stage::take(const Show& show) {
  Frame frame = state_.view.take(*world_, show);
  for (const auto& [client, hand] : state_.hands) {
    GrabFrame grab{
        .client = client, .body = hand.body, .point = hand.place, .place = hand.place, .force = {}};
    if (const auto* joint = std::get_if<JointId>(&hand.hold)) {
      if (!world_->contains(*joint)) continue;
      const JointState state = world_->state(*joint);
      grab.point = state.point_a;
      grab.force = -state.force;
    } else {
      const GrabState state = world_->state(std::get<GrabId>(hand.hold));
      grab.point = state.point + hand.offset;
      grab.force = state.force;
    }
    frame.grabs.push_back(grab);
  }
  std::vector<float> pins;
  const auto add = [&](const Vec3& x) {
    pins.insert(pins.end(), {float(x.x), float(x.y), float(x.z)});
  };
  for (const Nail& nail : state_.nails)
    if (world_->contains(nail.joint)) add(world_->state(nail.joint).point_b);
  for (const auto& [number, vertices] : state_.pins) {
    const auto particles = world_->particles(std::get<SoftId>(state_.view.find(number)));
    for (Index v : vertices) add(particles[v].position);
  }
  if (!pins.empty()) frame.pins = {make_block(pins), pins.size() / 3};
  return frame;
}

bool Stage::changes_world(const std::string& type) {
  static const std::set<std::string> kTypes{"grab", "move",  "release", "pin",
                                            "set",  "shoot", "drop",    "remove"};
  return kTypes.contains(type);
}

std::vector<std::string> Stage::drops() {
  std::vector<std::string> names;
  for (const Drop& one : kDrops) names.push_back(one.name);
  return names;
}

void Stage::apply(const Command& command) {
  const std::string& type = command.type();
  if (type == "grab") return grab(command);
  if (type == "move") return move(command);
  if (type == "release") return let_go(command.client());
  if (type == "pin") return pin(command);
  if (type == "set") return set(command);
  if (type == "shoot") return shoot(command);
  if (type == "drop") return drop(command);
  if (type == "remove") return remove(command);
  throw Error(fmt::format("there is no command \"{}\"", type.substr(0, 40)));
}

Vec3 Stage::point_of(const Command& command, std::uint32_t number, const WorldView::Id& id) const {
  if (const auto* rigid = std::get_if<RigidId>(&id))
    return world_->pose(*rigid).to_world(command.vector("point", kFarthest));
  return state_.view.surface_point(
      *world_, number, std::uint32_t(command.integer("stream", 0, kMostBodies)),
      std::size_t(command.integer("triangle", 0, kMostBodies)), command.vector("weights", 10));
}

Real Stage::size_of(SoftId id) const { return longest(world_->bounds(id)); }

void Stage::grab(const Command& command) {
  const auto number = std::uint32_t(command.integer("body", 1, kMostBodies));
  const WorldView::Id id = state_.view.find(number);
  const Vec3 point = point_of(command, number, id);
  Hand hand{.body = number, .hold = {}, .place = point};
  if (const auto* rigid = std::get_if<RigidId>(&id)) {
    if (!(world_->state(*rigid).mass > 0))
      throw Error("what does not move by forces cannot be grabbed");
    hand.hold = world_->add(NailJoint{.a = *rigid, .anchor = point, .spring = kHandSpring});
  } else {
    const SoftId soft = std::get<SoftId>(id);
    const GrabId grab = world_->add(Grab{
        .body = soft, .point = point, .radius = kHandReach * size_of(soft), .spring = kHandSpring});
    hand.hold = grab;
    hand.offset = point - world_->state(grab).point;
  }
  let_go(command.client());
  state_.hands[command.client()] = hand;
}

void Stage::move(const Command& command) {
  const Vec3 to = command.vector("to", kFarthest);
  const auto it = state_.hands.find(command.client());
  if (it == state_.hands.end()) return;  // what was held is gone
  Hand& hand = it->second;
  if (const auto* joint = std::get_if<JointId>(&hand.hold)) {
    if (world_->contains(*joint)) world_->move_nail(*joint, to);
  } else {
    world_->move_grab(std::get<GrabId>(hand.hold), to - hand.offset);
  }
  hand.place = to;
}

std::vector<int> Stage::holders() const {
  std::vector<int> clients;
  for (const auto& [client, hand] : state_.hands) clients.push_back(client);
  return clients;
}

void Stage::let_go(int client) {
  const auto it = state_.hands.find(client);
  if (it == state_.hands.end()) return;
  std::visit(
      [&](auto hold) {
        if (world_->contains(hold)) world_->remove(hold);
      },
      it->second.hold);
  state_.hands.erase(it);
}

void Stage::pin(const Command& command) {
  const auto number = std::uint32_t(command.integer("body", 1, kMostBodies));
  const WorldView::Id id = state_.view.find(number);
  const Vec3 point = point_of(command, number, id);
  if (const auto* rigid = std::get_if<RigidId>(&id))
    pin_rigid(number, *rigid, point);
  else
    pin_soft(number, std::get<SoftId>(id), point);
}

// A nail is pulled out where there is one, and driven in where there is none.
void Stage::pin_rigid(std::uint32_t number, RigidId id, const Vec3& point) {
  if (!(world_->state(id).mass > 0)) throw Error("it does not move by forces: it needs no pin");
  const Real reach = Real(0.15) * longest(world_->bounds(id));
  for (auto it = state_.nails.begin(); it != state_.nails.end(); ++it) {
    if (it->body != number || !world_->contains(it->joint)) continue;
    if (length(world_->state(it->joint).point_a - point) > reach) continue;
    world_->remove(it->joint);
    state_.nails.erase(it);
    return;
  }
  state_.nails.push_back({number, world_->add(NailJoint{.a = id, .anchor = point})});
}

void Stage::pin_soft(std::uint32_t number, SoftId id, const Vec3& point) {
  const auto particles = world_->particles(id);
  const Real reach = kPinReach * size_of(id);
  std::vector<Index> near;
  Index nearest = 0;
  for (Index v = 0; v < particles.size(); ++v) {
    const Real distance = length(particles[v].position - point);
    if (distance < length(particles[nearest].position - point)) nearest = v;
    if (distance <= reach) near.push_back(v);
  }
  if (near.empty()) near.push_back(nearest);
  const bool held = std::any_of(near.begin(), near.end(),
                                [&](Index v) { return particles[v].inverse_mass == 0; });
  std::vector<Index>& pins = state_.pins[number];
  for (Index v : near) {
    std::erase(pins, v);
    if (held) {
      world_->unpin(id, v);
    } else {
      world_->pin(id, v);
      pins.push_back(v);
    }
  }
}

std::optional<WorldView::Id> Stage::body_at(std::size_t index) const {
  const std::string pointer = fmt::format("/bodies/{}", index);
  for (const auto& body : state_.view.table()->bodies)
    if (body->pointer == pointer) return state_.view.find(body->id);
  return std::nullopt;
}

// Only what the page is offered can be changed: a scene can also name files.
void Stage::set(const Command& command) {
  const std::string& pointer = command.text("pointer");
  const bool in_world = pointer.starts_with("/world/");
  std::size_t index = 0;
  if (!in_world) {
    const std::string rest = pointer.starts_with("/bodies/") ? pointer.substr(8) : "";
    const std::size_t slash = rest.find('/');
    if (slash == std::string::npos || slash == 0 || slash > 9 ||
        rest.find_first_not_of("0123456789") != slash ||
        (index = std::stoul(rest)) >= state_.document.body_count())
      throw Error(fmt::format("\"{}\" cannot be changed here", pointer.substr(0, 200)));
  }
  const Json fields =
      state_.document.fields(in_world ? std::optional<std::size_t>{} : std::optional(index));
  if (std::none_of(fields.begin(), fields.end(),
                   [&](const Json& field) { return field["pointer"] == pointer; }))
    throw Error(
        fmt::format("\"{}\" cannot be changed while the world runs", pointer.substr(0, 200)));
  const Document changed = state_.document.with(pointer, command.value("value"));
  if (!in_world) return set_in_body(index, changed, pointer);
  const Scene scene = changed.world();
  world_->set_settings(scene.world);
  state_.dt = scene.dt;
  state_.view.set_timing(double(scene.dt), scene.world.gravity);
  state_.document = changed;
}

void Stage::set_in_body(std::size_t index, const Document& changed, const std::string& pointer) {
  const SceneBody before = state_.document.body(index), after = changed.body(index);
  const std::optional<WorldView::Id> id = body_at(index);
  if (!id) throw Error(fmt::format("body {} is not there any more", index));
  if (const auto* soft = std::get_if<SoftBody>(&after)) {
    world_->replace(std::get<SoftId>(*id), *soft);
  } else if (const auto* rigid = std::get_if<RigidBody>(&after)) {
    const auto& old = std::get<RigidBody>(before);
    const RigidId body = std::get<RigidId>(*id);
    if (pointer.ends_with("/friction")) world_->set_friction(body, rigid->friction);
    if (pointer.ends_with("/restitution")) world_->set_restitution(body, rigid->restitution);
    if (pointer.ends_with("/density")) {
      if (rigid->mass) throw Error("its mass is given in the scene; the density does not matter");
      world_->scale_mass(body, rigid->density / old.density);
    }
  } else {
    const auto& fixed = std::get<StaticBody>(after);
    const RigidId body = std::get<RigidId>(*id);
    if (pointer.ends_with("/friction")) world_->set_friction(body, fixed.friction);
    if (pointer.ends_with("/restitution")) world_->set_restitution(body, fixed.restitution);
  }
  state_.document = changed;
}

std::uint32_t Stage::add_body(const json& body) {
  const Document with = state_.document.with_body(body);
  const std::size_t index = with.body_count() - 1;
  if (index >= state_.document.as_in_file().body_count() + kMostDropped)
    throw Error(fmt::format("{} bodies were put in; reset to begin anew", kMostDropped));
  const std::string pointer = fmt::format("/bodies/{}", index);
  const std::uint32_t number = std::visit(
      [&](const auto& one) { return state_.view.add(*world_, world_->add(one), pointer); },
      with.body(index));
  state_.document = with;
  return number;
}

void Stage::shoot(const Command& command) {
  const Vec3 direction = command.vector("direction", kFarthest);
  const Real size = length(direction);
  if (!(size > Real(1e-6))) throw Error("shoot: \"direction\" must point somewhere");
  json ball = kDrops[0].make(2 * command.number("radius", 1e-3, 100));
  ball["name"] = "Shot";
  ball["density"] = 2000;
  ball["bullet"] = true;
  ball["velocity"] = triple(direction * Real(command.number("speed", 0, 1000) / size));
  ball["pose"] = {{"position", triple(command.vector("origin", kFarthest))}};
  add_body(ball);
}

void Stage::drop(const Command& command) {
  const std::string& what = command.text("what");
  const auto it =
      std::find_if(kDrops.begin(), kDrops.end(), [&](const Drop& one) { return what == one.name; });
  if (it == kDrops.end())
    throw Error(fmt::format("there is no \"{}\" to drop", what.substr(0, 40)));
  json body = it->make(command.number("size", 1e-3, 100));
  body["name"] = capitalised(it->name);
  body["pose"] = {{"position", triple(command.vector("at", kFarthest))}};
  add_body(body);
}

// The document keeps its definition, so that the others keep their places; a reset brings it back.
void Stage::remove(const Command& command) {
  const auto number = std::uint32_t(command.integer("body", 1, kMostBodies));
  const WorldView::Id id = state_.view.find(number);
  for (auto it = state_.hands.begin(); it != state_.hands.end();) {
    const int client = it->first;
    const bool held = it->second.body == number;
    ++it;
    if (held) let_go(client);
  }
  std::erase_if(state_.nails, [&](const Nail& nail) { return nail.body == number; });
  state_.pins.erase(number);
  std::visit([&](auto handle) { world_->remove(handle); }, id);
  state_.view.remove(number);
}

}  // namespace sinew::viewer
