// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <variant>

#include "kaon/ampi_shim/communicators/topology.hpp"
#include "kaon/ampi_shim/interface/communicator_arguments.hpp"

namespace kaon::ampi {

/// The topology of this kind. Throws MpiFault where the communicator has another or none.
template <class Kind>
const Kind& topology_of(const Communicator& communicator, const char* kind) {
  const auto* const topology =
      communicator.topology != nullptr ? std::get_if<Kind>(communicator.topology.get()) : nullptr;
  require(topology != nullptr, MPI_ERR_TOPOLOGY, "the communicator has no {} topology", kind);
  return *topology;
}
inline const Cartesian& cartesian_of(const Communicator& communicator) {
  return topology_of<Cartesian>(communicator, "Cartesian");
}

/// A communicator with a topology, of the first ranks of another one: made by all of these.
CommunicatorRef first_ranks(const char* name, Rank& rank, Communicator& communicator, int ranks);

}  // namespace kaon::ampi
