// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include "kaon/gpu/backends/error.hpp"

namespace kaon::gpu {

/// Something that goes on on a device for a while, such as a kernel that runs on, as its PE sees it.
class DeviceWatch {
 public:
  /// In the PE's turn to its network, and when the run is over until the device is. True: something has happened.
  virtual bool look() = 0;
  /// True if something is in progress, so that the PE must not sleep.
  virtual bool is_busy() const = 0;
  /// True while something may come of it that somebody waits for: a run in which nobody else has anything left to do is
  /// not stuck then. False for what only must be looked at.
  virtual bool is_awaited() const { return is_busy(); }
  /// See Accelerator::are_counts_fresh().
  virtual bool are_counts_fresh(std::uint32_t wave) {
    (void)wave;
    return true;
  }
  /// Nobody needs it any more, and nothing of it is under way: it may be destroyed.
  virtual bool is_over() const = 0;
  /// True if a kernel runs that goes on by itself: a wait for the whole device waits for it too.
  virtual bool is_running() const = 0;
  /// The device has failed: throws the error with what ran here, when something did.
  virtual void name_fault(const GpuError& error) const { (void)error; }
  /// The run is over: what has been given is finished, and nothing more is started.
  virtual void stop() = 0;
  virtual ~DeviceWatch() = default;
};

}  // namespace kaon::gpu
