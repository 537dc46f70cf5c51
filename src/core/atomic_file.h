// An output file that appears whole or not at all: written beside its place under another name and
// renamed by commit(). Without commit() (an exception on the way) nothing is left behind.
#pragma once

#include <filesystem>
#include <fstream>
#include <string_view>

namespace sinew {

class AtomicFile {
 public:
  // Throws Error when the file cannot be created there.
  explicit AtomicFile(std::filesystem::path path);
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  std::ostream& stream() { return stream_; }
  // Throws Error when not everything could be written (a full disk).
  void commit();

 private:
  std::filesystem::path path_, partial_;  // no partial_ once committed, or for a device
  std::ofstream stream_;
};

void write_file(const std::filesystem::path& path, std::string_view content);
// The whole file; throws Error "PATH: no such file" and the like. A directory is an error too.
std::string read_file(const std::filesystem::path& path);

}  // namespace sinew
