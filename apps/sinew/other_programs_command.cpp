// sinew view, sinew reproduce: commands that are programs of their own beside this one, since they
// need more than the rest. They take this one's place, so that signals and exit codes are theirs.
#include <fmt/format.h>
#include <sinew/error.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include "commands.h"
#include "program.h"

namespace sinew {
namespace {

[[noreturn]] void start(const std::string& command) {
  const std::string name = "sinew_" + command;
  const std::filesystem::path program =
      std::filesystem::read_symlink("/proc/self/exe").parent_path() / name;
  execv(program.c_str(), program_arguments());
  if (errno != ENOENT)
    throw Error(fmt::format("{}: cannot be started: {}", program.string(), std::strerror(errno)));
  throw Error(fmt::format(
      "{} is a program of its own, and not there yet; `./run {}` builds it, or in the folder of "
      "the sources: cmake --build build/release --target {}",
      name, command, name));
}

void add(CLI::App& app, const char* name, const char* description) {
  CLI::App* command = app.add_subcommand(name, description);
  command->set_help_flag();  // it has a --help of its own
  command->prefix_command();
  command->callback([command] { start(command->get_name()); });
}

}  // namespace

void add_view_command(CLI::App& app) {
  add(app, "view", "Show a scene live in the browser, or a recording");
}

void add_reproduce_command(CLI::App& app) {
  add(app, "reproduce", "Run figures and tables of the literature again");
}

}  // namespace sinew
