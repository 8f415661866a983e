// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>

#include "kaon/runtime/exchange/arrivals.hpp"
#include "kaon/runtime/exchange/backlog.hpp"
#include "kaon/runtime/exchange/exchange_setup.hpp"
#include "kaon/runtime/exchange/network_end.hpp"
#include "kaon/runtime/exchange/outboxes.hpp"
#include "kaon/runtime/exchange/payload_fetch.hpp"
#include "kaon/runtime/exchange/payload_transfers.hpp"
#include "kaon/runtime/messages/collection_table.hpp"
#include "kaon/runtime/messages/running_entry.hpp"
#include "kaon/runtime/payloads/accelerator.hpp"
#include "kaon/runtime/payloads/transfer_report.hpp"
#include "kaon/runtime/ports/machine.hpp"
#include "kaon/runtime/work/scheduler.hpp"

namespace kaon::runtime {

/// The network half of a PE: messages and payloads to and from PEs of other processes. It is the client of its port.
/// Driven by the PE's thread.
class Exchange final : public PortClient {
 public:
  Exchange(Pe& pe, Scheduler& scheduler, CollectionTable& collections, RunningEntry& running,
           const ExchangeSetup& setup);
  Exchange(const Exchange&) = delete;
  Exchange& operator=(const Exchange&) = delete;
  ~Exchange();

  void open(Machine& machine);
  void attach(Accelerator* accelerator) { network_.accelerator = accelerator; }
  /// Closes the port and abandons what is under way. Nothing arrives and nothing leaves any more.
  void close() { network_.port.reset(); }
  bool is_closed() const { return network_.port == nullptr; }
  /// Releases what has not left and what was not complete; after close().
  void clear();
  Port* port() { return network_.port.get(); }
  /// After a rollback: what was sent in earlier epochs is dropped from now on, also what has come in part.
  void begin_epoch(std::uint8_t epoch);

  /// Takes a message for a PE of another process. It leaves at the next flush, or when its batch is full.
  void send(Message& message, PeId to) { outbox(to).append(message); }
  /// Lets all that was sent leave, as far as there are credits.
  void flush() { outboxes_.flush(); }
  bool has_unsent() const { return outboxes_.has_unsent(); }
  /// Moves what is under way and hands over what came. True when anything happened.
  bool progress();
  /// Polls for a caller that waits: like progress(), but flushes nothing.
  bool look();
  /// True if something sent has not left yet, or while the accelerator still moves data.
  bool is_sending() const;
  /// True if a batch sent since the last progress() can leave only once progress() has brought credits or a connection.
  bool awaits_progress() const { return outboxes_.is_held_back(); }
  /// Same as Port::arm(), for the port and the accelerator.
  bool arm();
  /// Returns Accelerator::longest_sleep(), or the longest time there is without an accelerator.
  std::chrono::nanoseconds longest_sleep() const;
  int event_fd() const { return network_.port != nullptr ? network_.port->event_fd() : -1; }

  TransferReport& transfers() { return transfers_.report(); }
  DeferredPayloads& deferred() { return deferred_; }
  Arrivals& arrivals() { return arrivals_; }
  Outbox& outbox(PeId to) { return outboxes_.to(to); }
  /// Bytes of messages that wait for slow receivers.
  std::size_t waiting_bytes() const { return outboxes_.waiting_bytes(); }

  // --- PortClient
  void batch_arrived(Lane lane, std::span<const std::byte> bytes) override;
  void completed(Work& done) override { done.run(done, pe_); }

 private:
  void check_batch(const BatchHeader& header) const;

  Pe& pe_;
  const PeId id_;
  const ExchangeSetup& setup_;
  NetworkEnd network_;
  PayloadTransfers transfers_;
  Outboxes outboxes_;
  DeferredPayloads deferred_;
  Backlog backlog_;
  Arrivals arrivals_;
};

}  // namespace kaon::runtime
