# SPDX-License-Identifier: Apache-2.0
# Compilers and libraries of the vendors, and how sources of kernels are compiled. Also installed, for kaonConfig.cmake.

# What kernels are compiled for. CUDA's also run on newer devices, compiled once more as a program starts; HIP's do not.
set(KAON_CUDA_ARCHITECTURE sm_90 CACHE STRING "Architecture that CUDA kernels are compiled for")
set(KAON_HIP_ARCHITECTURE gfx90a CACHE STRING "Architecture that HIP kernels are compiled for")

# Sets KAON_NVCC; makes CUDA::cudart and KAON_VENDOR_LIBRARY. Of the toolkit only cudart is linked, as a shared library;
# libcuda is loaded by cudart when a program runs.
macro(kaon_find_cuda)
  find_package(CUDAToolkit 12.5 QUIET)
  find_program(KAON_NVCC nvcc HINTS "${CUDAToolkit_BIN_DIR}" PATHS /usr/local/cuda/bin)
  set(KAON_VENDOR_LIBRARY)
  if(TARGET CUDA::cudart)
    set(KAON_VENDOR_LIBRARY CUDA::cudart)
  endif()
endmacro()

# Sets KAON_HIPCC; makes kaon_external::hip and KAON_VENDOR_LIBRARY. Host code is compiled by the usual compiler.
macro(kaon_find_hip)
  find_program(KAON_HIPCC hipcc HINTS ENV ROCM_PATH PATH_SUFFIXES bin PATHS /opt/rocm)
  find_library(KAON_HIP_LIBRARY amdhip64 HINTS ENV ROCM_PATH PATH_SUFFIXES lib PATHS /opt/rocm)
  find_path(KAON_HIP_HEADERS hip/hip_runtime.h HINTS ENV ROCM_PATH PATH_SUFFIXES include PATHS /opt/rocm)
  if(NOT KAON_HIPCC OR NOT KAON_HIP_LIBRARY OR NOT KAON_HIP_HEADERS)
    message(FATAL_ERROR "hipcc or its library amdhip64 is not here. Run './dev build hip', which installs them.")
  endif()
  message(STATUS "GPU: HIP (${KAON_HIPCC})")
  if(NOT TARGET kaon_external::hip)
    add_library(kaon_external::hip INTERFACE IMPORTED GLOBAL)
    target_compile_definitions(kaon_external::hip INTERFACE __HIP_PLATFORM_AMD__)
    target_include_directories(kaon_external::hip SYSTEM INTERFACE "${KAON_HIP_HEADERS}")
    target_link_libraries(kaon_external::hip INTERFACE "${KAON_HIP_LIBRARY}")
  endif()
  set(KAON_VENDOR_LIBRARY kaon_external::hip)
endmacro()

# kaon_kernels(TARGET [SAME_DIGITS] [STARTS_COPIES] x.kernels.hpp y.kernels.cpp ...)
# Adds kernels to a target that links kaon::gpu: headers that hold bodies and KAON_KERNEL lines, or sources. Each is
# compiled for the emulation and for the vendor's back end of this build. With SAME_DIGITS no back end contracts
# a * b + c, so that all give the same digits, a little slower. STARTS_COPIES: kernels of each source may launch graphs. Its
# device code is relocatable and linked by itself, so that what uses the target is compiled and linked as ever. With HIP their
# starts fail.
function(kaon_kernels target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "SAME_DIGITS;STARTS_COPIES" "" "")
  set(cuda -x cu "-arch=${KAON_CUDA_ARCHITECTURE}" -lineinfo --expt-relaxed-constexpr
           -Werror cross-execution-space-call -ccbin "${CMAKE_CXX_COMPILER}" -Xcompiler=-fPIC)
  set(hip -x hip "--offload-arch=${KAON_HIP_ARCHITECTURE}" -fPIC)
  if(arg_SAME_DIGITS)
    list(APPEND cuda --fmad=false -Xcompiler=-ffp-contract=off)
    list(APPEND hip -ffp-contract=off)
  endif()
  foreach(source IN LISTS arg_UNPARSED_ARGUMENTS)
    get_filename_component(source "${source}" ABSOLUTE)
    kaon_kernel_source("${source}" ${target} source)
    target_sources(${target} PRIVATE "${source}")
    if(arg_SAME_DIGITS)
      set_property(SOURCE "${source}" TARGET_DIRECTORY ${target} APPEND PROPERTY COMPILE_OPTIONS -ffp-contract=off)
    endif()
    if(KAON_WITH_CUDA AND arg_STARTS_COPIES)
      kaon_vendor_object(${target} "${source}" cuda "${KAON_NVCC}" ${cuda} -rdc=true)
      kaon_link_device_code(${target} "${source}")
    elseif(KAON_WITH_CUDA)
      kaon_vendor_object(${target} "${source}" cuda "${KAON_NVCC}" ${cuda})
    elseif(KAON_WITH_HIP)
      kaon_vendor_object(${target} "${source}" hip "${KAON_HIPCC}" ${hip})
    endif()
  endforeach()
endfunction()

# Sets RESULT to the source to compile: for a header one of two lines that includes it.
function(kaon_kernel_source source target result)
  if(source MATCHES "\\.hpp$")
    get_filename_component(name "${source}" NAME_WLE)
    set(body "#include \"kaon/gpu/kernels/kernel_body.hpp\"\n#include \"${source}\"\n")
    set(source "${CMAKE_CURRENT_BINARY_DIR}/${target}.${name}.cpp")
    file(CONFIGURE OUTPUT "${source}" CONTENT "${body}" @ONLY)
  endif()
  set(${result} "${source}" PARENT_SCOPE)
endfunction()

# Sets NAME to that of the source among all, and OBJECT to the file that it is compiled to.
function(kaon_object_of target source backend name object)
  file(RELATIVE_PATH path "${PROJECT_SOURCE_DIR}" "${source}")  # sources of several folders may have one name
  string(REGEX REPLACE "[/.]+" "_" path "${path}")
  set(${name} "${path}" PARENT_SCOPE)
  set(${object} "${CMAKE_CURRENT_BINARY_DIR}/${target}.${path}.${backend}.o" PARENT_SCOPE)
endfunction()

# kaon_link_device_code(TARGET SOURCE): of a source that kaon_vendor_object has compiled with -rdc=true.
function(kaon_link_device_code target source)
  kaon_object_of(${target} "${source}" cuda name object)
  kaon_object_of(${target} "${source}" linked name linked)
  add_custom_command(OUTPUT "${linked}"
    COMMAND "${KAON_NVCC}" -dlink "-arch=${KAON_CUDA_ARCHITECTURE}" -ccbin "${CMAKE_CXX_COMPILER}" -Xcompiler=-fPIC
            "${object}" -o "${linked}" -lcudadevrt
    DEPENDS "${object}" VERBATIM COMMENT "Linking device code of ${name}")
  set_source_files_properties("${linked}" TARGET_DIRECTORY ${target} PROPERTIES GENERATED ON EXTERNAL_OBJECT ON)
  target_sources(${target} PRIVATE "${linked}")
endfunction()

# kaon_vendor_object(TARGET SOURCE BACKEND COMPILER OPTION ...): compiled with what TARGET includes and defines.
function(kaon_vendor_object target source backend compiler)
  kaon_object_of(${target} "${source}" ${backend} name object)
  string(TOUPPER ${backend} language)
  set(folders "$<TARGET_PROPERTY:${target},INCLUDE_DIRECTORIES>")
  set(definitions "$<TARGET_PROPERTY:${target},COMPILE_DEFINITIONS>")
  add_custom_command(OUTPUT "${object}"
    COMMAND ${CMAKE_${language}_COMPILER_LAUNCHER} "${compiler}" ${ARGN} -std=c++20 -O3 -c "${source}" -o "${object}" -MD -MF "${object}.d"
            "$<$<BOOL:${folders}>:-I$<JOIN:${folders},;-I>>" "$<$<BOOL:${definitions}>:-D$<JOIN:${definitions},;-D>>"
    DEPENDS "${source}" DEPFILE "${object}.d" COMMAND_EXPAND_LISTS VERBATIM
    COMMENT "Building ${backend} object of ${name}")
  set_source_files_properties("${object}" TARGET_DIRECTORY ${target} PROPERTIES GENERATED ON EXTERNAL_OBJECT ON)
  target_sources(${target} PRIVATE "${object}")
endfunction()
