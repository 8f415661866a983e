// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <optional>
#include <string>

#include "kaon/gpu/channels/channel_side.hpp"
#include "kaon/runtime/work/waiter.hpp"

namespace kaon::gpu {

/// A task's wait for a round of a channel, or for the partner's end of it; other entries of the PE run meanwhile.
class ChannelWait {
 public:
  static constexpr bool kIsCounted = true, kIsFromOutside = true;
  /// For the round, and then `stream` comes behind it.
  ChannelWait(ChannelSide& side, Stream& stream, std::uint32_t round) : side_(side), stream_(&stream), round_(round) {}
  /// For the round alone.
  ChannelWait(ChannelSide& side, std::uint32_t round) : side_(side), round_(round) {}
  /// For the end.
  explicit ChannelWait(ChannelSide& side) : side_(side), is_for_end_(true) {}

  bool is_ready() const {
    if (is_for_end_) return side_.has_partner_ended();
    return side_.has_come(round_) || side_.is_lost(round_);
  }
  bool start(Waiter& waiter) {
    waiter_ = &waiter;
    side_.begin(*this);
    return false;
  }
  void give_up(Waiter&) noexcept { side_.give_up(*this); }
  void take() {
    side_.give_up(*this);
    if (stream_ != nullptr) side_.follow(*stream_, round_);
  }
  std::string describe() const;

  // --- for the side
  bool is_for_round() const { return !is_for_end_; }
  std::uint32_t round() const { return round_; }
  Waiter& waiter() const { return *waiter_; }
  /// In the list of those who look at flags, where the partner raises one.
  std::optional<FlagWatch::Awaited> awaited;

 private:
  ChannelSide& side_;
  Stream* stream_ = nullptr;
  std::uint32_t round_ = 0;
  bool is_for_end_ = false;
  Waiter* waiter_ = nullptr;
};

}  // namespace kaon::gpu
