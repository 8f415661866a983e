// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "kaon/runtime/exchange/batch_store.hpp"
#include "kaon/runtime/messages/message.hpp"

namespace kaon::runtime {

/// Payload bytes with which a batch is closed: what its receiver must hold for one credit is bounded.
inline constexpr std::size_t kMostPayloadBytesOfBatch = std::size_t{256} << 10;

/// One message on its way into a batch: tried where there is room, and where its arguments are too large for any batch,
/// put beside it.
class MessagePacker {
 public:
  MessagePacker(Exchange& exchange, const Message& message);

  /// False: there is not enough room left.
  bool pack_into(Batch& batch);
  /// After an attempt that failed.
  bool fits_an_empty_batch() const;
  /// Only the header goes into the batch, which has room for it; the arguments travel like a payload.
  void pack_apart(Batch& batch);

 private:
  std::size_t bytes_of_header() const;
  void finish(Batch& batch, std::size_t argument_bytes, std::size_t body_bytes);
  void attach(Batch& batch, PayloadRecord& record, std::uint32_t counter);

  Exchange& exchange_;
  const Message& message_;
  std::vector<PayloadRecord*>& payloads_;
  std::uint8_t parts_;
  std::size_t argument_bytes_;  // found out by the first attempt
};

}  // namespace kaon::runtime
