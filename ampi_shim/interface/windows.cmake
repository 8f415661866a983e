# SPDX-License-Identifier: Apache-2.0
target_sources(ampi_interface PRIVATE
  one_sided.cpp
  window_arguments.cpp
  window_objects.cpp
  window_synchronization.cpp
  windows.cpp)
