# The targets of the project: its libraries, and what is left out where a package is missing.

# sinew_library(NAME [EXCLUDE_FROM_ALL] SOURCES...): a static library of src/, also known as sinew::sinew or
# sinew::<what comes after sinew_>.
function(sinew_library name)
  add_library(${name} STATIC ${ARGN})
  string(REGEX REPLACE "^sinew_" "" short ${name})
  add_library(sinew::${short} ALIAS ${name})
  target_compile_features(${name} PUBLIC cxx_std_20)
  target_include_directories(
    ${name}
    PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
           $<BUILD_INTERFACE:${PROJECT_BINARY_DIR}/include>
           $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>
    PRIVATE ${PROJECT_SOURCE_DIR}/src ${PROJECT_BINARY_DIR}/lists)
  target_link_libraries(${name} PRIVATE $<BUILD_INTERFACE:sinew_compiler>)
  set_target_properties(${name} PROPERTIES POSITION_INDEPENDENT_CODE ON EXPORT_NAME ${short})
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
