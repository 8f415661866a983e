# SPDX-License-Identifier: Apache-2.0
target_sources(ampi_interface PRIVATE
  device_partitions.cpp
  enqueued_messages.cpp
  stream_arguments.cpp
  streams.cpp)
