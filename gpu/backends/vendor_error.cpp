// SPDX-License-Identifier: Apache-2.0
#define KAON_VENDOR_API 1
#include <fmt/format.h>

#include "kaon/gpu/backends/api.hpp"
#include "kaon/gpu/backends/error.hpp"

namespace kaon::gpu {
namespace {

std::string_view advice(vendor::Status status) {
  if (vendor::is_sticky(status)) {
    return "a kernel that ran earlier did this, and the device is lost to this process; end it and look for the kernel "
           "with compute-sanitizer or rocgdb";
  }
  if (status == vendor::kNoMemory) return "free memory of the device, or use more devices";
  if (status == vendor::kDriverTooOld) return "install a newer driver of the device";
  return "check what the call was given: the device, the stream's and the event's owner, the pointers and sizes";
}

}  // namespace

void check_vendor(int status, std::string_view meaning) {
  const auto fault = static_cast<vendor::Status>(status);
  if (fault == vendor::kSuccess) return;
  vendor::forget_last_error();  // else a later call would report it as its own
  throw GpuError(fmt::format("cannot {}: {} says {} ({}); {}", meaning, vendor::kLibrary, vendor::name_of(fault),
                             vendor::text_of(fault), advice(fault)));
}

}  // namespace kaon::gpu
