# SPDX-License-Identifier: Apache-2.0
# Values for the cache of a project that calls find_package(MPI): cmake -C THIS_FILE SOURCE_FOLDER. Without
# MPIEXEC_EXECUTABLE, CMake would take the first mpiexec in PATH, of whichever MPI.
set(MPI_C_COMPILER "${CMAKE_CURRENT_LIST_DIR}/bin/mpicc" CACHE FILEPATH "Compiler of MPI programs in C")
set(MPI_CXX_COMPILER "${CMAKE_CURRENT_LIST_DIR}/bin/mpicxx" CACHE FILEPATH "Compiler of MPI programs in C++")
set(MPIEXEC_EXECUTABLE "${CMAKE_CURRENT_LIST_DIR}/bin/mpiexec" CACHE FILEPATH "What starts MPI programs")
