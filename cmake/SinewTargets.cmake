# The targets of the project: its libraries, and what is left out where a package is missing.

# sinew_library(NAME [WIDE] [EXCLUDE_FROM_ALL] SOURCES ... LINK ... [PRECOMPILE HEADER...]): a static library, also
# known as sinew::sinew or sinew::<what comes after sinew_>. LINK has the arguments of target_link_libraries. With SINEW_CPU=levels it is
# shared; one that is WIDE, which knows how many lanes packs have, is built once more for each higher level of
# x86-64. glibc's loader looks for those in glibc-hwcaps beside it, and takes the best that the machine can run.
function(sinew_library name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "WIDE;EXCLUDE_FROM_ALL" "" "SOURCES;LINK;PRECOMPILE")
  string(REGEX REPLACE "^sinew_" "" short ${name})
  sinew_add_library(${name} sinew_compiler "${arg_SOURCES}" "${arg_LINK}")
  sinew_precompile(${name} ${arg_PRECOMPILE})
  sinew_unity(${name})
  add_library(sinew::${short} ALIAS ${name})
  set_target_properties(${name} PROPERTIES EXPORT_NAME ${short} EXCLUDE_FROM_ALL
                                                                ${arg_EXCLUDE_FROM_ALL})
  if(NOT arg_WIDE)
    return()
  endif()
  foreach(level ${SINEW_LEVELS})
    list(TRANSFORM arg_LINK APPEND _${level} REGEX "^sinew" OUTPUT_VARIABLE link)
    sinew_add_library(${name}_${level} sinew_compiler_${level} "${arg_SOURCES}" "${link}")
    sinew_precompile(${name}_${level} ${arg_PRECOMPILE})
    sinew_unity(${name}_${level})
    set_target_properties(
      ${name}_${level} PROPERTIES OUTPUT_NAME ${name} LIBRARY_OUTPUT_DIRECTORY
                                                      ${PROJECT_BINARY_DIR}/glibc-hwcaps/${level})
  endforeach()
endfunction()

function(sinew_add_library name compiler sources link)
  if(SINEW_CPU STREQUAL "levels")
    add_library(${name} SHARED ${sources})
    set_target_properties(${name} PROPERTIES VERSION ${PROJECT_VERSION}
                                             SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR}
                                             INSTALL_RPATH "$ORIGIN;$ORIGIN/../..")
  else()
    add_library(${name} STATIC ${sources})
  endif()
  target_compile_features(${name} PUBLIC cxx_std_20)
  target_include_directories(
    ${name}
    PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
           $<BUILD_INTERFACE:${PROJECT_BINARY_DIR}/include>
           $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>
    PRIVATE ${PROJECT_SOURCE_DIR}/src ${PROJECT_BINARY_DIR}/lists)
  target_link_libraries(${name} ${link} PRIVATE $<BUILD_INTERFACE:${compiler}>)
  set_target_properties(${name} PROPERTIES POSITION_INDEPENDENT_CODE ON)
endfunction()

# sinew_install(NAME EXPORT): a library, its levels included.
function(sinew_install name export)
  install(TARGETS ${name} EXPORT ${export} ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR}
          LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
  foreach(level ${SINEW_LEVELS})
    if(TARGET ${name}_${level})
      install(TARGETS ${name}_${level}
              LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}/glibc-hwcaps/${level} NAMELINK_SKIP)
    endif()
  endforeach()
endfunction()

# sinew_find(WHAT PACKAGE...): sets <WHAT>_FOUND, and <WHAT>_MISSING to the packages that are not there. With
# SINEW_COMPLETE that is an error. A macro: what find_package sets, the caller sees.
macro(sinew_find what)
  set(${what}_MISSING "")
  foreach(package ${ARGN})
    find_package(${package} QUIET)
    if(NOT ${package}_FOUND)
      list(APPEND ${what}_MISSING ${package})
    endif()
  endforeach()
  sinew_found(${what})
endmacro()

# sinew_need(WHAT VARIABLE NAME): the same for what is not a package of CMake; a false VARIABLE says that NAME is
# missing.
macro(sinew_need what variable name)
  if(NOT ${variable})
    list(APPEND ${what}_MISSING "${name}")
  endif()
  sinew_found(${what})
endmacro()

macro(sinew_found what)
  if(${what}_MISSING)
    set(${what}_FOUND FALSE)
    if(SINEW_COMPLETE)
      message(FATAL_ERROR "These are missing: ${${what}_MISSING}. cmake/packages.txt names Debian's packages.")
    endif()
  else()
    set(${what}_FOUND TRUE)
  endif()
endmacro()

# sinew_left_out(WHAT TARGET...): those who ask for one of the targets are told what is missing.
function(sinew_left_out what)
  list(JOIN ${what}_MISSING ", " missing)
  foreach(target ${ARGN})
    message(STATUS "${target} is left out: ${missing} not found")
    add_custom_target(
      ${target}
      COMMAND ${CMAKE_COMMAND} -E echo
              "${target} needs ${missing}, which CMake has not found. cmake/packages.txt names Debian's packages. Install them and run cmake again."
      COMMAND ${CMAKE_COMMAND} -E false
      VERBATIM)
  endforeach()
endfunction()
