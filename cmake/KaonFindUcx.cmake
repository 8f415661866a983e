# SPDX-License-Identifier: Apache-2.0
# Makes the target kaon_external::ucx. Also installed, for kaonConfig.cmake.
set(KAON_UCX_OLDEST 1.20)

# Takes the UCX below `root`, else one that CMake finds, else the one that pkg-config names.
macro(kaon_find_ucx root)
  find_package(ucx ${KAON_UCX_OLDEST} CONFIG QUIET HINTS "${root}/lib/cmake")
  if(ucx_FOUND)
    set(KAON_UCX_TARGETS ucx::ucp ucx::ucs)
    set(KAON_UCX_FROM "${ucx_DIR} (${ucx_VERSION})")
  else()
    find_package(PkgConfig REQUIRED)
    pkg_check_modules(ucx QUIET IMPORTED_TARGET GLOBAL "ucx >= ${KAON_UCX_OLDEST}")
    if(NOT ucx_FOUND)
      pkg_check_modules(kaon_any_ucx QUIET ucx)
      if(kaon_any_ucx_FOUND)
        set(kaon_found "only ${kaon_any_ucx_VERSION}")
      else()
        set(kaon_found "none")
      endif()
      message(FATAL_ERROR
        "Kaon needs UCX ${KAON_UCX_OLDEST} or newer; there is ${kaon_found}. "
        "Run './dev build', which fetches UCX into .deps/, or give one with -D KAON_UCX_ROOT=PREFIX.")
    endif()
    set(KAON_UCX_TARGETS PkgConfig::ucx)
    set(KAON_UCX_FROM "pkg-config (${ucx_VERSION})")
  endif()
  if(NOT TARGET kaon_external::ucx)
    message(STATUS "UCX: ${KAON_UCX_FROM}")
    add_library(kaon_external::ucx INTERFACE IMPORTED GLOBAL)
    target_link_libraries(kaon_external::ucx INTERFACE ${KAON_UCX_TARGETS})
  endif()
endmacro()
