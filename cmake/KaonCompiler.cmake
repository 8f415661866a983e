# SPDX-License-Identifier: Apache-2.0
# How every target of this tree is compiled and linked.

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(THREADS_PREFER_PTHREAD_FLAG ON)

if(NOT PROJECT_IS_TOP_LEVEL)
  return()  # the embedding project decides the rest
endif()

if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE RelWithDebInfo CACHE STRING "" FORCE)
endif()
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/bin")

find_program(KAON_CCACHE ccache)
if(KAON_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  # Keeps what was compiled with precompiled headers, too, and for a copy of the tree in any other folder.
  set(launcher env CCACHE_SLOPPINESS=pch_defines,time_macros "CCACHE_BASEDIR=${PROJECT_SOURCE_DIR}" CCACHE_NOHASHDIR=1
      "${KAON_CCACHE}")
  set(CMAKE_CXX_COMPILER_LAUNCHER ${launcher})
  set(CMAKE_CUDA_COMPILER_LAUNCHER ${launcher})
  set(CMAKE_HIP_COMPILER_LAUNCHER ${launcher})
endif()

find_program(KAON_MOLD mold)
if(KAON_MOLD)
  include(CheckLinkerFlag)
  check_linker_flag(CXX -fuse-ld=mold KAON_LINKS_WITH_MOLD)
  if(KAON_LINKS_WITH_MOLD)
    add_link_options(-fuse-ld=mold)
  endif()
endif()

# Nobody replaces our functions at run time, so that position-independent code may inline them.
add_compile_options(-Wall -Wextra -Wpedantic -fno-semantic-interposition)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # These warn falsely of strings and of vectors of bytes that grow or are compared (g++ 12 and 13).
  add_compile_options(-Wno-stringop-overflow -Wno-stringop-overread -Wno-restrict -Wno-array-bounds)
endif()
if(KAON_WARNINGS_AS_ERRORS)
  add_compile_options(-Werror)
endif()
if(KAON_NATIVE)
  add_compile_options(-march=native)
endif()

if(KAON_SANITIZE)
  add_compile_options(-fsanitize=${KAON_SANITIZE} -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${KAON_SANITIZE})
  if(KAON_SANITIZE MATCHES undefined AND NOT KAON_FUZZ)
    # AddressSanitizer sees what these do, for half of the time to compile; alignment and pointer arithmetic are for
    # the fuzz targets.
    add_compile_options(-fno-sanitize=null,alignment,vptr,object-size,pointer-overflow)
  endif()
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # The checks' own branches make g++ warn of paths that cannot be taken.
    add_compile_options(-Wno-maybe-uninitialized)
  elseif(KAON_SANITIZE MATCHES undefined)
    add_compile_options(-fno-sanitize=function)  # clang cannot build coroutines under this check
  endif()
endif()
if(KAON_FUZZ)
  add_compile_options(-fsanitize=fuzzer-no-link)  # the layers report coverage to the fuzzer
endif()
