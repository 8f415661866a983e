// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "kaon/gpu/resident/entry_context.hpp"

namespace kaon::gpu {

/// What a worker does next.
enum class Turn : std::uint8_t { from_device, from_host, pass_on, ask_to_park, leave };
struct Found {
  Turn turn;
  Command command;
};

/// Takes tasks from the rings of one worker, by the first thread of its block.
///
/// A look at the host's ring crosses the bus, which takes as long as several looks at the device's. So it is made in
/// each look while tasks come from there, else in every eighth.
template <class Context>
class ResidentWorker {
 public:
  using Words = typename Context::Words;
  KAON_DEVICE ResidentWorker(const ResidentView& view, Context& at, const WorkerOutput<Words>& output)
      : view_(view),
        at_(at),
        output_(output),
        number_(output.worker()),
        own_(view.workers[number_]),
        device_taken_(own_.head),
        host_taken_(own_.host_taken),
        held_(own_.held) {}

  /// A task, or `leave`. Waits for one of them.
  KAON_DEVICE Found next() {
    for (;;) {
      if (held_ > 0) pass_on();
      Found found;
      if (!look(0, found)) {
        begin_idling();
        found = at_.template find<Found>([this](unsigned looks, Found& what) { return look(looks, what); });
        is_idle_ = false;
      }
      if (found.turn == Turn::ask_to_park) {
        if (nothing_goes_on()) Words::store(&view_.shared->park, 1, Scope::device);
      } else if (found.turn != Turn::pass_on) {
        take(found.turn);
        return found;
      }
    }
  }
  /// The task that was given last is done.
  KAON_DEVICE void finish() {
    held_ = output_.held();
    if (held_ > view_.held_capacity) held_ = view_.held_capacity;  // the host has been told of a fault
    Words::add_release(&view_.shared->activity, 1);
  }
  /// The last one of all of them tells the host.
  KAON_DEVICE void leave() {
    own_.host_taken = host_taken_;
    report();
    Words::fence(Scope::system);
    if (Words::add(&view_.shared->left, 1) + 1 < view_.worker_count) return;
    Words::store(&view_.shared->left, 0, Scope::device);
    Words::store(&view_.shared->park, 0, Scope::device);
    Words::fence(Scope::system);
    Words::store(&view_.host->ended, view_.launch, Scope::system);
  }

 private:
  static constexpr unsigned kLooksAtHost = 8, kLooksAtClock = 256;
  KAON_DEVICE bool is_leader() const { return number_ == 0; }

  /// Changes nothing: in the emulation others look for this thread.
  KAON_DEVICE bool look(unsigned looks, Found& found) const {
    const bool must_leave = Words::load(&view_.shared->park, Scope::device) != 0;
    const bool looks_at_host = is_from_host_ || must_leave || looks % kLooksAtHost == 0;
    if (view_.from_device(number_).template look_at<Words>(device_taken_, found.command)) {
      found.turn = Turn::from_device;
      return true;
    }
    if (looks_at_host && view_.from_host(number_).template look_at<Words>(host_taken_, found.command)) {
      found.turn = Turn::from_host;
      return true;
    }
    if (held_ > 0 && can_pass_on()) {
      found.turn = Turn::pass_on;
      return true;
    }
    found.turn = must_leave ? Turn::leave : Turn::ask_to_park;
    return must_leave || (is_idle_ && is_leader() && looks_at_host && should_park(looks));
  }
  KAON_DEVICE bool should_park(unsigned looks) const {
    if (Words::load(&view_.host->stop, Scope::system) != 0) return true;
    return looks % kLooksAtClock == 0 && Words::nanoseconds() - idle_since_ > view_.idle_ns;
  }
  KAON_DEVICE void take(Turn turn) {
    is_from_host_ = turn == Turn::from_host;
    if (turn == Turn::from_device) view_.from_device(number_).template take<Words>(++device_taken_);
    if (turn != Turn::from_host) return;
    Words::add(&view_.shared->taken, 1);
    view_.from_host(number_).template take<Words>(++host_taken_);
  }

  KAON_DEVICE void begin_idling() {
    report();
    is_idle_ = true;
    if (is_leader()) idle_since_ = Words::nanoseconds();
  }
  KAON_DEVICE void report() {
    idle_activity_ = Words::load(&view_.shared->activity);
    Words::store(&view_.reports[number_].activity, idle_activity_);
  }
  /// Whether no worker has had anything to do for a while. When one gets something now, it does that before it leaves.
  KAON_DEVICE bool nothing_goes_on() {
    if (Words::load(&view_.host->stop, Scope::system) != 0) return true;
    const std::uint64_t activity = Words::load(&view_.shared->activity);
    const auto made = static_cast<std::uint32_t>(activity >> 32) + Words::load(&view_.shared->taken, Scope::device);
    return activity == idle_activity_ && made == static_cast<std::uint32_t>(activity);
  }

  KAON_DEVICE HeldTask* held() const { return view_.held + std::size_t{number_} * view_.held_capacity; }
  KAON_DEVICE bool can_pass_on() const {
    const std::uint32_t to = held()[held_ - 1].worker;
    return view_.from_device(to).template has_room<Words>(Words::load(&view_.workers[to].tail, Scope::device));
  }
  /// The newest first: order is lost already, and so it needs no ring of its own.
  KAON_DEVICE void pass_on() {
    while (held_ > 0 && output_.try_send(held()[held_ - 1].worker, held()[held_ - 1].command)) --held_;
    Words::store(&own_.held, held_, Scope::device);
  }

  const ResidentView& view_;
  Context& at_;
  const WorkerOutput<Words>& output_;
  const std::uint32_t number_;
  WorkerWords& own_;
  std::uint32_t device_taken_;
  std::uint32_t host_taken_;
  std::uint32_t held_;
  bool is_from_host_ = true;  // the last task was
  bool is_idle_ = false;
  std::uint64_t idle_since_ = 0;
  std::uint64_t idle_activity_ = 0;
};

}  // namespace kaon::gpu
