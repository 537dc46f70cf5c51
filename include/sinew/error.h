// What public functions throw when they are given something they cannot use. The message names the
// field or file, the value, and how to mend it; the object it was called on is unchanged.
#pragma once

#include <stdexcept>
#include <string>

namespace sinew {

class Error : public std::runtime_error {
 public:
  explicit Error(const std::string& message) : std::runtime_error(message) {}
};

}  // namespace sinew
