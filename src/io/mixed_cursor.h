// Reads files that are text with blocks of bytes in between (Gmsh, legacy VTK).
#pragma once

#include "io/byte_cursor.h"
#include "io/mesh_format.h"
#include "io/text_cursor.h"

namespace sinew {

struct MixedCursor {
  explicit MixedCursor(const MeshSource& source)
      : text(source.path, source.bytes), bytes(source.path, source.bytes) {}

  // From text to a block of bytes, which begins on the next line, and back. In a file that is all
  // text there is nothing to do.
  void begin_bytes() {
    if (!binary) return;
    text.raw_line();
    bytes.take(text.offset() - bytes.offset(), 1, "bytes");
  }
  void end_bytes() {
    if (binary) text.move_to(bytes.offset());
  }
  [[noreturn]] void fail(std::string_view what) const {
    binary ? bytes.fail(what) : text.fail(what);
  }

  TextCursor text;
  ByteCursor bytes;
  bool binary = false;
};

}  // namespace sinew
