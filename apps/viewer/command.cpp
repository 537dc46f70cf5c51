#include "command.h"

#include <fmt/format.h>
#include <sinew/error.h>

#include <cmath>

#include "io/scene_json.h"

namespace sinew::viewer {

Command::Command(int client, std::string_view text) : client_(client) {
  json_ = parse_json(text, "message");
  const auto type = json_.is_object() ? json_.find("type") : json_.end();
  if (!json_.is_object() || type == json_.end() || !type->is_string())
    throw Error("a message must be a JSON object with a \"type\"");
  type_ = type->get<std::string>();
  if (json_.contains("seq") && json_["seq"].is_number()) sequence_ = json_["seq"].get<double>();
}

void Command::refuse(const char* key, std::string_view rule) const {
  throw Error(fmt::format("{}: \"{}\" must be {}", one_line(type_.substr(0, 40)), key, rule));
}

bool Command::has(const char* key) const {
  const auto it = json_.find(key);
  return it != json_.end() && !it->is_null();
}

const nlohmann::json& Command::value(const char* key) const {
  const auto it = json_.find(key);
  if (it == json_.end()) refuse(key, "given");
  return *it;
}

double Command::number(const char* key, double least, double most) const {
  const nlohmann::json& it = value(key);
  const double x = it.is_number() ? it.get<double>() : NAN;
  if (!(x >= least && x <= most)) refuse(key, fmt::format("a number from {} to {}", least, most));
  return x;
}

double Command::number_or(const char* key, double least, double most, double otherwise) const {
  return has(key) ? number(key, least, most) : otherwise;
}

std::int64_t Command::integer(const char* key, std::int64_t least, std::int64_t most) const {
  const double x = number(key, double(least), double(most));
  if (x != std::floor(x)) refuse(key, "a whole number");
  return static_cast<std::int64_t>(x);
}

bool Command::flag_or(const char* key, bool otherwise) const {
  if (!has(key)) return otherwise;
  if (!value(key).is_boolean()) refuse(key, "true or false");
  return value(key).get<bool>();
}

const std::string& Command::text(const char* key) const {
  if (!value(key).is_string()) refuse(key, "a string");
  return value(key).get_ref<const std::string&>();
}

Vec3 Command::vector(const char* key, double most) const {
  const nlohmann::json& it = value(key);
  Vec3 v{};
  bool good = it.is_array() && it.size() == 3;
  for (int k = 0; good && k < 3; ++k) {
    good = it[std::size_t(k)].is_number() && std::abs(it[std::size_t(k)].get<double>()) <= most;
    if (good) v[k] = static_cast<Real>(it[std::size_t(k)].get<double>());
  }
  if (!good) refuse(key, fmt::format("three numbers of no more than {}", most));
  return v;
}

}  // namespace sinew::viewer
