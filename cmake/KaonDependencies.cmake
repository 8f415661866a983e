# SPDX-License-Identifier: Apache-2.0
# What the layers stand on. An installed Kaon looks for the same (kaonConfig.cmake.in).

find_package(Threads REQUIRED)
find_package(PkgConfig REQUIRED)
find_package(Boost 1.81 REQUIRED COMPONENTS context)
find_package(fmt REQUIRED)
find_package(spdlog REQUIRED)
find_package(CLI11 REQUIRED)
pkg_check_modules(hwloc REQUIRED IMPORTED_TARGET GLOBAL hwloc)

include("${CMAKE_CURRENT_LIST_DIR}/KaonFindUcx.cmake")
kaon_find_ucx("${KAON_UCX_ROOT}")
