// The data arrays of VTK's XML files, however they are encoded: as text, base64 in place, or
// appended behind the XML, raw or base64; with or without zlib.
// https://docs.vtk.org/en/latest/design_documents/VTKFileFormats.html
#pragma once

#include <optional>
#include <pugixml.hpp>

#include "io/mesh_format.h"
#include "io/vtk_data.h"

namespace sinew {

class VtkXml {
 public:
  // Parses the XML. Throws Error when it is none. The source must outlive it.
  explicit VtkXml(const MeshSource& source);

  pugi::xml_node root() const { return document_.child("VTKFile"); }

  // An attribute that must be there.
  std::string_view attribute(pugi::xml_node node, const char* name) const;
  std::size_t size_attribute(pugi::xml_node node, const char* name) const;
  // The DataArray of this name (empty: the first) inside `parent`, with exactly `count` numbers.
  template <class T>  // std::int64_t or double
  std::vector<T> array(pugi::xml_node parent, const char* name, std::size_t count) const;

  // Throws Error "file:line: what", the line being that of the node.
  [[noreturn]] void fail(pugi::xml_node node, std::string_view what) const;

 private:
  // Bytes as they are or as base64, of which more can be asked for once the first are known.
  struct Encoded {
    std::string_view text;
    bool base64;
  };

  void find_appended();
  std::size_t line_of(std::size_t offset) const;
  Encoded encoded(pugi::xml_node array) const;
  std::string decode(pugi::xml_node array, const Encoded& from, std::size_t bytes) const;
  std::vector<std::uint64_t> header(pugi::xml_node array, const Encoded& from,
                                    std::size_t words) const;
  std::string plain_bytes(pugi::xml_node array, std::size_t bytes) const;
  std::string inflated_bytes(pugi::xml_node array, std::size_t bytes) const;
  template <class T>
  std::vector<T> text_numbers(pugi::xml_node array, std::size_t count) const;

  const MeshSource& source_;
  pugi::xml_document document_;
  std::size_t xml_size_ = 0;  // what comes behind is the appended data
  std::optional<Encoded> appended_;
  std::endian order_ = std::endian::little;
  std::size_t word_bytes_ = 4;  // of the numbers in headers
  bool compressed_ = false;
};

}  // namespace sinew
