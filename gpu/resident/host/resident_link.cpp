// SPDX-License-Identifier: Apache-2.0
#include "kaon/gpu/resident/host/resident_link.hpp"

#include <fmt/format.h>

#include <utility>

#include "kaon/gpu/resident/host/resident_scheduler.hpp"
#include "kaon/gpu/segment.hpp"
#include "kaon/runtime/base/error.hpp"

namespace kaon::gpu {
namespace {

PeerWords* words_in(std::byte* memory) { return reinterpret_cast<PeerWords*>(memory); }

}  // namespace

void throw_not_of_peer() {
  throw UsageError("this object of a device is none that the peer's resident scheduler has made");
}

ResidentLink::ResidentLink(std::shared_ptr<ResidentScheduler> scheduler, std::byte* memory, std::uint32_t rings,
                           ResidentOffer offer)
    : scheduler_(std::move(scheduler)), memory_(memory), rings_(rings), offer_(std::move(offer)) {}

Task<ResidentLink> ResidentLink::make(std::shared_ptr<ResidentScheduler> scheduler, Stream& copies,
                                      std::uint64_t entries, bool has_urgent) {
  Stream& kernel = scheduler->launches("make_link()").stream();
  scheduler->keep();
  const ResidentOptions& options = scheduler->options();
  const std::uint32_t rings = scheduler->view().rings_of_peer(has_urgent);
  auto& memory = scheduler->objects().add(rings * (sizeof(PeerWords) + options.ring * sizeof(CommandSlot)), copies);
  copies.fill(memory.span(), 0);
  co_await copies.drained();
  memory.move_to(kernel);
  const ResidentOffer offer{share_segment(memory), scheduler->view().serial, options.all_workers(), options.ring,
                            entries};
  co_return ResidentLink(std::move(scheduler), memory.data(), rings, offer);
}

Task<ResidentPeer> ResidentLink::connect(Stream& copies, ResidentOffer theirs) {
  if (is_connected_)
    throw UsageError("this link of a resident scheduler is connected; each pair of schedulers makes its own");
  const std::shared_ptr<ResidentScheduler> scheduler = scheduler_;  // `this` may end while it waits
  const Pinned<PeerView> source(1, copies);
  source[0] = view_of(theirs);
  is_connected_ = true;
  const std::uint32_t number = scheduler->add_peer();
  const ResidentView& view = scheduler->view();
  copies.wait(scheduler->launches("connect()").cleared());  // its kernel may run, so its stream is not waited for
  copies.copy(Span<PeerView>(&view.peers[number], 1), source);
  // not by a task: what is urgent, or a guest's, would overtake it
  copies.device().order().raise(*copies.here().stream, {&view.shared->peers, number + 1});
  co_await copies.drained();
  scheduler->raise({&view.shared->connects}, 1);
  co_return ResidentPeer(owner::peer(scheduler->view().serial, number), theirs.serial);
}

void ResidentLink::check(const ResidentOffer& theirs) const {
  if (theirs.entries != offer_.entries)
    throw UsageError("two resident schedulers that are connected run the same DeviceEntries");
  if (theirs.workers != offer_.workers || theirs.ring != offer_.ring)
    throw UsageError(
        fmt::format("two resident schedulers that are connected have as many workers, here {}, there {}, "
                    "and rings of one size, here {}, there {}",
                    offer_.workers, theirs.workers, offer_.ring, theirs.ring));
}

// Words of each ring, and behind them the slots.
CommandSlot* ResidentLink::slots_in(std::byte* memory) const {
  return reinterpret_cast<CommandSlot*>(memory + rings_ * sizeof(PeerWords));
}

PeerView ResidentLink::view_of(const ResidentOffer& theirs) const {
  check(theirs);
  std::byte* const far = open_segment<std::byte>(theirs.memory).data();
  return {slots_in(memory_), words_in(memory_), slots_in(far), words_in(far), offer_.ring};
}

}  // namespace kaon::gpu
