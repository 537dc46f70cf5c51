// The commands of the `sinew` program. Each registers itself with the command line and returns,
// through its callback, only when it worked; errors are thrown and reported in one place
// (main.cpp).
#pragma once

#include <CLI/CLI.hpp>

namespace sinew {

void add_run_command(CLI::App& app);
void add_view_command(CLI::App& app);
void add_info_command(CLI::App& app);
void add_fit_command(CLI::App& app);
void add_schema_command(CLI::App& app);
void add_reproduce_command(CLI::App& app);

}  // namespace sinew
