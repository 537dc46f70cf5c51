// The scenes that can be opened by name.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "message.h"

namespace sinew::viewer {

class Gallery {
 public:
  Gallery() = default;
  // All scenes in a folder; a folder that is not there has none.
  explicit Gallery(std::filesystem::path folder);

  // Throws Error for a name that none of them has.
  std::filesystem::path find(const std::string& name) const;
  // As the page gets it. `has_picture` tells which scenes have one.
  template <class HasPicture>
  Json json(HasPicture&& has_picture) const {
    Json scenes = Json::array();
    for (const Item& item : items_)
      scenes.push_back(
          {{"name", item.name},
           {"title", item.title},
           {"description", item.description},
           {"picture", has_picture(item.name) ? Json("gallery/" + item.name + ".jpg") : Json()}});
    return {{"scenes", std::move(scenes)}};
  }

 private:
  struct Item {
    std::string name, title, description;
  };
  std::filesystem::path folder_;
  std::vector<Item> items_;
};

}  // namespace sinew::viewer
