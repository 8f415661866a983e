// SPDX-License-Identifier: Apache-2.0
// Messages on their way from their PE, and what --serialize-always does to those that stay within a process.
#include <cstddef>
#include <exception>
#include <string>
#include <vector>

#include "kaon/runtime/base/error.hpp"
#include "kaon/runtime/exchange/exchange.hpp"
#include "kaon/runtime/exchange/neighbours.hpp"
#include "kaon/runtime/messages/entry_table.hpp"
#include "kaon/runtime/payloads/payload_record.hpp"
#include "kaon/runtime/pe/pe.hpp"
#include "kaon/runtime/pe/process.hpp"

namespace kaon::runtime {
namespace {

[[noreturn]] void throw_unread(std::size_t bytes) {
  throw CorruptMessage("the arguments of a message leave its last " + std::to_string(bytes) +
                       " bytes unread; check that each pup reads what it wrote");
}

[[noreturn]] void throw_other_payloads(std::size_t written, std::size_t read) {
  throw CorruptMessage("the arguments of a message have " + std::to_string(written) + " payloads and are read with " +
                       std::to_string(read) + "; check that each pup reads what it wrote");
}

}  // namespace

// Who would wait for a message that cannot be sent, hears of it.
void Pe::route_elsewhere(Message& message, PeId to) {
  const EntryRecord& entry = *message.entry;
  if (entry.lost == nullptr) [[likely]]
    return send_elsewhere(message, to);
  LossNote note;
  entry.note_loss(message, note);
  try {
    send_elsewhere(message, to);
  } catch (...) {
    entry.lost(*this, note);
    throw;
  }
}

void Pe::send_elsewhere(Message& message, PeId to) {
  if (message_meter_ != nullptr) [[unlikely]]
    message_meter_(*this, message);
  if (to == id_) return enqueue(serialize_always_ ? *reserialized(message) : message);
  if (is_over_) return message.entry->destroy(message, pool_);  // of a destructor, when the run has ended
  if (process_.is_local(to))
    neighbours_->send(*(serialize_always_ ? reserialized(message) : &message), to - process_.first_pe());
  else
    exchange_->send(message, to);
  if (promptness_.must_leave(kind())) flush();
}

Message* Pe::reserialized(Message& message) {
  const OwnedMessage owned(&message, {&pool_});
  std::vector<PayloadRecord*> leaving, arriving;
  Writer size(nullptr, 0, &leaving);
  message.entry->pack(message, size);
  leaving.clear();
  std::vector<std::byte> bytes(size.bytes());
  Writer out(bytes.data(), bytes.size(), &leaving);
  message.entry->pack(message, out);
  Reader in(bytes.data(), bytes.size(), &arriving);
  OwnedMessage copy(unpack_noted(message, in), {&pool_});
  if (arriving.size() != leaving.size()) throw_other_payloads(leaving.size(), arriving.size());
  if (message.entry->check_copy != nullptr) message.entry->check_copy(message, *copy);
  for (std::size_t i = 0; i < arriving.size(); ++i) hand_memory(*leaving[i], *arriving[i]);
  copy_header(message, *copy);
  return copy.release();
}

/// An error is that of the message, not of the entry that has sent it.
Message* Pe::unpack_noted(const Message& message, Reader& in) {
  try {
    OwnedMessage copy(message.entry->unpack(*message.entry, in, pool_), {&pool_});
    if (in.remaining() != 0) throw_unread(in.remaining());
    return copy.release();
  } catch (...) {
    RunningEntry reading;
    reading.note_reading(*message.entry, message.element, message.collection, message.source);
    ShortText place;
    reading.say(collections_, place);
    failures().note_origin(std::current_exception(), place.str());
    throw;
  }
}

}  // namespace kaon::runtime
