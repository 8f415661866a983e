// SPDX-License-Identifier: Apache-2.0
// How a resident scheduler comes to be, for a PE alone or for several.
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <utility>

#include "kaon/gpu/platform/device_payloads.hpp"
#include "kaon/gpu/platform/platform.hpp"
#include "kaon/gpu/resident/host/resident_scheduler.hpp"
#include "kaon/runtime/base/error.hpp"
#include "kaon/runtime/pe/pe.hpp"
#include "kaon/runtime/pe/process.hpp"

namespace kaon::gpu {
namespace {

/// Not 0, so that an object or a target that nobody has made is of none. Guests have those behind it. Processes of a
/// run begin at places of their own, so that objects of another process are refused, too, instead of run.
std::uint32_t next_serial(Pe& pe, std::uint32_t guests) {
  constexpr std::uint32_t kMost = (1U << notice::kSerialShift) - 1, kOfAProcess = 257;
  static std::atomic<std::uint32_t> last{0};
  const auto process = static_cast<std::uint32_t>(pe.process().roster().process_of(pe.id()));
  for (;;) {
    const std::uint32_t number = last.fetch_add(1 + guests, std::memory_order_relaxed) + process * kOfAProcess;
    const std::uint32_t serial = number % kMost + 1;
    if (serial + guests <= kMost) return serial;
  }
}

// Before anything is made by them.
const ResidentOptions& checked(const ResidentOptions& options) {
  options.check();
  return options;
}

ResidentNeeds needs_of(const ResidentOptions& options, const ResidentProgram& program, std::uint32_t guests) {
  return {program.is_urgent != nullptr, program.has_lockable, options.names_faults, guests};
}

// Without this check the launch would fail, later.
void check_size(const ResidentOptions& options, const ResidentProgram& program, Device& device) {
  if (options.warp_blocks > 0 && !program.has_warps)
    throw UsageError(
        "warp_blocks of a resident scheduler whose entries are of no object of warp size: such an object says static "
        "constexpr bool kIsWarpSized = true");
  if (options.threads > program.most_threads)
    throw UsageError(
        fmt::format("a resident scheduler whose blocks have {} threads: its entries are compiled for at most {}; give "
                    "fewer, or let one of the entries say static constexpr unsigned kMostThreads = {}",
                    options.threads, program.most_threads, options.threads));
  const unsigned most = program.most_blocks(device, options.threads);
  if (options.blocks() <= most) return;
  throw UsageError(
      fmt::format("a resident scheduler of {} workers and warp_blocks with {} threads each: at most {} of its entries "
                  "run at once on device {}; give fewer, as Resident::most_workers(threads) says, or, of one that is "
                  "shared_by_process(), most_workers_by_process(threads)",
                  options.blocks() - 1, options.threads, most > 0 ? most - 1 : 0, device.number()));
}

std::uint32_t guests_here() {
  DevicePayloads& here = these_payloads();
  return std::min(here.platform().pes_of(here.device().number()) - 1, member::kMostGuests);
}

}  // namespace

std::shared_ptr<ResidentScheduler> ResidentScheduler::make(const ResidentOptions& options,
                                                           const ResidentProgram& program) {
  check_size(checked(options), program, this_device());
  auto scheduler = std::make_shared<ResidentScheduler>(options, program, 0);
  scheduler->device_.watches().add(scheduler);
  scheduler->device_.add_carrier(scheduler->carrier_);
  return scheduler;
}

std::shared_ptr<ResidentScheduler> ResidentScheduler::join(std::shared_ptr<ResidentGroup> group,
                                                           const ResidentOptions& options,
                                                           const ResidentProgram& program) {
  const auto lock = group->lock();  // once for each PE: others wait until the first has made the kernel
  Device& device = this_device();
  std::shared_ptr<ResidentScheduler> scheduler = group->find(device.pe());
  if (scheduler == nullptr && group->is_empty()) {
    check_size(checked(options), program, device);
    scheduler = std::make_shared<ResidentScheduler>(options, program, guests_here());
    group->found(options, scheduler->view());
  } else if (scheduler == nullptr) {
    scheduler = std::make_shared<ResidentScheduler>(*group, program);
  } else {
    return scheduler->come_back(), scheduler;
  }
  scheduler->number_ = group->add(device.pe(), scheduler);
  scheduler->calls_.belong_to(scheduler->number_);
  scheduler->group_ = std::move(group);
  scheduler->keep();
  device.watches().add(scheduler);
  if (!scheduler->is_guest()) device.add_carrier(scheduler->carrier_);
  return scheduler;
}

// What a device still tells those who had it before is of targets that are gone, and of calls that nobody waits for.
void ResidentScheduler::come_back() {
  if (!std::exchange(is_retired_, false)) return;
  if (!is_guest()) device_.add_carrier(carrier_);
}

void ResidentScheduler::require_wanted(const char* what) const {
  if (is_retired_)
    throw UsageError(fmt::format("a resident scheduler was destroyed while a task waited for {} that it makes", what));
}

void throw_no_such_workers(std::uint32_t first, std::uint32_t parts, std::uint32_t workers, bool are_warps) {
  const char* const what = are_warps ? "warps" : "workers";
  throw UsageError(
      fmt::format("an object for {} {} from number {} on: the resident scheduler has no such {}, it has {}, those of "
                  "the {} of its options",
                  parts, what, first, what, workers, are_warps ? "warp_blocks" : "workers"));
}

Device& resident_device() { return this_device(); }

// One block is the dispatcher.
unsigned most_resident_workers(unsigned blocks_at_once) {
  DevicePayloads& here = these_payloads();
  const unsigned share = blocks_at_once / here.platform().pes_of(here.device().number());
  return std::min<unsigned>(share > 1 ? share - 1 : 1, task::kMostWorkers);
}

unsigned most_resident_workers_by_process(unsigned blocks_at_once) {
  return std::clamp(blocks_at_once, 2U, task::kMostWorkers + 1) - 1;
}

ResidentScheduler::ResidentScheduler(const ResidentOptions& options, const ResidentProgram& program,
                                     std::uint32_t guests)
    : device_(this_device()),
      options_(checked(options)),
      program_(program),
      launches_(std::make_unique<ResidentLaunches>(device_, options_, needs_of(options_, program, guests),
                                                   next_serial(device_.pe(), guests), program.launch)),
      view_(launches_->view()),
      objects_(&launches_->stream()) {
  begin();
}

ResidentScheduler::ResidentScheduler(const ResidentGroup& group, const ResidentProgram& program)
    : device_(this_device()), options_(group.options()), program_(program), view_(group.view()), objects_(nullptr) {
  begin();
}

ResidentScheduler::~ResidentScheduler() {
  if (group_ != nullptr && !is_guest()) group_->note_gone();
}

void ResidentScheduler::begin() {
  deliver_.scheduler = this;
  deliver_.flags |= kOwnsItself;  // taken out of a queue it is no longer in, when the run is over
  deliver_.run = [](Work& self, Pe&) { static_cast<Deliver&>(self).scheduler->deliver(); };
}

}  // namespace kaon::gpu
