// Scenes from texts, and what is wrong with them.
#pragma once

#include <gtest/gtest.h>
#include <sinew/error.h>
#include <sinew/scene.h>

#include <string>
#include <vector>

namespace sinew {

inline constexpr const char* kFile = "folder/test.json";

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
