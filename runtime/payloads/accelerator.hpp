// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <chrono>
#include <cstdint>
#include <memory>

#include "kaon/runtime/payloads/device_meter.hpp"
#include "kaon/runtime/payloads/payload_record.hpp"
#include "kaon/runtime/work/work.hpp"

namespace kaon::runtime {

/// What a PE asks of the layer that knows devices: payloads in device memory, and the waits for streams. One for each
/// PE whose program uses devices; called by that PE's thread alone. Nothing in it waits for a device.
class Accelerator {
 public:
  virtual ~Accelerator() = default;

  /// Gives an announced device payload its memory: the landing, or a pooled buffer. Throws UsageError.
  virtual void land(PayloadRecord& record, const Landing& landing) = 0;
  /// Throws UsageError when a landing for a payload in host memory lies in the memory of a device.
  virtual void require_host(const Landing& landing) = 0;
  /// Copies a device payload to a landing in the order of the landing's stream, and notes in the record when it is
  /// there.
  virtual void copy(PayloadRecord& record, const Landing& landing) = 0;

  /// Which way a device payload will go to a PE of another process, in a message in which so many are before it. It may
  /// have to get memory of this PE's for that.
  virtual Route choose_route(PeId to, PayloadRecord& record, std::size_t before) = 0;
  /// A device payload is about to be sent, by the route that was just chosen: what is given to its stream from now on
  /// need not be waited for.
  virtual void prepare(PeId to, PayloadRecord& record) = 0;
  /// As the port's, of a device payload, when its stream and the landing's allow it. `route`: as it was chosen for this
  /// PE, and as its sender has announced it.
  virtual bool send(PeId to, std::uint32_t counter, Route route, PayloadRecord& record, Work& done) = 0;
  virtual bool receive(PeId from, std::uint32_t counter, PayloadRecord& record, Work& done) = 0;

  /// Gives the device what was held back so that more could join it, unless the device would not begin with it yet.
  /// `more_may_come`: soon, so that it may be held on for a while.
  virtual void give_held(bool more_may_come) = 0;
  /// Gives it all of that.
  virtual void give_all_held() = 0;
  /// Looks at the streams that something waits for. True when anything happened.
  virtual bool progress() = 0;
  /// Asks for Waker::wake() when something awaited happens. False: look again now.
  virtual bool arm() = 0;
  /// After arm(): how long the PE may sleep, as nobody wakes it for some of what it awaits.
  virtual std::chrono::nanoseconds longest_sleep() const = 0;
  /// Whether something is awaited that devices bring about, within microseconds as a rule.
  virtual bool is_awaited() const = 0;
  /// Whether what devices do by themselves has been counted as made and done, up to a moment after this was first asked
  /// with this number.
  virtual bool are_counts_fresh(std::uint32_t wave) = 0;
  /// Tells the record's signal, if it has one, when no stream uses its memory any more.
  virtual void tell_when_free(PayloadRecord& record) noexcept = 0;
  /// Waits until what was given to the device is done; when the run is over, and before any memory of the process'
  /// devices goes, which kernels of all its PEs may use.
  virtual void drain() noexcept = 0;
  /// For balancing.
  virtual DeviceMeter& meter() = 0;
  /// Whether sends have not left yet, or received data has not settled; when the run has ended, also whether the device
  /// still works. progress() throws when it does so for too long.
  virtual bool is_moving() const = 0;
};

/// That of this thread's PE; nullptr when its program uses no devices.
Accelerator* this_accelerator() noexcept;
/// Makes it the current one of this thread; returns the one before.
Accelerator* switch_accelerator(Accelerator* accelerator) noexcept;

}  // namespace kaon::runtime
