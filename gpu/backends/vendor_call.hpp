// SPDX-License-Identifier: Apache-2.0
#pragma once
// What stands around calls of the vendor's library. For sources that define KAON_VENDOR_API.
#include <fmt/format.h>

#include <new>
#include <utility>

#include "kaon/gpu/backends/api.hpp"
#include "kaon/gpu/backends/error.hpp"

namespace kaon::gpu {

/// check_vendor() of a meaning that is put together only when it is needed.
template <class... Parts>
void check(vendor::Status status, fmt::format_string<Parts...> meaning, Parts&&... parts) {
  if (status != vendor::kSuccess) [[unlikely]]
    check_vendor(status, fmt::format(meaning, std::forward<Parts>(parts)...));
}

/// The calling thread's device for the time of one call.
class OnDevice {
 public:
  explicit OnDevice(int device) { check(begin(device), "use device {}", device); }
  /// For calls that have nobody to tell: where the device cannot be used, the call fails by itself.
  OnDevice(int device, std::nothrow_t) noexcept { static_cast<void>(begin(device)); }
  ~OnDevice() {
    if (is_changed_) static_cast<void>(vendor::set_device(before_));
  }
  OnDevice(const OnDevice&) = delete;
  OnDevice& operator=(const OnDevice&) = delete;

 private:
  vendor::Status begin(int device) noexcept {
    const vendor::Status status = vendor::get_device(&before_);
    if (status != vendor::kSuccess || device == before_) return status;
    is_changed_ = true;
    return vendor::set_device(device);
  }

  int before_ = 0;
  bool is_changed_ = false;
};

/// For the time of one call, which a capture on any thread (PyTorch's are of the global mode) would else refuse: the
/// call would fail, and the capture with it. What we ask the driver for is of no graph.
class BesideCaptures {
 public:
  BesideCaptures() noexcept { exchange(); }
  ~BesideCaptures() { exchange(); }
  BesideCaptures(const BesideCaptures&) = delete;
  BesideCaptures& operator=(const BesideCaptures&) = delete;

 private:
  void exchange() noexcept { static_cast<void>(vendor::exchange_capture_mode(&mode_)); }
  vendor::CaptureMode mode_ = vendor::kForbidsNothing;
};

}  // namespace kaon::gpu
