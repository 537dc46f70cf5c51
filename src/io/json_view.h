// A value inside a JSON file that knows where it is, so that what is wrong with it can be said:
// "file: /meshes/0/primitives/1/mode: 9 is …". Every way to look into it checks the type first.
#pragma once

#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace sinew {

// The file name and the JSON must outlive the view.
class JsonView {
 public:
  using Json = nlohmann::json;

  JsonView(const std::filesystem::path& file, const Json& value, std::string pointer = {})
      : file_(&file), value_(&value), pointer_(std::move(pointer)) {}

  // Objects. at() throws when there is no such member.
  bool has(const char* key) const;
  JsonView at(const char* key) const;
  // Arrays. size_of() is 0 when there is no such member.
  std::size_t size() const;
  std::size_t size_of(const char* key) const { return has(key) ? at(key).size() : 0; }
  JsonView at(std::size_t i) const;

  double number() const;
  std::uint64_t count() const;  // a whole number, 0 to 2⁵³
  const std::string& text() const;
  bool flag() const;
  // Those of a member, or the default when there is none.
  std::uint64_t count_or(const char* key, std::uint64_t otherwise) const;
  bool flag_or(const char* key, bool otherwise) const;

  const std::string& pointer() const { return pointer_; }
  [[noreturn]] void fail(std::string_view what) const;

 private:
  void require(bool right_type, const char* expected) const;

  const std::filesystem::path* file_;
  const Json* value_;
  std::string pointer_;
};

// Throws Error with the line and column of what is not JSON.
nlohmann::json json_of_file(const std::filesystem::path& file, std::string_view text);

}  // namespace sinew
