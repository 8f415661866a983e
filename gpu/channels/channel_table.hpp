// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <memory>
#include <unordered_map>

#include "kaon/gpu/device/device_watch.hpp"

namespace kaon::gpu {

class ChannelSide;
class Device;

/// The ends of channels of a PE, by their numbers.
class ChannelTable final : public DeviceWatch {
 public:
  static std::shared_ptr<ChannelTable> of(Device& device);
  explicit ChannelTable(Device& device) : device_(device) {}

  std::uint32_t add(ChannelSide& side);
  void remove(std::uint32_t number) noexcept { sides_.erase(number); }
  /// nullptr: it has ended.
  ChannelSide* find(std::uint32_t number) const;
  /// Records that streams of this PE wait for flags, or have waited.
  void note_streams_wait() { has_told_streams_to_wait_ = true; }
  bool has_told_streams_to_wait() const { return has_told_streams_to_wait_; }

  // --- DeviceWatch: an emulation without threads does what streams were given, also when nobody here waits for it
  bool look() override;
  bool is_busy() const override;
  /// Also when the last end has gone: its last round may be a stream's to raise, for one elsewhere.
  bool is_over() const override { return false; }
  bool is_running() const override { return false; }
  void stop() override {}

 private:
  Device& device_;
  std::unordered_map<std::uint32_t, ChannelSide*> sides_;
  std::uint32_t last_ = 0;
  bool is_listed_ = false;
  bool has_told_streams_to_wait_ = false;
};

}  // namespace kaon::gpu
