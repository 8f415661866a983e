// SPDX-License-Identifier: Apache-2.0
#include "kaon/gpu/device/memory.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include "kaon/runtime/base/error.hpp"

namespace kaon::gpu {
namespace {

constexpr std::size_t kAlignment = 256;
constexpr std::size_t kMaxLook = 4;  // free blocks that are asked whether they are ready

constexpr std::size_t aligned(std::size_t bytes) {
  return (std::max<std::size_t>(bytes, 1) + kAlignment - 1) / kAlignment * kAlignment;
}

bool is_ready(const Block& block, const StreamState* user) {
  return block.free_at.stream == user || block.free_at.is_known_reached();
}

}  // namespace

Memory::Memory(Driver& driver, RegionTable& regions, Kind kind, int device, bool is_emulated)
    : driver_(driver), regions_(regions), kind_(kind), device_(device), is_emulated_(is_emulated) {}

Memory::~Memory() {
  for (Slab& slab : slabs_) {
    regions_.remove(slab.region);
    if (kind_ == Kind::device)
      driver_.free(device_, slab.region.base);
    else
      driver_.free_pinned(slab.region.base);
  }
}

// Four classes for each doubling: the two bits behind the highest one, rounded up.
std::size_t Memory::class_of(std::size_t bytes) {
  const std::size_t rounded = aligned(bytes) - 1;
  const auto highest = static_cast<std::size_t>(std::bit_width(rounded)) - 1;
  return highest * 4 + (rounded >> (highest - 2) & 3);
}

std::size_t Memory::class_bytes(std::size_t bytes) {
  const std::size_t rounded = aligned(bytes) - 1;
  const std::size_t step = std::bit_floor(rounded) / 4;
  return (rounded / step + 1) * step;
}

Block& Memory::take(std::size_t bytes, const StreamState* user) {
  Block* block = take_ready(bytes, user);
  for (std::size_t c = class_of(bytes); block == nullptr && c < kClasses && bytes <= kLargest; ++c)
    block = take_free(c, user, false);
  if (block == nullptr) block = take_large(bytes, user, false);
  return handed_out(block, bytes);
}

Block& Memory::take_idle(std::size_t bytes) { return handed_out(take_ready(bytes, nullptr), bytes); }

// A used one, else a new one.
Block* Memory::take_ready(std::size_t bytes, const StreamState* user) {
  take_returned();
  const bool is_large = bytes > kLargest;
  Block* block = is_large ? take_large(bytes, user, true) : take_free(class_of(bytes), user, true);
  return block != nullptr ? block : carve(is_large ? bytes : class_bytes(bytes));
}

Block& Memory::handed_out(Block* block, std::size_t bytes) {
  if (block == nullptr) throw_out_of_memory(bytes);
  block->is_live = true;
  live_bytes_ += block->bytes;
  return *block;
}

Block* Memory::take_free(std::size_t size_class, const StreamState* user, bool must_be_ready) {
  Free& list = free_[size_class];
  Block* before = nullptr;
  Block* block = list.first;
  for (std::size_t looked = 0; must_be_ready && block != nullptr && !is_ready(*block, user); block = block->next) {
    if (++looked == kMaxLook) return nullptr;
    before = block;
  }
  if (block == nullptr) return nullptr;
  (before != nullptr ? before->next : list.first) = block->next;
  if (list.last == block) list.last = before;
  return block;
}

Block* Memory::take_large(std::size_t bytes, const StreamState* user, bool must_be_ready) {
  std::size_t best = free_large_.size();
  for (std::size_t i = 0; i < free_large_.size(); ++i) {
    const Block& block = *free_large_[i];
    if (block.bytes < bytes || (must_be_ready && (block.bytes / 4 * 3 > bytes || !is_ready(block, user)))) continue;
    if (best == free_large_.size() || block.bytes < free_large_[best]->bytes) best = i;
  }
  if (best == free_large_.size()) return nullptr;
  Block* block = std::exchange(free_large_[best], free_large_.back());
  free_large_.pop_back();
  return block;
}

Block* Memory::carve(std::size_t bytes) {
  Slab* slab = filling_;
  if (bytes > kLargest) {
    constexpr std::size_t kPage = std::size_t{2} << 20;
    bytes = (bytes + kPage - 1) / kPage * kPage;
    slab = add_slab(bytes);
  } else if (slab == nullptr || slab->region.bytes - slab->used < bytes) {
    slab = add_slab(kSlabBytes);
    if (slab == nullptr) slab = add_slab(bytes);
    if (slab != nullptr) filling_ = slab;
  }
  if (slab == nullptr) return nullptr;
  Block& block = blocks_.emplace_back();
  block.data = slab->region.base + slab->used;
  block.bytes = bytes;
  block.region = &slab->region;
  block.home = this;
  slab->used += bytes;
  slab->blocks.push_back(&block);
  return &block;
}

Memory::Slab* Memory::add_slab(std::size_t bytes) {
  void* memory = kind_ == Kind::device ? driver_.allocate(device_, bytes) : driver_.allocate_pinned(bytes);
  if (memory == nullptr) return nullptr;
  Slab& slab = slabs_.emplace_back();
  slab.region.base = static_cast<std::byte*>(memory);
  slab.region.bytes = bytes;
  slab.region.kind = kind_ == Kind::device && !is_emulated_ ? MemoryKind::device : MemoryKind::host;
  slab.region.device = device_;
  slab.region.memory = this;
  slab_bytes_ += bytes;
  if (kind_ == Kind::device) regions_.add(slab.region);
  return &slab;
}

void Memory::give_back(Block& block, Position last_use, bool is_own_thread) noexcept {
  block.free_at = last_use;
  if (is_own_thread) return keep(block);
  block.next = returned_.load(std::memory_order_relaxed);
  while (!returned_.compare_exchange_weak(block.next, &block, std::memory_order_release, std::memory_order_relaxed)) {
  }
}

void Memory::take_returned() noexcept {
  if (returned_.load(std::memory_order_relaxed) == nullptr) return;
  for (Block* block = returned_.exchange(nullptr, std::memory_order_acquire); block != nullptr;)
    keep(*std::exchange(block, block->next));
}

void Memory::keep(Block& block) noexcept {
  block.is_live = false;
  live_bytes_ -= block.bytes;
  if (block.bytes > kLargest) return free_large_.push_back(&block);
  Free& list = free_[class_of(block.bytes)];
  block.next = nullptr;
  (list.first != nullptr ? list.last->next : list.first) = &block;
  list.last = &block;
}

Block* Memory::find_live(const void* pointer, std::size_t bytes) const {
  const auto* begin = static_cast<const std::byte*>(pointer);
  for (const Slab& slab : slabs_) {
    if (!slab.region.holds(pointer, bytes)) continue;
    auto above = std::upper_bound(slab.blocks.begin(), slab.blocks.end(), begin,
                                  [](const std::byte* byte, const Block* block) { return byte < block->data; });
    if (above == slab.blocks.begin()) return nullptr;
    Block& block = **--above;
    return block.is_live && begin + bytes <= block.data + block.bytes ? &block : nullptr;
  }
  return nullptr;
}

void Memory::throw_out_of_memory(std::size_t bytes) const {
  const char* what = kind_ == Kind::device ? "device " : "the host, pinned for device ";
  throw OutOfMemory("a buffer of " + std::to_string(bytes) + " bytes does not fit into the memory of " + what +
                    std::to_string(device_) + ": this PE has " + std::to_string(slab_bytes_ >> 20) + " MiB of it, " +
                    std::to_string(live_bytes_ >> 20) +
                    " MiB of them in buffers that are in use. Use smaller blocks of data, or more devices.");
}

}  // namespace kaon::gpu
