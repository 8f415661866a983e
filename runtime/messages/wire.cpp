// SPDX-License-Identifier: Apache-2.0
#include "kaon/runtime/messages/wire.hpp"

#include <cstring>

#include "kaon/runtime/base/error.hpp"

namespace kaon::runtime {
namespace {

template <class T>
std::byte* write(std::byte* to, const T& value) {
  std::memcpy(to, &value, sizeof(T));
  return to + sizeof(T);
}

constexpr std::uint8_t kKnownParts = kHasOrigin | kHasReply | kHasPriority | kHasPayloads | kLargeBody;
constexpr std::uint8_t kKnownFlags = kControlMessage | kBroadcastMessage | kContinuation;

}  // namespace

std::size_t write_header(std::byte* to, const WireMessage& message) {
  std::byte* at = write(to, message.header);
  if (message.header.parts & kHasOrigin) at = write(at, message.origin);
  if (message.header.parts & kHasReply) at = write(at, message.reply);
  if (message.header.parts & kHasPriority) at = write(at, message.priority);
  return static_cast<std::size_t>(at - to);
}

BatchReader::BatchReader(std::span<const std::byte> batch) : rest_(batch) { read(header_); }

template <class T>
void BatchReader::read(T& value) {
  if (rest_.size() < sizeof(T)) throw CorruptMessage("a batch of messages ends in the middle of a header");
  std::memcpy(&value, rest_.data(), sizeof(T));
  rest_ = rest_.subspan(sizeof(T));
}

bool BatchReader::next(WireMessage& message) {
  if (rest_.empty()) return false;
  read(message.header);
  const std::uint8_t parts = message.header.parts;
  if ((parts & ~kKnownParts) != 0 || (message.header.flags & ~kKnownFlags) != 0)
    throw CorruptMessage("a message has flags that no version of Kaon sends");
  if (((parts & kLargeBody) != 0 || message.header.payloads != 0) != ((parts & kHasPayloads) != 0))
    throw CorruptMessage("a message does not say how its payloads are numbered, or numbers some that it has not");
  if ((parts & kLargeBody) != 0 && message.header.bytes != 0)
    throw CorruptMessage("a message has its arguments in two places");
  message.origin = {header_.source, 0};
  message.reply = {};
  message.priority = 0;
  message.numbers = {};
  if (parts & kHasOrigin) read(message.origin);
  if (parts & kHasReply) read(message.reply);
  if (parts & kHasPriority) read(message.priority);
  if (message.header.bytes > rest_.size()) throw CorruptMessage("a message claims more bytes than its batch holds");
  message.arguments = rest_.first(message.header.bytes);
  rest_ = rest_.subspan(message.header.bytes);
  if (parts & kHasPayloads) read(message.numbers);
  return true;
}

}  // namespace kaon::runtime
