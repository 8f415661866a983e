// SPDX-License-Identifier: Apache-2.0
// What --serialize-always does to messages within a process.
#include <cstddef>
#include <exception>
#include <vector>

#include "kaon/runtime/base/error.hpp"
#include "kaon/runtime/messages/entry_table.hpp"
#include "kaon/runtime/payloads/payload_record.hpp"
#include "kaon/runtime/pe/pe.hpp"

namespace kaon::runtime {

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
  Message* copy = unpack_noted(message, in);
  for (std::size_t i = 0; i < arriving.size(); ++i) hand_memory(*leaving[i], *arriving[i]);
  copy_header(message, *copy);
  return copy;
}

/// An error is that of the message, not of the entry that has sent it.
Message* Pe::unpack_noted(const Message& message, Reader& in) {
  try {
    return message.entry->unpack(*message.entry, in, pool_);
  } catch (...) {
    RunningEntry reading;
    reading.note_reading(*message.entry, message.element, message.collection, message.source);
    ShortText place;
    reading.say(collections_, place);
    note_origin(std::current_exception(), place.str());
    throw;
  }
}

}  // namespace kaon::runtime
