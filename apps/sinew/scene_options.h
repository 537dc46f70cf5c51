// What all commands that run a scene can be told about it.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace sinew {

inline void add_scene_options(CLI::App& command, int& threads,
                              std::vector<std::string>& overrides) {
  command.add_option("--threads", threads, "Threads; 0: one per core. The result is the same")
      ->check(CLI::Range(0, 1024))
      ->capture_default_str();
  command.add_option("--set", overrides, "Change the scene, e.g. --set /world/substeps=20")
      ->type_name("POINTER=VALUE")
      ->expected(1)
      ->take_all();
}

}  // namespace sinew
