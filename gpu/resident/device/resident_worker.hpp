// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "kaon/gpu/resident/device/entry_context.hpp"
#include "kaon/gpu/resident/device/urgent_inbox.hpp"
#include "kaon/gpu/resident/wire/tally.hpp"

namespace kaon::gpu {

/// The last block of a launch tells the host. By one thread.
template <class Entries, class Words>
KAON_DEVICE void leave_launch(const ResidentView& view) {
  Words::fence(Scope::system);
  if (Words::add(&view.shared->left, 1) < view.worker_count) return;  // one more than workers: the dispatcher
  Words::fence(Scope::system);
  Words::store(&view.shared->left, 0, Scope::device);
  Words::store(&view.shared->park, 0, Scope::device);
  if constexpr (Entries::kHavePeers) Words::store(&view.host->traffic, Words::load(&view.shared->traffic));
  Words::store(&view.host->activity, Words::load(&view.shared->activity));
  Words::store(&view.host->ended, view.launch, Scope::system);
}

/// Takes tasks from the rings of one worker, and those whose flags are reached: by the first warp of its block, all of
/// whose threads do the same; one of them writes.
template <class Entries, class Context>
class ResidentWorker {
 public:
  using Words = typename Context::Words;
  using Output = WorkerOutput<Entries, Context>;
  using FromPeers = PeerInboxOf<Entries, Words>;
  using Urgent = UrgentInboxOf<Entries, Words>;
  KAON_DEVICE ResidentWorker(Context& at, const Output& output, typename Output::Shared& shared)
      : view_(output.view()),
        at_(at),
        output_(output),
        shared_(shared),
        device_taken_(view_.workers[output.worker()].head),
        host_taken_(view_.workers[output.worker()].host_head),
        urgent_(view_, output.worker()) {}

  /// By one thread.
  KAON_DEVICE void begin() {
    shared_.held = 0;                      // a launch ends when all that was made is finished, or is the last one
    shared_.started = view_.launch << 12;  // not what another launch has begun with
    shared_.awaiting.clear();
    shared_.kept.clear();
    from_peers().begin();
    output_.locked().begin(view_.workers[output_.worker()].locked);
  }
  /// Waits for a task, which it copies to memory that the block shares, or until the launch ends: `leave`.
  KAON_DEVICE void next() {
    Turn turn = Turn::none;
    do {
      turn = !is_urgent_here() && takes_unlocked() ? Turn::unlocked : take_next();
    } while (Entries::kHaveLockable && turn != Turn::unlocked && turn != Turn::leave && !is_to_run());
    if (!at_.is_first()) return;
    shared_.turn = turn;
    shared_.is_continued = false;
  }
  /// The task that was given last is done, unless another has taken its place.
  KAON_DEVICE void finish() {
    const bool is_continued = shared_.is_continued;
    Words::sync_warp();
    if (is_continued) return;
    if (at_.is_first() && command_as<EntryCommand>(shared_.command).reply != task::kNoReply) answer();
    ++finished_;
  }
  KAON_DEVICE void leave() {
    count_finished();
    if (!at_.is_first()) return;
    if constexpr (Entries::kHaveLockable) view_.workers[output_.worker()].locked = output_.locked().count();
    from_peers().leave();
    leave_launch<Entries, Words>(view_);
  }

 private:
  struct Found {
    Turn turn;
    std::uint32_t awaiting;     // the place of a task whose flags are reached
    typename Words::Line line;  // of the ring from the device
    typename FromPeers::Found from_peer;
  };
  static constexpr unsigned kLooksAtClock = 1024;

  KAON_DEVICE Turn take_next() {
    Found found{};
    const std::uint32_t peers = from_peers().connected();
    do {
      at_.give_way();  // this worker may never have to wait
      if (output_.is_holding() && at_.is_first()) output_.pass_on();
      found = Found{};
      if (!look(found)) {
        count_finished();
        if (at_.is_first()) output_.note_idle();
        found = wait();
      }
      if (found.turn == Turn::give_up && at_.is_first()) output_.fail_by_flag();
      if (is_of_new_peer(found)) note_peers();
    } while (found.turn == Turn::pass_on || found.turn == Turn::give_up || is_of_new_peer(found));
    if (found.turn != Turn::leave) take(found);
    if (!knows_peers(peers)) note_peers();  // one that is busy does not wait
    return found.turn;
  }
  /// A task of an object that the host has locked is put aside; locks themselves are done here.
  KAON_DEVICE bool is_to_run() {
    if constexpr (Entries::kHaveLockable) {
      Words::sync_warp();
      return does_run([this] { return output_.locked().admit(shared_.command); });
    }
    return true;
  }
  /// True if an urgent task is here: it goes before those that were put aside, too.
  KAON_DEVICE bool is_urgent_here() const {
    if constexpr (Entries::kHaveLockable && Entries::kHaveUrgent) {
      typename FromPeers::Found peer{};
      const bool is_from_peer = from_peers().find(peer) && FromPeers::is_urgent(peer);
      return Words::agree(urgent_.find() || is_from_peer ? 1 : 0) != 0;
    }
    return false;
  }
  /// Those that were put aside come first when their object is unlocked.
  KAON_DEVICE bool takes_unlocked() {
    if constexpr (Entries::kHaveLockable) return does_run([this] { return output_.locked().next(shared_.command); });
    return false;
  }
  template <class Decide>
  KAON_DEVICE bool does_run(Decide decide) {
    auto fate = LockedTasks::Fate::waits;
    if (at_.is_first()) {
      fate = decide();
      if (output_.locked().is_failing()) output_.fail(ResidentFault::locked_too_many, head_of(shared_.command).entry());
    }
    fate = static_cast<LockedTasks::Fate>(Words::agree(static_cast<std::uint32_t>(fate)));
    if (fate == LockedTasks::Fate::runs) return true;
    const bool is_lock = fate == LockedTasks::Fate::locks || fate == LockedTasks::Fate::withdraws;
    if (is_lock && at_.is_first()) answer();
    if (fate != LockedTasks::Fate::waits) ++finished_;
    if (fate == LockedTasks::Fate::withdraws) ++finished_;  // and the unlocking
    return false;
  }
  KAON_DEVICE static bool is_of_urgent(const Found& found) {
    return Entries::kHaveUrgent && found.turn == Turn::urgent;
  }
  KAON_DEVICE static bool is_of_new_peer(const Found& found) {
    return Entries::kHavePeers && found.turn == Turn::new_peer;
  }
  KAON_DEVICE Found wait() {
    std::uint64_t since = 0;
    return at_.template find<Found>(
        [this, &since](unsigned looks, Found& what) { return look(what) || waits_too_long(looks, since, what); });
  }
  /// From the second look at the clock on.
  KAON_DEVICE bool waits_too_long(unsigned looks, std::uint64_t& since, Found& found) const {
    if (looks % kLooksAtClock != 0) return false;
    if (looks != 0 && !knows_peers(from_peers().connected())) {
      found.turn = Turn::new_peer;
      return true;
    }
    if (output_.awaiting().is_empty()) return false;
    const std::uint64_t now = Words::nanoseconds();
    if (since == 0) since = now;
    found.turn = now - since > view_.flag_patience_ns ? Turn::give_up : Turn::none;
    found.turn = static_cast<Turn>(Words::agree(static_cast<std::uint32_t>(found.turn)));
    return found.turn != Turn::none;
  }
  /// Made anew each time: what a worker keeps while an entry runs takes registers from that.
  KAON_DEVICE FromPeers from_peers() const { return output_.from_peers(); }
  /// The first thread says it, who may note them at once.
  KAON_DEVICE bool knows_peers(std::uint32_t connected) const {
    return !Entries::kHavePeers || Words::agree(from_peers().knows(connected) ? 1 : 0) != 0;
  }
  KAON_DEVICE void note_peers() const {
    if (at_.is_first()) from_peers().note_peers();
    Words::sync_warp();
  }
  /// With each look at what workers send, which saves a fence when something has come, 0.25 us from entry to entry. It
  /// empties the cache of the multiprocessor, which others than this worker may need; and looks at flags would wait
  /// for it, which takes longer.
  KAON_DEVICE bool acquires() const { return !Entries::kHaveAwaiting && output_.has_own_processor(); }
  KAON_DEVICE CommandRing from_device() const { return view_.from_device(output_.worker()); }
  KAON_DEVICE CommandRing from_host() const { return view_.from_dispatcher(output_.worker()); }

  /// Changes nothing: in the emulation others look for this thread.
  KAON_DEVICE bool look(Found& found) const {
    const auto park = static_cast<Park>(Words::peek(&view_.shared->park));
    const bool is_urgent = urgent_.find();
    typename Words::Line from_other;
    from_host().template look_at<Words>(host_taken_, from_other);
    if (!acquires()) from_device().template look_at<Words>(device_taken_, found.line);
    const bool is_from_peer = from_peers().find(found.from_peer);
    found.awaiting = output_.awaiting().find_ready();
    if (acquires()) from_device().template acquire<Words>(device_taken_, found.line);  // what is read next waits for it
    const bool is_from_host = from_other.is_of(epoch_at(host_taken_));
    const bool is_from_device = found.line.is_of(epoch_at(device_taken_)) && !(is_from_host && is_hosts_turn_);
    const bool is_awaited = found.awaiting != AwaitingTasksOf<Entries, Context::kIsWarp>::kNone;
    Turn turn = turn_of(park, is_awaited, is_from_device, is_from_host, is_from_peer);
    if (is_from_peer && FromPeers::is_urgent(found.from_peer) && park != Park::now) turn = Turn::from_peer;
    if (is_urgent && park != Park::now) turn = Turn::urgent;
    found.turn = static_cast<Turn>(Words::agree(static_cast<std::uint32_t>(turn)));
    return found.turn != Turn::none;
  }
  KAON_DEVICE Turn turn_of(Park park, bool is_awaited, bool is_from_device, bool is_from_host,
                           bool is_from_peer) const {
    if (park == Park::now) return Turn::leave;
    const bool is_rings_turn = is_rings_turn_ && !output_.awaiting().is_crowded();
    if (is_awaited && !(is_rings_turn && (is_from_device || is_from_host || is_from_peer))) return Turn::awaited;
    if (Entries::kHavePeers && is_from_peer && (is_peers_turn_ || !(is_from_device || is_from_host)))
      return Turn::from_peer;
    if (is_from_device) return Turn::from_device;
    if (is_from_host) return Turn::from_host;
    if (output_.is_holding() && output_.can_pass_on()) return Turn::pass_on;
    return park == Park::no ? Turn::none : Turn::leave;
  }
  KAON_DEVICE void take(const Found& found) {
    if (is_of_urgent(found)) return urgent_.take(shared_.command);
    is_rings_turn_ = found.turn == Turn::awaited;
    if (is_rings_turn_) return output_.awaiting().take(found.awaiting, shared_.command);
    is_peers_turn_ = !Entries::kHavePeers || found.turn != Turn::from_peer;
    if (!is_peers_turn_) return from_peers().take(found.from_peer, shared_.command);
    const bool is_from_device = found.turn == Turn::from_device;
    if (is_from_device && acquires())
      found.line.copy_words(shared_.command.words);
    else if (is_from_device)
      from_device().template take_by_second_look<Words>(device_taken_, shared_.command);
    else
      from_host().template take_by_second_look<Words>(host_taken_, shared_.command);
    is_hosts_turn_ = is_from_device;
    const std::uint32_t count = is_from_device ? ++device_taken_ : ++host_taken_;
    if (at_.is_first()) (is_from_device ? from_device() : from_host()).template free<Words>(count);
  }
  /// Whoever called the entry gets what it has returned. By one thread.
  KAON_DEVICE void answer() {
    const auto task = command_as<EntryCommand>(shared_.command);
    ReplyNotice reply{output_.worker() == task.head.first_worker() ? notice::kReply : notice::kReplyOfPart, task.reply};
    for (unsigned i = 0; i < notice::kMostValues; ++i) reply.values[i] = shared_.values[i];
    tell_host(at_, output_, output_.member_of_ticket(reply.ticket), to_command(reply));
  }
  /// Before it waits; what the entries wrote is seen by who sees that all are finished.
  KAON_DEVICE void count_finished() {
    if (at_.is_first()) from_peers().note_taken();
    if (finished_ > 0 && at_.is_first()) Words::count_release(&view_.shared->activity, tally::finished(finished_));
    finished_ = 0;
  }

  const ResidentView& view_;
  Context& at_;
  const Output& output_;
  typename Output::Shared& shared_;
  std::uint32_t device_taken_;
  std::uint32_t host_taken_;
  [[no_unique_address]] Urgent urgent_;
  bool is_hosts_turn_ = false;  // where both have sent something
  bool is_rings_turn_ = false;  // where something has come, and flags are reached
  bool is_peers_turn_ = true;   // where others have sent something, too
  std::uint32_t finished_ = 0;  // and not counted yet
};

}  // namespace kaon::gpu
