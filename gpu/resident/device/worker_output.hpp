// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "kaon/gpu/resident/device/held_task.hpp"
#include "kaon/gpu/resident/device/worker_shared.hpp"
#include "kaon/gpu/resident/wire/resident_view.hpp"
#include "kaon/gpu/resident/wire/tally.hpp"

namespace kaon::gpu {

/// Ends the launch: all leave as soon as they look.
template <class Words>
KAON_DEVICE void fail_launch(PinnedWords* host, SharedWords* shared, ResidentFault fault, std::uint32_t entry) {
  Words::store(&host->faulty_entry, entry, Scope::system);
  Words::store(&host->fault, static_cast<std::uint32_t>(fault), Scope::system);
  Words::store(&shared->park, static_cast<std::uint32_t>(Park::now), Scope::device);
}

/// The same, out of line: in line its fences come into the way of each task that is sent, with a predicate that is
/// false, and take 0.1 us of it. The dispatcher hands on more tasks where it is in line.
template <class Words>
[[gnu::noinline]] KAON_DEVICE void fail_launch_of_worker(PinnedWords* host, SharedWords* shared, ResidentFault fault,
                                                         std::uint32_t entry) {
  fail_launch<Words>(host, shared, fault, entry);
}

/// How tasks and notices leave a worker. By any thread of its block.
template <class Entries, class Context>
class WorkerOutput {
 public:
  using Words = typename Context::Words;
  using Shared = WorkerShared<Entries, Context::kIsWarp>;
  KAON_DEVICE WorkerOutput(const ResidentView& view, std::uint32_t worker, Shared& shared)
      : view_(view), worker_(worker), shared_(shared) {}

  /// To all workers of an object; `scheduler`: that of the object, or a peer of this one.
  KAON_DEVICE void send(std::uint32_t scheduler, const Command& command) const {
    if (scheduler != view_.serial) {
      if constexpr (Entries::kHavePeers) return send_to_peer(scheduler, command);
      return fail(ResidentFault::foreign_object, head_of(command).entry());
    }
    const CommandHead head = head_of(command);
    const std::uint32_t first = head.first_worker(), parts = head.parts();
    Words::count_relaxed(&view_.shared->activity, tally::made(parts));  // before anybody can finish them
    for (std::uint32_t part = 0; part < parts; ++part) send_to(first + part, command);
  }
  /// The task that runs goes on with this one, of the same object, when the flags have grown so many times.
  KAON_DEVICE void await(EntryCommand task, const AwaitedFlags& flags, std::uint32_t times) const {
    if (shared_.is_continued)
      Words::count_relaxed(&view_.shared->activity, tally::made(1));  // this one is another task
    else
      task.reply = command_as<EntryCommand>(shared_.command).reply;
    shared_.is_continued = true;
    if (awaiting().add(to_command(task), flags, times)) return;
    Words::store(&view_.host->flag_wanted, decltype(Shared::awaiting)::kMost, Scope::system);
    fail(ResidentFault::awaits_too_many, task.head.entry());
  }
  /// Where the next notice goes.
  KAON_DEVICE std::uint32_t next_notice(std::uint32_t member) const {
    std::uint32_t* notices = &view_.shared->notices;
    if constexpr (Entries::kHaveGuests)
      if (member != member::kOwner) notices = &view_.guests[member - 1].notices;
    return Words::add(notices, 1);
  }
  KAON_DEVICE bool tell_at_once(std::uint32_t member, std::uint32_t position, const Command& command) const {
    return to_member(member).template put_at_once<Words>(position, command);
  }
  KAON_DEVICE bool can_tell(std::uint32_t member, std::uint32_t position) const {
    return to_member(member).template has_room<Words>(position);
  }
  KAON_DEVICE void tell(std::uint32_t member, std::uint32_t position, const Command& command) const {
    to_member(member).template put<Words>(position, command);
  }
  /// The member that gets a notice, by its target, or by the ticket of a call.
  KAON_DEVICE std::uint32_t member_of_target(std::uint32_t target) const {
    if constexpr (Entries::kHaveGuests) return view_.member_of_target(target);
    return member::kOwner;
  }
  KAON_DEVICE std::uint32_t member_of_ticket(std::uint32_t ticket) const {
    if constexpr (Entries::kHaveGuests) return ticket >> member::kTicketBits;
    return member::kOwner;
  }
  KAON_DEVICE void fail(ResidentFault fault, std::uint32_t entry) const {
    fail_launch_of_worker<Words>(view_.host, view_.shared, fault, entry);
  }
  /// A task waits for a flag that nobody raises.
  KAON_DEVICE void fail_by_flag() const {
    if constexpr (Entries::kHaveAwaiting) {
      const auto missing = awaiting().missing();
      Words::store(&view_.host->faulty_flag, missing.flag, Scope::system);
      Words::store(&view_.host->flag_has, missing.has, Scope::system);
      Words::store(&view_.host->flag_wanted, missing.wanted, Scope::system);
      fail(ResidentFault::flag_not_reached, missing.entry);
    }
  }

  /// All leave: what is sent or told now is lost.
  KAON_DEVICE bool has_failed() const {
    return Words::peek(&view_.shared->park) == static_cast<std::uint32_t>(Park::now);
  }
  /// The host wants the end, and who is not told meanwhile does not miss it.
  KAON_DEVICE bool may_drop_notices() const {
    if constexpr (Entries::kHaveGuests) return Words::peek(&view_.host->stop) != 0;
    return false;
  }
  KAON_DEVICE bool is_holding() const { return Words::peek(&shared_.held) > 0; }
  /// Tasks that have room by now; by one thread, when no other sends.
  KAON_DEVICE void pass_on() const {
    for (std::uint32_t i = shared_.held; i-- > 0;) {
      const HeldTask task = tasks()[i];
      const CommandRing ring = ring_of(task);
      if (!ring.template has_room<Words>(task.position)) continue;
      ring.template put<Words>(task.position, task.command);
      tasks()[i] = tasks()[--shared_.held];
    }
  }
  KAON_DEVICE bool can_pass_on() const {
    for (std::uint32_t i = 0; i < shared_.held; ++i)
      if (ring_of(tasks()[i]).template has_room<Words>(tasks()[i].position)) return true;
    return false;
  }

  KAON_DEVICE AwaitingLooksOf<Entries, Words, Context::kIsWarp> awaiting() const {
    return {shared_.awaiting, has_own_processor()};
  }
  /// Nobody else's cache is emptied by looks that acquire.
  KAON_DEVICE bool has_own_processor() const { return !Context::kIsWarp && view_.has_own_processors != 0; }
  /// For whoever looks whether it ends, and what ran when the device has failed. By one thread.
  KAON_DEVICE void note_running() const {
    Words::set(&view_.running[worker_], ++shared_.started << task::kEntryBits | head_of(shared_.command).entry());
  }
  KAON_DEVICE void note_idle() const { Words::set(&view_.running[worker_], 0); }
  KAON_DEVICE const ResidentView& view() const { return view_; }
  KAON_DEVICE std::uint32_t worker() const { return worker_; }
  KAON_DEVICE const Command& running() const { return shared_.command; }
  KAON_DEVICE KeptObjects& kept() const { return shared_.kept; }
  KAON_DEVICE PeerInboxOf<Entries, Words> from_peers() const { return {view_, worker_, shared_.from_peers}; }
  KAON_DEVICE LockedTasksOf<Entries> locked() const {
    return {view_.locked_by(worker_), view_.held_capacity, shared_.locked};
  }

 private:
  KAON_DEVICE CommandRing to_member(std::uint32_t member) const {
    if constexpr (Entries::kHaveGuests) return view_.to_member(member);
    return view_.to_host();
  }
  KAON_DEVICE HeldTask* tasks() const { return view_.held + std::size_t{worker_} * view_.held_capacity; }
  /// Where a held task goes.
  KAON_DEVICE CommandRing ring_of(const HeldTask& task) const {
    if constexpr (Entries::kHavePeers) {
      const std::uint32_t peer = task.worker >> HeldTask::kPeerShift;
      if (peer != 0) return view_.peers[peer - 1].to(task.worker & ((1U << HeldTask::kPeerShift) - 1));
    }
    if constexpr (Entries::kHaveUrgent)
      if ((task.worker & HeldTask::kUrgent) != 0) return view_.urgent(task.worker & ~HeldTask::kUrgent);
    return view_.from_device(task.worker);
  }
  KAON_DEVICE void send_to(std::uint32_t worker, const Command& command) const {
    if constexpr (Entries::kHaveUrgent)
      if (Entries::is_urgent_one(head_of(command).entry()))
        return put_or_hold(view_.urgent(worker), HeldTask::kUrgent | worker,
                           Words::add(&view_.workers[worker].urgent_made, 1), command);
    put_or_hold(view_.from_device(worker), worker, Words::add(&view_.workers[worker].made, 1), command);
  }
  /// The peer counts as made what it has taken.
  KAON_DEVICE void send_to_peer(std::uint32_t scheduler, const Command& command) const {
    const std::uint32_t number = owner::number_of_peer(scheduler);
    if (!owner::is_peer_of(scheduler, view_.serial) || !from_peers().has(number))
      return fail(ResidentFault::foreign_object, head_of(command).entry());
    const auto way = from_peers().way_to(number);
    const PeerView peer{nullptr, way.words, way.far_slots, nullptr, view_.capacity};
    const CommandHead head = head_of(command);
    const std::uint32_t parts = head.parts();
    std::uint32_t first = head.first_worker();
    if constexpr (Entries::kHaveUrgent)
      if (Entries::is_urgent_one(head.entry())) first = view_.place_of_urgent(first);
    Words::count_relaxed(&view_.shared->traffic, traffic::sent(parts));
    for (std::uint32_t ring = first; ring < first + parts; ++ring)
      put_or_hold(peer.to(ring), (number + 1) << HeldTask::kPeerShift | ring, Words::add(&peer.words[ring].made, 1),
                  command);
  }
  KAON_DEVICE void put_or_hold(const CommandRing& ring, std::uint32_t worker, std::uint32_t position,
                               const Command& command) const {
    if (ring.template put_at_once<Words>(position, command)) return;
    if (ring.template has_room<Words>(position))
      ring.template put<Words>(position, command);
    else
      hold({command, worker, position});
  }
  KAON_DEVICE void hold(const HeldTask& task) const {
    const std::uint32_t place = Words::add_in_block(&shared_.held, 1);
    if (place < view_.held_capacity) {
      tasks()[place] = task;
      return;
    }
    Words::set(&shared_.held, view_.held_capacity);
    fail(ResidentFault::held_too_many, head_of(task.command).entry());
  }

  const ResidentView& view_;
  std::uint32_t worker_;
  Shared& shared_;
};

}  // namespace kaon::gpu
