# SPDX-License-Identifier: Apache-2.0
# Which vendor's back end this build has, besides the emulation that is always there: KAON_WITH_CUDA and KAON_WITH_HIP
# (0 or 1).
set(KAON_CUDA AUTO CACHE STRING "Build the CUDA back end: AUTO (when nvcc is here), ON or OFF")
set_property(CACHE KAON_CUDA PROPERTY STRINGS AUTO ON OFF)
option(KAON_HIP "Build the HIP back end, in place of CUDA's" OFF)
include("${CMAKE_CURRENT_LIST_DIR}/KaonKernels.cmake")

# kaon_leave_out(WHAT): one line; where everything is wanted, an error.
function(kaon_leave_out what)
  if(KAON_CUDA STREQUAL "AUTO" AND NOT "$ENV{CI}")
    message(STATUS "GPU: ${what}; the CUDA back end is left out")
  else()
    message(FATAL_ERROR "${what}. Install the CUDA toolkit 12.5 or newer, or configure with -D KAON_CUDA=OFF.")
  endif()
endfunction()

set(KAON_WITH_CUDA 0)
set(KAON_WITH_HIP 0)
if(KAON_HIP)
  kaon_find_hip()
  set(KAON_WITH_HIP 1)
elseif(KAON_CUDA)
  kaon_find_cuda()
  if(NOT KAON_NVCC)
    kaon_leave_out("nvcc is not here")
  elseif(NOT TARGET CUDA::cudart)
    kaon_leave_out("nvcc is here (${KAON_NVCC}) but cudart 12.5 or newer is not")
  else()
    set(KAON_WITH_CUDA 1)
    message(STATUS "GPU: CUDA ${CUDAToolkit_VERSION} (${KAON_NVCC})")
  endif()
endif()
