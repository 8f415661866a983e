// SPDX-License-Identifier: Apache-2.0
#include "kaon/ampi_shim/messages/arrived.hpp"

#include <utility>

#include "kaon/ampi_shim/datatypes/handled.hpp"
#include "kaon/runtime/work/scheduler.hpp"

namespace kaon::ampi {

Arrived::Arrived(const Envelope& envelope, Payload<std::byte>&& data) : envelope_(envelope), data_(std::move(data)) {
  queue_key = envelope.key;
}

Arrived::Arrived(const Envelope& envelope, SendRequest& sender) : envelope_(envelope), sender_(&sender) {
  queue_key = envelope.key;
}

void* Arrived::operator new(std::size_t bytes) { return this_scheduler().pool().allocate(bytes); }

void Arrived::operator delete(void* memory, std::size_t bytes) noexcept {
  this_scheduler().pool().release(memory, bytes);
}

Arrived* Arrived::alive_at(const void* handle) {
  const auto word = reinterpret_cast<std::uintptr_t>(handle);
  if (word % alignof(Arrived) != 0) return nullptr;
  auto* const message = HandleWord::object<Arrived>(word);
  return HandleWord::is_readable(&message->handle_) && message->handle_ == (word ^ kMagic) ? message : nullptr;
}

std::uintptr_t Arrived::give_handle() {
  const std::uintptr_t word = HandleWord::make(this, HandleWord::next_number());
  handle_ = word ^ kMagic;
  return word;
}

}  // namespace kaon::ampi
