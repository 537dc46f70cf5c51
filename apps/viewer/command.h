// What the page asks for: a JSON object with a type. Whoever looks into it gets what it expects or
// an Error that says what was wrong.
#pragma once

#include <sinew/math.h>

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

namespace sinew::viewer {

class Command {
 public:
  Command() = default;
  // Throws Error for what is not an object with a type.
  Command(int client, std::string_view text);

  int client() const { return client_; }
  const std::string& type() const { return type_; }
  std::optional<double> sequence() const { return sequence_; }

  bool has(const char* key) const;  // and it is not null
  double number(const char* key, double least, double most) const;
  double number_or(const char* key, double least, double most, double otherwise) const;
  std::int64_t integer(const char* key, std::int64_t least, std::int64_t most) const;
  bool flag_or(const char* key, bool otherwise) const;
  const std::string& text(const char* key) const;
  Vec3 vector(const char* key, double most) const;  // no coordinate larger than that
  const nlohmann::json& value(const char* key) const;

 private:
  [[noreturn]] void refuse(const char* key, std::string_view rule) const;

  int client_ = 0;
  std::string type_;
  std::optional<double> sequence_;
  nlohmann::json json_;
};

}  // namespace sinew::viewer
