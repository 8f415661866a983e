# SPDX-License-Identifier: Apache-2.0
target_sources(ampi_interface PRIVATE
  conversions.cpp
  device_allocation.cpp
  environment.cpp
  error_handlers.cpp
  error_handlers_removed.cpp
  error_raising.cpp
  errors.cpp
  fortran.cpp
  handle_numbers.cpp
  info.cpp
  program_objects.cpp
  sessions.cpp
  tools.cpp)
