// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

#include "kaon/gpu/device/peers.hpp"
#include "kaon/gpu/device/segments.hpp"
#include "kaon/gpu/device/shared_flags.hpp"
#include "kaon/gpu/engines/engine.hpp"
#include "kaon/gpu/engines/lent_places.hpp"
#include "kaon/gpu/engines/notice_boards.hpp"
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
  /// How payloads have memory: the block of one whose receiver has chosen none (nullptr: he has), and another one
  /// instead of it.
  struct BlocksOfPayloads {
    Block* (*block_of)(const PayloadRecord& record);
    void (*give)(PayloadRecord& record, Block& block);
  };
  /// What the PEs of a process have in common.
  struct Means {
    Peers& peers;
    Segments& segments;
    SharedFlags& flags;
    NoticeBoards& boards;
    BlocksOfPayloads blocks;
  };
  /// `most_bytes` of a payload; 0: none is carried.
  CarriedEngine(Device& device, const Means& means, std::size_t most_bytes);
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

  /// Whether one of a message may go this way of which others, so many, may go it too: they count when it is packed.
  bool has_room_behind(std::size_t others) const { return sends_ + others < kMostSends; }
  /// One was chosen for this way, and its message is packed: it is under way from now on.
  void note_prepared() { ++sends_; }

  // --- for its transfers
  void note_sent() { --sends_; }
  /// With a word that becomes 1 when the payload was read; give_back() of it is the caller's.
  CarriedNotice notice_of(const PayloadRecord& record);
  SharedFlags& flags() { return means_.flags; }
  NoticeBoard board() { return own_board_ ? *own_board_ : own_board_.emplace(means_.boards.own(local_index())); }
  NoticeBoard board_of(PeId other);
  LentPlaces& places() { return places_; }
  const BlocksOfPayloads& blocks() const { return means_.blocks; }
  void note_came_by_itself() { ++came_by_themselves_; }
  /// Memory of another PE's device.
  std::byte* open(const SlabPlace& slab, std::uint64_t offset);
  StreamState& stream() { return streams_.of(Way::in); }
  /// post() is called until the board has room.
  void wait_for_room(CarriedSend& send) { unposted_.push_back(&send); }
  /// has_been_read() is called when it has.
  void wait_to_be_read(CarriedSend& send) { unread_.push_back(&send); }
  /// hear() is called when there is one.
  void wait_for_notice(CarriedReceive& receive) { unheard_.push_back(&receive); }
  /// has_come() is called when it has.
  void wait_to_come(CarriedReceive& receive) { coming_.push_back(&receive); }
  /// has_landed() is called when it has; in this order.
  void wait_for_cargo(CarriedReceive& receive) { carried_.push_back(&receive); }
  void forget(CarriedSend& send) noexcept;
  void forget(CarriedReceive& receive) noexcept;

 private:
  static constexpr std::size_t kMostSends =
      64;  // under way: each is looked at in each turn, and needs room on the board
  struct Slab {
    SlabPlace place;
    std::byte* memory;  // as it is reached here
  };
  struct OpenBoard {
    PeId of;
    NoticeBoard board;
  };
  PeId local_index() const;
  bool post_notices();
  bool take_carried();

  const Means means_;
  const std::size_t most_bytes_;
  std::size_t sends_ =
      0;  // also those whose messages wait to leave: receivers may wait for the latest, and fetch it first
  std::uint64_t came_by_themselves_ = 0;
  StagingStreams streams_;
  SlabPlaces slabs_;
  LentPlaces places_;
  std::optional<NoticeBoard> own_board_;
  std::vector<OpenBoard> boards_;
  std::deque<CarriedSend*> unposted_;
  std::vector<CarriedSend*> unread_;
  std::vector<CarriedReceive*> unheard_, coming_;
  std::deque<CarriedReceive*> carried_;
  std::vector<Slab> opened_;  // slabs of other devices, which stay to the end of the run
};

}  // namespace kaon::gpu
