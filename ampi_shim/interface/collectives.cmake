# SPDX-License-Identifier: Apache-2.0
# Each collective is written once, and has functions in three forms and two widths of counts.
target_sources(ampi_interface PRIVATE collective_call.cpp host_copies.cpp meeting_call.cpp)
foreach(family exchanging neighbor reducing rooted)
  target_sources(ampi_interface PRIVATE
    ${family}_collectives.cpp
    ${family}_collectives_blocking.cpp
    ${family}_collectives_nonblocking.cpp
    ${family}_collectives_persistent.cpp)
endforeach()
