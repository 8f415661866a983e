// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <chrono>

#include "kaon/gpu/device/device.hpp"
#include "kaon/gpu/engines/engines.hpp"
#include "kaon/gpu/platform/looking_time.hpp"
#include "kaon/gpu/platform/payload_memory.hpp"
#include "kaon/runtime/payloads/accelerator.hpp"

namespace kaon::gpu {

class Platform;

/// The payloads in the memory of a PE's device: where that memory is taken from, who may use it when, how it comes
/// back, and by which engine it goes to other processes. What a PE and its device have of each other.
class DevicePayloads final : public Accelerator {
 public:
  DevicePayloads(Platform& platform, Card& card, Pe& pe);
  ~DevicePayloads() override;

  Platform& platform() { return platform_; }
  Device& device() { return device_; }
  Engines& engines() { return engines_; }

  /// Where all is done that may use the memory of a payload which ends: what was given to the stream of its view is
  /// waited for. A fault of the device is the PE's.
  Position last_use(PayloadRecord& record) noexcept;
  /// Before a payload that was viewed is used elsewhere or ends: its position becomes one behind all that was given to
  /// the stream of the view by now.
  void settle(PayloadRecord& record);
  /// Before a payload is used on a stream here: takes over what lies on another device, and counts it once. What
  /// another process has lent is read there, unless it must be this PE's own.
  void bring_here(PayloadRecord& record, StreamState& stream, bool must_own);

  // --- Accelerator
  void land(PayloadRecord& record, const Landing& landing) override;
  void require_host(const Landing& landing) override;
  void copy(PayloadRecord& record, const Landing& landing) override;
  Route choose_route(PeId to, PayloadRecord& record, std::size_t before) override;
  void prepare(PeId to, PayloadRecord& record) override;
  bool send(PeId to, std::uint32_t counter, Route route, PayloadRecord& record, Work& done) override;
  bool receive(PeId from, std::uint32_t counter, PayloadRecord& record, Work& done) override;
  bool are_counts_fresh(std::uint32_t wave) override { return device_.watches().are_counts_fresh(wave); }
  void give_held(bool more_may_come) override { device_.held().give(more_may_come); }
  void give_all_held() override { device_.held().give_all(); }
  bool progress() override;
  bool arm() override;
  std::chrono::nanoseconds longest_sleep() const override { return looking_.longest_sleep(); }
  bool is_awaited() const override {
    return engines_.is_moving() || !device_.stream_watcher().is_empty() || device_.watches().is_awaited();
  }
  bool is_moving() const override { return engines_.is_moving() || !device_.is_over(); }
  void tell_when_free(PayloadRecord& record) noexcept override;
  void drain() noexcept override { device_.drain(); }
  DeviceMeter& meter() override { return device_.load_meter(); }

 private:
  /// Where a landing lies; `block` is nullptr outside this PE's own memory.
  struct LandingTarget {
    Region& region;
    Block* block;
  };
  LandingTarget target_of(const Landing& landing);
  static void expect_flag(PayloadRecord& record, const Landing& landing);
  void hold_landing(PayloadRecord& record, const LandingTarget& target);
  void copy_here(PayloadRecord& record, Block& block, StreamState& stream);
  void settle_last(PayloadRecord& record) noexcept;

  Platform& platform_;
  Device device_;
  Engines engines_;
  bool may_borrow_;  // memory of other processes, which one device of this one reaches
  LookingTime looking_;
};

/// That of a device's PE.
DevicePayloads& payloads_of(Device& device);
/// That of this PE. Throws UsageError on a thread that is none, or in a program that uses no devices.
DevicePayloads& these_payloads();
/// The device of this PE; throws as these_payloads().
inline Device& this_device() { return these_payloads().device(); }

}  // namespace kaon::gpu
