// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <memory>
#include <utility>

#include "kaon/gpu/kernels/flag_device.hpp"
#include "kaon/runtime/payloads/arrival_flag.hpp"

namespace kaon::runtime {
class Pe;
}

namespace kaon::gpu {

class ResidentScheduler;

/// A flag of a resident scheduler, as payloads raise it.
class ResidentFlag final : public ArrivalFlag {
 public:
  /// `expected`: the number of payloads that will raise flags of the scheduler, which stays until there are none.
  ResidentFlag(ResidentScheduler& scheduler, Pe& pe, std::uint32_t& expected, FlagWord word)
      : scheduler_(scheduler), pe_(pe), expected_(expected), word_(word) {}
  FlagWord word() const { return word_; }

  // --- ArrivalFlag
  void expect() noexcept override { ++expected_; }
  void arrived() noexcept override;
  void will_not_arrive() noexcept override { --expected_; }

 private:
  ResidentScheduler& scheduler_;
  Pe& pe_;
  std::uint32_t& expected_;
  FlagWord word_;
};

/// A word that only grows, 0 at first, in the memory of a device (flag_device.hpp), where entries of its resident
/// scheduler look: they wait for it by at.when() and raise it by at.raise(), and so do kernels. The host raises it by
/// Resident::raise(), and payloads that arrive by Landing::raising(): the scheduler does it on the device, behind what
/// was sent before. When its scheduler is gone nobody is told any more.
class DeviceFlag {
 public:
  DeviceFlag(std::shared_ptr<ResidentScheduler> scheduler, ResidentFlag& flag)
      : scheduler_(std::move(scheduler)), flag_(&flag) {}
  /// For objects of the device.
  FlagWord word() const { return flag_->word(); }
  /// For Landing::raising().
  ArrivalFlag& arrival() const { return *flag_; }
  /// Whose it is.
  const ResidentScheduler* scheduler() const { return scheduler_.get(); }

 private:
  std::shared_ptr<ResidentScheduler> scheduler_;
  ResidentFlag* flag_;
};

}  // namespace kaon::gpu
