# SPDX-License-Identifier: Apache-2.0
# ampicc and ampicxx, and that CMake's own find_package(MPI) finds them.
find_package(Python3 REQUIRED COMPONENTS Interpreter)
set(user "${CMAKE_CURRENT_SOURCE_DIR}/find_mpi")
set(bin "${PROJECT_BINARY_DIR}/bin")

add_test(NAME "ampi: ampicc and ampicxx take the arguments of compilers"
  COMMAND Python3::Interpreter -B "${CMAKE_CURRENT_SOURCE_DIR}/compilers_test.py" "${bin}" "${user}/hello.c"
          "${user}/hello.cpp")
set_tests_properties("ampi: ampicc and ampicxx take the arguments of compilers" PROPERTIES TIMEOUT 120 LABELS ampi)

# kaon_find_mpi_test(NAME FOLDER OPTION ...): a user's project finds and builds with the MPI of this tree.
function(kaon_find_mpi_test name folder)
  add_test(NAME "${name}"
    COMMAND "${CMAKE_CTEST_COMMAND}" --build-and-test "${user}" "${CMAKE_CURRENT_BINARY_DIR}/${folder}"
            --build-generator "${CMAKE_GENERATOR}" --build-options --fresh ${ARGN}
            "-DEXPECTED_LIBRARY=${PROJECT_BINARY_DIR}/lib/libmpi_abi.so")
  set_tests_properties("${name}" PROPERTIES TIMEOUT 240 LABELS ampi)
endfunction()

kaon_find_mpi_test("ampi: find_package(MPI) takes the compilers that it is told" find_mpi_told
  "-DMPI_C_COMPILER=${bin}/ampicc" "-DMPI_CXX_COMPILER=${bin}/ampicxx")
if(TARGET ampirun)  # CMake looks beside mpiexec, which is there when it leads somewhere
  set(home "${PROJECT_BINARY_DIR}/lib/kaon/mpi")
  kaon_find_mpi_test("ampi: find_package(MPI) takes all from the folder that is MPI_HOME" find_mpi_home
    "-DMPI_HOME=${home}" "-DEXPECTED_LAUNCHER=${home}/bin/mpiexec")
  kaon_find_mpi_test("ampi: find_package(MPI) takes all from the cache file that is installed" find_mpi_cache
    -C "${home}/mpi.cmake" "-DEXPECTED_LAUNCHER=${home}/bin/mpiexec")
  kaon_find_mpi_test("ampi: find_package(MPI) finds the compilers that lead in PATH" find_mpi_in_path
    "-DEXPECTED_LAUNCHER=${PROJECT_BINARY_DIR}/lib/kaon/mpi/bin/mpiexec")
  set_property(TEST "ampi: find_package(MPI) finds the compilers that lead in PATH" PROPERTY
    ENVIRONMENT_MODIFICATION "PATH=path_list_prepend:${PROJECT_BINARY_DIR}/lib/kaon/mpi/bin")
endif()
