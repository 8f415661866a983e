// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <typeinfo>
#include <vector>

#include "kaon/runtime/archive/archive.hpp"
#include "kaon/runtime/messages/message.hpp"

namespace kaon::runtime {

class Pe;

/// A record of a message that could not be sent, for use when the message is gone.
struct LossNote {
  std::uint64_t element;
  CollectionId collection;
  alignas(8) std::byte argument[32];
};

/// The description of one entry. Each entry that the program names in a send has one object of static storage, linked
/// into a list before main and numbered by freeze().
struct EntryRecord {
  std::string_view name;                              // of the member, with its class
  std::string_view signature;                         // names the argument types; part of the hash of the program
  std::uint32_t message_bytes;                        // of the message in memory
  bool is_plain;                                      // its arguments are plain bytes and few of them
  void (*invoke)(Work& message, Pe& pe);              // runs the entry and releases the message
  void (*pack)(const Message& message, Writer& out);  // arguments only
  Message* (*unpack)(const EntryRecord&, Reader& in, Pool&);  // a message from the PE's pool, with default header
  void (*destroy)(Message& message, Pool&) noexcept;          // releases without running
  Message* (*copy)(const Message& message, Pool&);            // nullptr when an argument cannot be copied
  void (*post)(Message& message, Pe& pe);                     // lands its payloads by the post rule; nullptr: no rule
  const void* chare_type = nullptr;                        // tells the class of chare; nullptr: runs on the PE itself
  const void* (*inbox_of)(const void* element) = nullptr;  // when it is an Inbox: that of this chare
  // Bytes that the arguments hold outside the message; nullptr: only packing them tells.
  std::size_t (*bytes_held)(const Message&) = nullptr;
  // Of a message that means nothing when its element is no more: answers who asked. nullptr: it waits or is an error.
  void (*element_is_gone)(Pe& pe, PeId source, ReplyTo reply) = nullptr;
  // Tells instantiations of one function template apart, which clang gives one name. nullptr: the name says it all.
  const std::type_info* instance = nullptr;
  mutable std::uint32_t id = 0;
  const EntryRecord* next = nullptr;
  // Of a message for whose loss others would wait: notes what `lost` needs, which runs where it could not be sent.
  void (*note_loss)(const Message&, LossNote&) = nullptr;
  void (*lost)(Pe&, const LossNote&) = nullptr;
  // Warns of arguments that were not packed whole; nullptr: of none of them that can be told.
  void (*check_copy)(const Message& message, const Message& copy) = nullptr;
  bool needs_no_room = false;  // it says that another message will not come: small, and sent all the same
};

/// True if sending the message is refused when too much waits for its receiver.
inline bool needs_room(const Message& message) {
  return !(message.flags & kControlMessage) && !message.entry->needs_no_room;
}

struct ReleaseMessage {
  Pool* pool;  // of this PE
  void operator()(Message* message) const noexcept { message->entry->destroy(*message, *pool); }
};
/// A message that is released unless it is handed on, also when something throws.
using OwnedMessage = std::unique_ptr<Message, ReleaseMessage>;

/// Adds a record to the list. Before main only; returns the record so that a static can be initialised with it.
const EntryRecord* enlist(EntryRecord& record) noexcept;

/// All entries of the program in the order of their names; an entry's place is its id on every process.
class EntryTable {
 public:
  /// Numbers the entries. Throws UsageError when two have one name or a name exists in one file only (unnamed
  /// namespace, function), because then ids would not mean the same on all processes.
  static const EntryTable& freeze();

  const EntryRecord* find(std::uint32_t id) const { return id < records_.size() ? records_[id] : nullptr; }
  /// A hash of all names, argument types and sizes and the library's version: equal in processes that can communicate.
  std::uint64_t hash() const { return hash_; }
  std::size_t size() const { return records_.size(); }
  const std::vector<const EntryRecord*>& records() const { return records_; }

  explicit EntryTable(std::vector<const EntryRecord*> records);

 private:
  std::vector<const EntryRecord*> records_;
  std::uint64_t hash_;
};

}  // namespace kaon::runtime
