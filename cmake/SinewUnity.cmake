# Small files of a folder are compiled together: most of their time is reading headers, which they then read once.
# Files of kernels, whose time is their own code, stay by themselves. From scratch that takes a third of the time off;
# after a change of one small file it costs some seconds. A name in an unnamed namespace serves one file of a folder.
option(SINEW_UNITY "Compile the small files of a folder together" OFF)
set(SINEW_UNITY_FILES 14) # together at most
set(SINEW_KERNELS "src/(constraints/|rigid/joints/|rigid/solve|variational/[a-z_]*_energy|solvers/[a-z_]*hedra|solvers/triangles|solvers/cell_stress)")

# sinew_unity(TARGET...)
if(SINEW_UNITY AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  add_compile_options(-Wno-subobject-linkage) # it takes the files of a group for headers
endif()

function(sinew_unity)
  if(NOT SINEW_UNITY)
    return()
  endif()
  foreach(target ${ARGN})
    set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
    get_target_property(sources ${target} SOURCES)
    get_target_property(root ${target} SOURCE_DIR)
    set(count 0)
    set(last "")
    foreach(source ${sources})
      cmake_path(ABSOLUTE_PATH source BASE_DIRECTORY ${root} NORMALIZE)
      if(source MATCHES "${SINEW_KERNELS}" OR NOT source MATCHES "\\.cpp$")
        continue()
      endif()
      cmake_path(GET source PARENT_PATH folder)
      if(NOT folder STREQUAL last)
        set(count 0)
        set(last "${folder}")
      endif()
      math(EXPR part "${count} / ${SINEW_UNITY_FILES}")
      math(EXPR count "${count} + 1")
      cmake_path(GET folder FILENAME name)
      set_source_files_properties(${source} TARGET_DIRECTORY ${target}
                                  PROPERTIES UNITY_GROUP "${name}_${part}")
    endforeach()
  endforeach()
endfunction()
