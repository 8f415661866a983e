# SPDX-License-Identifier: Apache-2.0
# Functions that mpi.h declares and no source of this folder defines yet: a weak definition of each function of mpi.h, so
# that one which is built takes its place. See unbuilt.hpp.
set(definitions "// Made by CMake from mpi.h.\n#include \"kaon/ampi_shim/interface/unbuilt.hpp\"\nusing namespace kaon::ampi;\n")
foreach(prototype IN LISTS KAON_MPI_PROTOTYPES)
  string(REGEX REPLACE "\n *" " " prototype "${prototype}")
  string(STRIP "${prototype}" prototype)
  if(prototype MATCHES "\\.\\.\\.")
    continue()
  endif()
  string(REGEX MATCH "^int (MPI_[A-Za-z0-9_]+)\\((.*)\\)$" matched "${prototype}")
  set(name "${CMAKE_MATCH_1}")
  set(arguments "${CMAKE_MATCH_2}")
  if(arguments STREQUAL "void")
    set(arguments "")
  else()
    string(REGEX REPLACE "[^,]*[ *]([A-Za-z0-9_]+)(\\[[0-9]*\\])*" ", \\1" arguments "${arguments}")
    string(REPLACE ",," "," arguments "${arguments}")
  endif()
  # Two places whose types do not say what belongs there.
  string(REPLACE "baseptr" "address_at(baseptr)" arguments "${arguments}")
  string(REPLACE "win_keyval" "keyval_at(win_keyval)" arguments "${arguments}")
  string(APPEND definitions "[[gnu::weak]] ${prototype} { return unbuilt(\"${name}\"${arguments}); }\n")
endforeach()
set(made "${CMAKE_CURRENT_BINARY_DIR}/unbuilt_functions.cpp")
file(CONFIGURE OUTPUT "${made}" CONTENT "${definitions}" @ONLY)
# never in one translation unit with a source that defines one of them
set_source_files_properties("${made}" PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
target_sources(ampi_interface PRIVATE unbuilt.cpp "${made}")
