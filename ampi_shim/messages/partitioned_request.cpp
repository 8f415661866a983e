// SPDX-License-Identifier: Apache-2.0
#include "kaon/ampi_shim/messages/partitioned_request.hpp"

#include <string>

#include "kaon/ampi_shim/datatypes/mpi_fault.hpp"

namespace kaon::ampi {

void PartitionedRequest::cancel() {
  throw MpiFault(MPI_ERR_REQUEST,
                 "partitioned requests cannot be cancelled; ready all partitions, and complete the request");
}

void PartitionedRequest::check_free() const {
  if (is_active())
    throw MpiFault(MPI_ERR_REQUEST,
                   "the partitioned request is active; complete it with MPI_Wait or MPI_Test before it is freed");
  if (has_round_word())
    throw MpiFault(MPI_ERR_REQUEST, "kernels may use the partitioned request; call KAON_Prequest_free before");
}

void PartitionedRequest::check_partition(int partition) const {
  if (partition < 0 || partition >= partitions_)
    throw MpiFault(MPI_ERR_ARG, "the partition is " + std::to_string(partition) + ", and the request has " +
                                    std::to_string(partitions_) + " partitions, numbered from 0");
}

void PartitionedRequest::set_round_word(std::uint32_t* word) {
  round_word_ = word;
  store_round();
}

void PartitionedRequest::begin_round() {
  begin();
  ++round_;
  store_round();
}

}  // namespace kaon::ampi
