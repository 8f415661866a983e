# SPDX-License-Identifier: Apache-2.0
# Layers and programs.

# kaon_layer(NAME SOURCES ... HEADERS ... DEPENDS ... [NEEDS ...] [ALONE ...])
# One layer: the library kaon_NAME, known as kaon::NAME. Headers are included as "kaon/NAME/x.hpp", in
# this tree, where include/kaon/NAME leads to them, and when installed. DEPENDS appear in headers; NEEDS only in sources.
# ALONE: see kaon_unite.
function(kaon_layer name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;HEADERS;DEPENDS;NEEDS;ALONE")
  if(NOT arg_SOURCES AND NOT arg_HEADERS)
    return()
  endif()
  set(target kaon_${name})
  set(include "${PROJECT_SOURCE_DIR}/include")
  set(headers)
  foreach(header IN LISTS arg_HEADERS)
    cmake_path(RELATIVE_PATH header BASE_DIRECTORY "${PROJECT_SOURCE_DIR}" OUTPUT_VARIABLE path)
    if(NOT path MATCHES "^include/")
      set(header "${include}/kaon/${path}")
    endif()
    list(APPEND headers "${header}")
  endforeach()
  if(arg_SOURCES)
    add_library(${target} STATIC ${arg_SOURCES})
    set(scope PUBLIC)
    target_link_libraries(${target} PRIVATE ${arg_NEEDS})
    kaon_unite(${target} ${arg_ALONE})
  else()
    add_library(${target} INTERFACE)
    set(scope INTERFACE)
  endif()
  add_library(kaon::${name} ALIAS ${target})
  target_sources(${target} ${scope}
    FILE_SET HEADERS BASE_DIRS "${PROJECT_SOURCE_DIR}/include" FILES ${headers})
  target_compile_features(${target} ${scope} cxx_std_20)
  target_link_libraries(${target} ${scope} ${arg_DEPENDS})
  set_target_properties(${target} PROPERTIES EXPORT_NAME ${name})
  set_property(GLOBAL APPEND PROPERTY KAON_LAYERS ${target})
endfunction()

# kaon_unite(TARGET [SOURCE ...])
# Where KAON_UNITY says so, up to eight sources of a folder are compiled at a time: two thirds of what one takes is spent
# on headers that its neighbours read, too. After a change in one of them that takes longer. The SOURCEs stay alone: they
# use names that others in their folder have, too, or are linked without their neighbours.
function(kaon_unite target)
  get_target_property(type ${target} TYPE)
  if(NOT KAON_UNITY OR type STREQUAL "INTERFACE_LIBRARY")
    return()
  endif()
  get_target_property(sources ${target} SOURCES)
  list(FILTER sources INCLUDE REGEX "\\.cpp$")
  list(FILTER sources EXCLUDE REGEX "\\.kernels\\.cpp$")
  list(TRANSFORM ARGN PREPEND "${CMAKE_CURRENT_SOURCE_DIR}/" OUTPUT_VARIABLE alone)
  list(REMOVE_ITEM sources ${ARGN} ${alone})
  set(folders)
  foreach(source IN LISTS sources)
    cmake_path(ABSOLUTE_PATH source BASE_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}" OUTPUT_VARIABLE folder)
    cmake_path(IS_PREFIX PROJECT_BINARY_DIR "${folder}" is_made)
    if(is_made)  # a source that CMake has written
      continue()
    endif()
    cmake_path(RELATIVE_PATH folder BASE_DIRECTORY "${PROJECT_SOURCE_DIR}")
    cmake_path(GET folder PARENT_PATH folder)
    string(MAKE_C_IDENTIFIER "${folder}" folder)
    list(APPEND folders ${folder})
    list(APPEND sources_of_${folder} "${source}")
  endforeach()
  list(REMOVE_DUPLICATES folders)
  foreach(folder IN LISTS folders)
    list(LENGTH sources_of_${folder} count)
    math(EXPR groups "(${count} + 7) / 8")
    set(number 0)
    foreach(source IN LISTS sources_of_${folder})
      math(EXPR group "${number} * ${groups} / ${count}")
      set_source_files_properties("${source}" PROPERTIES UNITY_GROUP "${folder}_${group}")
      math(EXPR number "${number} + 1")
    endforeach()
  endforeach()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  # who includes a source is taken for one of several that do
  target_compile_options(${target} PRIVATE $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-subobject-linkage>)
endfunction()

# kaon_umbrella(LAYER ...): kaon::kaon, what a user's program links. The layers that exist, as one group that is
# searched until nothing is missing: lower layers leave it to the link which machine and which launch they use.
function(kaon_umbrella)
  set(layers)
  foreach(layer IN LISTS ARGN)
    if(TARGET kaon_${layer})
      list(APPEND layers kaon::${layer})  # the name that the installed package gives it too
    endif()
  endforeach()
  list(JOIN layers "," layers)
  add_library(kaon_kaon INTERFACE)
  add_library(kaon::kaon ALIAS kaon_kaon)
  target_link_libraries(kaon_kaon INTERFACE "$<LINK_GROUP:RESCAN,${layers}>")
  set_target_properties(kaon_kaon PROPERTIES EXPORT_NAME kaon)
  set_property(GLOBAL APPEND PROPERTY KAON_LAYERS kaon_kaon)
endfunction()

# kaon_program(NAME SOURCES ... DEPENDS ...)
# A program that `./dev run NAME` finds and that the bundle carries.
function(kaon_program name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES;DEPENDS")
  add_executable(${name} ${arg_SOURCES})
  target_include_directories(${name} PRIVATE "${PROJECT_SOURCE_DIR}")
  target_link_libraries(${name} PRIVATE ${arg_DEPENDS})
  kaon_bundle(${name} bin)
  set_property(GLOBAL APPEND PROPERTY KAON_PROGRAMS ${name})
endfunction()

# kaon_bundle(TARGET FOLDER): the bundle carries it in this folder. Without new dtags the path to the libraries also
# serves those that a library needs.
function(kaon_bundle target folder)
  target_link_options(${target} PRIVATE -Wl,--disable-new-dtags)
  set_target_properties(${target} PROPERTIES INSTALL_RPATH "$ORIGIN/../lib")
  install(TARGETS ${target} COMPONENT programs EXCLUDE_FROM_ALL
          RUNTIME DESTINATION ${folder} LIBRARY DESTINATION ${folder})
  kaon_list_bundled(${target} $<TARGET_FILE:${target}>)
endfunction()

# kaon_list_bundled(TARGET FILE ...): for what kaon_bundle does not install: TARGET is built for the bundle, which carries
# these files that it makes.
function(kaon_list_bundled target)
  foreach(file IN LISTS ARGN)
    set_property(GLOBAL APPEND PROPERTY KAON_BUNDLED "${target} ${file}")
  endforeach()
endfunction()

# For ./dev, in the build folder. programs.txt: one program a line; bundled.txt: a target and a file that it makes, of all
# that the bundle carries.
function(kaon_write_program_list)
  get_property(bundled GLOBAL PROPERTY KAON_BUNDLED)
  list(SORT bundled)
  list(REMOVE_DUPLICATES bundled)
  list(JOIN bundled "\n" lines)
  file(GENERATE OUTPUT "${PROJECT_BINARY_DIR}/bundled.txt" CONTENT "${lines}\n")
  get_property(programs GLOBAL PROPERTY KAON_PROGRAMS)
  list(SORT programs)
  list(JOIN programs "\n" lines)
  file(WRITE "${PROJECT_BINARY_DIR}/programs.txt" "${lines}\n")
endfunction()
