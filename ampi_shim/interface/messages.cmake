# SPDX-License-Identifier: Apache-2.0
target_sources(ampi_interface PRIVATE
  buffered_sends.cpp
  message_arguments.cpp
  partitioned.cpp
  point_to_point.cpp
  point_to_point_nonblocking.cpp
  probing.cpp
  requests.cpp
  requests_of_arrays.cpp
  starting.cpp)
