// SPDX-License-Identifier: Apache-2.0
// What a resident kernel has met, for people.
#include <fmt/format.h>

#include "kaon/gpu/backends/error.hpp"
#include "kaon/gpu/kernels/host_words.hpp"
#include "kaon/gpu/resident/resident_scheduler.hpp"
#include "kaon/runtime/base/error.hpp"

namespace kaon::gpu {

void ResidentScheduler::throw_fault() const {
  const auto fault = static_cast<ResidentFault>(HostWords::peek(&view().host->fault));
  if (fault == ResidentFault::none) return;
  const std::uint32_t which = HostWords::peek(&view().host->faulty_entry);
  if (fault == ResidentFault::host_does_not_take)
    throw GpuError(
        fmt::format("entries of device {} waited {} s for this PE to take what they told it: shorter entries "
                    "of the PE, or more patience_s in ResidentOptions",
                    device_.number(), options_.patience_s));
  if (fault == ResidentFault::foreign_object)
    throw GpuError(
        fmt::format("an entry of device {} sent {} to an object that neither its scheduler has made nor a peer of it",
                    device_.number(), readable_type(program_.type_of(which))));
  if (fault == ResidentFault::awaits_too_many)
    throw GpuError(fmt::format(
        "a worker of device {} has {} tasks that wait for flags, and {} is one more: give the scheduler "
        "more workers",
        device_.number(), HostWords::peek(&view().host->flag_wanted), readable_type(program_.type_of(which))));
  if (fault == ResidentFault::flag_not_reached)
    throw GpuError(
        fmt::format("{} on device {} has waited {} s for its flag {}, which is {} and must reach {}: nobody raises it, "
                    "or give more flag_patience_s in ResidentOptions",
                    readable_type(program_.type_of(which)), device_.number(), options_.flag_patience_s,
                    HostWords::peek(&view().host->faulty_flag), HostWords::peek(&view().host->flag_has),
                    HostWords::peek(&view().host->flag_wanted)));
  throw GpuError(
      fmt::format("a worker of device {} sent {} times, {} at last, while the rings of those it sent to were full, "
                  "and can hold no more: ask at.is_crowded() before, or give more `held` in ResidentOptions",
                  device_.number(), options_.held, readable_type(program_.type_of(which))));
}

}  // namespace kaon::gpu
