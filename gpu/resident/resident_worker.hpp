// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "kaon/gpu/resident/entry_context.hpp"

namespace kaon::gpu {

/// What a worker, or the dispatcher, does next.
enum class Turn : std::uint8_t { from_device, from_host, pass_on, report, park, leave };
struct Found {
  Turn turn;
  Command command;
};

/// The last block of a launch tells the host.
template <class Words>
KAON_DEVICE void leave_launch(const ResidentView& view) {
  Words::fence(Scope::system);
  if (Words::add(&view.shared->left, 1) < view.worker_count) return;  // one more than workers: the dispatcher
  Words::store(&view.shared->left, 0, Scope::device);
  Words::store(&view.shared->park, 0, Scope::device);
  Words::store(&view.host->activity, Words::load(&view.shared->activity));
  Words::store(&view.host->ended, view.launch, Scope::system);
}

/// Takes tasks from the rings of one worker, by the first thread of its block.
template <class Context>
class ResidentWorker {
 public:
  using Words = typename Context::Words;
  KAON_DEVICE ResidentWorker(Context& at, const WorkerOutput<Words>& output)
      : view_(output.view()),
        at_(at),
        output_(output),
        own_(view_.workers[output.worker()]),
        device_taken_(own_.head),
        host_taken_(own_.host_head) {}

  /// A task, or `leave`. Waits for one of them.
  KAON_DEVICE Found next() {
    for (;;) {
      if (output_.is_holding()) output_.pass_on();
      Found found;
      if (!look(found)) {
        count_finished();
        found = at_.template find<Found>([this](unsigned, Found& what) { return look(what); });
      }
      if (found.turn == Turn::pass_on) continue;
      take(found.turn);
      return found;
    }
  }
  /// The task that was given last is done.
  KAON_DEVICE void finish() { ++finished_; }
  KAON_DEVICE void leave() {
    count_finished();
    leave_launch<Words>(view_);
  }

 private:
  /// Changes nothing: in the emulation others look for this thread.
  KAON_DEVICE bool look(Found& found) const {
    const auto park = static_cast<Park>(Words::peek(&view_.shared->park));
    Found other;
    const bool is_from_host =
        view_.from_dispatcher(output_.worker()).template look_at<Words>(host_taken_, other.command);
    found.turn = Turn::from_device;
    if (park == Park::now) return leave_by(found);
    if (view_.from_device(output_.worker()).template look_at<Words>(device_taken_, found.command)) return true;
    if (is_from_host) {
      found.command = other.command;
      found.turn = Turn::from_host;
      return true;
    }
    found.turn = Turn::pass_on;
    if (output_.is_holding() && output_.can_pass_on()) return true;
    return park != Park::no && leave_by(found);
  }
  KAON_DEVICE static bool leave_by(Found& found) {
    found.turn = Turn::leave;
    return true;
  }
  KAON_DEVICE void take(Turn turn) {
    if (turn == Turn::from_device) view_.from_device(output_.worker()).template take<Words>(++device_taken_);
    if (turn == Turn::from_host) view_.from_dispatcher(output_.worker()).template take<Words>(++host_taken_);
  }
  /// Before it waits; what the entries wrote is seen by who sees that all are finished.
  KAON_DEVICE void count_finished() {
    if (finished_ > 0) Words::add_release(&view_.shared->activity, finished_);
    finished_ = 0;
  }

  const ResidentView& view_;
  Context& at_;
  const WorkerOutput<Words>& output_;
  WorkerWords& own_;
  std::uint32_t device_taken_;
  std::uint32_t host_taken_;
  std::uint32_t finished_ = 0;  // and not counted yet
};

}  // namespace kaon::gpu
