#include "gallery.h"

#include <fmt/format.h>
#include <sinew/error.h>

#include <algorithm>

#include "core/atomic_file.h"
#include "io/scene_json.h"

namespace sinew::viewer {

Gallery::Gallery(std::filesystem::path folder) : folder_(std::move(folder)) {
  std::error_code failure;
  for (const auto& file : std::filesystem::directory_iterator(folder_, failure)) {
    if (file.path().extension() != ".json" || !file.is_regular_file(failure)) continue;
    Item item{.name = file.path().stem().string(), .title = {}, .description = {}};
    try {  // what is broken is listed, too: whoever opens it is told what is wrong
      const nlohmann::json scene = parse_json(read_file(file.path()), file.path().string());
      item.title = scene.value("name", "");
      item.description = scene.value("description", "");
    } catch (const std::exception&) {
      item.description = "cannot be read";
    }
    if (item.title.empty()) item.title = item.name;
    items_.push_back(std::move(item));
  }
  std::sort(items_.begin(), items_.end(),
            [](const Item& a, const Item& b) { return a.name < b.name; });
}

std::filesystem::path Gallery::find(const std::string& name) const {
  std::vector<std::string> known;
  for (const Item& item : items_) {
    if (item.name == name) return folder_ / (name + ".json");
    known.push_back(item.name);
  }
  throw Error(fmt::format("there is no scene \"{}\" in {}; {}", one_line(name.substr(0, 80)),
                          folder_.string(), suggestion(name, known)));
}

}  // namespace sinew::viewer
