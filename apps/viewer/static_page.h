// A folder with the page and a recording, which any web host can serve.
#pragma once

#include <filesystem>

namespace sinew::viewer {

// Writes the page's files into a folder, made if it is not there, and returns where the recording
// belongs.
std::filesystem::path write_static_page(const std::filesystem::path& folder);

}  // namespace sinew::viewer
