// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "kaon/gpu/resident/entry_context.hpp"

namespace kaon::gpu {

/// What a worker, or the dispatcher, does next.
enum class Turn : std::uint32_t { none, from_device, from_host, pass_on, report, leave };

/// The last block of a launch tells the host. By one thread.
template <class Words>
KAON_DEVICE void leave_launch(const ResidentView& view) {
  Words::fence(Scope::system);
  if (Words::add(&view.shared->left, 1) < view.worker_count) return;  // one more than workers: the dispatcher
  Words::fence(Scope::system);
  Words::store(&view.shared->left, 0, Scope::device);
  Words::store(&view.shared->park, 0, Scope::device);
  Words::store(&view.host->activity, Words::load(&view.shared->activity));
  Words::store(&view.host->ended, view.launch, Scope::system);
}

/// Takes tasks from the rings of one worker: by the first warp of its block, all of whose threads do the same; one of
/// them writes.
template <class Context>
class ResidentWorker {
 public:
  using Words = typename Context::Words;
  KAON_DEVICE ResidentWorker(Context& at, const WorkerOutput<Words>& output)
      : view_(output.view()),
        at_(at),
        output_(output),
        device_taken_(view_.workers[output.worker()].head),
        host_taken_(view_.workers[output.worker()].host_head) {}

  /// Waits for a task, which it copies to memory that the block shares, or until the launch ends: `leave`.
  KAON_DEVICE Turn next(Command& command) {
    for (;;) {
      at_.give_way();  // this worker may never have to wait
      if (output_.is_holding() && at_.is_first()) output_.pass_on();
      Found found{};
      if (!look(found)) {
        count_finished();
        found = at_.template find<Found>([this](unsigned, Found& what) { return look(what); });
      }
      if (found.turn == Turn::pass_on) continue;
      if (found.turn != Turn::leave) take(found, command);
      return found.turn;
    }
  }
  /// The task that was given last is done.
  KAON_DEVICE void finish() { ++finished_; }
  KAON_DEVICE void leave() {
    count_finished();
    if (at_.is_first()) leave_launch<Words>(view_);
  }

 private:
  struct Found {
    Turn turn;
    typename Words::Line line;
  };
  KAON_DEVICE CommandRing from_device() const { return view_.from_device(output_.worker()); }
  KAON_DEVICE CommandRing from_host() const { return view_.from_dispatcher(output_.worker()); }

  /// Changes nothing: in the emulation others look for this thread.
  KAON_DEVICE bool look(Found& found) const {
    const auto park = static_cast<Park>(Words::peek(&view_.shared->park));
    typename Words::Line from_other;
    from_host().template look_at<Words>(host_taken_, from_other);
    from_device().template look_at<Words>(device_taken_, found.line);
    const bool is_from_host = from_other.is_of(epoch_at(host_taken_));
    const bool is_from_device = found.line.is_of(epoch_at(device_taken_)) && !(is_from_host && is_hosts_turn_);
    if (is_from_host && !is_from_device) found.line = from_other;
    found.turn =
        static_cast<Turn>(Words::agree(static_cast<std::uint32_t>(turn_of(park, is_from_device, is_from_host))));
    return found.turn != Turn::none;
  }
  KAON_DEVICE Turn turn_of(Park park, bool is_from_device, bool is_from_host) const {
    if (park == Park::now) return Turn::leave;
    if (is_from_device) return Turn::from_device;
    if (is_from_host) return Turn::from_host;
    if (output_.is_holding() && output_.can_pass_on()) return Turn::pass_on;
    return park == Park::no ? Turn::none : Turn::leave;
  }
  KAON_DEVICE void take(const Found& found, Command& command) {
    from_device().template take<Words>(found.line, command);
    const bool is_from_device = found.turn == Turn::from_device;
    is_hosts_turn_ = is_from_device;
    const std::uint32_t count = is_from_device ? ++device_taken_ : ++host_taken_;
    if (at_.is_first()) (is_from_device ? from_device() : from_host()).template free<Words>(count);
  }
  /// Before it waits; what the entries wrote is seen by who sees that all are finished.
  KAON_DEVICE void count_finished() {
    if (finished_ > 0 && at_.is_first()) Words::count_release(&view_.shared->activity, finished_);
    finished_ = 0;
  }

  const ResidentView& view_;
  Context& at_;
  const WorkerOutput<Words>& output_;
  std::uint32_t device_taken_;
  std::uint32_t host_taken_;
  bool is_hosts_turn_ = false;  // where both have sent something
  std::uint32_t finished_ = 0;  // and not counted yet
};

}  // namespace kaon::gpu
