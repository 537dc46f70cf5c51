// What tests of the viewer share: scenes in a folder of their own, and commands as the page gives
// them.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "session.h"

namespace sinew::viewer {

inline constexpr const char* kJellyAndCrate = R"({
  "name": "Jelly and crate",
  "world": { "dt": 0.01 },
  "bodies": [
    { "type": "static", "name": "floor", "shape": { "type": "plane" } },
    { "type": "rigid", "name": "crate", "shape": { "type": "box", "size": [0.4, 0.4, 0.4] },
      "pose": { "position": [2, 0.2, 0] } },
    { "type": "soft", "name": "jelly", "mesh": { "type": "box", "size": [0.5, 0.5, 0.5], "cells": [4, 4, 4] },
      "material": { "type": "stable_neo_hookean", "young": 3e4, "poisson": 0.4 },
      "pose": { "position": [0, 0.4, 0] } }
  ]
})";

// A folder with a scene in it, which goes when the test is over.
class SceneFolder {
 public:
  explicit SceneFolder(const std::string& scene = kJellyAndCrate) {
    std::string name = (std::filesystem::temp_directory_path() / "sinew_viewer_XXXXXX").string();
    path_ = mkdtemp(name.data());
    write("scene", scene);
  }
  ~SceneFolder() { std::filesystem::remove_all(path_); }
  SceneFolder(const SceneFolder&) = delete;
  SceneFolder& operator=(const SceneFolder&) = delete;

  void write(const std::string& name, const std::string& text) const {
    std::ofstream(path_ / (name + ".json")) << text;
  }
  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path scene() const { return path_ / "scene.json"; }

 private:
  std::filesystem::path path_;
};

// A session with one client that listens.
class SessionTest : public testing::Test {
 protected:
  SessionTest() : session(Gallery(folder.path()), 1) {
    session.open(folder.scene());
    session.join(1);
    hear();
  }

  void say(const std::string& command, int client = 1) {
    session.handle(Command(client, command));
    hear();
  }
  void run(int steps) {
    for (int i = 0; i < steps; ++i) session.step();
    hear();
  }
  void hear() {
    if (auto fresh = session.take_frame()) frame = fresh;
    for (const Note& note : session.take_notes()) {
      const Json message = Json::parse(note.text);
      if (message["type"] == "error") errors.push_back(message["message"].get<std::string>());
      if (message["type"] == "notice") notices.push_back(message["message"].get<std::string>());
      if (message["type"] == "status") status = message;
      if (message["type"] == "fields" && message["body"].is_null())
        world_fields = message["fields"];
      if (message["type"] == "fields" && !message["body"].is_null())
        body_fields = message["fields"];
    }
  }
  std::uint32_t number(const std::string& name) const {
    for (const auto& body : frame->scene->bodies)
      if (body->name == name) return body->id;
    ADD_FAILURE() << "no body named " << name;
    return 0;
  }
  const RigidRecord& rigid(const std::string& name) const {
    for (const RigidRecord& record : frame->rigid)
      if (record.id == number(name)) return record;
    throw std::runtime_error("no rigid body named " + name);
  }
  // The middle of what is drawn of a soft body.
  Vec3T<double> middle(std::size_t stream = 0) const {
    const StreamFrame& s = frame->streams.at(stream);
    const auto* numbers = reinterpret_cast<const std::uint16_t*>(s.vertices->data());
    Vec3T<double> sum{};
    for (std::size_t i = 0; i < s.count; ++i)
      for (int k = 0; k < 3; ++k) sum[k] += s.origin[k] + s.cell * numbers[3 * i + k];
    return sum * (1.0 / double(s.count));
  }
  std::string hash() { return Json::parse(session.metrics_json())["state_hash"]; }

  SceneFolder folder;
  Session session;
  std::shared_ptr<const Frame> frame;
  std::vector<std::string> errors, notices;
  Json status, world_fields, body_fields;
};

}  // namespace sinew::viewer
