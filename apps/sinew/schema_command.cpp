// sinew schema: the form of scene files, for editors and for docs/.
#include <fmt/format.h>
#include <sinew/scene.h>

#include <CLI/CLI.hpp>

#include "commands.h"

namespace sinew {

void add_schema_command(CLI::App& app) {
  CLI::App* command = app.add_subcommand("schema", "Print the JSON Schema of scene files");
  auto documentation = std::make_shared<bool>(false);
  command->add_flag("--documentation", *documentation, "Print the documentation page instead");
  command->callback([documentation] {
    fmt::print("{}", *documentation ? scene_documentation() : scene_schema());
  });
}

}  // namespace sinew
