// The `sinew_reproduce` program, which `sinew reproduce` starts.
#include "program.h"
#include "reproduce_command.h"

int main(int argc, char** argv) {
  constexpr sinew::AddCommand kCommands[] = {sinew::add_reproduce_command};
  return sinew::run_program(argc, argv, kCommands);
}
