// The `sinew` program. Exit code 0 only when it worked; errors go to standard error in one line.
#include <sinew/config.h>
#include <sinew/error.h>

#include <cstdio>
#include <new>

#include "commands.h"

namespace {

constexpr const char* kExamples = R"(Examples:
  sinew run scenes/hello.json                             simulate and print what came of it
  sinew run scenes/hello.json --record hello.glb          … and record it for Blender or a web page
  sinew run scenes/hello.json --record hello.pvd          … or for ParaView
  sinew run scenes/hello.json --picture hello.png         … and draw the last frame
  sinew run scenes/hello.json --set /bodies/1/material/young=2e5 --metrics stiff.json
  sinew info bunny.mesh scenes/hello.json                 what is in a file, and what had to be mended
)";

}  // namespace

int main(int argc, char** argv) {
  CLI::App app{"Sinew: real-time physics for rigid and deformable bodies in one world.", "sinew"};
  app.set_version_flag("--version", std::string("sinew ") + SINEW_VERSION +
                                        (SINEW_DOUBLE ? " (double)" : " (float)"));
  app.require_subcommand(1);
  app.footer(kExamples);
  app.get_formatter()->column_width(34);
  sinew::add_run_command(app);
  sinew::add_info_command(app);
  sinew::add_schema_command(app);
  try {
    app.parse(argc, argv);
    return 0;
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return app.exit(error);  // --help, --version
    std::fprintf(stderr, "sinew: %s\nTry: sinew --help\n", error.what());
    return 2;
  } catch (const sinew::Error& error) {
    std::fprintf(stderr, "sinew: %s\n", error.what());
  } catch (const std::bad_alloc&) {
    std::fprintf(stderr, "sinew: out of memory; try a coarser mesh\n");
  } catch (const std::exception& error) {
    std::fprintf(stderr, "sinew: unexpected: %s\n", error.what());
  }
  return 1;
}
