// SPDX-License-Identifier: Apache-2.0
#include "kaon/gpu/device/memory.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <utility>

#include "kaon/runtime/base/error.hpp"

namespace kaon::gpu {
namespace {

using Readiness = Arena::Readiness;

std::string size_text(std::size_t bytes) {
  constexpr std::size_t kKiB = 1024;
  return bytes < kKiB ? fmt::format("{} bytes", bytes) : fmt::format("{} KiB", bytes / kKiB);
}

/// For an error, of what is free and cannot be used yet; empty: nothing. Waiting for it might never end.
std::string what_stays(const Arena& arena) {
  FreeGate* const gate = arena.settings().gate;
  const std::size_t bytes = arena.open_ended_bytes();
  if (bytes == 0 && (gate == nullptr || !gate->is_open_ended())) return {};
  constexpr const char* kWork = "a resident kernel, a wait for a flag or work of a library";
  return " " +
         (bytes == 0 ? fmt::format("The device is busy with {}", kWork)
                     : fmt::format("{} of the rest were freed behind {}", size_text(bytes), kWork)) +
         ", and no memory is given back to the driver while such work goes on, as it may wait for this PE: let it end "
         "before you make the buffer, or make the buffer before it begins.";
}

constexpr std::size_t kMaxLook = 4;                        // blocks that are asked whether they are ready
constexpr std::size_t kMostKept = std::size_t{64} << 20;   // bytes that a PE keeps
constexpr std::size_t kMostAhead = std::size_t{64} << 20;  // bytes that a device may lag behind before PEs wait for it

}  // namespace

// Of a small memory, a small part: what one PE keeps the others lack.
Memory::Memory(Arena& arena) : arena_(arena), most_kept_(std::min(kMostKept, arena.settings().most_bytes / 64)) {}

Block* Memory::take(std::size_t bytes, const StreamState* user) {
  return take(SizeClass::of(bytes), user, Readiness::any);
}

Block* Memory::take_idle(std::size_t bytes) { return take(SizeClass::of(bytes), nullptr, Readiness::ready); }

Block* Memory::take(SizeClass size, const StreamState* user, Readiness readiness) {
  Block* block = take_kept(size, user, Readiness::ready);
  if (block == nullptr) block = take_anywhere(size, user, readiness);
  return handed_out(block);
}

// From the arena; of what is kept or there although it is not ready; and from what was kept in other sizes.
Block* Memory::take_anywhere(SizeClass size, const StreamState* user, Readiness readiness) {
  const bool may_wait = readiness == Readiness::any;
  if (Block* block = arena_.take(size, user, Readiness::ready, !may_wait || !is_far_behind())) return block;
  if (may_wait) {
    if (Block* block = take_kept(size, user, Readiness::any)) return block;
    if (Block* block = arena_.take(size, user, Readiness::any, false)) return block;
  }
  if (Block* block = arena_.take(size, user, Readiness::ready, true)) return block;
  flush();
  arena_.trim();  // of what is free but too small
  return arena_.take(size, user, readiness, true);
}

// More is free, but for what the device has still to do, than is used.
bool Memory::is_far_behind() const {
  const Arena::Facts facts = arena_.facts();
  const std::size_t waiting = facts.slab_bytes - facts.used_bytes + kept_bytes_;
  return waiting >= std::max(kMostAhead, facts.slab_bytes / 2);
}

Block* Memory::handed_out(Block* block) {
  if (block != nullptr) block->holder.store(this, std::memory_order_relaxed);
  return block;
}

Block* Memory::take_kept(SizeClass size, const StreamState* user, Readiness readiness) {
  Free& list = kept_[size.number];
  Block* before = nullptr;
  Block* block = list.first;
  for (std::size_t looked = 0; block != nullptr; before = block, block = block->next, ++looked) {
    if (looked == kMaxLook) return nullptr;
    if (Arena::serves(block->free_at, user, readiness)) break;
  }
  if (block == nullptr) return nullptr;
  (before != nullptr ? before->next : list.first) = block->next;
  if (list.last == block) list.last = before;
  kept_bytes_ -= block->bytes;
  return block;
}

void Memory::give_back(Block& block, Position last_use) noexcept {
  block.free_at = last_use;
  block.next = nullptr;
  block.holder.store(nullptr, std::memory_order_relaxed);
  if (block.bytes > SizeClass::kLargestCut || block.bytes > most_kept_) return arena_.give_back(block);
  Free& list = kept_[SizeClass::of(block.bytes).number];
  (list.first != nullptr ? list.last->next : list.first) = &block;
  list.last = &block;
  kept_bytes_ += block.bytes;
  if (kept_bytes_ > most_kept_) spill(list);
}

// The oldest of this size, and then of others, until a quarter of the room is free again.
void Memory::spill(Free& list) noexcept {
  const std::size_t goal = most_kept_ / 4 * 3;
  while (kept_bytes_ > goal && list.first != nullptr) give_oldest_back(list);
  for (auto other = kept_.rbegin(); other != kept_.rend() && kept_bytes_ > goal; ++other)
    while (kept_bytes_ > goal && other->first != nullptr) give_oldest_back(*other);
}

void Memory::give_oldest_back(Free& list) noexcept {
  Block& block = *std::exchange(list.first, list.first->next);
  if (list.first == nullptr) list.last = nullptr;
  kept_bytes_ -= block.bytes;
  arena_.give_back(block);
}

void Memory::flush() noexcept {
  for (Free& list : kept_)
    while (list.first != nullptr) give_oldest_back(list);
}

Block* Memory::find_own(const Region& region, const void* pointer, std::size_t bytes) const {
  Block* block = Arena::find(region, pointer);
  if (block == nullptr || block->holder.load(std::memory_order_relaxed) != this) return nullptr;
  const auto* begin = static_cast<const std::byte*>(pointer);
  return begin >= block->data && begin + bytes <= block->data + block->bytes ? block : nullptr;
}

bool Memory::is_live_elsewhere(const Region& region, const void* pointer, const Memory& here) {
  const Block* block = Arena::find(region, pointer);
  const Memory* holder = block != nullptr ? block->holder.load(std::memory_order_relaxed) : nullptr;
  return holder != nullptr && holder != &here;
}

void Memory::throw_out_of_memory(std::size_t bytes) const {
  const Arena::Settings& settings = arena_.settings();
  const Arena::Facts facts = arena_.facts();
  throw OutOfMemory(fmt::format(
      "a buffer of {} bytes does not fit into the memory of {} {}: this process has {} MiB of it, {} MiB of them in "
      "buffers that are in use or are kept by PEs for their next ones.{} Use smaller blocks of data, or more devices{}",
      bytes, settings.kind == Arena::Kind::device ? "device" : "the host, pinned for device", settings.device,
      facts.slab_bytes >> 20, facts.used_bytes >> 20, what_stays(arena_),
      settings.is_capped ? "; or give a larger --device-memory-mib" : ""));
}

}  // namespace kaon::gpu
