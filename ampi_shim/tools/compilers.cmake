# SPDX-License-Identifier: Apache-2.0
# ampicc and ampicxx, in the bin of the build and of the installation. A folder beside has them and ampirun by the names
# that build systems look for: it leads in PATH, or is MPI_HOME, where a program should take Kaon for its MPI.
enable_language(C)
include(GNUInstallDirs)
set(names_folder "lib/kaon/mpi/bin")

# A script that finds everything from its own place: `includes` and `library_folder` are below the folder of its bin.
function(kaon_configure_compiler name language folder includes library_folder)
  string(REPLACE "ampi" "AMPI_" variable "${name}")
  string(TOUPPER "${variable}" variable)
  set(compiler "${CMAKE_${language}_COMPILER}")
  configure_file("${CMAKE_CURRENT_SOURCE_DIR}/compilers/compiler.in" "${folder}/${name}" @ONLY
    FILE_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
endfunction()

file(RELATIVE_PATH source_includes "${PROJECT_BINARY_DIR}" "${PROJECT_SOURCE_DIR}/ampi_shim/include")
set(installed "${CMAKE_CURRENT_BINARY_DIR}/installed")
foreach(tool "ampicc C" "ampicxx CXX")
  separate_arguments(tool)
  list(POP_FRONT tool name language)
  kaon_configure_compiler(${name} ${language} "${PROJECT_BINARY_DIR}/bin" "${source_includes} ampi_shim/include" lib)
  kaon_configure_compiler(${name} ${language} "${installed}" "${KAON_MPI_INCLUDEDIR}" "${CMAKE_INSTALL_LIBDIR}")
  install(PROGRAMS "${installed}/${name}" DESTINATION "${CMAKE_INSTALL_BINDIR}")
endforeach()

# cmake -C lib/kaon/mpi/mpi.cmake: find_package(MPI) takes the MPI of this folder, with its mpiexec.
file(COPY "${CMAKE_CURRENT_SOURCE_DIR}/compilers/mpi.cmake" DESTINATION "${PROJECT_BINARY_DIR}/lib/kaon/mpi")
install(FILES compilers/mpi.cmake DESTINATION lib/kaon/mpi)

foreach(link "mpicc ampicc" "mpicxx ampicxx" "mpic++ ampicxx" "mpiexec ampirun" "mpirun ampirun")
  separate_arguments(link)
  list(POP_FRONT link name target)
  file(MAKE_DIRECTORY "${PROJECT_BINARY_DIR}/${names_folder}" "${installed}/names")
  file(CREATE_LINK "../../../../bin/${target}" "${PROJECT_BINARY_DIR}/${names_folder}/${name}" SYMBOLIC)
  cmake_path(RELATIVE_PATH CMAKE_INSTALL_FULL_BINDIR
             BASE_DIRECTORY "${CMAKE_INSTALL_PREFIX}/${names_folder}" OUTPUT_VARIABLE up)
  file(CREATE_LINK "${up}/${target}" "${installed}/names/${name}" SYMBOLIC)
  install(FILES "${installed}/names/${name}" DESTINATION "${names_folder}")
endforeach()
