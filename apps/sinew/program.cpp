#include "program.h"

#include <sinew/config.h>
#include <sinew/error.h>

#include <CLI/CLI.hpp>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <iostream>
#include <new>
#include <string>
#include <vector>

#include "interrupt.h"
#include "io/scene_json.h"

namespace sinew {
namespace {

char** arguments = nullptr;

constexpr const char* kHint = "Try: sinew --help\n";

constexpr const char* kExamples = R"(Examples:
  sinew run scenes/hello.json                             simulate and print what came of it
  sinew run scenes/hello.json --record hello.glb          … and record it for Blender or a web page
  sinew run scenes/hello.json --record hello.pvd          … or for ParaView
  sinew run scenes/hello.json --picture hello.png         … and draw the last frame
  sinew run scenes/hello.json --set /bodies/1/material/young=2e5 --metrics stiff.json
  sinew view scenes/hello.json --open                     watch it in the browser, and grab it
  sinew info bunny.mesh scenes/hello.json                 what is in a file, and what had to be mended
  sinew reproduce rotation-sweep --out results            a figure of the literature, run again
  sinew settle scenes/hanging_bar.json -o sagging.json    the same scene, at rest from the start
  sinew fit --young 1e5 --poisson 0.3                     stiffnesses for plain position-based dynamics
)";

// `message` on one line, whatever the names of files in it contain.
int fail(int exit_code, std::string_view message, const char* hint = "") {
  std::fprintf(stderr, "sinew: %s\n%s", one_line(message).c_str(), hint);
  return exit_code;
}

// What was not understood first, and what it may have meant.
std::string unexpected(const CLI::App& app) {
  const auto commands = app.get_subcommands();
  const CLI::App& command = commands.empty() ? app : *commands.front();
  const std::vector<std::string> rest = command.remaining(true);
  const std::string word = rest.empty() ? "" : rest.front();
  std::string message = "\"" + word + "\" was not expected";
  if (word.empty() || word[0] != '-') return message;
  std::vector<std::string> known;
  for (const CLI::Option* option : command.get_options())
    for (const std::string& name : option->get_lnames()) known.push_back("--" + name);
  return message + "; " + suggestion(word.substr(0, word.find('=')), known);
}

// A command has worked only when what it printed has arrived: the disk may be full.
int flush_output() {
  errno = 0;
  if (std::cout.flush() && std::fflush(stdout) == 0 && !std::ferror(stdout)) return 0;
  return fail(1, std::string("standard output: cannot write: ") + std::strerror(errno));
}

}  // namespace

int run_program(int argc, char** argv, std::span<const AddCommand> commands) {
  arguments = argv;
  CLI::App app{"Sinew: real-time physics for rigid and deformable bodies in one world.", "sinew"};
  app.set_version_flag("--version", std::string("sinew ") + SINEW_VERSION +
                                        (SINEW_DOUBLE ? " (double)" : " (float)"));
  app.footer(kExamples);
  app.get_formatter()->column_width(34);
  for (const AddCommand add : commands) add(app);
  app.require_subcommand(0, 1);  // `reproduce fit` is an experiment's name, not a second command
  try {
    app.parse(argc, argv);
    if (app.get_subcommands().empty()) return fail(2, "which command?", kHint);
    return flush_output();
  } catch (const CLI::ExtrasError&) {
    return fail(2, unexpected(app), kHint);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() != 0) return fail(2, error.what(), kHint);
    app.exit(error);  // --help, --version
    return flush_output();
  } catch (const Interrupted& interrupted) {
    return fail(interrupted.exit_code(), "interrupted; unfinished files were removed");
  } catch (const Error& error) {
    return fail(1, error.what());
  } catch (const std::bad_alloc&) {
    return fail(1, "out of memory; try a coarser mesh");
  } catch (const std::exception& error) {
    return fail(1, std::string("unexpected: ") + error.what());
  }
}

char** program_arguments() { return arguments; }

}  // namespace sinew
