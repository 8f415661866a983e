// SPDX-License-Identifier: Apache-2.0
// Whether a vendor's devices can be used, and why not.
#define KAON_VENDOR_API 1
#include <fmt/format.h>

#include <string>

#include "kaon/gpu/backends/api.hpp"
#include "kaon/gpu/backends/vendor_driver.hpp"

namespace kaon::gpu {
namespace {

/// Empty when all is well.
std::string why_not(vendor::Status status, int devices) {
  if (status == vendor::kSuccess && devices > 0) return {};
  vendor::forget_last_error();
  int version = 0;
  if (vendor::driver_version(&version) != vendor::kSuccess || version == 0) {
    return fmt::format("no driver of {} is installed on this machine", vendor::kLibrary);
  }
  if (status == vendor::kDriverTooOld) {
    return fmt::format("the driver ({}) is too old for this build's {}: install a newer one", version,
                       vendor::kLibrary);
  }
  if (status == vendor::kNoDevice || status == vendor::kSuccess) {
    return fmt::format("{} finds no device; one may be hidden by the environment", vendor::kLibrary);
  }
  return fmt::format("{} cannot be used: {} ({})", vendor::kLibrary, vendor::name_of(status), vendor::text_of(status));
}

}  // namespace

std::unique_ptr<Driver> make_vendor_driver(std::string& why) {
  int devices = 0;
  const vendor::Status status = vendor::count_devices(&devices);
  why = why_not(status, devices);
  return why.empty() ? std::make_unique<VendorDriver>(devices) : nullptr;
}

}  // namespace kaon::gpu
