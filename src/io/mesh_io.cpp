#include <fmt/format.h>
#include <sinew/error.h>
#include <sinew/mesh_io.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "core/atomic_file.h"
#include "io/text_cursor.h"
#include "mesh_format_list.h"

namespace sinew {

namespace {

std::string lower_extension(const std::filesystem::path& path) {
  return lower_case(path.extension().string());
}

bool has_extension(const MeshFormat& format, std::string_view extension) {
  return std::find(format.extensions.begin(), format.extensions.end(), extension) !=
         format.extensions.end();
}

// ".obj .ply .stl": the extensions of the formats that `can` says can.
template <class Predicate>
std::string extensions_of(Predicate can) {
  std::set<std::string> names;
  for (const MeshFormat* format : kMeshFormats)
    if (can(*format)) names.insert(format->extensions.begin(), format->extensions.end());
  return fmt::format("{}", fmt::join(names, " "));
}

// A format of that extension that recognises the content; else any that recognises it; else the
// extension's own, whose reader can say best what is wrong.
const MeshFormat& choose_format(const MeshSource& source) {
  const std::string extension = lower_extension(source.path);
  const MeshFormat* named = nullptr;
  const MeshFormat* recognised = nullptr;
  for (const MeshFormat* format : kMeshFormats) {
    const bool by_name = has_extension(*format, extension);
    const bool by_content = format->recognises && format->recognises(source.bytes);
    if (by_name && (by_content || !format->recognises)) return *format;
    if (by_name && !named) named = format;
    if (by_content && !recognised) recognised = format;
  }
  if (recognised) return *recognised;
  if (named) return *named;
  throw Error(fmt::format("{}: no known mesh format, by extension or by content; known are {}",
                          source.path.string(), extensions_of([](auto&) { return true; })));
}

void check_vertices(const std::filesystem::path& path, std::span<const Vec3> vertices) {
  for (std::size_t i = 0; i < vertices.size(); ++i) {
    const Vec3& v = vertices[i];
    if (!std::isfinite(v.x) || !std::isfinite(v.y) || !std::isfinite(v.z))
      throw Error(fmt::format("{}: vertex {} (counted from 0) is at ({}, {}, {}): not finite",
                              path.string(), i, v.x, v.y, v.z));
  }
}

template <class Cell>
void check_cells(const std::filesystem::path& path, std::span<const Cell> cells,
                 std::size_t vertex_count, const char* kind) {
  for (std::size_t i = 0; i < cells.size(); ++i)
    for (const Index corner : cells[i])
      if (corner >= vertex_count)
        throw Error(fmt::format("{}: {} {} has vertex {}, but there are {} (all counted from 0)",
                                path.string(), kind, i, corner, vertex_count));
}

// What holds for every file that was read, whatever its format.
void check_file(const std::filesystem::path& path, const MeshFile& file) {
  check_vertices(path, file.vertices);
  const std::size_t n = file.vertices.size();
  check_cells<Triangle>(path, file.triangles, n, "triangle");
  check_cells<Tetrahedron>(path, file.tetrahedra, n, "tetrahedron");
  check_cells<Hexahedron>(path, file.hexahedra, n, "hexahedron");
  if (file.triangles.empty() && file.tetrahedra.empty() && file.hexahedra.empty())
    throw Error(fmt::format("{}: no triangles, tetrahedra or hexahedra ({}{}{} vertices)",
                            path.string(), fmt::join(file.warnings, ", "),
                            file.warnings.empty() ? "" : ", ", n));
}

// "3 triangles, 5 tetrahedra"
std::string content(const MeshFile& file) {
  std::vector<std::string> parts;
  const auto add = [&](std::size_t n, const char* kind) {
    if (n > 0) parts.push_back(fmt::format("{} {}", n, kind));
  };
  add(file.triangles.size(), "triangles");
  add(file.tetrahedra.size(), "tetrahedra");
  add(file.hexahedra.size(), "hexahedra");
  return fmt::format("{}", fmt::join(parts, ", "));
}

// The cells of one kind, moved out of the file's content and mended.
template <class Cell>
Mesh<Cell> take_cells(const std::filesystem::path& path, std::vector<Vec3> vertices,
                      std::vector<Cell> cells, MendReport* report) {
  Mesh<Cell> mesh{std::move(vertices), std::move(cells)};
  try {
    const MendReport mended = mend(mesh);
    if (report) *report = mended;
  } catch (const Error& error) {  // mend() does not know the file
    throw Error(fmt::format("{}: {}", path.string(), error.what()));
  }
  return mesh;
}

template <class Cell>
Mesh<Cell> read_cells(const std::filesystem::path& path, MendReport* report,
                      std::vector<Cell> MeshFile::*cells, const char* kinds) {
  MeshFile file = read_mesh(path);
  if ((file.*cells).empty())
    throw Error(fmt::format("{}: no {}; it has {}: name a file of the kind that is wanted here",
                            path.string(), kinds, content(file)));
  return take_cells(path, std::move(file.vertices), std::move(file.*cells), report);
}

template <class Cell>
void write_cells(const std::filesystem::path& path, const Mesh<Cell>& mesh,
                 void (*MeshFormat::*write)(std::ostream&, const Mesh<Cell>&), const char* kind,
                 const char* kinds) {
  const std::string extension = lower_extension(path);
  const auto can = [&](const MeshFormat& format) { return format.*write != nullptr; };
  const auto format =
      std::find_if(std::begin(kMeshFormats), std::end(kMeshFormats),
                   [&](const MeshFormat* f) { return can(*f) && has_extension(*f, extension); });
  if (format == std::end(kMeshFormats))
    throw Error(fmt::format("{}: cannot write {} as '{}'; possible are {}", path.string(), kinds,
                            extension, extensions_of(can)));
  if (mesh.cells.empty()) throw Error(fmt::format("{}: no {} to write", path.string(), kinds));
  check_vertices(path, mesh.vertices);
  check_cells<Cell>(path, mesh.cells, mesh.vertices.size(), kind);

  AtomicFile file(path);
  ((*format)->*write)(file.stream(), mesh);
  file.commit();
}

}  // namespace

namespace {

MeshFile read_unchecked(const std::filesystem::path& path) {
  const std::string bytes = read_file(path);
  if (bytes.empty()) throw Error(fmt::format("{}: the file is empty", path.string()));
  const MeshSource source{path, bytes};
  return choose_format(source).read(source);
}

}  // namespace

MeshFile read_mesh(const std::filesystem::path& path) {
  MeshFile file = read_unchecked(path);
  check_file(path, file);
  return file;
}

std::vector<Vec3> read_vertices(const std::filesystem::path& path) {
  MeshFile file = read_unchecked(path);
  check_vertices(path, file.vertices);
  return std::move(file.vertices);
}

TriMesh read_triangles(const std::filesystem::path& path, MendReport* report) {
  MeshFile file = read_mesh(path);
  if (!file.triangles.empty())
    return take_cells(path, std::move(file.vertices), std::move(file.triangles), report);
  // Solids only: their surface. They are mended first, so that neighbours share vertices.
  if (!file.tetrahedra.empty() && !file.hexahedra.empty())
    throw Error(fmt::format("{}: no triangles; it has {}, whose common surface is not clear",
                            path.string(), content(file)));
  TriMesh surface =
      !file.tetrahedra.empty()
          ? boundary(take_cells(path, std::move(file.vertices), std::move(file.tetrahedra), report))
          : boundary(take_cells(path, std::move(file.vertices), std::move(file.hexahedra), report));
  return take_cells(path, std::move(surface.vertices), std::move(surface.cells), nullptr);
}

TetMesh read_tetrahedra(const std::filesystem::path& path, MendReport* report) {
  return read_cells(path, report, &MeshFile::tetrahedra, "tetrahedra");
}

HexMesh read_hexahedra(const std::filesystem::path& path, MendReport* report) {
  return read_cells(path, report, &MeshFile::hexahedra, "hexahedra");
}

void write_mesh(const std::filesystem::path& path, const TriMesh& mesh) {
  write_cells(path, mesh, &MeshFormat::write_triangles, "triangle", "triangles");
}

void write_mesh(const std::filesystem::path& path, const TetMesh& mesh) {
  write_cells(path, mesh, &MeshFormat::write_tetrahedra, "tetrahedron", "tetrahedra");
}

void write_mesh(const std::filesystem::path& path, const HexMesh& mesh) {
  write_cells(path, mesh, &MeshFormat::write_hexahedra, "hexahedron", "hexahedra");
}

}  // namespace sinew
