# One file, one thing: a new material, shape or mesh format is a new file in its folder and nothing
# else. These functions glob the folders and generate the lists that the rest of the code walks.

# snake_case -> UpperCamel
function(sinew_camel snake out)
  string(REPLACE "_" ";" parts ${snake})
  set(camel "")
  foreach(part ${parts})
    string(SUBSTRING ${part} 0 1 head)
    string(SUBSTRING ${part} 1 -1 tail)
    string(TOUPPER ${head} head)
    string(APPEND camel ${head}${tail})
  endforeach()
  set(${out} ${camel} PARENT_SCOPE)
endfunction()

# include/sinew/<folder>/<snake>.h each define a struct <Snake>. Generates <sinew/<folder>.h>, which
# includes them all and defines <Kind> = std::variant<...> and <Kind>List = TypeList<...>.
function(sinew_type_list folder kind)
  file(GLOB files CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/include/sinew/${folder}/*.h)
  list(SORT files)
  set(includes "")
  set(types "")
  foreach(file ${files})
    get_filename_component(snake ${file} NAME_WE)
    sinew_camel(${snake} camel)
    string(APPEND includes "#include <sinew/${folder}/${snake}.h>\n")
    list(APPEND types ${camel})
  endforeach()
  list(JOIN types ", " types)
  file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/include/sinew/${folder}.h @ONLY CONTENT
"// Every file in include/sinew/${folder}/, gathered by CMake: a new one is on the list as soon as it
// is there.
#pragma once

#include <sinew/type_list.h>
${includes}
#include <variant>

namespace sinew {

using ${kind} = std::variant<${types}>;
using ${kind}List = TypeList<${types}>;

}  // namespace sinew
")
endfunction()

# <folder>/<snake>.cpp each define `const <Type> k_<snake>`. Generates lists/<list>_list.h with
# k<Type>s, a table of pointers to them; <header> declares the type.
function(sinew_table folder type list header)
  file(GLOB files CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/${folder}/*.cpp)
  list(SORT files)
  set(declarations "")
  set(rows "")
  foreach(file ${files})
    get_filename_component(snake ${file} NAME_WE)
    string(APPEND declarations "extern const ${type} k_${snake};\n")
    string(APPEND rows "    &k_${snake},\n")
  endforeach()
  file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/lists/${list}_list.h @ONLY CONTENT
"// Every file in ${folder}/, gathered by CMake.
#pragma once

#include \"${header}\"

namespace sinew {

${declarations}
inline const ${type}* const k${type}s[] = {
${rows}};

}  // namespace sinew
")
endfunction()

# Every <Snake> of include/sinew/<folder>/ has a function of its own, with the signature given, in which
# @TYPE@ stands for it. Generates lists/<folder>_functions.h with their declarations; <header> declares
# what the signature needs.
function(sinew_overloads folder signature header)
  file(GLOB files CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/include/sinew/${folder}/*.h)
  list(SORT files)
  set(declarations "")
  foreach(file ${files})
    get_filename_component(snake ${file} NAME_WE)
    sinew_camel(${snake} TYPE)
    string(CONFIGURE "${signature}" declaration @ONLY)
    string(APPEND declarations "${declaration};\n")
  endforeach()
  file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/lists/${folder}_functions.h @ONLY CONTENT
"// One for every file in include/sinew/${folder}/, gathered by CMake.
#pragma once

#include \"${header}\"

namespace sinew {

${declarations}
}  // namespace sinew
")
endfunction()
