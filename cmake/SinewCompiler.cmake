# Compiler settings shared by everything in the project, as the interface target sinew_compiler.
if(NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE RelWithDebInfo CACHE STRING "" FORCE)
endif()
set(CMAKE_CXX_EXTENSIONS ON) # vector extensions
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
find_program(CCACHE ccache)
if(CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CCACHE})
endif()

# sinew_compiler_options(NAME OPTION...): the settings, with further options, as the interface target NAME.
function(sinew_compiler_options name)
  add_library(${name} INTERFACE)
  target_compile_options(
    ${name}
    INTERFACE -Wall -Wextra -Wshadow -Wpedantic -Wno-psabi
              -fno-math-errno # lets sqrt be an instruction
              -fno-trapping-math # lets a select be a blend
              $<$<BOOL:${SINEW_WERROR}>:-Werror> ${ARGN})
  # GCC's warnings about bounds follow what it inlines: they misfire, and differ from one CPU and one level of
  # optimisation to another. They warn, but break no build.
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    target_compile_options(
      ${name} INTERFACE -Wno-maybe-uninitialized -Wno-error=array-bounds -Wno-error=stringop-overflow
                        -Wno-error=stringop-overread -Wno-error=restrict)
  endif()
  target_compile_definitions(${name} INTERFACE $<$<CONFIG:Debug,RelWithDebInfo>:SINEW_ASSERTIONS>)
endfunction()

set(SINEW_LEVELS "") # beyond the first, where libraries are built for several
if(SINEW_CPU STREQUAL "native")
  sinew_compiler_options(sinew_compiler -march=native)
elseif(SINEW_CPU STREQUAL "portable")
  if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
    sinew_compiler_options(sinew_compiler -march=x86-64-v3)
  else()
    sinew_compiler_options(sinew_compiler)
  endif()
elseif(SINEW_CPU STREQUAL "levels")
  if(NOT CMAKE_SYSTEM_NAME STREQUAL "Linux" OR NOT CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
    message(FATAL_ERROR "SINEW_CPU=levels needs Linux on x86-64, whose loader chooses among the "
                        "libraries; take portable or scalar here")
  endif()
  set(SINEW_LEVELS x86-64-v3 x86-64-v4)
  sinew_compiler_options(sinew_compiler -march=x86-64-v2)
  foreach(level ${SINEW_LEVELS})
    sinew_compiler_options(sinew_compiler_${level} -march=${level})
  endforeach()
elseif(SINEW_CPU STREQUAL "scalar")
  sinew_compiler_options(sinew_compiler)
  target_compile_definitions(sinew_compiler INTERFACE SINEW_LANES=1)
else()
  message(FATAL_ERROR "SINEW_CPU is '${SINEW_CPU}'; it must be native, portable, levels or scalar")
endif()

if(SINEW_SANITIZE)
  add_compile_options(-fsanitize=${SINEW_SANITIZE} -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${SINEW_SANITIZE})
  if(SINEW_SANITIZE MATCHES "undefined")
    add_compile_options(-fno-sanitize-recover=undefined)
  endif()
endif()
