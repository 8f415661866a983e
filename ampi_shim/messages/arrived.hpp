// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include "kaon/ampi_shim/messages/buffers.hpp"
#include "kaon/ampi_shim/messages/envelope.hpp"
#include "kaon/ampi_shim/messages/queue.hpp"
#include "kaon/runtime/payloads/payload.hpp"

namespace kaon::ampi {

class SendRequest;

/// A message that has come, and whose receive has not. MPI_Message of one that a matched probe has taken is its
/// address.
class Arrived final : public QueueNode {
 public:
  /// Its data have come with it, or wait at their sender in another process.
  Arrived(const Envelope& envelope, Payload<std::byte>&& data);
  /// Its data are in memory of a rank of this PE, which waits for them to be taken.
  Arrived(const Envelope& envelope, SendRequest& sender);
  Arrived(const Arrived&) = delete;
  Arrived& operator=(const Arrived&) = delete;
  ~Arrived() { magic_ = 0; }

  static void* operator new(std::size_t bytes);
  static void operator delete(void* memory, std::size_t bytes) noexcept;

  static Arrived* alive_at(const void* address);

  const Envelope& envelope() const { return envelope_; }
  Payload<std::byte>& data() { return data_; }
  SendRequest* sender() const { return sender_; }

  // In the list of all that have come, in their order.
  Arrived* older = nullptr;
  Arrived* newer = nullptr;

 private:
  static constexpr std::uint64_t kMagic = 0x6d6573736b616f01;

  std::uint64_t magic_ = kMagic;
  Envelope envelope_;
  Payload<std::byte> data_;
  SendRequest* sender_ = nullptr;
};

}  // namespace kaon::ampi
