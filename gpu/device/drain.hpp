// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <chrono>
#include <utility>
#include <vector>

#include "kaon/gpu/backends/driver.hpp"
#include "kaon/gpu/backends/error.hpp"

namespace kaon::gpu {

/// A device goes on although the run has ended: there is a kernel that never ends.
class DeviceHangs final : public GpuError {
 public:
  using GpuError::GpuError;
};

/// The end of what streams were given, waited for within a bound and without blocking.
class Drain {
 public:
  /// `device`: whose streams they are, for the error.
  Drain(Driver& driver, int device, double timeout_s);
  ~Drain();
  Drain(const Drain&) = delete;
  Drain& operator=(const Drain&) = delete;

  /// Adds a stream: the work that it has been given by now is waited for.
  void add(NativeStream stream) { add(stream, device_); }
  void add(NativeStream stream, int device);
  /// Looks at the device. Throws DeviceHangs when it has taken too long, GpuError for a fault.
  bool is_done();
  /// Yields the core until is_done(). Throws as that does.
  void finish();
  /// True if the last is_done() has found no work left.
  bool has_ended() const { return events_.empty(); }
  /// True if the time limit has passed, also when the work has ended.
  bool is_late() const { return std::chrono::duration<double>(Clock::now() - began_).count() > timeout_s_; }

 private:
  using Clock = std::chrono::steady_clock;
  [[noreturn]] void give_up() const;

  Driver& driver_;
  int device_;
  double timeout_s_;
  Clock::time_point began_ = Clock::now();
  std::vector<NativeEvent> events_;  // that are not reached
};

}  // namespace kaon::gpu
