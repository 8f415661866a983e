# SPDX-License-Identifier: Apache-2.0
# kaonrun(1), ampirun(1) and what bash completes, made from docs/options.md and the texts of --help. A machine without
# Python builds and installs all else.
find_package(Python3 COMPONENTS Interpreter QUIET)
set(documented "")
foreach(program kaonrun ampirun)
  if(TARGET ${program})
    list(APPEND documented ${program})
  endif()
endforeach()
if(documented AND NOT Python3_Interpreter_FOUND)
  message(STATUS "Kaon: without manual pages and completions, as there is no Python 3")
elseif(documented)
  set(manual "${PROJECT_BINARY_DIR}/manual")
  execute_process(
    COMMAND "${Python3_EXECUTABLE}" -B "${PROJECT_SOURCE_DIR}/cmake/manual.py" "${PROJECT_SOURCE_DIR}" "${PROJECT_VERSION}"
            "${manual}" ${documented}
    COMMAND_ERROR_IS_FATAL ANY)
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS
    "${PROJECT_SOURCE_DIR}/cmake/manual.py" "${PROJECT_SOURCE_DIR}/docs/options.md"
    "${PROJECT_SOURCE_DIR}/runtime/launch/kaonrun.cpp"
    "${PROJECT_SOURCE_DIR}/ampi_shim/tools/ampirun/command_line.cpp")
  foreach(program IN LISTS documented)
    install(FILES "${manual}/${program}.1" DESTINATION "${CMAKE_INSTALL_MANDIR}/man1")
    install(FILES "${manual}/${program}" DESTINATION "${CMAKE_INSTALL_DATADIR}/bash-completion/completions")
  endforeach()
endif()
