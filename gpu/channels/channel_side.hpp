// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "kaon/gpu/buffer.hpp"
#include "kaon/gpu/channels/channel_end.hpp"
#include "kaon/gpu/channels/channel_offer.hpp"
#include "kaon/gpu/channels/channel_staging.hpp"
#include "kaon/gpu/channels/channel_table.hpp"
#include "kaon/gpu/channels/given_rounds.hpp"
#include "kaon/gpu/channels/raised_rounds.hpp"
#include "kaon/gpu/flag_watch.hpp"
#include "kaon/gpu/stream.hpp"
#include "kaon/runtime/work/task.hpp"

namespace kaon::gpu {

class ChannelMoves;
class ChannelSide;
class ChannelWait;
struct AwaitedFlag;

/// An end whose owner gives it up may have to stay for a while: for what is under way since one has moved.
struct LetChannelSideGo {
  void operator()(ChannelSide* side) const noexcept;
};
using OwnedChannelSide = std::unique_ptr<ChannelSide, LetChannelSideGo>;

/// An end of a channel, without the type of its elements: memory here and at the partner's, flags, and how far the host
/// is where it drives the end. It stays where it is; where its element moves, another one goes on in its place.
///
/// Rounds between two ends of one PE that the host drives need no flag: who waits hears of the raise when the host
/// gives it, and its stream waits for that place in the other one. Elsewhere streams store the round's number in a flag
/// at the partner's; where that is out of reach, rounds are sent.
class ChannelSide {
 public:
  ChannelSide(const ChannelShape& shape, std::uint32_t raises, DrivenBy by, Stream& stream);
  /// One that comes with its element; the memory is made anew.
  ChannelSide(const ChannelLuggage& luggage, Stream& stream);
  ~ChannelSide();
  ChannelSide(const ChannelSide&) = delete;
  ChannelSide& operator=(const ChannelSide&) = delete;

  Task<ChannelOffer> offer(Stream& stream);
  /// Throws UsageError.
  void connect(const ChannelOffer& partner);
  /// The luggage of an end that can move now, empty for a closed one. Throws UsageError for an end that cannot move.
  ChannelLuggage luggage() const;
  /// Its element has left with the luggage.
  static void leave_behind(OwnedChannelSide side);

  // --- where the host drives it
  std::uint32_t raise(Stream& stream);
  void wait(Stream& stream, std::uint32_t round);
  Task<> close();

  // --- where kernels drive it, and the partner is out of reach
  /// Sends the rounds that kernels have raised. False: none since the last time.
  bool send_raised();

  // --- for kernels
  /// Throws UsageError before connect(), as awaited() does.
  template <class T>
  ChannelEnd<T> end() const {
    require_connected();
    return {reinterpret_cast<T*>(landing()),
            reinterpret_cast<T*>(partner_landing_),
            arrived_,
            partner_arrived_,
            shape_.count,
            scope_};
  }
  AwaitedFlag awaited() const;
  void move_to(Stream& stream);

  // --- for waits of tasks
  /// True: the round, or whatever else the task waits for, has come or never comes.
  bool is_over(const ChannelWait& wait) const;
  void begin(ChannelWait& wait);
  void give_up(ChannelWait& wait) noexcept;
  /// Orders the stream's next work after a round that has come. Throws UsageError for a round that is lost.
  void follow(Stream& stream, std::uint32_t round);
  /// Also while an end that has moved is not connected again.
  void require_awaitable(const char* what) const;
  std::string describe() const;

  // --- for moves, its own and the partner's
  std::size_t bytes() const { return memory_.size(); }
  /// Nothing is under way any more that a move has brought.
  bool is_at_rest() const { return moves_ == nullptr; }
  ChannelMoves& moves();
  void end_moves();

  // --- for the partner
  /// The partner, of this PE, has given its round to a stream.
  void take_round(std::uint32_t round, Position position);
  /// The partner, out of reach, has sent it.
  void take_payload(const ChannelName& partner, std::uint32_t number, ChannelArrival::Round round);
  /// The partner uses the channel no more.
  void note_end(const ChannelName& partner, const ChannelLastWord& end);

 private:
  friend class ChannelMoves;
  friend class ChannelRelay;
  friend struct LetChannelSideGo;
  static constexpr std::size_t kFlagBytes = 256;  // so that the places lie as buffers do
  static std::uint64_t bytes_of(const ChannelShape& shape);
  std::byte* landing() const { return memory_.data() + kFlagBytes; }
  static FlagWord flag_at(std::byte* memory) { return {reinterpret_cast<std::uint32_t*>(memory)}; }
  void check(const ChannelOffer& partner) const;
  void check_near(const ChannelOffer& partner) const;
  ChannelOffer offer_now() const;
  /// From now on rounds go there.
  void take_place(const ChannelOffer& partner);
  bool meet(const ChannelOffer& partner);
  void unlink() noexcept;
  void map(const ChannelOffer& partner);
  void stage(const std::string& why);
  /// Empty: kernels here write at the partner's.
  std::string why_staged(const ChannelOffer& partner);
  bool is_connected() const { return partner_landing_ != nullptr; }
  bool is_partner_known() const { return partner_name_.number != 0; }
  void give_round(Stream& stream, Position& position);
  void give_near(std::uint32_t round, Position position);
  SentRound sent_round() const { return {partner_name_, origin_, raised_, raised_ * raises_}; }
  void restart_arrivals(std::uint32_t after, bool hears_near);
  void renew_waits();
  void look_at_flag(ChannelWait& wait);
  void tell_partner(bool is_closed);
  void leave() noexcept;
  bool is_given(std::uint32_t round) const { return FlagWord::is_reached(given_.last(), round); }
  bool is_here(std::uint32_t round) const;
  bool has_come(std::uint32_t round) const;
  /// True if the partner has ended and the round never comes.
  bool is_lost(std::uint32_t round) const;
  /// Also for those who look neither at flags nor at streams.
  bool is_done(std::uint32_t round) const { return is_here(round) && (!hears_near_ || given_.are_done()); }
  void require_connected() const;
  void require_open(const char* what) const;
  std::string lost_text(std::uint32_t round) const;

  Device& device_;
  std::shared_ptr<ChannelTable> table_;
  std::shared_ptr<FlagWatch> watch_;
  ChannelShape shape_;
  std::uint32_t raises_;
  DrivenBy by_;
  Buffer<std::byte> memory_;
  SharedFlagPlace flag_;
  FlagWord arrived_;
  ChannelName name_, origin_;
  std::uint32_t times_moved_ = 0;

  ChannelName partner_name_, partner_origin_;
  std::uint32_t partner_moves_ = 0;
  std::uint32_t places_heard_ = 0;  // of the partner's, those up to that one; all that he has written there is here
  std::byte* partner_landing_ = nullptr;
  FlagWord partner_arrived_;
  std::uint32_t partner_raises_ = 0;
  DrivenBy partner_by_ = DrivenBy::device;
  Scope scope_ = Scope::system;
  bool tells_near_ = false;                    // the partner is of this PE, and the host drives both
  bool hears_near_ = false;                    // so were its rounds raised that come now
  ChannelSide* partner_here_ = nullptr;        // of this PE, until it is deleted
  ChannelSide* known_by_ = nullptr;            // whose partner_here_ this is
  std::optional<ChannelDeparture> departure_;  // to a partner that is out of reach
  std::shared_ptr<RaisedRounds> by_kernels_;   // then, where kernels drive this end
  std::optional<ChannelArrival> arrival_;      // from one that is
  std::uint32_t arrivals_after_ = 0;           // the round before those
  std::optional<ChannelLastWord> partner_end_;
  std::optional<std::pair<ChannelName, ChannelLastWord>> early_end_;  // before this side was connected; by the origin
  bool is_closed_ = false;
  bool has_closed_ = false;              // the flag may be another channel's
  bool has_left_ = false;                // and has said so
  std::unique_ptr<ChannelMoves> moves_;  // while something is under way that a move has brought

  std::uint32_t raised_ = 0;  // rounds that were given to streams here
  Position last_raise_;       // the place of the last one
  GivenRounds given_;
  std::uint32_t awaited_ = 0;  // the last round for whose flag a stream was told to wait
  Position last_wait_;         // and where
  std::vector<ChannelWait*> waiting_;
};

}  // namespace kaon::gpu
