// The commands of the `sinew` program.
#pragma once

namespace CLI {
class App;
}

namespace sinew {

void add_run_command(CLI::App& app);
void add_info_command(CLI::App& app);
void add_fit_command(CLI::App& app);
void add_settle_command(CLI::App& app);
void add_schema_command(CLI::App& app);
// These start programs of their own.
void add_view_command(CLI::App& app);
void add_reproduce_command(CLI::App& app);

}  // namespace sinew
