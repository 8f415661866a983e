// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "kaon/gpu/resident/resident_worker.hpp"

namespace kaon::gpu {

/// What the threads of the dispatcher share.
struct DispatcherShared {
  static constexpr unsigned kAhead = 32;  // tasks that are looked at side by side when one has come
  Turn turn;
  std::uint32_t taken;
  Command ahead[kAhead];
  bool is_here[kAhead];
};

/// One block that looks at the host's ring for all workers, and hands on what comes to their rings in the device's
/// memory: a look at the host crosses the bus, and those of many blocks hold up everything. It also sees when nothing
/// goes on, tells the host, and ends the launch when that has been so for a while.
template <class Context>
class Dispatcher {
 public:
  using Words = typename Context::Words;
  KAON_DEVICE Dispatcher(const ResidentView& view, Context& at, DispatcherShared& shared)
      : view_(view), at_(at), shared_(shared) {}

  /// By all threads of the block.
  KAON_DEVICE void run() {
    if (at_.is_first()) begin();
    do {
      if (at_.is_first()) shared_.turn = next();
      at_.sync();
      while (shared_.turn == Turn::from_host && hand_on_ahead()) continue;
    } while (shared_.turn != Turn::leave);
    if (at_.is_first()) leave_launch<Words>(view_);
  }

 private:
  static constexpr unsigned kLooksAtClock = 64, kAhead = DispatcherShared::kAhead;

  KAON_DEVICE void begin() {
    shared_.taken = view_.shared->host_taken;
    start_idling();
  }
  KAON_DEVICE Turn next() {
    const auto found = at_.template find<Found>([this](unsigned looks, Found& what) { return look(looks, what); });
    if (found.turn == Turn::from_host) {
      hand_on(found.command);
      count_taken(1);
    } else if (found.turn == Turn::report) {
      report();
    } else if (Words::peek(&view_.shared->park) == 0) {
      Words::store(&view_.shared->park, static_cast<std::uint32_t>(Park::idle), Scope::device);
    }
    return found.turn;
  }
  /// Changes nothing: in the emulation others look for this thread.
  KAON_DEVICE bool look(unsigned looks, Found& found) const {
    const std::uint32_t must_stop = Words::peek(&view_.host->stop);
    const std::uint64_t activity = Words::peek(&view_.shared->activity);
    found.turn = Turn::leave;
    if (Words::peek(&view_.shared->park) != 0) return true;  // after a fault
    found.turn = Turn::from_host;
    if (view_.from_host().template look_at<Words>(shared_.taken, found.command)) return true;
    if (!is_over(activity)) return false;
    found.turn = Turn::report;
    if (activity != reported_) return true;
    found.turn = Turn::leave;
    return must_stop != 0 || (looks % kLooksAtClock == 0 && Words::nanoseconds() - idle_since_ > view_.idle_ns);
  }
  /// Whether all is finished that was made and taken by then.
  KAON_DEVICE bool is_over(std::uint64_t activity) const {
    return static_cast<std::uint32_t>(activity >> 32) + shared_.taken == static_cast<std::uint32_t>(activity);
  }
  KAON_DEVICE void report() {
    reported_ = Words::load(&view_.shared->activity);
    if (is_over(reported_)) Words::store(&view_.host->activity, reported_);
    start_idling();
  }
  KAON_DEVICE void start_idling() { idle_since_ = Words::nanoseconds(); }

  /// By one thread.
  KAON_DEVICE void hand_on(const Command& command) {
    const std::uint32_t worker = task::worker_of(command);
    const CommandRing ring = view_.from_dispatcher(worker);
    std::uint32_t& position = view_.workers[worker].forwarded;
    if (!ring.has_room<Words>(position))
      at_.template find<bool>([&](unsigned, bool& has_room) { return has_room = ring.has_room<Words>(position); });
    ring.put_behind_fence<Words>(position++, command);  // that of look_at()
  }
  KAON_DEVICE void count_taken(std::uint32_t more) {
    shared_.taken += more;
    view_.shared->host_taken = shared_.taken;
    view_.from_host().template take<Words>(shared_.taken);
  }
  /// By all threads. False: no more has come.
  KAON_DEVICE bool hand_on_ahead() {
    const std::size_t lane = at_.threads().number(at_.thread());
    if (lane < kAhead) shared_.is_here[lane] = look_ahead(static_cast<std::uint32_t>(lane));
    at_.sync();
    unsigned count = 0;
    while (count < kAhead && count < at_.threads().volume() && shared_.is_here[count]) ++count;
    at_.sync();
    if (at_.is_first() && count > 0) {
      Words::fence(Scope::system);
      for (unsigned i = 0; i < count; ++i) hand_on(shared_.ahead[i]);
      count_taken(count);
    }
    at_.sync();
    return count > 0;
  }
  KAON_DEVICE bool look_ahead(std::uint32_t lane) {
    return view_.from_host().template look_at<Words>(shared_.taken + lane, shared_.ahead[lane]);
  }

  const ResidentView& view_;
  Context& at_;
  DispatcherShared& shared_;
  std::uint64_t reported_ = ~std::uint64_t{0};
  std::uint64_t idle_since_ = 0;
};

}  // namespace kaon::gpu
