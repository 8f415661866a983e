# SPDX-License-Identifier: Apache-2.0
target_sources(ampi_interface PRIVATE
  datatype_arguments.cpp
  datatype_attributes.cpp
  datatype_constructors.cpp
  datatype_contents.cpp
  datatype_objects.cpp
  datatype_queries.cpp
  datatypes_of_fortran.cpp
  datatypes_removed.cpp
  operations.cpp
  packing.cpp
  packing_external.cpp
  received_counts.cpp)
