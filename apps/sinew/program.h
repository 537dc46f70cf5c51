// What the programs of Sinew have in common: commands on a command line, errors in one line, exit
// codes.
#pragma once

#include <span>

namespace CLI {
class App;
}

namespace sinew {

// Each registers itself with the command line and returns, through its callback, only when it
// worked.
using AddCommand = void (*)(CLI::App& app);

// Reads the arguments and runs the command they name. The exit code is 0 only when it worked, 2
// where the arguments were not understood, 1 after another error, and 128 + signal when it was
// interrupted. Errors go to standard error in one line.
int run_program(int argc, char** argv, std::span<const AddCommand> commands);

// The arguments as run_program was given them, with the program's own name first and a null pointer
// last.
char** program_arguments();

}  // namespace sinew
