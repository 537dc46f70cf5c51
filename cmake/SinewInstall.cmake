# find_package(sinew), sinew::sinew and sinew::fit from an install tree; sinew::io with COMPONENTS io.
include(CMakePackageConfigHelpers)
sinew_install(sinew sinew-targets)
sinew_install(sinew_fit sinew-targets)
if(TARGET sinew_io AND io_FOUND)
  sinew_install(sinew_io sinew-io-targets)
  install(EXPORT sinew-io-targets NAMESPACE sinew::
          DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/sinew)
endif()
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/sinew ${PROJECT_BINARY_DIR}/include/sinew
        DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h")
install(EXPORT sinew-targets NAMESPACE sinew:: DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/sinew)
configure_package_config_file(
  ${PROJECT_SOURCE_DIR}/cmake/sinew-config.cmake.in ${PROJECT_BINARY_DIR}/sinew-config.cmake
  INSTALL_DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/sinew)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/sinew-config-version.cmake
                                 COMPATIBILITY SameMinorVersion)
install(FILES ${PROJECT_BINARY_DIR}/sinew-config.cmake
              ${PROJECT_BINARY_DIR}/sinew-config-version.cmake
              ${PROJECT_SOURCE_DIR}/cmake/FindMETIS.cmake
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/cmake/sinew)
install(FILES ${PROJECT_SOURCE_DIR}/LICENSE ${PROJECT_SOURCE_DIR}/docs/scene.schema.json
        DESTINATION ${CMAKE_INSTALL_DATADIR}/sinew)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/scenes DESTINATION ${CMAKE_INSTALL_DATADIR}/sinew
        FILES_MATCHING PATTERN "*.json" PATTERN "*.obj" PATTERN "*.vtk")
