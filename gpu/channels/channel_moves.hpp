// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <vector>

#include "kaon/gpu/channels/channel_movers.hpp"
#include "kaon/gpu/channels/channel_offer.hpp"
#include "kaon/gpu/channels/channel_relay.hpp"
#include "kaon/gpu/device/stream_state.hpp"
#include "kaon/gpu/kernels/flag_device.hpp"
#include "kaon/gpu/stream.hpp"

namespace kaon::gpu {

class ChannelSide;

/// The moves of a channel's end and of its partner that are in progress, until the channel is as if both ends had been
/// made where they are. Each direction of a channel moves by itself, in three steps:
///
/// 1. The sender learns the partner's new place, or has come to a new one itself. It sends connect: the first round
///    that it writes to the partner's present place. Earlier rounds go to the old place, which relays them.
/// 2. The receiver waits until all earlier rounds have arrived at its present place, and answers: landed.
/// 3. The sender raises the rounds that it has held back until then, so that no round overtakes an earlier one.
///
/// After the second step nothing comes to the earlier places any more, and they end one after the other. So the last
/// known place of an end stays as long as some PE knows of no later one, and it passes on everything that comes there.
class ChannelMoves {
 public:
  explicit ChannelMoves(ChannelSide& side);
  ~ChannelMoves();
  ChannelMoves(const ChannelMoves&) = delete;
  ChannelMoves& operator=(const ChannelMoves&) = delete;

  // --- this end
  /// It has come here, and says so to the place that it has left when its memory is ready.
  void begin_here(const ChannelName& left, Position ready);
  /// It has left.
  void begin_relay();
  /// Its owner has given it up.
  void desert();
  /// It raises nothing more.
  void stop_sending();
  /// Holds back a round, complete at the position, until the partner's new place is ready. False: no need.
  bool hold(std::uint32_t round, Position position);
  void note_raised();
  /// True if rounds are held back, or were until now.
  bool has_held() const { return !held_.empty() || released_.stream != nullptr; }
  /// True if an end that has come here may be used.
  bool may_go_on() const;
  /// It is used.
  void go_on();
  void note_connected();
  void note_partner_ended();

  // --- what others say
  void take_here(const ChannelOffer& to);
  void take_moved(const ChannelOffer& partner);
  void take_connect(const ChannelOffer& partner, std::uint32_t from);
  void take_landed(std::uint32_t moves);
  void take_gone(const ChannelName& place);
  void take_done(bool is_partner_gone);

  // --- the turns of the PE
  /// Does the next steps that are possible. True: something has happened.
  bool look();
  bool must_look() const;
  bool is_over() const;
  ChannelSide& side() { return side_; }
  /// Where the partner was last known to be, if not where the rounds go now.
  const ChannelOffer* next_place() const { return next_ ? &next_->place : nullptr; }

 private:
  struct Next {
    ChannelOffer place;
    std::uint32_t from = 0;  // the first round that is written there
  };
  struct Held {
    std::uint32_t round;
    Position position;
    FlagWord flag;
    ChannelName place;
    std::uint32_t moves;
    bool is_near;  // of this PE: no flag is raised
  };
  struct Asked {
    ChannelOffer by;
    std::uint32_t from;
  };
  void set_next(const ChannelOffer& partner);
  void take_next();
  void settle();
  bool is_partner_deleted() const;
  /// Nobody reads what else comes to the places before.
  bool is_ending() const;
  bool is_nobody_left() const;
  bool has_all() const;
  void release(const Held& held);
  void release_all(std::uint32_t moves);
  bool announce();
  bool forget_released();
  bool let_go();
  bool answer_asked();
  void answer(const Asked& asked);
  void send_connect(const ChannelOffer& to, std::uint32_t from);

  ChannelSide& side_;
  std::shared_ptr<ChannelMovers> movers_;
  bool is_new_ = false;           // it has come here and was not used yet
  std::byte* landing_ = nullptr;  // the partner's, when it may be
  bool is_deserted_ = false;
  bool lacks_partner_ = false;       // it has come here, and did not hear yet where he is
  std::optional<ChannelName> left_;  // the place before, while that waits for it
  bool announces_ = false;           // to it
  bool lets_go_ = false;             // of it, as soon as it may
  bool is_partner_gone_ = false;     // for the places before
  Position ready_;

  std::optional<Next> next_;  // where rounds will go
  bool has_landed_ = true;    // where they go now, all before them lie
  std::deque<Held> held_;
  std::optional<Stream> order_;      // raises those in their order
  Position released_;                // where it has, before any others are raised
  std::vector<Asked> asked_;         // by the partner, whether his rounds lie here
  std::vector<ChannelOffer> early_;  // the partner's, before this side was connected
  std::unique_ptr<ChannelRelay> relay_;
};

}  // namespace kaon::gpu
