// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <memory>

#include "kaon/gpu/device/segment_range.hpp"
#include "kaon/gpu/resident/wire/device_entry.hpp"
#include "kaon/gpu/resident/wire/peer_view.hpp"
#include "kaon/gpu/stream.hpp"
#include "kaon/runtime/work/task.hpp"

namespace kaon::gpu {

class ResidentScheduler;

/// The description of a scheduler for one that is to be connected with it; it travels in a message.
struct ResidentOffer {
  SegmentRange memory;
  std::uint32_t serial = 0;
  std::uint32_t workers = 0;
  std::uint32_t ring = 0;
  std::uint64_t entries = 0;  // a hash of what they are

  template <class Archive>
  void pup(Archive& archive) {
    archive(memory, serial, workers, ring, entries);
  }
};

[[noreturn]] void throw_not_of_peer();

/// A resident scheduler of another PE of this host, with which one is connected: entries send to its objects.
class ResidentPeer {
 public:
  ResidentPeer() = default;
  ResidentPeer(std::uint32_t owner, std::uint32_t serial) : owner_(owner), serial_(serial) {}
  /// An object of the peer's, as entries of this side name it: at.send(). Throws UsageError for one of another
  /// scheduler.
  template <class Object>
  DeviceObject<Object> object(const DeviceObject<Object>& theirs) const {
    if (serial_ == 0 || theirs.scheduler != serial_) throw_not_of_peer();
    return {theirs.object, theirs.workers, owner_};
  }

 private:
  std::uint32_t owner_ = 0;
  std::uint32_t serial_ = 0;
};

/// One side of a connection that two resident schedulers are to have: each makes one, sends the other its offer, and
/// connects by the other's. Then entries of the one send to objects of the other, without the host.
class ResidentLink {
 public:
  const ResidentOffer& offer() const { return offer_; }

  // --- for Resident
  /// Memory for one peer; what the other side may write from the start. `entries`: a hash of them; `has_urgent`: some
  /// are urgent.
  static Task<ResidentLink> make(std::shared_ptr<ResidentScheduler> scheduler, Stream& copies, std::uint64_t entries,
                                 bool has_urgent);
  /// Throws UsageError for an offer of other entries, workers or ring, and for a link that is connected; as
  /// open_segment() does.
  Task<ResidentPeer> connect(Stream& copies, ResidentOffer theirs);

 private:
  ResidentLink(std::shared_ptr<ResidentScheduler> scheduler, std::byte* memory, std::uint32_t rings,
               ResidentOffer offer);
  void check(const ResidentOffer& theirs) const;
  PeerView view_of(const ResidentOffer& theirs) const;
  CommandSlot* slots_in(std::byte* memory) const;

  std::shared_ptr<ResidentScheduler> scheduler_;
  std::byte* memory_;
  std::uint32_t rings_;  // that lead from the peer to the workers here
  ResidentOffer offer_;
  bool is_connected_ = false;
};

}  // namespace kaon::gpu
