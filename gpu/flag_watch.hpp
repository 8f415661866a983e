// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <atomic>
#include <memory>
#include <vector>

#include "kaon/gpu/device/device_watch.hpp"
#include "kaon/gpu/kernels/flag_device.hpp"
#include "kaon/runtime/work/waiter.hpp"

namespace kaon::gpu {

class Device;

/// The present value of a flag in memory of the host. Writes before its raise are visible (acquire).
inline std::uint32_t value_of(FlagWord flag) {
  return std::atomic_ref<std::uint32_t>(*flag.word).load(std::memory_order_acquire);
}

/// The tasks of a PE that wait for flags in memory of the host: it reads them when it turns to its network.
class FlagWatch final : public DeviceWatch {
 public:
  struct Awaited {
    FlagWord flag;
    std::uint32_t k;
    Waiter* waiter;
    bool is_reached() const { return FlagWord::is_reached(value_of(flag), k); }
  };
  /// That of this device, which looks at it as long as there are flags.
  static std::shared_ptr<FlagWatch> of(Device& device);
  explicit FlagWatch(Device& device) : device_(device) {}

  /// It stays where it is until its waiter is resumed or it is removed.
  void add(Awaited& awaited) { awaited_.push_back(&awaited); }
  void remove(Awaited& awaited) noexcept { std::erase(awaited_, &awaited); }
  void add_flag() { ++flags_; }
  void remove_flag() { --flags_; }

  // --- DeviceWatch
  bool look() override;
  bool is_busy() const override { return !awaited_.empty(); }
  bool is_over() const override { return flags_ == 0 && awaited_.empty(); }
  bool is_running() const override { return false; }
  void stop() override {}

 private:
  Device& device_;
  std::vector<Awaited*> awaited_;
  std::size_t flags_ = 0;
  bool is_listed_ = false;
};

}  // namespace kaon::gpu
