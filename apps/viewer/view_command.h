#pragma once

namespace CLI {
class App;
}

namespace sinew {

void add_view_command(CLI::App& app);

}  // namespace sinew
