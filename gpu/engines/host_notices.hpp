// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "kaon/gpu/device/peers.hpp"
#include "kaon/gpu/device/segments.hpp"
#include "kaon/gpu/device/shared_flags.hpp"
#include "kaon/gpu/engines/notice_boards.hpp"
#include "kaon/gpu/engines/slab_places.hpp"
#include "kaon/runtime/payloads/payload_record.hpp"

namespace kaon::gpu {

/// How a PE tells others of its host of payloads that lie in its device's memory, and how it reaches theirs: the boards
/// and the slabs of memory that it has opened, which stay to the end of the run.
class HostNotices {
 public:
  /// The objects that the PEs of a process share.
  struct Means {
    Peers& peers;
    Segments& segments;
    SharedFlags& flags;
    NoticeBoards& boards;
  };
  HostNotices(Device& device, const Means& means) : device_(device), means_(means), slabs_(device, means.segments) {}
  HostNotices(const HostNotices&) = delete;
  HostNotices& operator=(const HostNotices&) = delete;

  /// True if a PE's device reaches the payload's memory where it lies; then its slab stays to the end of the run.
  bool can_reach(PeId to, const PayloadRecord& record);
  /// Where a payload lies for which can_reach() was true.
  PayloadNotice notice_of(const PayloadRecord& record);

  /// Tells a PE where a payload of that number lies: the notice's number on the own board; none: there is no room.
  std::optional<std::uint32_t> post(PeId to, std::uint32_t counter, const PayloadNotice& notice);
  /// Once a turn: whether others have posted, or done something with, a notice of this PE's since the last turn.
  void look() {
    const std::uint32_t before = std::exchange(doorbell_, own_board().doorbell());
    is_rung_ = doorbell_ != before;
  }
  bool is_rung() const { return is_rung_; }
  NoticeBoard own_board() { return own_board_ ? *own_board_ : own_board_.emplace(means_.boards.own(local_index())); }
  NoticeBoard board_of(PeId other);
  /// Memory of another PE's device.
  std::byte* open(const SlabPlace& slab, std::uint64_t offset);
  SharedFlags& flags() const { return means_.flags; }
  SlabPlaces& slabs() { return slabs_; }

 private:
  struct OpenSlab {
    SlabPlace place;
    std::byte* memory;  // as it is reached here
  };
  struct OpenBoard {
    PeId of;
    NoticeBoard board;
  };
  enum class Reach : std::uint8_t { unknown, reached, out_of_reach };
  bool is_in_reach(PeId of);
  bool has_common_boards(PeId with);
  PeId local_index() const;

  Device& device_;
  const Means means_;
  SlabPlaces slabs_;
  std::optional<NoticeBoard> own_board_;
  std::uint32_t doorbell_ = 0;
  bool is_rung_ = false;
  std::vector<Reach> reaches_;  // by PE
  std::vector<OpenBoard> boards_;
  std::vector<OpenSlab> opened_;
};

}  // namespace kaon::gpu
