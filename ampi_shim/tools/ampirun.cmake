# SPDX-License-Identifier: Apache-2.0
# ampirun: the runtime and all of the shim, which loads MPI programs.
if(TARGET ampi_interface AND TARGET ampi_program)
  file(GLOB sources CONFIGURE_DEPENDS "${CMAKE_CURRENT_LIST_DIR}/ampirun/*.cpp")
  kaon_program(ampirun
    SOURCES ${sources}
    DEPENDS ampi_interface ampi_program kaon::kaon fmt::fmt CLI11::CLI11
            spdlog::spdlog PkgConfig::hwloc)  # the runtime needs these: CMake forgets them of what a group has, too
  add_dependencies(ampirun mpi_abi)
  # Where a bundle has UCX, and where an installation does.
  set_target_properties(ampirun PROPERTIES INSTALL_RPATH "$ORIGIN/../lib:$ORIGIN/../${CMAKE_INSTALL_LIBDIR}/kaon/ucx/lib")
  install(TARGETS ampirun RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
endif()
