// SPDX-License-Identifier: Apache-2.0
#include "kaon/gpu/resident/host/resident_memory.hpp"

#include <cstring>

#include "kaon/gpu/resident/device/held_task.hpp"

namespace kaon::gpu {
namespace {

constexpr std::uint32_t kNotices = 4096;  // that the host has not taken
constexpr std::uint32_t kHostTasks = 16;  // that the dispatcher has not taken, for each one that a worker has not

/// Gives places in one piece of memory, one behind the other; without memory it counts how much is needed.
class Places {
 public:
  explicit Places(std::byte* memory) : memory_(memory) {}
  template <class T>
  T* take(std::size_t count) {
    const std::size_t at = (bytes_ + alignof(T) - 1) / alignof(T) * alignof(T);
    bytes_ = at + count * sizeof(T);
    return memory_ != nullptr ? reinterpret_cast<T*>(memory_ + at) : nullptr;
  }
  std::size_t bytes() const { return bytes_; }

 private:
  std::byte* memory_;
  std::size_t bytes_ = 0;
};

std::size_t place_on_device(std::byte* memory, const ResidentNeeds& needs, ResidentView& view) {
  Places places(memory);
  const std::size_t workers = view.worker_count;
  view.workers = places.take<WorkerWords>(workers);
  view.shared = places.take<SharedWords>(1);
  view.peers = places.take<PeerView>(owner::kMostPeers);
  view.device_slots = places.take<CommandSlot>(workers * view.capacity);
  view.forward_slots = places.take<CommandSlot>(workers * view.capacity);
  view.urgent_slots = places.take<CommandSlot>(needs.has_urgent ? workers * view.capacity : 0);
  view.held = places.take<HeldTask>(workers * view.held_capacity);
  view.locked = places.take<Command>(needs.has_lockable ? workers * view.held_capacity : 0);
  view.guests = places.take<GuestWords>(needs.guests);
  if (!needs.names_faults) view.running = places.take<std::uint32_t>(workers);
  return places.bytes();
}

std::size_t place_on_host(std::byte* memory, const ResidentNeeds& needs, ResidentView& view) {
  Places places(memory);
  view.host = places.take<PinnedWords>(1);
  view.host_slots = places.take<CommandSlot>(view.host_capacity);
  view.notice_slots = places.take<CommandSlot>(view.notice_capacity);
  view.urgent_host_slots = places.take<CommandSlot>(needs.has_urgent ? view.capacity : 0);
  view.guest_host = places.take<GuestPinnedWords>(needs.guests);
  view.guest_slots = places.take<CommandSlot>(std::size_t{needs.guests} * view.host_capacity);
  view.guest_notice_slots = places.take<CommandSlot>(std::size_t{needs.guests} * view.notice_capacity);
  if (needs.names_faults) view.running = places.take<std::uint32_t>(view.worker_count);
  return places.bytes();
}

}  // namespace

ResidentMemory::ResidentMemory(const ResidentOptions& options, const ResidentNeeds& needs, std::uint32_t serial,
                               Stream& stream) {
  view_.serial = serial;
  view_.guest_count = needs.guests;
  view_.worker_count = options.all_workers();
  view_.block_workers = options.workers;
  view_.capacity = options.ring;
  view_.host_capacity = kHostTasks * options.ring;
  view_.held_capacity = options.held;
  view_.notice_capacity = kNotices;
  view_.idle_ns = static_cast<std::uint64_t>(options.idle_us * 1e3);
  view_.patience_ns = static_cast<std::uint64_t>(options.patience_s * 1e9);
  view_.flag_patience_ns = static_cast<std::uint64_t>(options.flag_patience_s * 1e9);
  view_.entry_patience_ns = static_cast<std::uint64_t>(options.entry_patience_s * 1e9);
  device_ = Buffer<std::byte>(place_on_device(nullptr, needs, view_), stream);
  pinned_ = Pinned<std::byte>(place_on_host(nullptr, needs, view_), stream);
  place_on_device(device_.data(), needs, view_);
  place_on_host(pinned_.span().data(), needs, view_);
  stream.fill(device_.span(), 0);
  cleared_ = stream.record();
  std::memset(pinned_.span().data(), 0, pinned_.size());
}

}  // namespace kaon::gpu
