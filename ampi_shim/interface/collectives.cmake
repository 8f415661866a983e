# SPDX-License-Identifier: Apache-2.0
# Each collective is written once, for its functions in three forms and two widths of counts.
target_sources(ampi_interface PRIVATE
  collective_call.cpp
  exchanging_collectives.cpp
  host_copies.cpp
  meeting_call.cpp
  neighbor_collectives.cpp
  reducing_collectives.cpp
  rooted_collectives.cpp)
