// Bodies and joints of a scene in the world that was made of it, as a view of it gets them.
#pragma once

#include <fmt/format.h>

#include <map>

#include "world_view.h"

namespace sinew::viewer {

// Handles come in the order of the scene.
inline void add_scene_bodies(const Scene& scene, const World& world, WorldView& view) {
  const std::vector<RigidId> rigids = world.rigid_bodies();
  const std::vector<SoftId> softs = world.soft_bodies();
  std::map<std::string, std::int64_t> by_name;
  std::size_t next_rigid = 0, next_soft = 0;
  for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
    const std::string pointer = fmt::format("/bodies/{}", i);
    if (std::holds_alternative<SoftBody>(scene.bodies[i])) {
      view.add(world, softs[next_soft++], pointer);
    } else {
      const RigidId id = rigids[next_rigid++];
      by_name[world.name(id)] = view.add(world, id, pointer);
    }
  }
  const auto number = [&](const std::string& name) {
    const auto it = by_name.find(name);
    return name.empty() || it == by_name.end() ? std::int64_t(-1) : it->second;
  };
  const std::vector<JointId> joints = world.joints();
  for (std::size_t i = 0; i < joints.size(); ++i) {
    const SceneJoint& joint = scene.joints[i];
    const std::string kind =
        std::visit([](const auto& one) { return std::string(one.kName); }, joint.joint);
    view.add_joint(joints[i], {kind, number(joint.a), number(joint.b)});
  }
}

}  // namespace sinew::viewer
