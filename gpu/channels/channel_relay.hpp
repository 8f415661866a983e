// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <optional>
#include <vector>

#include "kaon/gpu/channels/channel_offer.hpp"
#include "kaon/gpu/stream.hpp"

namespace kaon::gpu {

class ChannelSide;

/// The forwarder at a place that an end has left. It notifies the partner, sends the rounds that still arrive here
/// after the end, and forwards messages.
class ChannelRelay {
 public:
  explicit ChannelRelay(ChannelSide& side);
  ~ChannelRelay();

  /// The end is there now.
  void take_here(const ChannelOffer& to);
  /// Nothing comes any more, says the place behind this one.
  void take_done(bool is_partner_gone);
  void pass_moved(const ChannelOffer& partner);
  void pass_end();

  bool look(bool has_held);
  bool is_done() const { return is_done_; }
  bool is_over() const;

 private:
  void tell_partner();
  bool is_next_done() const;
  void send_round();

  ChannelSide& side_;
  Stream stream_;
  std::uint32_t next_;  // of the partner's rounds, that is to be sent
  std::optional<ChannelOffer> to_;
  std::vector<ChannelOffer> moved_;  // before that was known
  bool has_told_ = false;            // the partner
  bool passes_end_ = false;
  bool is_done_ = false;
  bool may_flag_be_raised_ = false;  // then, all the same
};

}  // namespace kaon::gpu
