// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <optional>
#include <vector>

#include "kaon/gpu/channels/channel_offer.hpp"
#include "kaon/gpu/kernels/flag_device.hpp"
#include "kaon/gpu/stream.hpp"

namespace kaon::gpu {

class ChannelSide;

/// What the place of an end does that has moved on: it tells the partner, sends the rounds that still come to it after
/// the end, and passes on what is said to it.
class ChannelRelay {
 public:
  /// `knows_partner`: the partner has heard of the end here, or the end of the partner.
  ChannelRelay(ChannelSide& side, bool knows_partner);
  ~ChannelRelay();

  /// The end is there now.
  void take_here(const ChannelOffer& to);
  /// Rounds from this one on go elsewhere, says the partner after so many moves of its own.
  void take_until(std::uint32_t round, std::uint32_t moves);
  void pass_moved(const ChannelOffer& partner, const ChannelName& left);
  void pass_end();
  void note_partner(const ChannelOffer& partner);

  bool look(bool has_held);
  /// Whether the partner does not write here what is to come before that round.
  bool is_left_out(std::uint32_t round) const { return until_ && !FlagWord::is_reached(until_->round, round); }
  bool is_over() const;

 private:
  struct Moved {
    ChannelOffer partner;
    ChannelName left;
  };
  struct Until {
    std::uint32_t round, moves;
  };
  void tell_partner();
  bool is_next_done() const;
  void send_round();
  bool has_all() const;

  ChannelSide& side_;
  bool knows_partner_;
  Stream stream_;
  std::uint32_t next_;  // of the partner's rounds, that is to be sent
  std::optional<ChannelOffer> to_;
  std::vector<Moved> moved_;  // before that was known
  bool has_passed_moved_ = false;
  bool has_told_ = false;  // the partner
  bool passes_end_ = false;
  std::optional<Until> until_;
};

}  // namespace kaon::gpu
