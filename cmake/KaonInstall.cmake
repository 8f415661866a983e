# SPDX-License-Identifier: Apache-2.0
# `cmake --install` and find_package(kaon).

include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/kaon")
get_property(layers GLOBAL PROPERTY KAON_LAYERS)

# Programs on a library with a sanitizer have it too: what the library's headers hold is compiled into them.
set(KAON_SANITIZED_COMPILE "")
set(KAON_SANITIZED_LINK "")
if(KAON_SANITIZE)
  string(REGEX MATCH "address|thread" sanitizer "${KAON_SANITIZE}")
  set(KAON_SANITIZED_LINK "-fsanitize=${KAON_SANITIZE}")
  if(sanitizer)
    set(KAON_SANITIZED_COMPILE "-fsanitize=${sanitizer}")
    target_compile_options(kaon_runtime INTERFACE "$<INSTALL_INTERFACE:${KAON_SANITIZED_COMPILE}>")
  endif()
  target_link_options(kaon_runtime INTERFACE "$<INSTALL_INTERFACE:${KAON_SANITIZED_LINK}>")
endif()

install(TARGETS ${layers} EXPORT kaonTargets
        ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}"
        FILE_SET HEADERS DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}")
# Of no layer, as nothing of Kaon needs MPI.
install(FILES "${PROJECT_SOURCE_DIR}/include/kaon/mpi_peers.hpp" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/kaon")
install(EXPORT kaonTargets NAMESPACE kaon:: DESTINATION "${package_dir}")
if(TARGET kaonrun)
  install(TARGETS kaonrun RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
endif()
include(KaonManual)
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
  file(READ "${PROJECT_SOURCE_DIR}/machine_ucx/ucx.conf" settings)
  if(KAON_SANITIZE MATCHES thread)
    string(APPEND settings "# Hooks of memory calls run in a new thread before ThreadSanitizer knows it, and crash.\nUCX_MEM_EVENTS=n\n")
  endif()
  file(CONFIGURE OUTPUT "${PROJECT_BINARY_DIR}/ucx.conf" CONTENT "${settings}" @ONLY)
  install(FILES "${PROJECT_BINARY_DIR}/ucx.conf" DESTINATION "${KAON_CARRIED_UCX}/etc/ucx")
endif()

configure_package_config_file("${PROJECT_SOURCE_DIR}/cmake/kaonConfig.cmake.in"
  "${PROJECT_BINARY_DIR}/kaonConfig.cmake" INSTALL_DESTINATION "${package_dir}")
write_basic_package_version_file("${PROJECT_BINARY_DIR}/kaonConfigVersion.cmake"
  COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/kaonConfig.cmake" "${PROJECT_BINARY_DIR}/kaonConfigVersion.cmake"
              "${PROJECT_SOURCE_DIR}/cmake/KaonFindUcx.cmake" "${PROJECT_SOURCE_DIR}/cmake/KaonKernels.cmake"
        DESTINATION "${package_dir}")
