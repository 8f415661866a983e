// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <vector>

#include "kaon/runtime/archive/bulk.hpp"
#include "kaon/runtime/base/pe_id.hpp"
#include "kaon/runtime/exchange/backlog.hpp"
#include "kaon/runtime/messages/entry_table.hpp"
#include "kaon/runtime/messages/message.hpp"
#include "kaon/runtime/messages/wire.hpp"
#include "kaon/runtime/ports/machine.hpp"
#include "kaon/runtime/work/join_counter.hpp"

namespace kaon::runtime {

class CollectionTable;
class DeferredPayloads;
class PayloadTransfers;
class RunningEntry;
class Scheduler;
struct ExchangeSetup;
struct NetworkEnd;
struct PayloadRecord;

/// The tables that arriving messages are checked against, and the destinations of messages and payloads.
struct ArrivalsContext {
  Pe& pe;  // for post rules
  Scheduler& scheduler;
  const CollectionTable& collections;
  RunningEntry& running;
  const ExchangeSetup& setup;
  const NetworkEnd& network;
  PayloadTransfers& transfers;
  DeferredPayloads& deferred;
  Backlog& backlog;
};

/// Messages of one PE that came from another process: unpacked into their final form, and held until the payloads
/// that travel apart from them are here, whichever comes first.
class Arrivals {
 public:
  explicit Arrivals(const ArrivalsContext& context);
  Arrivals(const Arrivals&) = delete;
  Arrivals& operator=(const Arrivals&) = delete;
  /// Releases what waits; the port is gone, so nothing more will come.
  void clear();

  /// Begins a batch: all messages up to end_batch() belong to it. It used `credits` credits, none on the control lane.
  void begin_batch(PeId sender, std::uint32_t credits);
  /// Throws CorruptMessage.
  void accept(const WireMessage& wire);
  /// The batch counts as unpacked when all its payloads are here, so that credits bound what is received at a time;
  /// Backlog decides when it counts as taken.
  void end_batch();

  /// Messages that wait for payloads.
  std::uint64_t waiting() const { return waiting_count_; }

  /// Bytes of one payload or large argument beyond which its announcement is not believed: the machine's memory.
  std::size_t payload_limit;

 private:
  struct Receive;
  /// A batch some of whose messages wait for payloads.
  struct Batch {
    UnpackedBatch unpacked;
    JoinCounter missing;  // messages
  };
  /// A message that waits for payloads.
  struct Waiting {
    Arrivals* owner;
    Waiting* previous;
    Waiting* next;
    WireMessage wire;  // without its arguments, which stand in a batch that is gone
    PeId sender;
    Batch* batch;
    Message* message;     // nullptr while its large body is under way
    PayloadRecord* body;  // the large body
    Receive* receives;    // all that were posted for it; they go with it
    JoinCounter missing;
    std::uint8_t epoch;  // in which it came
  };
  struct Receive : Work {
    Waiting* waiting;
    PayloadRecord* record;
    Receive* next_receive;
  };

  const EntryRecord& entry_of(const WireMessage& wire) const;
  void unpack(const WireMessage& wire, PeId sender);
  OwnedMessage unpack_arguments(const EntryRecord& entry, const WireMessage& wire);
  void check_size(const PayloadRecord& record) const;
  void fetch_body(const WireMessage& wire, PeId sender);
  void body_is_here(Waiting& waiting);
  void fetch_payloads(Message& message, const WireMessage& wire, PeId sender);
  void receive_part(Waiting& waiting, const archive::BulkPart& part, std::uint32_t counter);
  void receive(Waiting& waiting, PayloadRecord& record, std::uint32_t counter);
  void received(Waiting& waiting);
  void drop(Waiting& waiting);
  Waiting& add_waiting(const WireMessage& wire, PeId sender);
  void remove(Waiting& waiting);
  void leave(Batch* batch);
  void batch_is_unpacked(const UnpackedBatch& batch);
  std::uint32_t counter(const WireMessage& wire, std::uint32_t index) const;

  const ArrivalsContext context_;
  Waiting* first_ = nullptr;
  std::uint64_t waiting_count_ = 0;
  UnpackedBatch accepting_;  // the batch of the message being accepted
  Batch* batch_ = nullptr;   // as far as some of it waits
  std::vector<PayloadRecord*> scratch_;
  archive::BulkParts bulk_;
};

}  // namespace kaon::runtime
