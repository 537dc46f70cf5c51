// Files that are part of the program: the page, and pictures of the gallery.
#pragma once

#include <optional>
#include <span>
#include <string_view>

namespace sinew::viewer {

struct Asset {
  std::string_view path;  // as it is asked for: "index.html", "gallery/hello.jpg"
  std::string_view content;
};

std::span<const Asset> assets();
std::optional<Asset> find_asset(std::string_view path);

}  // namespace sinew::viewer
