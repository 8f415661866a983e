# SPDX-License-Identifier: Apache-2.0
target_sources(ampi_interface PRIVATE
  attributes.cpp
  cartesian_topologies.cpp
  communicator_creation.cpp
  communicators.cpp
  distributed_graph_topologies.cpp
  graph_topologies.cpp
  groups.cpp
  intercommunicators.cpp)
