# SPDX-License-Identifier: Apache-2.0
# Tests and fuzz targets.

# Sanitizers make programs slower: seconds are given for a plain build and stretched here.
if(KAON_SANITIZE)
  set(KAON_TIMEOUT_FACTOR 4)
else()
  set(KAON_TIMEOUT_FACTOR 1)
endif()

# UCX watches memory calls to cache registrations. Its hooks run in a new thread before ThreadSanitizer knows the thread,
# and crash; a program of the tsan preset that is started by hand needs the same variable.
# A suppression needs the names of functions, and clang looks for a tool of its own version only.
set(KAON_TEST_ENVIRONMENT "")
if(KAON_SANITIZE MATCHES thread)
  find_program(KAON_SYMBOLIZER NAMES llvm-symbolizer-16 llvm-symbolizer addr2line REQUIRED)
  # two properties of one value each: a list does not reach what Catch2 writes
  set(KAON_TEST_ENVIRONMENT ENVIRONMENT UCX_MEM_EVENTS=n
      ENVIRONMENT_MODIFICATION TSAN_OPTIONS=set:external_symbolizer_path=${KAON_SYMBOLIZER})
endif()

# kaon_test_folder(LABEL DEPENDS ... [VARIANTS ...] [TIMEOUT s] [OF_ONE_THREAD] [PRECOMPILED ...])
# The folder's sources by their names. `x_program.cpp` and `x_peer.cpp` are programs that tests start; one with a line
# "// processes: 1 2 4" is also a test of its own, under kaonrun with so many processes. All other sources, but those of
# kernels, are one executable LABEL_test of Catch2 cases. Each case is one ctest of at most `s` seconds. For each of
# VARIANTS, an option that tests/support/catch_main.cpp knows, all cases run once more. OF_ONE_THREAD: but for sources
# with a line "// threads: ...", which says what they are for, so that ThreadSanitizer, a third of all that is compiled,
# need not see the others. PRECOMPILED: headers that most of the sources include.
function(kaon_test_folder label)
  cmake_parse_arguments(PARSE_ARGV 1 arg "OF_ONE_THREAD" "TIMEOUT" "DEPENDS;VARIANTS;PRECOMPILED")
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS *.cpp)
  set(programs ${sources})
  list(FILTER programs INCLUDE REGEX "_(program|peer)\\.cpp$")
  list(FILTER sources EXCLUDE REGEX "(_(program|peer)|\\.kernels)\\.cpp$")
  if(arg_OF_ONE_THREAD AND KAON_SANITIZE MATCHES thread)
    kaon_keep_threaded(sources)
    set(arg_VARIANTS "")
  endif()
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 60)
  endif()
  foreach(source IN LISTS programs)
    kaon_test_source("${source}" ${label} ${arg_TIMEOUT} ${arg_DEPENDS})
  endforeach()
  if(sources)
    kaon_catch_test(${label}_test LABEL ${label} TIMEOUT ${arg_TIMEOUT}
                    SOURCES ${sources} DEPENDS ${arg_DEPENDS} VARIANTS ${arg_VARIANTS}
                    PRECOMPILED ${arg_PRECOMPILED})
  endif()
endfunction()

# For ThreadSanitizer: of a list of sources those with a line "// threads: ...".
function(kaon_keep_threaded list)
  if(NOT KAON_SANITIZE MATCHES thread)
    return()
  endif()
  set(kept "")
  foreach(source IN LISTS ${list})
    file(STRINGS "${source}" marks REGEX "^// threads: " LIMIT_COUNT 1)
    if(marks)
      list(APPEND kept "${source}")
    endif()
  endforeach()
  set(${list} "${kept}" PARENT_SCOPE)
endfunction()

# One program of a test folder: alone for tests to start, or a kaon_test when it names counts of processes.
function(kaon_test_source source label timeout)
  get_filename_component(name "${source}" NAME_WE)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${source}")
  file(STRINGS "${source}" counts REGEX "^// processes: " LIMIT_COUNT 1)
  if(counts)
    string(REPLACE "// processes: " "" counts "${counts}")
    separate_arguments(counts)
    kaon_test(${name} SOURCES "${source}" DEPENDS ${ARGN}
              PROCESSES ${counts} LABELS ${label} TIMEOUT ${timeout})
  else()
    kaon_test_program(${name} SOURCES "${source}" DEPENDS ${ARGN})
  endif()
endfunction()

# Reading Catch2's header and ours is half of what it takes to compile a test. For g++, whose precompiled headers ccache
# keeps.
function(kaon_precompile name)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    target_precompile_headers(${name} PRIVATE "${PROJECT_SOURCE_DIR}/tests/support/precompiled.hpp" ${ARGN})
    target_compile_options(${name} PRIVATE -fpch-preprocess)
  endif()
endfunction()

# kaon_catch_test(NAME LABEL l TIMEOUT s SOURCES ... DEPENDS ... [VARIANTS ...] [PRECOMPILED ...]): see kaon_test_folder.
function(kaon_catch_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "LABEL;TIMEOUT" "SOURCES;DEPENDS;VARIANTS;PRECOMPILED")
  math(EXPR seconds "${arg_TIMEOUT} * ${KAON_TIMEOUT_FACTOR}")
  add_executable(${name} ${arg_SOURCES})
  target_link_libraries(${name} PRIVATE kaon_test_support ${arg_DEPENDS})
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/tests/bin")
  list(LENGTH arg_SOURCES count)
  if(count GREATER 9)  # fewer would wait for it longer than it saves
    kaon_precompile(${name} ${arg_PRECOMPILED})
  endif()
  set(properties TIMEOUT ${seconds} LABELS ${arg_LABEL} ${KAON_TEST_ENVIRONMENT})
  catch_discover_tests(${name} TEST_PREFIX "${arg_LABEL}: " PROPERTIES ${properties})
  foreach(variant IN LISTS arg_VARIANTS)
    catch_discover_tests(${name} TEST_PREFIX "${arg_LABEL} ${variant}: " EXTRA_ARGS ${variant}
                         TEST_LIST ${name}_${variant}_TESTS PROPERTIES ${properties})
  endforeach()
endfunction()

# kaon_test(NAME SOURCES ... DEPENDS ... [PROCESSES 1 2 4] [LABELS ...] [TIMEOUT s] [ARGUMENTS ...])
# A program that passes when it exits with 0: by itself, or under kaonrun once for each count of processes.
function(kaon_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "TIMEOUT" "SOURCES;DEPENDS;PROCESSES;LABELS;ARGUMENTS")
  kaon_test_program(${name} SOURCES ${arg_SOURCES} DEPENDS ${arg_DEPENDS})
  if(NOT arg_TIMEOUT)
    set(arg_TIMEOUT 60)
  endif()
  math(EXPR seconds "${arg_TIMEOUT} * ${KAON_TIMEOUT_FACTOR}")
  if(NOT arg_PROCESSES)
    add_test(NAME ${name} COMMAND ${name} ${arg_ARGUMENTS})
    set_tests_properties(${name} PROPERTIES
      TIMEOUT ${seconds} LABELS "${arg_LABELS}" ${KAON_TEST_ENVIRONMENT})
    return()
  endif()
  foreach(count IN LISTS arg_PROCESSES)
    set(test "${arg_LABELS}: ${name} on ${count} processes")
    add_test(NAME "${test}" COMMAND kaonrun -n ${count} $<TARGET_FILE:${name}> ${arg_ARGUMENTS})
    set_tests_properties("${test}" PROPERTIES
      TIMEOUT ${seconds} PROCESSORS ${count} LABELS "${arg_LABELS}" ${KAON_TEST_ENVIRONMENT})
  endforeach()
endfunction()

# kaon_test_program(NAME SOURCES ... DEPENDS ...): a program that tests start themselves.
function(kaon_test_program name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;DEPENDS")
  add_executable(${name} ${arg_SOURCES})
  target_include_directories(${name} PRIVATE "${PROJECT_SOURCE_DIR}")
  target_link_libraries(${name} PRIVATE ${arg_DEPENDS})
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/tests/bin")
endfunction()

# kaon_fuzz(NAME SOURCES ... DEPENDS ...): a libFuzzer target, with KAON_FUZZ and clang only.
function(kaon_fuzz name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;DEPENDS")
  if(NOT KAON_FUZZ)
    return()
  endif()
  if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    message(FATAL_ERROR "KAON_FUZZ needs clang: use 'cmake --preset fuzz'.")
  endif()
  kaon_test_program(${name} SOURCES ${arg_SOURCES} DEPENDS ${arg_DEPENDS})
  target_link_options(${name} PRIVATE -fsanitize=fuzzer)
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/fuzz")
  add_dependencies(kaon_fuzzers ${name})
endfunction()
