// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <new>
#include <tuple>
#include <utility>

#include "kaon/runtime/base/pe_id.hpp"
#include "kaon/runtime/memory/pool.hpp"
#include "kaon/runtime/work/work.hpp"

namespace kaon::runtime {

struct EntryRecord;

/// Number of a collection (array or group); the same on every PE. 0 addresses the PE itself.
using CollectionId = std::uint32_t;
inline constexpr CollectionId kNoCollection = 0;

/// Where the result of a call goes: a slot of a PE, told from its earlier uses by the generation. 0 is never a
/// generation in use, so a default ReplyTo means that nobody waits.
struct ReplyTo {
  std::uint32_t slot = 0;
  std::uint32_t generation = 0;
  explicit operator bool() const { return generation != 0; }
};

/// Beside kIsMessage in a message's flags.
enum MessageFlags : std::uint8_t {
  kControlMessage = 1,    // the runtime's own: control lane, not counted for quiescence
  kBroadcastMessage = 2,  // for every element of the collection on the receiving PE
  kLanded = 4,            // the post rule has placed its payloads already; not sent over the wire
  kContinuation = 8,      // follows an element that moves, to go on with its entry; nothing without the element
};

/// An entry to be run, with its arguments behind it (TypedMessage). 56 bytes, so that an argument of 8 bytes shares
/// the cache line. Owned by the queue it is in, then by the invoke function of its record, which releases it.
struct Message : Work {
  std::uint8_t hops = 0;   // how often it was forwarded to an element that had moved
  std::uint16_t home = 0;  // pool of this process that the memory belongs to
  const EntryRecord* entry;
  std::uint64_t element = 0;  // linear index in the collection
  CollectionId collection = kNoCollection;
  PeId source = 0;  // PE that sent it first; replies go there
  ReplyTo reply;

  explicit Message(const EntryRecord& record) : entry(&record) { flags = kIsMessage; }
};
static_assert(sizeof(Message) == 56);

/// Everything of the header but where the memory belongs.
inline void copy_header(const Message& from, Message& to) {
  to.element = from.element;
  to.collection = from.collection;
  to.source = from.source;
  to.reply = from.reply;
  to.priority = from.priority;
  to.flags = from.flags;
  to.hops = from.hops;
}

/// The message, for one element of a collection.
inline Message& addressed(Message& message, CollectionId collection, std::uint64_t element) {
  message.collection = collection;
  message.element = element;
  return message;
}

/// A message with its arguments in memory. Arguments are values: what a message holds belongs to it.
template <class... Args>
struct TypedMessage : Message {
  std::tuple<Args...> arguments;

  TypedMessage(const EntryRecord& record) : Message(record) {}
  template <class... A>
  TypedMessage(const EntryRecord& record, std::in_place_t, A&&... values)
      : Message(record), arguments(std::forward<A>(values)...) {}
};

/// Destroys a message whose type is M and returns its memory to the pool that it came from. `pool` is this PE's.
template <class M>
void release_message(M& message, Pool& pool) noexcept {
  const std::uint16_t home = message.home;
  message.~M();
  pool.release_to(home, &message, sizeof(M));
}

}  // namespace kaon::runtime
