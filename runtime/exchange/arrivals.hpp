// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <vector>

#include "kaon/runtime/ports/machine.hpp"
#include "kaon/runtime/messages/message.hpp"
#include "kaon/runtime/messages/wire.hpp"

namespace kaon::runtime {

class Pe;
struct PayloadRecord;

/// Messages of one PE that came from another process: unpacked into their final form, and held until the payloads
/// that travel apart from them are here, whichever comes first.
class Arrivals {
 public:
  explicit Arrivals(Pe& pe);
  Arrivals(const Arrivals&) = delete;
  Arrivals& operator=(const Arrivals&) = delete;
  /// Releases what waits; the port is gone, so nothing more will come.
  void clear();

  /// Throws CorruptMessage.
  void accept(const WireMessage& wire, PeId sender);
  /// The messages accepted since the last call were one batch. False: some wait for payloads; when they are here the
  /// batch counts as taken, so that credits bound what is received at a time.
  bool is_batch_taken();

  /// Bytes of one payload or large argument beyond which its announcement is not believed: the machine's memory.
  std::size_t payload_limit;

 private:
  struct Receive;
  /// A batch some of whose messages wait for payloads.
  struct Batch {
    PeId sender;
    std::uint32_t missing;  // messages
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
    std::uint32_t missing;
  };
  struct Receive : Transfer {
    Waiting* waiting;
    Receive* next;
  };

  void unpack(const WireMessage& wire, PeId sender);
  void check_size(const PayloadRecord& record) const;
  void fetch_body(const WireMessage& wire, PeId sender);
  void body_is_here(Waiting& waiting);
  void fetch_payloads(Message& message, const WireMessage& wire, PeId sender);
  void receive(Waiting& waiting, PayloadRecord& record, std::uint32_t counter);
  void received(Waiting& waiting);
  void deliver(Message& message);
  Waiting& add_waiting(const WireMessage& wire, PeId sender);
  void remove(Waiting& waiting);
  void leave(Batch* batch);
  std::uint32_t counter(const WireMessage& wire, std::uint32_t index) const;

  Pe& pe_;
  Waiting* first_ = nullptr;
  Batch* batch_ = nullptr;  // of the message being accepted; nullptr: none of its batch has waited yet
  std::vector<PayloadRecord*> scratch_;
};

}  // namespace kaon::runtime
