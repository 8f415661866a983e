// SPDX-License-Identifier: Apache-2.0
#include "kaon/gpu/resident/host/resident_scheduler.hpp"

#include <fmt/format.h>

#include <utility>

#include "kaon/gpu/backends/error.hpp"
#include "kaon/gpu/kernels/host_words.hpp"
#include "kaon/gpu/resident/wire/tally.hpp"
#include "kaon/runtime/base/error.hpp"
#include "kaon/runtime/base/log.hpp"
#include "kaon/runtime/pe/pe.hpp"

namespace kaon::gpu {
namespace {

// Of what the last launch has taken; when it has ended.
bool is_taken_finished(const ResidentView& view) {
  std::uint32_t taken = HostWords::peek(&view.host->host_taken) + HostWords::peek(&view.host->urgent_taken);
  for (std::uint32_t i = 0; i < view.guest_count; ++i) taken += HostWords::peek(&view.guest_host[i].tasks_taken);
  return tally::is_even(HostWords::load(&view.host->activity), taken);
}

}  // namespace

void ResidentScheduler::retire() {
  is_retired_ = true;
  device_.remove_carrier(carrier_);
  calls_.fail_all();
  gone_targets_ = targets_.size();
  if (!deliver_.is_running) drop_targets();  // else one of them is on the stack
  tasks_.resume_waiters();
  if (!is_busy_ && !is_kept_) stop();
}

void ResidentScheduler::stop() {
  device_.remove_carrier(carrier_);
  if (std::exchange(is_stopped_, true)) return;
  if (group_ != nullptr && peers_ > 0) group_->end_work();
  if (group_ == nullptr || !group_->is_gone()) HostWords::store(&view().host->stop, 1, Scope::system);
}

// --- to the device

void ResidentScheduler::require_own_pe() const {
  if (this_pe_or_null() != &device_.pe())
    throw UsageError(
        fmt::format("a resident scheduler is used by the PE that has made it, which is PE {}", device_.pe().id()));
}

ResidentLaunches& ResidentScheduler::launches(const char* what) {
  if (is_guest())
    throw UsageError(fmt::format(
        "{}: of a resident scheduler that PEs of a process share, by the PE that was the first to ask for it alone",
        what));
  return *launches_;
}

void ResidentScheduler::send(std::uint32_t serial, const Command& command) {
  require_own_pe();
  const CommandHead head = head_of(command);
  if (head.parts() == 0) throw UsageError("this object of a device is none: make() gives one");
  if (serial != view().serial || head.first_worker() + head.parts() > options_.all_workers())
    throw UsageError("this object of a device belongs to another resident scheduler");
  give(command);
}

void ResidentScheduler::give(const Command& command) {
  if (is_stopped_ && group_ != nullptr) return;  // the run is over, and the rings and other members may be gone
  const CommandHead head = head_of(command);
  tasks_.add(command, head.parts() > 0 && !is_guest() && has_urgent() && program_.is_urgent(head.entry()));
  set_busy(true);
  if (group_ != nullptr) group_->count_given(number_);
  put_waiting();
  if (!is_guest() && !is_running() && !is_stopped_) launch();
}

void ResidentScheduler::raise(FlagWord flag, std::uint32_t by) {
  if (is_stopped_) return;  // nobody waits for it any more
  RaiseCommand command;
  command.flag = WireAddress<std::uint32_t>::of(flag.word);
  command.by = by;
  give(to_command(command));
}

void ResidentScheduler::raise(const DeviceFlag& flag, std::uint32_t by) {
  require_own_pe();
  if (flag.scheduler() != this) throw UsageError("this flag of a device belongs to another resident scheduler");
  raise(flag.word(), by);
}

std::uint32_t ResidentScheduler::add_peer() {
  if (peers_ == owner::kMostPeers)
    throw UsageError(fmt::format("a resident scheduler has at most {} peers", owner::kMostPeers));
  if (peers_ == 0 && group_ != nullptr) group_->begin_work(number_);  // peers may let anything go on
  return peers_++;
}

void ResidentScheduler::unlock(const Command& command) noexcept {
  if (is_stopped_) return;  // nothing runs any more
  try {
    send(view().serial, command);
  } catch (...) {  // its kernel could not be started, or this is another PE
    device_.pe().fail(std::current_exception());
  }
}

void ResidentScheduler::launch() {
  launches_->launch();
  if (group_ != nullptr) group_->note_launches(launches_->count());
}

// Guests whose tasks came while it was about to end, or had.
void ResidentScheduler::launch_for_others() {
  if (group_ == nullptr || is_guest() || is_running() || is_stopped_ || !group_->is_working()) return;
  if (!is_all_finished()) launch();
}

// --- from the device

bool ResidentScheduler::look() {
  if (!is_awake()) return false;
  if (must_drop()) drop_notices();
  if (!is_stopped_) throw_fault();
  bool has_happened = device_.driver().advance();
  look_for_fault();
  has_happened |= put_waiting();
  has_happened |= note_end();
  launch_for_others();
  if (has_notices() && !std::exchange(deliver_.is_queued, true)) {
    device_.pe().enqueue(deliver_);
    has_happened = true;
  }
  if ((is_busy_ || peers_ > 0) && is_quiet()) {
    count_traffic();
    has_happened |= is_busy_;
    set_busy(false);
    if (is_retired_ && !is_kept_) stop();
  }
  return has_happened;
}

// Whether it left before it had seen the last tasks, as nothing went on just then.
bool ResidentScheduler::has_left_some() const {
  return HostWords::peek(&view().host->fault) == 0 && tasks_.are_left(*view().host);
}

// What it has left undone needs another launch: tasks that came while it was about to end. At the end of a run, too:
// other PEs wait for payloads that are to be carried.
bool ResidentScheduler::note_end() {
  if (is_guest() || !launches_->note_end()) return false;
  const bool may_launch = !is_stopped_ || has_left_some();
  if (is_busy_ && !is_quiet() && may_launch) launch();
  if (is_stopped_ && !is_retired_ && !is_taken_finished(view()))
    log_warn(fmt::format(
        "the run has ended while tasks on device {} waited for flags, or for locked objects: they were not run",
        device_.number()));
  return true;
}

bool ResidentScheduler::is_running() const { return is_guest() ? group_->is_running() : launches_->is_running(); }

// Members of a group have each other's memory until their devices go, one behind the other.
bool ResidentScheduler::is_over() const {
  return group_ == nullptr && is_retired_ && expected_ == 0 && (!is_kept_ || is_stopped_) && !is_running() &&
         !deliver_.is_queued && (!is_busy_ || is_stopped_);
}

// --- the end of what goes on

// What the dispatcher has reported is true of one moment. When all is finished by then that host and device had made,
// nothing runs, and all notices are in their ring.
bool ResidentScheduler::is_quiet() const {
  return is_all_finished() && tasks_.waiting() == 0 && !deliver_.is_queued && !has_notices();
}

bool ResidentScheduler::is_all_finished() const {
  const std::uint64_t activity = HostWords::load(&view().host->activity);  // first: see ResidentGroup
  const std::uint32_t others = group_ != nullptr ? group_->given_by_others(number_) : 0;
  return tally::is_even(activity, tasks_.given() + others);
}

bool ResidentScheduler::is_awake() const {
  if (group_ == nullptr) return is_busy_ || is_running();
  return !group_->is_gone() && (is_busy_ || group_->is_working() || is_running() || has_notices());
}

// While another member is, this one may be told something at any time, and the owner has to start the kernel.
bool ResidentScheduler::is_busy() const {
  if (is_busy_ || (peers_ > 0 && !is_stopped_)) return true;
  return group_ != nullptr && !is_stopped_ && (group_->is_working() || has_notices());
}

// What peers send each other is made here and done there; of a group the owner counts it.
void ResidentScheduler::count_traffic() {
  if (is_guest()) return;
  const std::uint64_t more = HostWords::load(&view().host->traffic) - traffic_;
  for (std::uint32_t sent = traffic::sent_in(more); sent > 0; --sent) device_.pe().count_made();
  for (std::uint32_t taken = traffic::taken_in(more); taken > 0; --taken) device_.pe().count_done();
  traffic_ += more;
}

// Peers let things go on here that this PE does not know of: the device is asked, and answers when nothing goes on.
// What a member of a group is told may be by a task that another one has counted, until all were finished: so it says
// nothing before it has taken that.
bool ResidentScheduler::are_counts_fresh(std::uint32_t wave) {
  if (is_stopped_) return true;
  if (group_ != nullptr && (deliver_.is_queued || has_notices())) return false;
  if (peers_ == 0) return true;
  if (std::exchange(asked_, wave) != wave) HostWords::store(&view().host->asked, wave, Scope::system);
  if (HostWords::load(&view().host->answered, Scope::system) != wave || !is_quiet()) return false;
  count_traffic();
  set_busy(false);
  return true;
}

// Counted as one thing that was made and is done when nothing goes on.
void ResidentScheduler::set_busy(bool is_busy) {
  if (std::exchange(is_busy_, is_busy) == is_busy) return;
  if (is_busy) {
    device_.pe().count_made();
    if (group_ != nullptr) group_->begin_work(number_);
  } else {
    device_.pe().count_done();
    if (group_ != nullptr) group_->end_work();
  }
}

}  // namespace kaon::gpu
