// SPDX-License-Identifier: Apache-2.0
#include "kaon/gpu/resident/resident_link.hpp"

#include <utility>

#include "kaon/gpu/resident/resident_scheduler.hpp"
#include "kaon/gpu/segment.hpp"
#include "kaon/runtime/base/error.hpp"

namespace kaon::gpu {
namespace {

CommandSlot* slots_in(std::byte* memory) { return reinterpret_cast<CommandSlot*>(memory + sizeof(PeerWords)); }
PeerWords* words_in(std::byte* memory) { return reinterpret_cast<PeerWords*>(memory); }

}  // namespace

void throw_not_of_peer() {
  throw UsageError("this object of a device is none that the peer's resident scheduler has made");
}

ResidentLink::ResidentLink(std::shared_ptr<ResidentScheduler> scheduler, std::byte* memory, ResidentOffer offer)
    : scheduler_(std::move(scheduler)), memory_(memory), offer_(std::move(offer)) {}

Task<ResidentLink> ResidentLink::make(std::shared_ptr<ResidentScheduler> scheduler, Stream& copies,
                                      std::uint64_t entries) {
  const std::uint32_t ring = scheduler->options().ring;
  auto& memory = scheduler->objects().emplace_back(sizeof(PeerWords) + ring * sizeof(CommandSlot), copies);
  copies.fill(memory.span(), 0);
  co_await copies.drained();
  memory.move_to(scheduler->stream());
  const ResidentOffer offer{share_segment(memory), scheduler->serial(), ring, entries};
  co_return ResidentLink(std::move(scheduler), memory.data(), offer);
}

Task<ResidentPeer> ResidentLink::connect(Stream& copies, ResidentOffer theirs) {
  if (is_connected_)
    throw UsageError("this link of a resident scheduler is connected; each pair of schedulers makes its own");
  const Pinned<PeerView> source(1, copies);
  source[0] = view_of(theirs);
  is_connected_ = true;
  const std::uint32_t number = scheduler_->add_peer();
  const ResidentView& view = scheduler_->view();
  copies.copy(Span<PeerView>(&view.peers[number], 1), source);
  co_await copies.drained();
  scheduler_->raise({&view.shared->peers}, 1);
  co_return ResidentPeer(owner::peer(scheduler_->serial(), number), theirs.serial);
}

PeerView ResidentLink::view_of(const ResidentOffer& theirs) const {
  if (theirs.entries != offer_.entries)
    throw UsageError("two resident schedulers that are connected run the same DeviceEntries");
  std::byte* const far = open_segment<std::byte>(theirs.memory).data();
  return {slots_in(memory_), words_in(memory_), slots_in(far), words_in(far), offer_.ring, theirs.ring};
}

}  // namespace kaon::gpu
