// Scenes from texts, and what is wrong with them.
#pragma once

#include <gtest/gtest.h>
#include <sinew/error.h>
#include <sinew/scene.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "source_dir.h"

namespace sinew {

inline const std::filesystem::path kSource = SINEW_SOURCE_DIR;
inline constexpr const char* kFile = "folder/test.json";

inline std::string read_text(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  EXPECT_TRUE(in) << path;
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

// A scene with one soft body, a single cell, with these keys besides.
inline std::string jelly(const std::string& keys = "", const std::string& cells = "[1,1,1]") {
  return R"({"bodies":[{"type":"soft","mesh":{"type":"box","cells":)" + cells + "}" +
         (keys.empty() ? "" : ",") + keys + "}]}";
}

inline Scene parse(const std::string& text, const std::vector<std::string>& overrides = {}) {
  return parse_scene(text, kFile, overrides);
}

// The message for a broken scene; always a single line that starts with the file.
inline std::string error_of(const std::string& text,
                            const std::vector<std::string>& overrides = {}) {
  try {
    parse(text, overrides);
  } catch (const Error& error) {
    const std::string what = error.what();
    EXPECT_EQ(what.rfind(kFile, 0), 0u) << what;
    EXPECT_EQ(what.find('\n'), std::string::npos) << what;
    return what.substr(std::string(kFile).size());
  }
  ADD_FAILURE() << "accepted: " << text.substr(0, 300);
  return "";
}

}  // namespace sinew
