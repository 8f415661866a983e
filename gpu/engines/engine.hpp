// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "kaon/runtime/payloads/payload_record.hpp"
#include "kaon/runtime/work/work.hpp"

namespace kaon::gpu {

class Device;
struct Block;

enum class Way : std::uint8_t { out, in };

/// A payload that is to go from its memory here to a PE of another process, or from there into its memory here.
struct Passage {
  Way way;
  PeId other;
  std::uint32_t counter;  // its number, the sender's
  PayloadRecord& record;
  Work& done;  // run when the memory is free, or filled
};

/// How payloads have memory.
struct MemoryOfPayloads {
  /// The block of one whose receiver has chosen none; nullptr: he has.
  Block* (*block_of)(const PayloadRecord& record);
  /// Another one, instead of what it has.
  void (*give)(PayloadRecord& record, Block& block);
  /// Memory of another PE's device, told of by a notice of that number, where it is read.
  void (*borrow)(PayloadRecord& record, std::byte* memory, PeId from, std::uint32_t notice);
};

/// An engine's answer about a payload that might go by it.
struct Ability {
  std::string_view why_not;  // empty: it can take it. Valid until the engine is asked again
  bool is_told = true;       // in the report; not of what the engine is not meant for
  bool is_able() const { return why_not.empty(); }
};
inline constexpr Ability kNotMeant{"it is not meant for this payload", false};

/// One means of moving payloads between device memory of different processes. Both ends of a payload use the same,
/// which its sender chooses and announces by its number. It belongs to a PE, and is called by that PE's thread alone;
/// nothing here waits for a device. A call is virtual because it stands before microseconds of work.
class Engine {
 public:
  Engine(Device& device, Route number) : device_(device), number_(number) {}
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;
  virtual ~Engine() = default;

  Route number() const { return number_; }
  Device& device() const { return device_; }
  /// Payloads that it has not moved yet.
  std::size_t moving() const { return moving_; }

  /// Tells whether the engine can move a payload from here to a PE, and why not.
  virtual Ability ability(PeId to, const PayloadRecord& record) = 0;
  /// True if it has room for one more payload of a message of which so many others may go by it, too. Those count when
  /// the message is packed, by note_prepared().
  virtual bool has_room_behind(std::size_t /*others*/) const { return true; }
  /// One was chosen for it, and its message is packed: it is under way from now on.
  virtual void note_prepared() {}
  /// Begins to move one. True: it is over already, and `done` is not used.
  virtual bool submit(const Passage& passage) = 0;
  /// Looks at what neither the network nor the device tells. True when anything happened.
  virtual bool progress() { return false; }
  /// True if something is in progress that only progress() finds: its PE must not sleep.
  virtual bool must_look() const { return false; }

 private:
  friend class Transfer;
  Device& device_;
  Route number_;
  std::size_t moving_ = 0;
};

}  // namespace kaon::gpu
