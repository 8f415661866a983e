// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <vector>

#include "kaon/ampi_shim/messages/transfers.hpp"

namespace kaon::ampi {

/// A send and a receive that are one request, whose status is that of the receive.
class ExchangeRequest final : public Request, private RequestObserver {
 public:
  /// Nothing where a message would go to, or come from, MPI_PROC_NULL.
  ExchangeRequest(Rank& rank, const std::optional<SendTo>& to, const Outgoing& data,
                  const std::optional<MatchKey>& from, const Incoming& memory)
      : Request(false), rank_(rank), to_(to), data_(data), from_(from), memory_(memory) {}
  ~ExchangeRequest() override;

  /// Sends from a copy, since what is received goes where the data are.
  void keep_copy();
  void start() override;
  std::string describe() const override;

 private:
  void completed(Request& request) override;
  void note_received(const Request& request);
  void part_has_ended();

  Rank& rank_;
  std::optional<SendTo> to_;
  Outgoing data_;
  std::optional<MatchKey> from_;
  Incoming memory_;
  std::vector<std::byte> copy_;
  Request* send_ = nullptr;
  Request* receive_ = nullptr;
  int missing_ = 0;
  int error_ = MPI_SUCCESS;
};

}  // namespace kaon::ampi
