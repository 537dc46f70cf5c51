// The `sinew_view` program, which `sinew view` starts.
#include "program.h"
#include "view_command.h"

int main(int argc, char** argv) {
  constexpr sinew::AddCommand kCommands[] = {sinew::add_view_command};
  return sinew::run_program(argc, argv, kCommands);
}
