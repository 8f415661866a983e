// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "kaon/ampi_shim/messages/partitioned_request.hpp"
#include "kaon/ampi_shim/messages/transfers.hpp"

namespace kaon::ampi {

class OfferWait;

/// A partitioned receive. Its partitions need not be the sender's: it receives those of the
/// sender, and knows by their bytes which of its own have arrived.
class PartitionedReceive final : public PartitionedRequest, private RequestObserver {
 public:
  /// `from`: where the offer comes from; none: from MPI_PROC_NULL. `first`: memory of partition 0, with that of the
  /// others behind. Waits for the offer from now on, beside the program.
  PartitionedReceive(Rank& rank, const std::optional<MatchKey>& from, const Incoming& first, int partitions);
  ~PartitionedReceive() override;

  void start() override;
  std::string describe() const override;

  /// Throws MpiFault: there is no such partition.
  bool has_arrived(int partition) const;

 private:
  friend class OfferWait;

  void matched(const PartitionOffer& offer);
  void receive_all();
  void receive(std::int64_t number);
  Incoming memory_of(std::int64_t number);
  void completed(Request& request) override;
  void arrived(std::int64_t number, int error);
  void unpack(std::int64_t number);
  void part_has_ended();
  void finish();
  void end();

  bool is_of_same_size() const { return static_cast<std::uint64_t>(offer_.partitions) * offer_.bytes == all_.bytes(); }
  /// The sender cuts elements that have gaps: bytes come into memory of our own first.
  bool is_staged() const { return !staged_.empty(); }

  Rank& rank_;
  std::optional<MatchKey> from_;
  Incoming all_;  // the elements of all partitions
  TypeRef type_;
  OfferWait* wait_ = nullptr;  // nullptr: the offer has come
  PartitionOffer offer_;
  std::vector<bool> has_arrived_;  // by the sender's partitions
  std::vector<std::byte> staged_;
  std::int64_t missing_ = 0;  // of the sender's partitions
  int error_ = MPI_SUCCESS;
};

}  // namespace kaon::ampi
