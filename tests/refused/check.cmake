# SPDX-License-Identifier: Apache-2.0
# cmake -D SOURCE=... -D COMMAND="compiler;and;options" -P check.cmake
# SOURCE begins with `// expect: text`: it must not compile, and the compiler must say `text`. Or with
# `// compiles`: the control, which shows that the others do not fail for want of an include path.

# A fatal error would break the text into short lines; a notice is shown as it is.
function(fail text)
  message(NOTICE "${text}")
  message(FATAL_ERROR "${SOURCE}")
endfunction()

file(STRINGS "${SOURCE}" first LIMIT_COUNT 1)
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
string(FIND "${said}" "${expected}" place)
if(place EQUAL -1)
  fail("${SOURCE} was refused, but not with: ${expected}\n${said}")
endif()
