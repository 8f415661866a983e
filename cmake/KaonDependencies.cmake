# SPDX-License-Identifier: Apache-2.0
# What the layers stand on. An installed Kaon looks for the same (kaonConfig.cmake.in).

find_package(Threads REQUIRED)
find_package(PkgConfig REQUIRED)
find_package(Boost 1.81 REQUIRED COMPONENTS context)
find_package(fmt REQUIRED)
find_package(spdlog REQUIRED)
find_package(CLI11 REQUIRED)
pkg_check_modules(hwloc REQUIRED IMPORTED_TARGET GLOBAL hwloc)
pkg_check_modules(pmix QUIET pmix)
set(KAON_WITH_PMIX ${pmix_FOUND})
if(NOT KAON_WITH_PMIX)
  message(STATUS "PMIx's headers are missing: programs can be started by kaonrun, and not by mpirun or srun")
endif()

include("${CMAKE_CURRENT_LIST_DIR}/KaonFindUcx.cmake")
kaon_find_ucx("${KAON_UCX_ROOT}")
