// What tests of every kind share.
#pragma once

#include <gtest/gtest.h>
#include <sinew/error.h>

#include <initializer_list>
#include <string>

namespace sinew {

// The message of the Error that `f` throws; empty when it throws none.
template <class F>
std::string error_of(F&& f) {
  try {
    f();
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

// EXPECT_PRED2(contains, text, part) shows both when it fails.
inline bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

// `f` throws an Error whose message has all the parts.
template <class F>
void expect_error(F&& f, std::initializer_list<const char*> parts) {
  const std::string message = error_of(f);
  if (message.empty()) ADD_FAILURE() << "no error";
  for (const char* part : parts)
    EXPECT_TRUE(contains(message, part)) << message << "\n  lacks: " << part;
}

}  // namespace sinew
