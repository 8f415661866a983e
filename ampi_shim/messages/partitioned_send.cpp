// SPDX-License-Identifier: Apache-2.0
#include "kaon/ampi_shim/messages/partitioned_send.hpp"

#include <algorithm>

#include "kaon/ampi_shim/datatypes/mpi_fault.hpp"
#include "kaon/ampi_shim/ranks/rank.hpp"

namespace kaon::ampi {

PartitionedSend::PartitionedSend(Rank& rank, const std::optional<SendTo>& to, const Outgoing& first, int partitions,
                                 std::uint64_t context)
    : PartitionedRequest(partitions),
      rank_(rank),
      to_(to),
      first_(first),
      is_ready_(static_cast<std::size_t>(partitions)) {
  if (first.type != nullptr) type_ = TypeRef(*first.type);
  if (!to_) return;
  const PartitionOffer offer{context, partitions, first.bytes()};
  send(rank_, *to_, {&offer, sizeof offer, nullptr});
  to_->context = context;
}

void PartitionedSend::start() {
  begin_round();
  std::fill(is_ready_.begin(), is_ready_.end(), false);
  missing_ = static_cast<std::int64_t>(is_ready_.size());
  if (missing_ == 0) complete(MPI_SUCCESS);
}

void PartitionedSend::check_unready(int partition) const {
  check_partition(partition);
  if (state() == State::inactive)
    throw MpiFault(MPI_ERR_REQUEST, "the partitioned send has not been started; call MPI_Start before");
  if (is_ready(partition))
    throw MpiFault(MPI_ERR_ARG, "partition " + std::to_string(partition) +
                                    " is ready already; each may be made ready once behind each MPI_Start");
}

void PartitionedSend::ready(int partition) {
  is_ready_[static_cast<std::size_t>(partition)] = true;
  if (!to_) return part_has_ended();
  const SendTo to{to_->context, to_->rank_in_run, to_->source, partition};
  const void* const data = elements_behind(first_.data, partition * first_.count, first_.type);
  if (begin_send(rank_, to, {data, first_.count, first_.type}, *this) == nullptr) part_has_ended();
}

void PartitionedSend::completed(Request& request) {
  delete &request;
  part_has_ended();
}

void PartitionedSend::part_has_ended() {
  if (--missing_ == 0) complete(MPI_SUCCESS);
}

std::string PartitionedSend::describe() const {
  const auto unready = std::count(is_ready_.begin(), is_ready_.end(), false);
  const std::string all = std::to_string(is_ready_.size()) + " partitions";
  if (unready > 0) return "until " + std::to_string(unready) + " of " + all + " are made ready by MPI_Pready";
  return "until rank " + std::to_string(to_ ? to_->rank_in_run : MPI_PROC_NULL) + " of the run receives " +
         std::to_string(missing_) + " of " + all;
}

}  // namespace kaon::ampi
