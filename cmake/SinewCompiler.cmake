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

add_library(sinew_compiler INTERFACE)
target_compile_options(
  sinew_compiler
  INTERFACE -Wall -Wextra -Wshadow -Wpedantic -Wno-psabi
            -fno-math-errno # lets sqrt be an instruction
            -fno-trapping-math # lets a select be a blend
)
if(SINEW_WERROR)
  target_compile_options(sinew_compiler INTERFACE -Werror)
endif()
# GCC's -Wmaybe-uninitialized and -Warray-bounds misfire in sanitized and vector code.
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  target_compile_options(sinew_compiler INTERFACE -Wno-maybe-uninitialized)
endif()

target_compile_definitions(sinew_compiler
                           INTERFACE $<$<CONFIG:Debug,RelWithDebInfo>:SINEW_ASSERTIONS>)

if(SINEW_CPU STREQUAL "native")
  target_compile_options(sinew_compiler INTERFACE -march=native)
elseif(SINEW_CPU STREQUAL "portable")
  if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
    target_compile_options(sinew_compiler INTERFACE -march=x86-64-v3)
  endif()
elseif(SINEW_CPU STREQUAL "scalar")
  target_compile_definitions(sinew_compiler INTERFACE SINEW_LANES=1)
else()
  message(FATAL_ERROR "SINEW_CPU is '${SINEW_CPU}'; it must be native, portable or scalar")
endif()

if(SINEW_SANITIZE)
  add_compile_options(-fsanitize=${SINEW_SANITIZE} -fno-omit-frame-pointer)
  add_link_options(-fsanitize=${SINEW_SANITIZE})
  if(SINEW_SANITIZE MATCHES "undefined")
    add_compile_options(-fno-sanitize-recover=undefined)
  endif()
endif()
