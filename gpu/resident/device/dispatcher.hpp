// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "kaon/gpu/resident/device/carrying.hpp"
#include "kaon/gpu/resident/device/task_dealer.hpp"
#include "kaon/gpu/resident/wire/tally.hpp"

namespace kaon::gpu {

/// One block that looks at the host's ring for all workers, and hands on what comes to their rings in the device's
/// memory: a look at the host crosses the bus, and those of many blocks hold up everything. It also sees when nothing
/// goes on, tells the host, and ends the launch when that has been so for a while.
template <class Entries, class Context>
class Dispatcher {
 public:
  using Words = typename Context::Words;
  using Dealer = TaskDealer<Entries, Context>;
  KAON_DEVICE Dispatcher(const ResidentView& view, Context& at, DispatcherShared& shared)
      : view_(view), at_(at), shared_(shared) {}

  /// By all threads of the block.
  KAON_DEVICE void run() {
    if (at_.is_first()) begin();
    at_.sync();
    unsigned round = 0;
    for (Turn turn = Turn::none; turn != Turn::leave; round ^= 1U) {
      if (at_.is_in_first_warp()) find_turn(shared_.turns[round]);
      at_.sync();
      turn = shared_.turns[round];  // some come here late, when the first warp writes the other one
      if constexpr (Entries::kHaveGuests)
        if (turn == Turn::from_guest) hand_on_ahead_of_guest();
      if (turn != Turn::from_host) continue;
      carry<Words>(at_, view_, &shared_.command, 1);
      if (at_.is_first()) free_taken();
      while (hand_on_ahead() && !(Entries::kHaveGuests || Entries::kHaveUrgent)) continue;  // they come between
    }
    if (at_.is_first()) leave_launch<Entries, Words>(view_);
  }

 private:
  static constexpr unsigned kLooksAtClock = Dealer::kLooksAtClock, kAhead = DispatcherShared::kAhead;
  /// Whoever has just sent a task may wait for its answer alone, and send the next one while the report leaves.
  static constexpr unsigned kLooksBeforeReport = 4;
  static constexpr std::uint64_t kStillNs = 1'000'000'000;  // then nobody raises the flags that are waited for
  struct NoLine {};
  struct NoGuest {};
  struct Found {
    Turn turn;
    typename Words::Line line;
    [[no_unique_address]] std::conditional_t<Entries::kHaveUrgent, typename Words::Line, NoLine> urgent;
    [[no_unique_address]] std::conditional_t<Entries::kHaveGuests, typename GuestInbox<Words>::Found, NoGuest>
        from_guest;
  };

  KAON_DEVICE void begin() {
    shared_.taken = view_.shared->host_taken;
    shared_.urgent_taken = view_.shared->urgent_taken;
    shared_.watched_at = Words::nanoseconds();
    shared_.has_reported = false;
    if constexpr (Entries::kHavePeers) shared_.answered = Words::peek(&view_.host->answered);
    shared_.noted_at = 0;
    if constexpr (Entries::kHaveGuests) from_guests().begin();
  }
  /// By the first warp.
  KAON_DEVICE void find_turn(Turn& turn) {
    const auto found = at_.template find<Found>([this](unsigned looks, Found& what) { return look(looks, what); });
    if (found.turn == Turn::from_host) found.line.copy_words(shared_.command.words);
    if constexpr (Entries::kHaveGuests)
      if (found.turn == Turn::from_guest) from_guests().take(found.from_guest, shared_.command);
    if constexpr (Entries::kHaveUrgent)
      if (found.turn == Turn::urgent) view_.urgent_from_host().template take<Words>(found.urgent, shared_.command);
    Words::sync_warp();
    if (at_.is_first()) act(turn = found.turn);
    Words::sync_warp();
  }
  KAON_DEVICE void act(Turn turn) {
    if (turn == Turn::from_host) {
      dealer().hand_on_first(shared_.command);
      ++shared_.taken;
      if constexpr (Entries::kHaveGuests) shared_.guests.is_turn = true;
    } else if (Entries::kHaveGuests && turn == Turn::from_guest) {
      take_of_guest(&shared_.command, 1);
      shared_.guests.is_turn = false;
    } else if (turn == Turn::urgent) {
      dealer().hand_on_urgent(shared_.command);
    } else if (turn == Turn::watch) {
      dealer().watch();
    } else if (turn == Turn::report) {
      report();
    } else if (turn == Turn::note) {
      shared_.noted = Words::load(&view_.shared->activity);
      shared_.noted_at = Words::nanoseconds();
    } else if (Words::peek(&view_.shared->park) == 0) {
      Words::store(&view_.shared->park, static_cast<std::uint32_t>(Park::idle), Scope::device);
    }
  }
  /// Changes nothing: in the emulation others look for this thread.
  KAON_DEVICE bool look(unsigned looks, Found& found) const {
    const std::uint32_t must_stop = Words::peek(&view_.host->stop);
    const std::uint64_t activity = Words::peek(&view_.shared->activity);
    const bool is_faulty = Words::peek(&view_.shared->park) != 0;
    if constexpr (Entries::kHaveUrgent)
      view_.urgent_from_host().template look_at<Words>(shared_.urgent_taken, found.urgent);
    bool is_guest_here = false;
    if constexpr (Entries::kHaveGuests) is_guest_here = from_guests().find(found.from_guest);
    view_.from_host().template acquire<Words>(shared_.taken, found.line);  // and the other looks do not wait for it
    const bool is_here = found.line.is_of(epoch_at(shared_.taken));
    found.turn = Turn::leave;
    if (!is_faulty) found.turn = is_here ? Turn::from_host : idle_turn(activity, must_stop != 0, looks);
    if (is_guest_here && !is_faulty && !(is_here && !shared_.guests.is_turn)) found.turn = Turn::from_guest;
    if constexpr (Entries::kHaveUrgent)
      if (found.urgent.is_of(epoch_at(shared_.urgent_taken)) && !is_faulty) found.turn = Turn::urgent;
    found.turn = static_cast<Turn>(Words::agree(static_cast<std::uint32_t>(found.turn)));
    return found.turn != Turn::none;
  }
  KAON_DEVICE Turn idle_turn(std::uint64_t activity, bool must_stop, unsigned looks) const {
    if (!is_over(activity)) {
      if (dealer().must_watch(looks)) return Turn::watch;
      return must_stop ? turn_of_what_is_left(activity, looks) : Turn::none;
    }
    if (is_asked()) return Turn::report;
    if (activity != shared_.reported || !shared_.has_reported)
      return looks < kLooksBeforeReport ? Turn::none : Turn::report;
    if (must_stop) return Turn::leave;
    const bool looks_at_clock = looks % kLooksAtClock == 0 && !is_connected();  // peers cannot start it again
    return looks_at_clock && Words::nanoseconds() - shared_.idle_since > view_.idle_ns ? Turn::leave : Turn::none;
  }
  /// Only the host of one with peers asks, as these let things go on here that it knows nothing of.
  KAON_DEVICE bool is_asked() const { return is_connected() && Words::peek(&view_.host->asked) != shared_.answered; }
  KAON_DEVICE bool is_connected() const {
    if constexpr (Entries::kHavePeers) return Words::peek(&view_.shared->peers) != 0;
    return false;
  }
  /// Tasks may wait for flags that nobody raises any more.
  KAON_DEVICE Turn turn_of_what_is_left(std::uint64_t activity, unsigned looks) const {
    if (looks % kLooksAtClock != 0) return Turn::none;
    if (shared_.noted_at == 0 || shared_.noted != activity) return Turn::note;
    return Words::nanoseconds() - shared_.noted_at > kStillNs ? Turn::leave : Turn::none;
  }
  /// True if all tasks made and taken by then are finished.
  KAON_DEVICE bool is_over(std::uint64_t activity) const {
    const std::uint32_t urgent = Entries::kHaveUrgent ? shared_.urgent_taken : 0;
    const std::uint32_t others = Entries::kHaveGuests ? urgent + shared_.guests.all_taken : urgent;
    return tally::is_even(activity, shared_.taken + others);
  }
  KAON_DEVICE void report() {
    if constexpr (Entries::kHavePeers) return report_with_peers();
    shared_.reported = Words::load(&view_.shared->activity);
    shared_.has_reported = is_over(shared_.reported);
    shared_.idle_since = Words::nanoseconds();
    if (shared_.has_reported) Words::store(&view_.host->activity, shared_.reported);
  }
  /// Reports the state of one moment to the host. A taken task counts after it was made, and a sent one before it is
  /// finished. So the traffic is of the activity's moment when it is equal before and after it.
  KAON_DEVICE void report_with_peers() {
    const std::uint32_t asked = Words::load(&view_.host->asked, Scope::system);
    const std::uint64_t traffic = Words::load(&view_.shared->traffic);
    shared_.reported = Words::load(&view_.shared->activity);
    shared_.has_reported = is_over(shared_.reported) && Words::load(&view_.shared->traffic) == traffic;
    shared_.idle_since = Words::nanoseconds();
    if (!shared_.has_reported) return;
    Words::store(&view_.host->traffic, traffic);
    Words::store(&view_.host->activity, shared_.reported);
    Words::store(&view_.host->answered, asked, Scope::system);
    shared_.answered = asked;
  }

  /// By one thread: those at the head of the ring of the guest that was found, which threads of the block have
  /// acquired.
  KAON_DEVICE void take_of_guest(const Command* commands, unsigned count) {
    Words::fence(Scope::device);
    for (unsigned i = 0; i < count; ++i) {
      if (Dealer::is_urgent(commands[i]))
        dealer().spread_urgent(commands[i]);
      else
        dealer().hand_on(commands[i]);
    }
    from_guests().note_taken(count);
  }
  /// Behind what is carried, as its fence would wait for the word to reach the host.
  KAON_DEVICE void free_taken() const {
    view_.shared->host_taken = shared_.taken;
    view_.from_host().template free<Words>(shared_.taken);
  }
  /// By all threads. False: no more has come.
  KAON_DEVICE bool hand_on_ahead() {
    const unsigned count = count_ahead(view_.from_host().slots, shared_.taken);
    if (at_.is_first() && count > 0) {
      dealer().hand_on_all(shared_.ahead, count);
      shared_.taken += count;
    }
    carry<Words>(at_, view_, shared_.ahead, count);
    if (at_.is_first() && count > 0) free_taken();
    at_.sync();
    return count > 0;
  }
  KAON_DEVICE void hand_on_ahead_of_guest() {
    const std::uint32_t guest = shared_.guests.found;
    const unsigned count = count_ahead(view_.from_guest(guest).slots, shared_.guests.taken[guest]);
    if (at_.is_first() && count > 0) take_of_guest(shared_.ahead, count);
    at_.sync();
  }
  /// Copies those that are there to memory that the block shares.
  KAON_DEVICE unsigned count_ahead(const CommandSlot* slots, std::uint32_t taken) {
    look_ahead(slots, taken);
    at_.sync();
    unsigned count = 0;
    while (count < ahead() && is_here(count)) ++count;
    at_.sync();
    return count;
  }
  /// The number of tasks that threads look at with one look each; one thread alone looks at kAhead.
  KAON_DEVICE unsigned ahead() const {
    const auto threads = static_cast<unsigned>(at_.threads().volume());
    return threads < 4 || threads >= 4 * kAhead ? kAhead : threads / 4;
  }
  KAON_DEVICE void look_ahead(const CommandSlot* slots, std::uint32_t taken) {
    const auto threads = static_cast<unsigned>(at_.threads().volume());
    for (auto i = static_cast<unsigned>(at_.threads().number(at_.thread())); i < 4 * ahead(); i += threads) {
      const std::uint32_t position = taken + i / 4;
      const Quad quad = Words::acquire(slots[position & (view_.host_capacity - 1)].quads[i % 4]);
      shared_.is_here[i] = quad.epoch == epoch_at(position);
      copy_quad(quad, i % 4, shared_.ahead[i / 4]);
    }
  }
  KAON_DEVICE bool is_here(unsigned ahead) const {
    const bool* const quads = &shared_.is_here[std::size_t{4} * ahead];
    return quads[0] && quads[1] && quads[2] && quads[3];
  }

  KAON_DEVICE Dealer dealer() const { return {view_, at_, shared_}; }
  KAON_DEVICE GuestInbox<Words> from_guests() const { return {view_, shared_.guests}; }

  const ResidentView& view_;
  Context& at_;
  DispatcherShared& shared_;
};

}  // namespace kaon::gpu
