#pragma once

namespace CLI {
class App;
}

namespace sinew {

void add_reproduce_command(CLI::App& app);

}  // namespace sinew
