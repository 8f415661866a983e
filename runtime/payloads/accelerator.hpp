// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <chrono>
#include <cstdint>
#include <memory>

#include "kaon/runtime/payloads/device_meter.hpp"
#include "kaon/runtime/payloads/payload_record.hpp"
#include "kaon/runtime/work/work.hpp"

namespace kaon::runtime {

/// The interface of a PE to the device layer: payloads in device memory, and waits for streams. Each PE whose program
/// uses devices has one, and only that PE's thread calls it. No function but drain() waits for a device.
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
  /// Same as the port's send_payload() and receive_payload(), for a device payload. They start when its stream and the
  /// landing's stream allow it. `route` is the one chosen for `to`; a receive takes the one that the sender announced.
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
  /// True if something is awaited that devices will bring about, as a rule within microseconds.
  virtual bool is_awaited() const = 0;
  /// True if the work that devices do by themselves has been counted as made and done, up to a moment after the first
  /// call with this number.
  virtual bool are_counts_fresh(std::uint32_t wave) = 0;
  /// Tells the record's signal, if it has one, when no stream uses its memory any more.
  virtual void tell_when_free(PayloadRecord& record) noexcept = 0;
  /// Waits until what was given to the device is done; when the run is over, and before any memory of the process'
  /// devices goes, which kernels of all its PEs may use.
  virtual void drain() noexcept = 0;
  /// For balancing.
  virtual DeviceMeter& meter() = 0;
  /// True while sends have not left yet or received data has not settled; at the end of the run also while the device
  /// still works. If the device works for too long then, progress() throws.
  virtual bool is_moving() const = 0;
};

/// That of this thread's PE; nullptr when its program uses no devices.
Accelerator* this_accelerator() noexcept;
/// Makes it the current one of this thread; returns the one before.
Accelerator* switch_accelerator(Accelerator* accelerator) noexcept;

}  // namespace kaon::runtime
