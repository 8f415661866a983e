// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <optional>
#include <string>

#include "kaon/gpu/channels/channel_side.hpp"
#include "kaon/runtime/work/waiter.hpp"

namespace kaon::gpu {

/// A task's wait for a round of a channel, or for the partner's end of it, or for what moves have brought; other
/// entries of the PE run meanwhile.
class ChannelWait {
 public:
  enum class For : std::uint8_t { round, end, all_given, rest };
  static constexpr bool kIsCounted = true, kIsFromOutside = true;
  /// For the round, and then `stream` comes behind it.
  ChannelWait(ChannelSide& side, Stream& stream, std::uint32_t round) : side_(side), stream_(&stream), round_(round) {}
  /// For the round alone.
  ChannelWait(ChannelSide& side, std::uint32_t round) : side_(side), round_(round) {}
  ChannelWait(ChannelSide& side, For what) : side_(side), for_(what) {}

  bool is_ready() const { return side_.is_over(*this); }
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
  For what() const { return for_; }
  bool is_for_round() const { return for_ == For::round; }
  std::uint32_t round() const { return round_; }
  Waiter& waiter() const { return *waiter_; }
  /// In the list of those who look at flags, where the partner raises one.
  std::optional<FlagWatch::Awaited> awaited;

 private:
  ChannelSide& side_;
  Stream* stream_ = nullptr;
  std::uint32_t round_ = 0;
  For for_ = For::round;
  Waiter* waiter_ = nullptr;
};

}  // namespace kaon::gpu
