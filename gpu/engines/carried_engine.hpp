// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

#include "kaon/gpu/engines/engine.hpp"
#include "kaon/gpu/engines/host_notices.hpp"
#include "kaon/gpu/engines/lent_places.hpp"
#include "kaon/gpu/engines/staging_streams.hpp"

namespace kaon::gpu {

class CarriedReceive;
class CarriedSend;

/// Small payloads within a host, without a launch and without the network: a kernel that runs already, which a resident
/// scheduler brings, copies them. Into memory that the receiver has lent to the sender's PE it is the sender's, and the
/// payload comes without being asked for; elsewhere the receiver's reads it where it lies, or a stream where there is
/// no such kernel. Notices go by boards in memory that both processes share. Chosen by PEs that have such a kernel.
class CarriedEngine final : public Engine {
 public:
  /// `most_bytes` of a payload; 0: none is carried.
  CarriedEngine(Device& device, HostNotices& notices, const MemoryOfPayloads& memory, std::size_t most_bytes);
  ~CarriedEngine() override;

  Ability ability(PeId to, const PayloadRecord& record) override;
  bool submit(const Passage& passage) override;
  bool progress() override;
  bool must_look() const override {
    return !unposted_.empty() || !unread_.empty() || !unheard_.empty() || !coming_.empty() || !carried_.empty();
  }
  /// Payloads that came into lent memory without being fetched.
  std::uint64_t came_by_themselves() const { return came_by_themselves_; }
  const LentPlaces& places() const { return places_; }

  bool has_room_behind(std::size_t others) const override { return sends_ + others < kMostSends; }
  void note_prepared() override { ++sends_; }

  // --- for its transfers
  void note_sent() { --sends_; }
  /// With a word that becomes 1 when the payload was read; give_back() of it is the caller's.
  PayloadNotice notice_of(const PayloadRecord& record);
  HostNotices& notices() { return notices_; }
  SharedFlags& flags() { return notices_.flags(); }
  LentPlaces& places() { return places_; }
  const MemoryOfPayloads& memory() const { return memory_; }
  void note_came_by_itself() { ++came_by_themselves_; }
  StreamState& stream() { return streams_.of(Way::in); }
  /// post() is called until the board has room.
  void wait_for_room(CarriedSend& send) {
    unposted_.push_back(&send);
    must_ask_ = true;
  }
  /// has_been_read() is called when it has.
  void wait_to_be_read(CarriedSend& send) { unread_.push_back(&send); }
  /// hear() is called when there is one.
  void wait_for_notice(CarriedReceive& receive) {
    unheard_.push_back(&receive);
    must_ask_ = true;
  }
  /// has_come() is called when it has.
  void wait_to_come(CarriedReceive& receive) { coming_.push_back(&receive); }
  /// has_landed() is called when it has; in this order.
  void wait_for_cargo(CarriedReceive& receive) { carried_.push_back(&receive); }
  void forget(CarriedSend& send) noexcept;
  void forget(CarriedReceive& receive) noexcept;

 private:
  static constexpr std::size_t kMostSends =
      64;  // under way: each is looked at in each turn, and needs room on the board
  bool take_carried();

  HostNotices& notices_;
  const MemoryOfPayloads memory_;
  const std::size_t most_bytes_;
  bool must_ask_ = false;  // what waits for a board: when it begins to, and when the PE's doorbell has been rung
  std::size_t sends_ =
      0;  // also those whose messages wait to leave: receivers may wait for the latest, and fetch it first
  std::uint64_t came_by_themselves_ = 0;
  StagingStreams streams_;
  LentPlaces places_;
  std::deque<CarriedSend*> unposted_;
  std::vector<CarriedSend*> unread_;
  std::vector<CarriedReceive*> unheard_, coming_;
  std::deque<CarriedReceive*> carried_;
};

}  // namespace kaon::gpu
