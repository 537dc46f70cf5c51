# Headers that nearly every file reads, compiled once for a target: half of the time of most files is reading them.
# Sources still include what they use; -DSINEW_PRECOMPILED=OFF checks that they do.
option(SINEW_PRECOMPILED "Precompile headers that most files of a target read" ${PROJECT_IS_TOP_LEVEL})

# sinew_precompile(TARGET HEADER...): HEADER as in #include, "<…>" or "\"…\"".
function(sinew_precompile target)
  if(SINEW_PRECOMPILED AND ARGN)
    target_precompile_headers(${target} PRIVATE ${ARGN})
  endif()
endfunction()

# sinew_precompiled_as(TARGET OTHER): those of another target, which is compiled with the same options.
function(sinew_precompiled_as target other)
  if(SINEW_PRECOMPILED)
    target_precompile_headers(${target} REUSE_FROM ${other})
  endif()
endfunction()

set(SINEW_STANDARD_HEADERS <algorithm> <array> <cmath> <functional> <memory> <optional> <span>
                           <string> <string_view> <type_traits> <variant> <vector>)
