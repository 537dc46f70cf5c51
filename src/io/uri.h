// What a URI in a JSON file stands for: data in the URI itself, or a file beside it.
#pragma once

#include "io/json_view.h"

namespace sinew {

// "data:…;base64,…", or the path, with %20 and the like, of a file in the folder of `file` or
// below. Throws Error at `uri` for anything else, and for a file that is not there.
std::string load_uri(const std::filesystem::path& file, const JsonView& uri);

}  // namespace sinew
