// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include "kaon/ampi_shim/messages/buffers.hpp"
#include "kaon/ampi_shim/messages/envelope.hpp"
#include "kaon/ampi_shim/messages/queue.hpp"
#include "kaon/runtime/payloads/payload.hpp"

namespace kaon::ampi {

class SendRequest;

/// A message that has come, and whose receive has not. MPI_Message of one that a matched probe has taken leads
/// to it.
class Arrived final : public QueueNode {
 public:
  /// Its data have come with it, or wait at their sender in another process.
  Arrived(const Envelope& envelope, Payload<std::byte>&& data);
  /// Its data are in memory of a rank of this PE, which waits for them to be taken.
  Arrived(const Envelope& envelope, SendRequest& sender);
  Arrived(const Arrived&) = delete;
  Arrived& operator=(const Arrived&) = delete;
  ~Arrived() { static_cast<volatile std::uintptr_t&>(handle_) = 0; }

  static void* operator new(std::size_t bytes);
  static void operator delete(void* memory, std::size_t bytes) noexcept;

  /// A handle for the program, from now on.
  std::uintptr_t give_handle();
  /// The one of a handle; nullptr: none, or it is gone.
  static Arrived* alive_at(const void* handle);

  const Envelope& envelope() const { return envelope_; }
  Payload<std::byte>& data() { return data_; }
  SendRequest* sender() const { return sender_; }
  /// A matched probe has taken it.
  void set_matched() { is_matched_ = true; }
  bool is_matched() const { return is_matched_; }

  // In the list of all that have come, in their order.
  Arrived* older = nullptr;
  Arrived* newer = nullptr;

 private:
  static constexpr std::uintptr_t kMagic = 0x6d6573736b616f01;

  std::uintptr_t handle_ = 0;  // with the kind, as in Handled; 0: the program has none
  Envelope envelope_;
  Payload<std::byte> data_;
  SendRequest* sender_ = nullptr;
  bool is_matched_ = false;
};

}  // namespace kaon::ampi
