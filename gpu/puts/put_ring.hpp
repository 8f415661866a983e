// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include "kaon/gpu/kernels/flag_device.hpp"
#include "kaon/gpu/kernels/quad.hpp"
#include "kaon/gpu/puts/put.hpp"

namespace kaon::gpu {

/// The requests of kernels of one device to start prepared puts: a ring where the engine looks, in the device's memory
/// or in the host's. Any number of threads post, one engine takes, and kernels are the same for every engine. A slot is
/// 16 bytes that are seen whole: the put, the value of its flag, and the lap of the ring.
///
/// Positions go around the circle of 32 bits, and so do laps. Words: `posted` is drawn by posters (relaxed),
/// `far_taken` is stored by the engine (release) when it has read a slot. `taken` is a copy in the device's memory that
/// may be old, so that a poster looks across the bus only when it says that the ring is full. An engine on the device
/// needs no copy: both are one word then.
struct PutRing {
  static constexpr std::uint64_t kPatienceNs = WaitLimit{}.nanoseconds;
  static constexpr std::uint32_t kThirdWord = 0;  // of each slot

  Quad* slots = nullptr;
  std::uint32_t* posted = nullptr;
  std::uint32_t* taken = nullptr;
  std::uint32_t* far_taken = nullptr;
  std::uint32_t slot_count = 0;    // a power of two
  std::uint32_t puts = 0;          // of the list
  std::uint32_t* fault = nullptr;  // a PutFault, for the host: no_room here
  std::uint32_t* sent = nullptr;   // of each put, the value of its last start that has been sent; nullptr: not told

  KAON_DEVICE std::uint32_t lap_of(std::uint32_t position) const { return position / slot_count + 1; }
  KAON_DEVICE Quad& slot_of(std::uint32_t position) const { return slots[position % slot_count]; }

  /// Starts a put of the list, by its number: the data goes, then its flag becomes `value`. What the calling thread has
  /// written is copied; call at.sync() before if other threads of its block have written. Puts under way end in any
  /// order.
  ///
  /// False: there is no such put; or the engine took none for 2 s while the ring was full, and then the run ends with
  /// an error; or the run has ended. The kernel says kIsCooperative, or is an entry.
  template <class Context>
  KAON_DEVICE bool start(Context& at, std::uint32_t put, std::uint32_t value) const {
    static_assert(
        requires { typename Context::Words; },
        "PutRing::start(): the kernel must say static constexpr bool kIsCooperative, as it may wait for room");
    using Words = typename Context::Words;
    if (put >= puts) return false;
    const std::uint32_t seen = Words::peek(taken);  // asked for before the position, so that both cross together
    const std::uint32_t position = Words::add(posted, 1);
    Words::fence(Scope::system);  // what was written goes meanwhile
    if (position - seen >= slot_count && !wait_for_room(at, position)) return false;
    Words::put(slot_of(position), {{put, value, kThirdWord}, lap_of(position)});
    return true;
  }
  /// Waits until the source of a put has been read by its start with `value`, or a later one, and may be overwritten.
  /// Values of a put's starts begin at 1 and rise. False: not within `limit`, or the list was prepared without
  /// tells_sent.
  template <class Context>
  KAON_DEVICE bool wait_until_sent(Context& at, std::uint32_t put, std::uint32_t value, WaitLimit limit = {}) const {
    return sent != nullptr && put < puts && at.wait_for(FlagWord{sent + put}, value, limit);
  }

 private:
  template <class Context>
  KAON_DEVICE bool wait_for_room(Context& at, std::uint32_t position) const {
    using Words = typename Context::Words;
    std::uint64_t end = Words::nanoseconds() + kPatienceNs;
    std::uint32_t before = position;
    bool has_ended = false;  // the engine
    const bool has_room = at.template find<bool>([&](unsigned looks, bool& found) {
      const std::uint32_t seen = Words::peek(far_taken);
      found = position - seen < slot_count;
      if (found && far_taken != taken) Words::set(taken, seen);  // an older one only lets others look, too
      if (found || looks % 256 != 0) return found;
      const std::uint64_t now = Words::nanoseconds();
      if (seen != before) before = seen, end = now + kPatienceNs;  // the engine goes on
      has_ended = Words::load(fault, Scope::system) != static_cast<std::uint32_t>(PutFault::none);
      return has_ended || now > end;
    });
    if (!has_room && !has_ended) Words::store(fault, static_cast<std::uint32_t>(PutFault::no_room), Scope::system);
    Words::fence(Scope::system);  // the engine has read the slot
    return has_room;
  }
};

}  // namespace kaon::gpu
