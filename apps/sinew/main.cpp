// The `sinew` program.
#include "commands.h"
#include "program.h"

int main(int argc, char** argv) {
  constexpr sinew::AddCommand kCommands[] = {sinew::add_run_command,      sinew::add_view_command,
                                             sinew::add_info_command,     sinew::add_fit_command,
                                             sinew::add_settle_command,   sinew::add_schema_command,
                                             sinew::add_reproduce_command};
  return sinew::run_program(argc, argv, kCommands);
}
