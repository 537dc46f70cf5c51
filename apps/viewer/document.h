// The scene that is shown, as a JSON document that can be changed while the world runs: by the same
// pointers as `--set`, checked in the same way, with the same messages. A value that never changes:
// what changes it makes another one, and only if that is a good one is it taken.
#pragma once

#include <sinew/scene.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "message.h"

namespace sinew::viewer {

class Document {
 public:
  Document() = default;
  // Reads a scene file; throws Error as load_scene does.
  Document(const std::filesystem::path& path, std::span<const std::string> overrides);

  const std::filesystem::path& path() const { return path_; }
  Scene scene() const;
  SceneBody body(std::size_t index) const;  // by itself
  Scene world() const;                      // settings and step alone

  // Throw Error when the result cannot be used.
  Document with(const std::string& pointer, const nlohmann::json& value) const;
  Document with_body(const nlohmann::json& body) const;  // after the others
  Document as_in_file() const;                           // without the bodies put after

  std::size_t body_count() const;
  // What can be changed in a body, or (without) in the world: as `fields` of the protocol.
  Json fields(std::optional<std::size_t> body) const;
  // What was changed, as `--set` has it; the last value of each place.
  const std::vector<std::string>& changes() const { return changes_; }
  std::string text() const;  // the file that would give this scene

 private:
  Scene parse(const nlohmann::json& json) const;

  std::filesystem::path path_;
  std::shared_ptr<const nlohmann::json> json_;
  std::size_t in_file_ = 0;  // bodies
  std::vector<std::string> changes_;
};

}  // namespace sinew::viewer
