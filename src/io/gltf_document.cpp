#include "io/gltf_document.h"

#include <fmt/format.h>
#include <sinew/error.h>

#include "core/atomic_file.h"
#include "io/byte_cursor.h"
#include "io/uri.h"

namespace sinew {

GltfDocument::GltfDocument(const MeshSource& source)
    : source_(source), byte_count_(source.bytes.size()) {
  read_container();
  const JsonView version = root().at("asset").at("version");
  if (!version.text().starts_with("2."))
    version.fail(fmt::format("is \"{}\"; only glTF 2 is read: export the model again as glTF 2",
                             version.text()));
}

// A .glb file is a header of 12 bytes and chunks: JSON, then at most one of binary data, then any
// that are to be ignored. Anything else is taken to be JSON.
void GltfDocument::read_container() {
  if (!source_.bytes.starts_with(kGlbMagic)) {
    json_ = json_of_file(source_.path, source_.bytes);
    return;
  }
  ByteCursor header(source_.path, source_.bytes);
  header.take(1, kGlbMagic.size(), "signature");
  if (const auto version = header.get<std::uint32_t>("version"); version != 2)
    header.fail(fmt::format("GLB version {}; only version 2 is read", version));
  const std::size_t length = header.get<std::uint32_t>("length");
  if (length > source_.bytes.size())
    header.fail(fmt::format("the header says {} bytes, but the file has {}: it is cut short",
                            length, source_.bytes.size()));

  constexpr std::uint32_t kJsonChunk = 0x4E4F534A, kBinaryChunk = 0x004E4942;
  ByteCursor in(source_.path, source_.bytes.substr(0, length), std::endian::little, 12);
  const auto next_chunk = [&in](std::uint32_t& type) {
    const auto chunk_length = in.get<std::uint32_t>("chunk length");
    type = in.get<std::uint32_t>("chunk type");
    return in.take(chunk_length, 1, "bytes of chunk");
  };
  std::uint32_t type = 0;
  const std::string_view text = next_chunk(type);
  if (type != kJsonChunk) in.fail("the first chunk of a GLB file must be JSON");
  json_ = json_of_file(source_.path, text);
  while (in.remaining() > 0 && glb_chunk_.empty())
    if (const std::string_view chunk = next_chunk(type); type == kBinaryChunk) glb_chunk_ = chunk;
}

JsonView GltfDocument::resolve(const JsonView& reference, const char* list) const {
  const std::uint64_t i = reference.count();
  const std::size_t count = root().size_of(list);
  if (i >= count)
    reference.fail(fmt::format("stands for entry {} of \"{}\", which has {}", i, list, count));
  return root().at(list).at(i);
}

std::string_view GltfDocument::buffer(const JsonView& reference) {
  const JsonView buffer = resolve(reference, "buffers");
  const std::uint64_t length = buffer.at("byteLength").count();
  std::string_view bytes = glb_chunk_;
  if (buffer.has("uri")) {
    const JsonView uri = buffer.at("uri");
    const auto [resource, is_new] = resources_.try_emplace(uri.text());
    if (is_new) {
      resource->second = load_uri(source_.path, uri);
      byte_count_ += resource->second.size();
    }
    bytes = resource->second;
  } else if (glb_chunk_.empty() || reference.count() != 0) {
    buffer.fail("has no \"uri\", and the file has no binary chunk for it");
  }
  if (length > bytes.size())
    buffer.fail(fmt::format("says {} bytes, but there are {}", length, bytes.size()));
  return bytes.substr(0, length);
}

GltfDocument::View GltfDocument::buffer_view(const JsonView& reference) {
  const JsonView view = resolve(reference, "bufferViews");
  if (view.has("extensions") && !resolve(view.at("buffer"), "buffers").has("uri"))
    for (const char* extension : {"EXT_meshopt_compression", "KHR_meshopt_compression"})
      if (view.at("extensions").has(extension))
        view.fail(
            fmt::format("is compressed with {}, which is not read: save the model without "
                        "compression",
                        extension));
  const std::string_view bytes = buffer(view.at("buffer"));
  const std::uint64_t offset = view.count_or("byteOffset", 0);
  const std::uint64_t length = view.at("byteLength").count();
  if (offset > bytes.size() || length > bytes.size() - offset)
    view.fail(fmt::format("bytes {} to {} are wanted of a buffer of {} bytes", offset,
                          offset + length, bytes.size()));
  const std::uint64_t stride = view.count_or("byteStride", 0);
  if (stride > 252) view.at("byteStride").fail(fmt::format("is {}; 252 at most", stride));
  return {bytes.substr(offset, length), stride};
}

void GltfDocument::spend(std::uint64_t work, const JsonView& where) {
  constexpr std::uint64_t kAllowance = 1 << 24;  // what sharing and instancing may add
  spent_ += work;
  if (spent_ > byte_count_ + kAllowance)
    where.fail(
        fmt::format("the file asks for {} elements or more: far more than its {} bytes hold; "
                    "do not use meshes so often",
                    spent_, byte_count_));
}

}  // namespace sinew
