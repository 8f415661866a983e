// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "kaon/ampi_shim/messages/partitioned_request.hpp"
#include "kaon/ampi_shim/messages/transfers.hpp"

namespace kaon::ampi {

/// A partitioned send: each partition leaves when it is ready.
class PartitionedSend final : public PartitionedRequest, private RequestObserver {
 public:
  /// `to`: where offers go; none: to MPI_PROC_NULL. `first`: the elements of partition 0, with those of the others
  /// behind. `context`: one that nothing else has. On a strand of the rank: sends the offer.
  PartitionedSend(Rank& rank, const std::optional<SendTo>& to, const Outgoing& first, int partitions,
                  std::uint64_t context);

  void start() override;
  std::string describe() const override;

  /// Throws MpiFault unless the program may say now that this partition is ready.
  void check_unready(int partition) const;
  bool is_ready(int partition) const { return is_ready_[static_cast<std::size_t>(partition)]; }
  /// Sends it. check_unready() has been asked.
  void ready(int partition);

 private:
  void completed(Request& request) override;
  void part_has_ended();

  Rank& rank_;
  std::optional<SendTo> to_;
  Outgoing first_;
  TypeRef type_;
  std::vector<bool> is_ready_;
  std::int64_t missing_ = 0;  // partitions that have to be sent
};

}  // namespace kaon::ampi
