// All files are written under other names beside their place and moved by finish().
#include <fmt/format.h>
#include <sinew/error.h>
#include <sinew/pvd_recorder.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <pugixml.hpp>
#include <set>
#include <vector>

#include "core/atomic_file.h"
#include "io/vtu_writer.h"

namespace sinew {
namespace fs = std::filesystem;

namespace {

// Fit for a file name on any system.
std::string file_name_of(std::string_view name) {
  std::string out(name.substr(0, 100));
  for (char& c : out) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       c == '-' || c == '_';
    if (!plain) c = '_';
  }
  return out.empty() ? "body" : out;
}

template <class Cell>
std::size_t checked_count(std::span<const Cell> cells, std::size_t points, std::string_view name) {
  for (std::size_t c = 0; c < cells.size(); ++c)
    for (const Index i : cells[c])
      if (i >= points)
        throw Error(
            fmt::format("body '{}': cell {}: point {} is not one of the {}", name, c, i, points));
  return cells.size();
}

void check(const PvdBody& body) {
  const std::size_t points = body.points.size();
  const std::size_t cells = std::visit(
      [&](const auto& list) { return checked_count(list, points, body.name); }, body.cells);
  for (const NamedVectors& v : body.point_vectors)
    if (v.values.size() != points)
      throw Error(fmt::format("body '{}': {} values of '{}' for {} points", body.name,
                              v.values.size(), v.name, points));
  for (const NamedScalars& s : body.cell_scalars)
    if (s.values.size() != cells)
      throw Error(fmt::format("body '{}': {} values of '{}' for {} cells", body.name,
                              s.values.size(), s.name, cells));
}

}  // namespace

// A folder that goes away with what is left in it.
class PartialFolder {
 public:
  explicit PartialFolder(fs::path path) : path_(std::move(path)) {
    std::error_code failure;
    if (!fs::create_directory(path_, failure))
      throw Error(fmt::format(
          "{}: cannot create the folder: {}", path_.string(),
          failure ? failure.message() : "it exists: another recording is under way there"));
  }
  ~PartialFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  PartialFolder(const PartialFolder&) = delete;
  PartialFolder& operator=(const PartialFolder&) = delete;

  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

struct PvdRecorder::Impl {
  struct Entry {
    double time;
    std::size_t part;
    std::string file;
  };

  explicit Impl(const fs::path& path)
      : stem(path.stem().string()),
        folder(fs::path(path).replace_extension()),
        pvd(path),
        partial(fs::path(folder) += fmt::format(".partial{}", ::getpid())) {}

  // A frame of an earlier recording, which this one replaces.
  bool is_frame(const fs::path& file) const {
    const std::string name = file.filename().string();
    return name.starts_with(stem + "_") && file.extension() == ".vtu" &&
           name.find_first_not_of("0123456789", stem.size() + 1) > stem.size() + 1;
  }

  // Puts everything where it belongs, the .pvd last: it never lists a file that is not there.
  void publish() {
    bool created = false;
    try {
      created = fs::create_directory(folder);
      std::vector<fs::path> old;
      for (const fs::directory_entry& file : fs::directory_iterator(folder))
        if (is_frame(file.path())) old.push_back(file.path());
      for (const fs::path& file : old) fs::remove(file);
      for (const Entry& entry : entries)
        fs::rename(partial.path() / entry.file, folder / entry.file);
      pvd.commit();
    } catch (const std::exception& failure) {
      std::error_code ignored;
      if (created) fs::remove_all(folder, ignored);
      throw Error(
          fmt::format("{}: the recording cannot be finished: {}", folder.string(), failure.what()));
    }
  }

  std::string stem;
  fs::path folder;        // where the frames go at the end
  AtomicFile pvd;         // first: if it cannot be written, that is what to name
  PartialFolder partial;  // where the frames are until the end
  std::vector<Entry> entries;
  std::size_t frames = 0;
  double last_time = -std::numeric_limits<double>::infinity();
};

PvdRecorder::PvdRecorder(const fs::path& path) {
  if (path.extension() != ".pvd")
    throw Error(fmt::format("{}: a recording for ParaView must be named .pvd", path.string()));
  const fs::path folder = fs::path(path).replace_extension();
  std::error_code ignored;
  if (fs::exists(folder, ignored) &&
      (!fs::is_directory(folder, ignored) || ::access(folder.c_str(), W_OK) != 0))
    throw Error(fmt::format("{}: its frames go to {}, which is not a folder that can be written to",
                            path.string(), folder.string()));
  impl_ = std::make_unique<Impl>(path);
}

PvdRecorder::~PvdRecorder() = default;
PvdRecorder::PvdRecorder(PvdRecorder&&) noexcept = default;
PvdRecorder& PvdRecorder::operator=(PvdRecorder&&) noexcept = default;

void PvdRecorder::add_frame(double time_s, std::span<const PvdBody> bodies) {
  if (!impl_) throw Error("PvdRecorder: add_frame after finish");
  if (!std::isfinite(time_s) || time_s <= impl_->last_time)
    throw Error(fmt::format("PvdRecorder: a frame at {} s after one at {} s; times must increase",
                            time_s, impl_->last_time));
  for (const PvdBody& body : bodies) check(body);

  std::vector<Impl::Entry> entries;
  std::set<std::string> taken;
  for (std::size_t part = 0; part < bodies.size(); ++part) {
    std::string name = file_name_of(bodies[part].name);
    while (!taken.insert(name).second) name += fmt::format("-{}", part);  // bodies of one name
    name = fmt::format("{}_{:06}_{}.vtu", impl_->stem, impl_->frames, name);
    AtomicFile file(impl_->partial.path() / name);
    write_vtu(file.stream(), bodies[part]);
    file.commit();
    entries.push_back({time_s, part, std::move(name)});
  }
  impl_->entries.insert(impl_->entries.end(), entries.begin(), entries.end());
  impl_->last_time = time_s;
  ++impl_->frames;
}

void PvdRecorder::finish() {
  if (!impl_) throw Error("PvdRecorder: finish called twice");
  const std::unique_ptr<Impl> impl = std::move(impl_);
  pugi::xml_document document;
  pugi::xml_node root = document.append_child("VTKFile");
  root.append_attribute("type") = "Collection";
  root.append_attribute("version") = "0.1";
  pugi::xml_node collection = root.append_child("Collection");
  for (const Impl::Entry& entry : impl->entries) {
    pugi::xml_node item = collection.append_child("DataSet");
    item.append_attribute("timestep") = fmt::format("{}", entry.time).c_str();
    item.append_attribute("part") = static_cast<unsigned long long>(entry.part);
    item.append_attribute("file") = (impl->folder.filename() / entry.file).generic_string().c_str();
  }
  document.save(impl->pvd.stream(), " ");
  impl->publish();
}

}  // namespace sinew
