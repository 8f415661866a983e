// SPDX-License-Identifier: Apache-2.0
#include "kaon/gpu/resident/resident_scheduler.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cstring>
#include <utility>

#include "kaon/gpu/backends/error.hpp"
#include "kaon/gpu/kernels/host_words.hpp"
#include "kaon/gpu/platform/device_payloads.hpp"
#include "kaon/gpu/platform/platform.hpp"
#include "kaon/gpu/resident/awaiting_tasks.hpp"
#include "kaon/runtime/base/error.hpp"
#include "kaon/runtime/base/log.hpp"
#include "kaon/runtime/pe/pe.hpp"

namespace kaon::gpu {
namespace {

/// Not 0, so that an object or a target that nobody has made is of none.
std::uint32_t next_serial() {
  static std::atomic<std::uint32_t> last{0};
  return last.fetch_add(1, std::memory_order_relaxed) % 0xffffU + 1;
}

const ResidentOptions& checked(const ResidentOptions& options) {
  if (options.workers + options.warp_blocks == 0 || options.threads == 0)
    throw UsageError("a resident scheduler needs at least one worker of one thread");
  for (const double patience_s :
       {options.idle_us / 1e6, options.patience_s, options.flag_patience_s, options.entry_patience_s})
    if (!(patience_s >= 0 && patience_s < 1e6))
      throw UsageError(
          "idle_us, patience_s, flag_patience_s and entry_patience_s of a resident scheduler are times, up to 1e6 s");
  if (options.all_workers() > task::kMostWorkers)
    throw UsageError(
        fmt::format("a resident scheduler has at most {} workers, not {}", task::kMostWorkers, options.all_workers()));
  if (options.threads % kThreadsOfAWarp != 0)
    throw UsageError(fmt::format("workers of a resident scheduler have a multiple of {} threads, not {}",
                                 kThreadsOfAWarp, options.threads));
  if (!std::has_single_bit(options.ring))
    throw UsageError("the ring of a resident scheduler has a power of two places");
  return options;
}

// Without this check the launch would fail, later.
void check_size(const ResidentOptions& options, const ResidentProgram& program, Device& device) {
  if (options.warp_blocks > 0 && !program.has_warps)
    throw UsageError(
        "warp_blocks of a resident scheduler whose entries are of no object of warp size: such an object says static "
        "constexpr bool kIsWarpSized = true");
  const unsigned most = program.most_blocks(device, options.threads);
  if (options.blocks() <= most) return;
  throw UsageError(
      fmt::format("a resident scheduler of {} workers and warp_blocks with {} threads each: at most {} of its entries "
                  "run at once on device {}; give fewer, as Resident::most_workers(threads) says",
                  options.blocks() - 1, options.threads, most > 0 ? most - 1 : 0, device.number()));
}

}  // namespace

std::shared_ptr<ResidentScheduler> ResidentScheduler::make(const ResidentOptions& options,
                                                           const ResidentProgram& program) {
  check_size(checked(options), program, this_device());
  auto scheduler = std::make_shared<ResidentScheduler>(options, program);
  scheduler->device_.add_watch(scheduler);
  scheduler->device_.add_carrier(*scheduler);
  return scheduler;
}

void throw_no_such_workers(std::uint32_t first, std::uint32_t parts, std::uint32_t workers, bool are_warps) {
  const char* const what = are_warps ? "warps" : "workers";
  throw UsageError(
      fmt::format("an object for {} {} from number {} on: the resident scheduler has no such {}, it has {}{}", parts,
                  what, first, what, workers, are_warps ? ", those of the warp_blocks of its options" : ""));
}

Device& ResidentScheduler::device_here() { return this_device(); }

// One block is the dispatcher.
unsigned ResidentScheduler::most_workers(unsigned blocks_at_once) {
  DevicePayloads& here = these_payloads();
  const unsigned share = blocks_at_once / here.platform().pes_of(here.device().number());
  return std::min<unsigned>(share > 1 ? share - 1 : 1, task::kMostWorkers);
}

ResidentScheduler::ResidentScheduler(const ResidentOptions& options, const ResidentProgram& program)
    : device_(this_device()),
      options_(checked(options)),
      program_(program),
      memory_(options_, {program.is_urgent != nullptr, program.has_lockable, options_.names_faults}, next_serial(),
              stream_) {
  deliver_.scheduler = this;
  deliver_.flags |= kOwnsItself;  // taken out of a queue it is no longer in, when the run is over
  deliver_.run = [](Work& self, Pe&) { static_cast<Deliver&>(self).scheduler->deliver(); };
}

void ResidentScheduler::retire() {
  is_retired_ = true;
  device_.remove_carrier(*this);
  calls_.fail_all();
  if (!deliver_.is_running) targets_.clear();  // else one of them is on the stack
  tell_of_room();
  if (!is_busy_ && !is_kept_) stop();
}

void ResidentScheduler::stop() {
  device_.remove_carrier(*this);
  is_stopped_ = true;
  HostWords::store(&view().host->stop, 1, Scope::system);
}

// --- to the device

void ResidentScheduler::require_own_pe() const {
  if (this_pe_or_null() != &device_.pe())
    throw UsageError(
        fmt::format("a resident scheduler is used by the PE that has made it, which is PE {}", device_.pe().id()));
}

void ResidentScheduler::send(std::uint32_t serial, const Command& command) {
  require_own_pe();
  if (task::parts_of(command) == 0) throw UsageError("this object of a device is none: make() gives one");
  if (serial != view().serial || task::first_worker_of(command) + task::parts_of(command) > options_.all_workers())
    throw UsageError("this object of a device belongs to another resident scheduler");
  give(command);
}

void ResidentScheduler::give(const Command& command) {
  const bool is_task = task::parts_of(command) > 0;
  const bool is_urgent = is_task && program_.is_urgent != nullptr && program_.is_urgent(task::entry_of(command));
  (is_urgent ? urgent_tasks_ : tasks_).add(command);
  set_busy(true);
  put_waiting();
  if (!is_running() && !is_stopped_) launch();
}

void ResidentScheduler::raise(FlagWord flag, std::uint32_t by) {
  if (is_retired_ || is_stopped_) return;  // nobody waits for it any more
  Command command{};
  std::memcpy(&command.words[task::kObject], &flag.word, sizeof flag.word);
  command.words[task::kReply] = by;
  give(command);
}

std::uint32_t ResidentScheduler::carry(const Cargo& cargo) {
  Command command{};
  command.words[task::kEntry] = task::kCarry;
  std::memcpy(&command.words[task::kFrom], &cargo.from, sizeof cargo.from);
  std::memcpy(&command.words[task::kTo], &cargo.to, sizeof cargo.to);
  std::memcpy(&command.words[task::kDone], &cargo.done, sizeof cargo.done);
  command.words[task::kBytes] = cargo.bytes;
  command.words[task::kNumber] = ++cargoes_;
  ++expected_;
  give(command);
  return cargoes_;
}

// Numbers go around 32 bits.
bool ResidentScheduler::has_carried(std::uint32_t number) const {
  return static_cast<std::int32_t>(HostWords::load(&view().host->carried, Scope::system) - number) >= 0;
}

std::uint32_t ResidentScheduler::add_peer() {
  if (peers_ == owner::kMostPeers)
    throw UsageError(fmt::format("a resident scheduler has at most {} peers", owner::kMostPeers));
  return peers_++;
}

void ResidentScheduler::unlock(const Command& command) noexcept {
  if (is_stopped_) return;  // nothing runs any more
  try {
    send(serial(), command);
  } catch (...) {  // its kernel could not be started, or this is another PE
    device_.pe().fail(std::current_exception());
  }
}

bool ResidentScheduler::put_waiting() {
  bool has_put = program_.is_urgent != nullptr && urgent_tasks_.put_into(view().urgent_from_host());
  has_put |= tasks_.put_into(view().from_host());
  if (has_put && waiting() == 0) tell_of_room();
  return has_put;
}

void ResidentScheduler::tell_of_room() {
  for (Waiter* const waiter : std::exchange(wanting_room_, {})) waiter->resume_soon();
}

void ResidentScheduler::launch() {
  ResidentView view = memory_.view();
  view.launch = launches_ + 1;
  view.has_own_processors = options_.blocks() <= static_cast<unsigned>(device_.card().description().processors) ? 1 : 0;
  program_.launch(stream_, {{options_.blocks()}, {options_.threads}}, view);
  ++launches_;
  behind_launch_ = device_.stream_watcher().record(*stream_.here().stream);
}

// --- from the device

bool ResidentScheduler::look() {
  if (!is_busy_ && !is_running()) return false;
  if (must_drop()) drop_notices();
  if (!is_stopped_) throw_fault();
  bool has_happened = device_.driver().advance();
  look_for_fault();
  has_happened |= put_waiting();
  has_happened |= note_end();
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

// What it has left undone needs another launch: tasks that came while it was about to end.
bool ResidentScheduler::note_end() {
  if (!is_running() || HostWords::peek(&view().host->ended) != launches_) return false;
  ended_ = launches_;
  if (is_busy_ && !is_quiet() && !is_stopped_) launch();
  if (is_busy_ && is_stopped_ && !is_quiet() && !is_retired_)
    log_warn(fmt::format(
        "the run has ended while tasks on device {} waited for flags, or for locked objects: they were not run",
        device_.number()));
  return true;
}

bool ResidentScheduler::is_over() const {
  return is_retired_ && expected_ == 0 && (!is_kept_ || is_stopped_) && !is_running() && !deliver_.is_queued &&
         (!is_busy_ || is_stopped_);
}

// --- the end of what goes on

// What the dispatcher has reported is true of one moment. When all is finished by then that host and device had made,
// nothing runs, and all notices are in their ring.
bool ResidentScheduler::is_quiet() const {
  const std::uint64_t activity = HostWords::load(&view().host->activity);
  const auto made = static_cast<std::uint32_t>(activity >> 32), finished = static_cast<std::uint32_t>(activity);
  return finished == tasks_.put() + urgent_tasks_.put() + made && waiting() == 0 && !deliver_.is_queued &&
         !has_notices();
}

// What peers send each other is made here and done there.
void ResidentScheduler::count_traffic() {
  const std::uint64_t traffic = HostWords::load(&view().host->traffic);
  for (; sent_ != static_cast<std::uint32_t>(traffic >> 32); ++sent_) device_.pe().count_made();
  for (; taken_ != static_cast<std::uint32_t>(traffic); ++taken_) device_.pe().count_done();
}

// Peers let things go on here that this PE does not know of: the device is asked, and answers when nothing goes on.
bool ResidentScheduler::are_counts_fresh(std::uint32_t wave) {
  if (peers_ == 0 || is_stopped_) return true;
  if (std::exchange(asked_, wave) != wave) HostWords::store(&view().host->asked, wave, Scope::system);
  if (HostWords::load(&view().host->answered, Scope::system) != wave || !is_quiet()) return false;
  count_traffic();
  set_busy(false);
  return true;
}

// Counted as one thing that was made and is done when nothing goes on.
void ResidentScheduler::set_busy(bool is_busy) {
  if (std::exchange(is_busy_, is_busy) == is_busy) return;
  if (is_busy)
    device_.pe().count_made();
  else
    device_.pe().count_done();
}

}  // namespace kaon::gpu
