# What the tests of all folders share. SINEW_TESTS says whether there are any.
sinew_find(tests GTest)
set(SINEW_TESTS ${tests_FOUND})
if(NOT SINEW_TESTS)
  sinew_left_out(tests unit_tests laws_tests analytic_tests determinism_tests robustness_tests
                 scenes_tests)
  return()
endif()
enable_testing()
include(GoogleTest)
set(SINEW_TEST_TIMEOUT 300) # [s]; far more than needed, for sanitizers and busy machines
# For tests that draw: the software driver, without threads of its own, which sanitizers cannot see
# into, and without the memory it never gives back.
set(SINEW_DRAWING_ENVIRONMENT LP_NUM_THREADS=0 LIBGL_ALWAYS_SOFTWARE=1
                              LSAN_OPTIONS=suppressions=${PROJECT_SOURCE_DIR}/cmake/lsan.supp)

