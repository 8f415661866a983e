// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>

#include "kaon/runtime/messages/message.hpp"

namespace kaon::runtime {

/// A batch on the wire: a BatchHeader, then messages one behind the other:
///   WireHeader | Origin if kHasOrigin | ReplyTo if kHasReply | priority if kHasPriority | arguments | PayloadNumbers
///   if kHasPayloads
/// All in the byte order of the machine: the processes of a run are of one kind, which the start-up hash checks.
struct BatchHeader {
  std::uint64_t secret;   // of the run
  PeId source;            // PE that sends the batch
  std::uint8_t epoch;     // of the run; batches of an earlier one are dropped
  std::uint8_t cost;      // credits that this batch uses; 0 on the control lane
  std::uint16_t credits;  // of ours, that `source` gives back
};
static_assert(sizeof(BatchHeader) == 16);

enum WireParts : std::uint8_t { kHasOrigin = 1, kHasReply = 2, kHasPriority = 4, kHasPayloads = 8, kLargeBody = 16 };

struct WireHeader {
  std::uint64_t element;
  std::uint32_t entry;
  CollectionId collection;
  std::uint32_t bytes;  // of the arguments in the batch; 0 with kLargeBody
  std::uint16_t payloads;
  std::uint8_t flags;  // MessageFlags
  std::uint8_t parts;  // WireParts
};
static_assert(sizeof(WireHeader) == 24);

struct Origin {
  PeId source;  // first sender of a message that was forwarded
  std::uint32_t hops;
};

/// The payloads of a message have the counters first, first + 1, ...; arguments too large for a batch travel like a
/// payload behind them (kLargeBody).
struct PayloadNumbers {
  std::uint64_t body_bytes;
  std::uint32_t first;
  std::uint32_t reserved;
};

inline constexpr std::size_t kMaxWireHeader =
    sizeof(WireHeader) + sizeof(Origin) + sizeof(ReplyTo) + sizeof(std::int32_t) + sizeof(PayloadNumbers);

/// One message as it stands in a batch. `arguments` points into the batch.
struct WireMessage {
  WireHeader header;
  Origin origin;
  ReplyTo reply;
  std::int32_t priority;
  PayloadNumbers numbers;
  std::span<const std::byte> arguments;
};

/// Writes everything before the arguments; returns the bytes written, at most kMaxWireHeader.
std::size_t write_header(std::byte* to, const WireMessage& message);
/// Bytes that write_header will write for these parts.
constexpr std::size_t header_bytes(std::uint8_t parts) {
  return sizeof(WireHeader) + (parts & kHasOrigin ? sizeof(Origin) : 0) + (parts & kHasReply ? sizeof(ReplyTo) : 0) +
         (parts & kHasPriority ? sizeof(std::int32_t) : 0);
}

/// Walks through a batch that came from another process; every length is checked. Throws CorruptMessage.
class BatchReader {
 public:
  explicit BatchReader(std::span<const std::byte> batch);

  const BatchHeader& header() const { return header_; }
  /// False at the end of the batch.
  bool next(WireMessage& message);

 private:
  template <class T>
  void read(T& value);

  std::span<const std::byte> rest_;
  BatchHeader header_;
};

}  // namespace kaon::runtime
