#include "core/atomic_file.h"

#include <sinew/error.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <system_error>

#include "core/format.h"

namespace sinew {

AtomicFile::AtomicFile(std::filesystem::path path) : path_(std::move(path)) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path_, ignored))
    throw Error(formatted("{}: cannot write: it is a directory; name a file", path_.string()));
  // Devices and pipes (/dev/null, /dev/stdout) are written to, never replaced by a file.
  if (!std::filesystem::is_other(path_, ignored)) {
    if (std::filesystem::is_symlink(path_,
                                    ignored)) {  // a link stays, what it leads to is replaced
      const std::filesystem::path target = std::filesystem::canonical(path_, ignored);
      if (!target.empty()) path_ = target;
    }
    partial_ = path_;
    partial_ += formatted(".partial{}", ::getpid());
  }
  errno = 0;
  stream_.open(partial_.empty() ? path_ : partial_, std::ios::binary | std::ios::trunc);
  if (!stream_)
    throw Error(formatted("{}: cannot write: {}; choose a folder that exists and is writable",
                          path_.string(), std::strerror(errno)));
}

AtomicFile::~AtomicFile() {
  if (partial_.empty()) return;
  stream_.close();
  std::error_code ignored;
  std::filesystem::remove(partial_, ignored);
}

void AtomicFile::commit() {
  stream_.close();
  if (!stream_) throw Error(formatted("{}: writing failed; is the disk full?", path_.string()));
  if (partial_.empty()) return;
  std::error_code failure;
  std::filesystem::rename(partial_, path_, failure);
  if (failure) throw Error(formatted("{}: cannot write: {}", path_.string(), failure.message()));
  partial_.clear();
}

void write_file(const std::filesystem::path& path, std::string_view content) {
  AtomicFile file(path);
  file.stream().write(content.data(), static_cast<std::streamsize>(content.size()));
  file.commit();
}

std::string read_file(const std::filesystem::path& path) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored))
    throw Error(formatted("{}: is a directory, not a file", path.string()));
  errno = 0;
  std::ifstream in(path, std::ios::binary);
  if (!in) throw Error(formatted("{}: cannot read: {}", path.string(), std::strerror(errno)));
  constexpr std::size_t kBlock = 1 << 16, kDeviceMax = 1 << 26;
  const bool device = std::filesystem::is_other(path, ignored);
  std::string content;
  for (std::size_t size = 0; in; size = content.size()) {
    content.resize(size + kBlock);
    in.read(&content[size], kBlock);
    content.resize(size + std::size_t(in.gcount()));
    if (device && size > kDeviceMax)  // such as /dev/zero
      throw Error(formatted("{}: has no end; name a file", path.string()));
  }
  if (in.bad()) throw Error(formatted("{}: reading failed", path.string()));
  return content;
}

}  // namespace sinew
