# cmake -DOUT=assets_data.S -DTABLE=assets_table.cpp -DFILES=a|b|… -DPATHS=x|y|… -P embed_assets.cmake
# Writes the files into an object, and a table of them (assets.h).
string(REPLACE "|" ";" files "${FILES}")
string(REPLACE "|" ";" paths "${PATHS}")
set(code ".section .rodata\n")
set(declarations "")
set(rows "")
set(index 0)
foreach(file path IN ZIP_LISTS files paths)
  set(name sinew_asset_${index})
  string(APPEND code
         ".global ${name}_begin\n.global ${name}_end\n.balign 16\n"
         "${name}_begin: .incbin \"${file}\"\n${name}_end: .byte 0\n")
  string(APPEND declarations "extern \"C\" const char ${name}_begin[], ${name}_end[];\n")
  string(APPEND rows "      {\"${path}\", {${name}_begin, size_t(${name}_end - ${name}_begin)}},\n")
  math(EXPR index "${index} + 1")
endforeach()
file(WRITE ${OUT} "${code}.section .note.GNU-stack,\"\",@progbits\n")
file(WRITE ${TABLE}
"// Written by embed_assets.cmake.
#include <cstddef>

#include \"assets.h\"

${declarations}
namespace sinew::viewer {

std::span<const Asset> assets() {
  using std::size_t;
  static const Asset kAssets[] = {
${rows}  };
  return kAssets;
}

}  // namespace sinew::viewer
")
