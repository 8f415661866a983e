// SPDX-License-Identifier: Apache-2.0
// What a resident kernel has met, for people.
#include <fmt/format.h>

#include <string>

#include "kaon/gpu/backends/error.hpp"
#include "kaon/gpu/kernels/host_words.hpp"
#include "kaon/gpu/resident/host/resident_scheduler.hpp"
#include "kaon/runtime/base/error.hpp"

namespace kaon::gpu {

void ResidentScheduler::throw_fault() const {
  const auto fault = static_cast<ResidentFault>(HostWords::peek(&view().host->fault));
  if (fault == ResidentFault::none) return;
  const std::uint32_t which = HostWords::peek(&view().host->faulty_entry);
  const std::string entry = readable_type(program_.type_of(which));
  if (fault == ResidentFault::does_not_end) throw_endless(which);
  if (fault == ResidentFault::locked_too_many)
    throw GpuError(
        fmt::format("a worker of device {} has {} tasks for objects that the host has locked, and {} is one more: "
                    "unlock sooner, or give more `held` in ResidentOptions",
                    device_.number(), options_.held, entry.empty() ? "a lock" : entry));
  if (fault == ResidentFault::host_does_not_take)
    throw GpuError(
        fmt::format("entries of device {} waited {} s for {} PE to take what they told it: shorter entries "
                    "of the PE, or more patience_s in ResidentOptions",
                    device_.number(), options_.patience_s, which == number_ ? "this" : "another"));
  if (fault == ResidentFault::foreign_object)
    throw GpuError(
        fmt::format("an entry of device {} sent {} to an object that neither its scheduler has made nor a peer of it",
                    device_.number(), entry));
  if (fault == ResidentFault::awaits_too_many)
    throw GpuError(
        fmt::format("a worker of device {} has {} tasks that wait for flags, and {} is one more: give the scheduler "
                    "more workers",
                    device_.number(), HostWords::peek(&view().host->flag_wanted), entry));
  if (fault == ResidentFault::flag_not_reached)
    throw GpuError(
        fmt::format("{}, an entry of {}, on device {} has waited {} s for its flag {}, which is {} and must reach {}: "
                    "nobody raises it, or give more flag_patience_s in ResidentOptions",
                    entry, readable_type(program_.object_of(which)), device_.number(), options_.flag_patience_s,
                    HostWords::peek(&view().host->faulty_flag), HostWords::peek(&view().host->flag_has),
                    HostWords::peek(&view().host->flag_wanted)));
  throw GpuError(
      fmt::format("a worker of device {} sent {} times, {} at last, while the rings of those it sent to were full, "
                  "and can hold no more: ask at.is_crowded() before, or give more `held` in ResidentOptions",
                  device_.number(), options_.held, entry));
}

void ResidentScheduler::throw_endless(std::uint32_t entry) const {
  const bool could_watch = HostWords::peek(&view().host->fault) != 0;
  const char* const advice =
      could_watch ? "does it wait for what cannot come while it holds its worker? Wait by at.when()"
                  : "it neither returns nor lets other threads of the emulation go on, as at.give_way() does. End it";
  throw GpuError(fmt::format(
      "{}, an entry of {}, has run for {} s on device {} and does not end: {}, or give more entry_patience_s in "
      "ResidentOptions",
      readable_type(program_.type_of(entry)), readable_type(program_.object_of(entry)), options_.entry_patience_s,
      device_.number(), advice));
}

// The dispatcher, which watches, has a thread of its own on a device, and none in an emulation, where an entry that
// calls nothing of `at` keeps it from all. It comes first where it can.
void ResidentScheduler::watch_emulation() {
  if (!device_.card().is_emulated()) return;
  const auto now = std::chrono::steady_clock::now();
  const std::chrono::duration<double> patience(2 * options_.entry_patience_s);
  watched_.resize(options_.all_workers());
  for (std::uint32_t worker = 0; worker < watched_.size(); ++worker) {
    const std::uint32_t running = HostWords::peek(&view().running[worker]);
    Watched& watched = watched_[worker];
    if (running == 0 || running != watched.running) watched = {running, now};
    if (now - watched.since > patience) throw_endless(running & ((1U << task::kEntryBits) - 1));
  }
}

// A kernel that the device has ended tells nobody, and who waits for entries asks nothing of the device. So it is asked
// now and then.
void ResidentScheduler::look_for_fault() {
  constexpr std::uint32_t kLooksBetween = 4096;  // some milliseconds
  if (launches_ == nullptr || !is_running() || ++idle_looks_ % kLooksBetween != 0) return;
  watch_emulation();
  try {
    launches_->look_for_fault();
  } catch (const GpuError& error) {
    name_fault(error);
  }
}

void ResidentScheduler::name_fault(const GpuError& error) const {
  if (is_running()) throw GpuError(fmt::format("{}, while a resident kernel ran {}", error.what(), names_of_running()));
}

// Memory of a device that has failed is not read.
std::string ResidentScheduler::names_of_running() const {
  if (!options_.names_faults) return "entries: give names_faults = true in ResidentOptions to know which";
  std::string names;
  for (std::uint32_t worker = 0; worker < options_.all_workers(); ++worker) {
    const std::uint32_t running = HostWords::peek(&view().running[worker]);
    if (running == 0) continue;
    const std::uint32_t entry = running & ((1U << task::kEntryBits) - 1);
    names += fmt::format("{}{} of {}", names.empty() ? "" : ", ", readable_type(program_.type_of(entry)),
                         readable_type(program_.object_of(entry)));
  }
  return names.empty() ? "no entry" : names;
}

}  // namespace kaon::gpu
