// SPDX-License-Identifier: Apache-2.0
#pragma once
// The commands that the host and a resident kernel send each other through rings, a struct a kind. A reader knows the
// kind by the first word.
#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "kaon/gpu/resident/wire/command_ring.hpp"

namespace kaon::gpu {

/// A struct that a command holds, or the first words of one.
template <class Kind>
concept CommandKind = std::is_trivially_copyable_v<Kind> && alignof(Kind) == alignof(Command) &&
                      sizeof(Kind) % sizeof(std::uint32_t) == 0 && sizeof(Kind) <= sizeof(Command);

template <CommandKind Kind>
struct PaddedCommand {
  Kind kind;
  std::uint32_t rest[Command::kWords - sizeof(Kind) / sizeof(std::uint32_t)];
};

/// The words of a command, 0 behind a shorter struct.
template <CommandKind Kind>
KAON_DEVICE constexpr Command to_command(const Kind& kind) {
  if constexpr (sizeof(Kind) == sizeof(Command))
    return std::bit_cast<Command>(kind);
  else
    return std::bit_cast<Command>(PaddedCommand<Kind>{kind, {}});
}
/// The same back. To use one member reads no other words: not memcpy(), which a vendor's compiler does byte by byte.
template <CommandKind Kind>
KAON_DEVICE constexpr Kind command_as(const Command& command) {
  if constexpr (sizeof(Kind) == sizeof(Command))
    return std::bit_cast<Kind>(command);
  else
    return std::bit_cast<PaddedCommand<Kind>>(command).kind;
}

/// A pointer in two words, as commands are aligned to one.
template <class T>
struct WireAddress {
  std::uint32_t low = 0, high = 0;

  KAON_DEVICE static WireAddress of(T* pointer) {
    const auto address = reinterpret_cast<std::uint64_t>(pointer);
    return {static_cast<std::uint32_t>(address), static_cast<std::uint32_t>(address >> 32)};
  }
  KAON_DEVICE constexpr std::uint64_t number() const { return std::uint64_t{high} << 32 | low; }
  KAON_DEVICE T* get() const { return reinterpret_cast<T*>(number()); }
};

namespace task {
inline constexpr std::uint32_t kNoReply = 0;
inline constexpr unsigned kEntryBits = 8, kWorkerBits = 12;
inline constexpr std::uint32_t kMostWorkers = (1U << kWorkerBits) - 1;
/// Two that every list has: the host locks an object, and unlocks it.
inline constexpr std::uint32_t kMostEntries = (1U << kEntryBits) - 2, kLock = kMostEntries, kUnlock = kLock + 1;
/// The workers of an object, `parts` of them from `first` on, as a CommandHead has them.
KAON_DEVICE constexpr std::uint32_t workers(std::uint32_t first, std::uint32_t parts) {
  return (first | parts << kWorkerBits) << kEntryBits;
}
}  // namespace task

/// The first word of each command to a kernel: the number of an entry, and the workers that it is for. One for no
/// worker is the dispatcher's: a RaiseCommand, or, with kCopy for the entry, a CopyCommand.
struct CommandHead {
  static constexpr std::uint32_t kRaise = 0, kCopy = 1;
  std::uint32_t word = kRaise;

  KAON_DEVICE constexpr std::uint32_t entry() const { return word & ((1U << task::kEntryBits) - 1); }
  KAON_DEVICE constexpr std::uint32_t first_worker() const { return word >> task::kEntryBits & task::kMostWorkers; }
  KAON_DEVICE constexpr std::uint32_t parts() const { return word >> (task::kEntryBits + task::kWorkerBits); }
  KAON_DEVICE constexpr bool is_copy() const { return word == kCopy; }
};
KAON_DEVICE constexpr CommandHead head_of(const Command& command) { return command_as<CommandHead>(command); }

/// Runs an entry of an object, on each of its workers.
struct EntryCommand {
  CommandHead head{};
  WireAddress<void> object{};
  std::uint32_t reply = task::kNoReply;  // the ticket of a call
  std::uint32_t arguments[8]{};
};

/// Locks an object for the host, or unlocks it: the entry is task::kLock or task::kUnlock.
struct LockCommand {
  CommandHead head{};
  WireAddress<void> object{};
  std::uint32_t reply = task::kNoReply;
  std::uint32_t lock = 0;  // its number
};
static_assert(offsetof(LockCommand, object) == offsetof(EntryCommand, object) &&
              offsetof(LockCommand, reply) == offsetof(EntryCommand, reply));

/// Adds `by` to a flag.
struct RaiseCommand {
  CommandHead head{CommandHead::kRaise};
  WireAddress<std::uint32_t> flag{};
  std::uint32_t by = 0;
};

/// Copies `bytes`, and tells both ends.
struct CopyCommand {
  CommandHead head{CommandHead::kCopy};
  WireAddress<const std::byte> from{};
  WireAddress<std::byte> to{};
  WireAddress<std::uint32_t> done{};  // a word that becomes 1; nullptr: none
  std::uint32_t bytes = 0;
  std::uint32_t number = 0;  // that PinnedWords::carried becomes
};

/// The first word of each command to the host is a target: who called, or a function of the program, which has the
/// number of its scheduler above its own.
namespace notice {
/// The targets of replies. Of a gang the first part brings the values, the others only say that they are done.
inline constexpr std::uint32_t kReply = 0, kReplyOfPart = 1;
inline constexpr unsigned kSerialShift = 16;
inline constexpr unsigned kMostValues = 10;  // words
}  // namespace notice

/// The return value of an entry.
struct ReplyNotice {
  std::uint32_t target = notice::kReply;  // or kReplyOfPart
  std::uint32_t ticket = 0;
  std::uint32_t values[notice::kMostValues]{};
};

/// The values that an entry sends to a function of the program.
struct TargetNotice {
  std::uint32_t target = 0;
  std::uint32_t unused = 0;
  std::uint32_t values[notice::kMostValues]{};
};

inline constexpr std::size_t kMostArgumentBytes = sizeof(EntryCommand::arguments);
static_assert(sizeof(EntryCommand) == sizeof(Command) && sizeof(ReplyNotice) == sizeof(Command) &&
              sizeof(TargetNotice) == sizeof(Command));

}  // namespace kaon::gpu
