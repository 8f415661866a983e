# SPDX-License-Identifier: Apache-2.0
# cmake -D SOURCE=... -D COMMAND="compiler;and;options" -P check.cmake
# SOURCE begins with `// expect: text`: it must not compile, and the first error that the compiler gives must say `text`.
# Lines `// shows: text` near it are looked for in all that the compiler says. Or it begins with `// compiles`: the
# control, which shows that the others do not fail for want of an include path.

cmake_minimum_required(VERSION 3.24)

# A fatal error would break the text into short lines; a notice is shown as it is.
function(fail text)
  message(NOTICE "${text}")
  message(FATAL_ERROR "${SOURCE}")
endfunction()

file(STRINGS "${SOURCE}" lines LIMIT_COUNT 8)
list(GET lines 0 first)
execute_process(COMMAND ${COMMAND} "${SOURCE}" RESULT_VARIABLE code OUTPUT_VARIABLE said ERROR_VARIABLE said)

if(first STREQUAL "// compiles")
  if(NOT code EQUAL 0)
    fail("${SOURCE} must compile:\n${said}")
  endif()
  return()
endif()

if(NOT first MATCHES "^// expect: (.+)$")
  fail("${SOURCE} must begin with '// expect: text' or '// compiles'")
endif()
set(expected "${CMAKE_MATCH_1}")
if(code EQUAL 0)
  fail("${SOURCE} compiled; it must be refused with: ${expected}")
endif()
string(REGEX MATCH "error: [^\n]*" error "${said}")
string(FIND "${error}" "${expected}" place)
if(place EQUAL -1)
  fail("${SOURCE} was refused, but not with: ${expected}\n${said}")
endif()

foreach(line IN LISTS lines)
  if(line MATCHES "^// shows: (.+)$")
    string(FIND "${said}" "${CMAKE_MATCH_1}" place)
    if(place EQUAL -1)
      fail("${SOURCE} was refused, but the compiler does not show: ${CMAKE_MATCH_1}\n${said}")
    endif()
  endif()
endforeach()
