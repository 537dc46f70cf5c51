#include "static_page.h"

#include <fmt/format.h>
#include <sinew/error.h>

#include "assets.h"
#include "core/atomic_file.h"

namespace sinew::viewer {

std::filesystem::path write_static_page(const std::filesystem::path& folder) {
  std::error_code failure;
  std::filesystem::create_directories(folder, failure);
  if (failure)
    throw Error(fmt::format("{}: cannot be made a folder: {}", folder.string(), failure.message()));
  for (const Asset& asset : assets())
    if (!asset.path.starts_with("gallery/")) write_file(folder / asset.path, asset.content);
  write_file(folder / "session.json", "{\"mode\": \"replay\", \"recording\": \"recording.snr\"}\n");
  return folder / "recording.snr";
}

}  // namespace sinew::viewer
