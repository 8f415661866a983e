// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "kaon/gpu/resident/device/dispatcher_shared.hpp"
#include "kaon/gpu/resident/device/resident_worker.hpp"
#include "kaon/gpu/resident/wire/tally.hpp"

namespace kaon::gpu {

/// How the dispatcher gives tasks to workers, and sees meanwhile whether what they run ends. By one thread. Made anew
/// each time, as what is kept takes registers.
template <class Entries, class Context>
class TaskDealer {
 public:
  using Words = typename Context::Words;
  static constexpr unsigned kLooksAtClock = 64;
  KAON_DEVICE TaskDealer(const ResidentView& view, Context& at, DispatcherShared& shared)
      : view_(view), at_(at), shared_(shared) {}

  /// One that has come alone: its place is under way while the fence is. What is carried needs none here.
  KAON_DEVICE void hand_on_first(const Command& command) {
    const CommandHead head = head_of(command);
    if (head.is_copy()) return;
    if (head.parts() == 1) return hand_to<true>(head.first_worker(), command);
    Words::fence(Scope::device);
    hand_on(command);
  }
  /// Several, behind one fence.
  KAON_DEVICE void hand_on_all(const Command* commands, unsigned count) {
    Words::fence(Scope::device);
    for (unsigned i = 0; i < count; ++i) hand_on(commands[i]);
  }
  /// Behind a fence, to all workers of the object.
  KAON_DEVICE void hand_on(const Command& command) {
    const CommandHead head = head_of(command);
    const std::uint32_t first = head.first_worker(), parts = head.parts();
    if (head.is_copy()) return;  // all threads do
    if (parts == 0) return raise(command_as<RaiseCommand>(command));
    if (parts > 1) Words::count_relaxed(&view_.shared->activity, tally::made(parts - 1));  // the host's is one
    for (std::uint32_t part = 0; part < parts; ++part) hand_to(first + part, command);
  }
  KAON_DEVICE static bool is_urgent(const Command& command) {
    const CommandHead head = head_of(command);
    return Entries::kHaveUrgent && head.parts() > 0 && Entries::is_urgent_one(head.entry());
  }
  KAON_DEVICE void hand_on_urgent(const Command& command) {
    spread_urgent(command);
    view_.shared->urgent_taken = ++shared_.urgent_taken;
    view_.urgent_from_host().template free<Words>(shared_.urgent_taken);
  }
  KAON_DEVICE void spread_urgent(const Command& command) {
    const CommandHead head = head_of(command);
    const std::uint32_t first = head.first_worker(), parts = head.parts();
    if (parts > 1) Words::count_relaxed(&view_.shared->activity, tally::made(parts - 1));
    for (std::uint32_t part = 0; part < parts; ++part) {
      const std::uint32_t position = Words::add(&view_.workers[first + part].urgent_made, 1);
      put<false>(view_.urgent(first + part), position, command);
    }
  }
  KAON_DEVICE bool must_watch(unsigned looks) const {
    return looks % kLooksAtClock == 0 && Words::nanoseconds() - shared_.watched_at > view_.entry_patience_ns / kWatches;
  }
  /// Fails the launch if a worker still runs the task that it ran at the last looks.
  KAON_DEVICE void watch() {
    for (std::uint32_t worker = 0; worker < view_.worker_count; ++worker) {
      WorkerWords& words = view_.workers[worker];
      const std::uint32_t running = Words::peek(&view_.running[worker]);
      words.seen = running != 0 && running == words.watched ? words.seen + 1 : 0;
      words.watched = running;
      if (words.seen < kWatches) continue;
      fail_launch<Words>(view_.host, view_.shared, ResidentFault::does_not_end,
                         running & ((1U << task::kEntryBits) - 1));
    }
    shared_.watched_at = Words::nanoseconds();
  }

 private:
  static constexpr std::uint32_t kWatches = 2;  // of the same task before it is said not to end
  /// Why the wait for room in a ring ends.
  enum class Wait : std::uint8_t { none, has_room, has_failed, is_urgent_here, must_watch };

  KAON_DEVICE bool is_urgent_here() const {
    if constexpr (Entries::kHaveUrgent) {
      for (const Quad& quad : urgent_slot().quads)
        if (Words::look_at(quad).epoch != epoch_at(shared_.urgent_taken)) return false;
      return true;
    }
    return false;
  }
  KAON_DEVICE void take_urgent() {
    Command command;
    for (unsigned i = 0; i < CommandSlot::kQuads; ++i) copy_quad(Words::look_at(urgent_slot().quads[i]), i, command);
    Words::fence(Scope::system);
    hand_on_urgent(command);
  }
  KAON_DEVICE const CommandSlot& urgent_slot() const {
    return view_.urgent_host_slots[shared_.urgent_taken & (view_.capacity - 1)];
  }
  /// Workers that wait for the flag look near, in the device's memory; here the host can raise it.
  KAON_DEVICE void raise(const RaiseCommand& command) {
    at_.raise(FlagWord{command.flag.get()}, command.by);
    Words::count_relaxed(&view_.shared->activity, tally::finished(1));
  }
  template <bool has_own_fence = false>
  KAON_DEVICE void hand_to(std::uint32_t worker, const Command& command) {
    const CommandRing ring = view_.from_dispatcher(worker);
    const std::uint32_t seen = Words::peek(ring.head), position = view_.workers[worker].forwarded++;  // side by side
    if (has_own_fence) Words::fence(Scope::device);
    if (position - seen < ring.capacity) return ring.put_behind_fence<Words>(position, command);
    put<Entries::kHaveUrgent>(ring, position, command);
  }
  /// Waits for room; `lets_pass`: urgent tasks meanwhile.
  template <bool lets_pass>
  KAON_DEVICE void put(const CommandRing& ring, std::uint32_t position, const Command& command) {
    if (ring.has_room<Words>(position) || finds_room<lets_pass>(ring, position))
      ring.put_behind_fence<Words>(position, command);  // of whoever has taken it
  }
  /// False: after a fault.
  template <bool lets_pass>
  KAON_DEVICE bool finds_room(const CommandRing& ring, std::uint32_t position) {
    for (;;) {
      const Wait end = at_.template find<Wait>([&](unsigned looks, Wait& what) {
        what = Wait::none;
        if (must_watch(looks)) what = Wait::must_watch;
        if (lets_pass && is_urgent_here()) what = Wait::is_urgent_here;
        if (ring.has_room<Words>(position)) what = Wait::has_room;
        if (Words::peek(&view_.shared->park) != 0) what = Wait::has_failed;
        return what != Wait::none;
      });
      if (end == Wait::has_room || end == Wait::has_failed) return end == Wait::has_room;
      if (end == Wait::must_watch) watch();
      if constexpr (lets_pass)
        if (end == Wait::is_urgent_here) take_urgent();
    }
  }

  const ResidentView& view_;
  Context& at_;
  DispatcherShared& shared_;
};

}  // namespace kaon::gpu
