# SPDX-License-Identifier: Apache-2.0
# `cmake --install` and find_package(kaon).

include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/kaon")
get_property(layers GLOBAL PROPERTY KAON_LAYERS)

install(TARGETS ${layers} EXPORT kaonTargets
        ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}"
        FILE_SET HEADERS DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}")
# Of no layer, as nothing of Kaon needs MPI.
install(FILES "${PROJECT_SOURCE_DIR}/include/kaon/mpi_peers.hpp" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/kaon")
install(EXPORT kaonTargets NAMESPACE kaon:: DESTINATION "${package_dir}")
if(TARGET kaonrun)
  install(TARGETS kaonrun RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
endif()
install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" DESTINATION "${CMAKE_INSTALL_DATADIR}/kaon")

# UCX that came with this tree goes along: libraries, headers, and the folder of modules that it loads by
# its place beside libucs.
if(ucx_DIR AND EXISTS "${KAON_UCX_ROOT}/lib/ucx")
  set(KAON_CARRIED_UCX "${CMAKE_INSTALL_LIBDIR}/kaon/ucx")
  install(DIRECTORY "${KAON_UCX_ROOT}/lib" DESTINATION "${KAON_CARRIED_UCX}"
          PATTERN "*.a" EXCLUDE PATTERN "*.la" EXCLUDE PATTERN "pkgconfig" EXCLUDE
          PATTERN "*perftest*" EXCLUDE)
  install(DIRECTORY "${KAON_UCX_ROOT}/include" DESTINATION "${KAON_CARRIED_UCX}")
  # libucs reads it as it is loaded, from this place beside it
  install(FILES "${PROJECT_SOURCE_DIR}/machine_ucx/ucx.conf" DESTINATION "${KAON_CARRIED_UCX}/etc/ucx")
endif()

configure_package_config_file("${PROJECT_SOURCE_DIR}/cmake/kaonConfig.cmake.in"
  "${PROJECT_BINARY_DIR}/kaonConfig.cmake" INSTALL_DESTINATION "${package_dir}")
write_basic_package_version_file("${PROJECT_BINARY_DIR}/kaonConfigVersion.cmake"
  COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/kaonConfig.cmake" "${PROJECT_BINARY_DIR}/kaonConfigVersion.cmake"
              "${PROJECT_SOURCE_DIR}/cmake/KaonFindUcx.cmake" "${PROJECT_SOURCE_DIR}/cmake/KaonKernels.cmake"
        DESTINATION "${package_dir}")
