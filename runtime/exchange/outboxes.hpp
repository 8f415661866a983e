// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <memory>
#include <vector>

#include "kaon/runtime/base/pe_id.hpp"
#include "kaon/runtime/exchange/exchange_setup.hpp"
#include "kaon/runtime/exchange/outbox.hpp"

namespace kaon::runtime {

/// The outboxes of one PE: one for each PE of another process that it has sent to, or that it owes credits.
class Outboxes {
 public:
  Outboxes(Scheduler& scheduler, const ExchangeSetup& setup, NetworkEnd& network, PayloadTransfers& transfers);
  Outboxes(const Outboxes&) = delete;
  Outboxes& operator=(const Outboxes&) = delete;

  /// Makes it if need be, for which the network must be open.
  Outbox& to(PeId pe);
  bool is_open() const { return context_.network.port != nullptr; }
  /// Lets all that was sent leave, as far as there are credits.
  void flush();
  bool has_unsent() const { return !context_.dirty.empty(); }
  std::size_t waiting_bytes() const { return context_.waiting.bytes(); }
  /// True if a batch has had to wait for credits or for its connection since forget_held_back().
  bool is_held_back() const { return context_.is_held_back; }
  void forget_held_back() { context_.is_held_back = false; }
  /// Releases what has not left.
  void clear() { outboxes_.clear(); }

 private:
  OutboxContext context_;
  int credits_;
  std::vector<std::unique_ptr<Outbox>> outboxes_;  // by PE; empty until something is sent there
};

}  // namespace kaon::runtime
