// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

#include "kaon/gpu/device/peers.hpp"
#include "kaon/gpu/device/segments.hpp"
#include "kaon/gpu/device/shared_flags.hpp"
#include "kaon/gpu/engines/engine.hpp"
#include "kaon/gpu/engines/staging_streams.hpp"

namespace kaon::gpu {

class CarriedReceive;
class CarriedSend;

/// Where a small payload lies, for its receiver's device, and what tells its sender that it was read.
struct CarriedNotice {
  SlabPlace slab;
  std::uint64_t offset = 0;
  std::uint64_t bytes = 0;
  SharedFlagPlace read;
};

/// Small payloads within a host: a kernel of the receiver's device that runs already reads them where they lie and
/// tells both ends. Chosen by PEs that have such a kernel, which a resident scheduler brings; a receiver without one
/// copies by a stream.
class CarriedEngine final : public Engine {
 public:
  /// `most_bytes` of a payload; 0: none is carried.
  CarriedEngine(Device& device, Peers& peers, Segments& segments, SharedFlags& flags, std::size_t most_bytes);
  ~CarriedEngine() override;

  Ability ability(PeId to, const PayloadRecord& record) override;
  bool submit(const Passage& passage) override;
  bool progress() override;
  bool must_look() const override { return !unread_.empty() || !carried_.empty(); }

  // --- for its transfers
  void note_sends(int more) { sends_ += more; }
  /// With a word that becomes 1 when the payload was read; give_back() of it is the caller's.
  CarriedNotice notice_of(const PayloadRecord& record);
  SharedFlags& flags() { return flags_; }
  /// The memory of which a notice tells.
  const std::byte* open(const CarriedNotice& notice);
  StreamState& stream() { return streams_.of(Way::in); }
  /// has_been_read() is called when it has.
  void wait_to_be_read(CarriedSend& send) { unread_.push_back(&send); }
  /// has_landed() is called when it has; in this order.
  void wait_for_cargo(CarriedReceive& receive) { carried_.push_back(&receive); }
  void forget(CarriedSend& send) noexcept { std::erase(unread_, &send); }
  void forget(CarriedReceive& receive) noexcept { std::erase(carried_, &receive); }

 private:
  static constexpr int kMostSends = 64;  // under way: each is looked at in each turn
  struct Slab {
    SlabPlace place;
    std::byte* memory;  // as it is reached here
  };
  const SlabPlace& place_of(const Region& region);
  bool take_read();
  bool take_carried();

  Peers& peers_;
  Segments& segments_;
  SharedFlags& flags_;
  std::size_t most_bytes_;
  int sends_ = 0;
  StagingStreams streams_;
  std::vector<CarriedSend*> unread_;
  std::deque<CarriedReceive*> carried_;
  std::vector<Slab> own_, opened_;  // slabs of this device, and of others, that stay to the end of the run
};

}  // namespace kaon::gpu
