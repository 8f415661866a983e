// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "kaon/runtime/archive/bulk.hpp"
#include "kaon/runtime/exchange/batch_store.hpp"
#include "kaon/runtime/exchange/payload_transfers.hpp"
#include "kaon/runtime/messages/entry_table.hpp"

namespace kaon::runtime {

/// Payload bytes with which a batch is closed: what its receiver must hold for one credit is bounded.
inline constexpr std::size_t kMostPayloadBytesOfBatch = std::size_t{256} << 10;

/// The state that the packers of a PE's messages share. The lists keep their memory from one message to the next.
struct PackerContext {
  PeId sender;
  Pool& pool;
  PayloadTransfers& transfers;
  std::vector<PayloadRecord*> payloads;
  archive::BulkParts bulk;
};

/// One message on its way into a batch: tried where there is room, and where its arguments are too large for any batch,
/// put beside it. Large vectors and strings travel from their own memory, and the message lives until they have left.
class MessagePacker {
 public:
  /// Takes the message, which is released with the packer if nothing of it is under way by then.
  MessagePacker(PackerContext& context, PeId to, Message& message);
  MessagePacker(const MessagePacker&) = delete;
  MessagePacker& operator=(const MessagePacker&) = delete;

  /// False: there is not enough room left.
  bool pack_into(Batch& batch);
  /// After an attempt that failed.
  bool fits_an_empty_batch() const;
  /// Only the header goes into the batch, which has room for it; the arguments travel like a payload.
  void pack_apart(Batch& batch);

 private:
  std::size_t bytes_of_header() const;
  std::size_t pack(std::byte* to, std::size_t capacity);
  void make_bulk_records();
  void finish(Batch& batch, std::size_t argument_bytes, std::size_t body_bytes);

  PackerContext& context_;
  PeId to_;
  OwnedMessage message_;  // empty: those who send its large arguments release it
  std::vector<PayloadRecord*>& payloads_;
  archive::BulkParts& bulk_;
  std::uint8_t parts_;
  std::size_t argument_bytes_;  // found out by the first attempt
};

}  // namespace kaon::runtime
