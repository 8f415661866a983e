// SPDX-License-Identifier: Apache-2.0
// The slabs of an arena: what of them is free, how they come and go.
#include <algorithm>
#include <optional>
#include <utility>

#include "kaon/gpu/device/arena.hpp"

namespace kaon::gpu {
namespace {

constexpr std::size_t kMiB = std::size_t{1} << 20;
// A slab is as large as all before it, within these: few calls of the driver, and little memory for a small program.
constexpr std::size_t kLeastSlab = 2 * kMiB, kLeastPinnedSlab = kMiB / 4, kMostSlab = 64 * kMiB;
constexpr std::size_t kKept = 32 * kMiB;  // free bytes that are kept for what comes next

std::size_t rounded(std::size_t bytes) { return (bytes + Slab::kGranule - 1) / Slab::kGranule * Slab::kGranule; }

}  // namespace

// --- free ranges

void Arena::add_free(Slab& slab, std::size_t offset, Slab::Free range) {
  if (const auto after = slab.free.find(offset + range.bytes); after != slab.free.end())
    if (const auto free_at = later_of(range.free_at, after->second.free_at)) {
      range = {range.bytes + after->second.bytes, *free_at};
      remove_free(slab, after);
    }
  auto before = slab.free.lower_bound(offset);
  if (before != slab.free.begin() && (--before)->first + before->second.bytes == offset)
    if (const auto free_at = later_of(before->second.free_at, range.free_at)) {
      range = {before->second.bytes + range.bytes, *free_at};
      offset = before->first;
      remove_free(slab, before);
    }
  slab.free.emplace(offset, range);
  free_of(slab).emplace(range.bytes, &slab, offset);
}

void Arena::remove_free(Slab& slab, std::map<std::size_t, Slab::Free>::iterator range) {
  free_of(slab).erase({range->second.bytes, &slab, range->first});
  slab.free.erase(range);
}

// Of ranges and chunks that wait for streams, some of which have got there since. True when anything changed.
bool Arena::merge_neighbours() {
  bool has_changed = false;
  for (Chunk*& first : listed_) {
    for (Chunk* chunk = first; chunk != nullptr;) {
      Chunk* next = chunk->next;
      has_changed |= end_if_unused(*chunk);
      chunk = next;
    }
  }
  for (const auto& each : slabs_) {
    Slab& slab = *each;
    for (auto at = slab.free.begin(); at != slab.free.end();) {
      const auto next = std::next(at);
      if (next == slab.free.end()) break;
      const bool touches = at->first + at->second.bytes == next->first;
      if (!touches || !later_of(at->second.free_at, next->second.free_at)) {
        at = next;
        continue;
      }
      const auto [offset, range] = *at;
      remove_free(slab, at);
      add_free(slab, offset, range);
      at = slab.free.find(offset);
      has_changed = true;
    }
  }
  return has_changed;
}

// --- slabs

Slab* Arena::grow(std::size_t bytes, bool leaves) {
  const std::size_t least = settings_.kind == Kind::device ? kLeastSlab : kLeastPinnedSlab;
  const std::size_t wanted = std::max(bytes, std::clamp(facts_.slab_bytes, least, kMostSlab));
  Slab* slab = add_slab(wanted, leaves);
  return slab != nullptr || wanted == bytes ? slab : add_slab(bytes, leaves);
}

Slab* Arena::add_slab(std::size_t bytes, bool leaves) {
  bytes = rounded(bytes);
  if (bytes > settings_.most_bytes - facts_.slab_bytes) return nullptr;
  const bool is_device = settings_.kind == Kind::device;
  void* memory = is_device ? driver_.allocate(settings_.device, bytes) : driver_.allocate_pinned(bytes);
  if (memory == nullptr) return nullptr;
  const auto& slab = slabs_.emplace_back(std::make_shared<Slab>(bytes));
  Region& region = *slab;
  region.base = static_cast<std::byte*>(memory);
  region.bytes = bytes;
  region.kind = is_device && !settings_.is_emulated ? MemoryKind::device : MemoryKind::host;
  region.device = settings_.device;
  region.arena = this;
  region.is_exported = leaves;
  facts_.slab_bytes += bytes;
  if (is_device) regions_.add(slab);
  add_free(*slab, 0, {bytes, {}});
  return slab.get();
}

bool Arena::reserve(std::size_t bytes) {
  const std::lock_guard hold(lock_);
  Slab* slab = add_slab(bytes, false);
  if (slab != nullptr) slab->is_reserved = true;
  return slab != nullptr;
}

void Arena::note_export(Region& region, std::size_t bytes) {
  std::atomic<bool>& leaves = leaves_[SizeClass::of(bytes).number];
  if (leaves.load(std::memory_order_relaxed) && region.is_exported.load(std::memory_order_relaxed)) return;
  const std::lock_guard hold(lock_);
  leaves = true;
  if (region.is_exported) return;
  auto& slab = static_cast<Slab&>(region);
  const auto ranges = slab.free;
  while (!slab.free.empty()) remove_free(slab, slab.free.begin());
  region.is_exported = true;  // its ranges are now among those of the others
  for (const auto& [offset, range] : ranges) add_free(slab, offset, range);
}

// Calls `function(free_at, bytes)` for each free piece.
template <class Function>
void Arena::for_each_free(Function function) const {
  const std::lock_guard hold(lock_);
  for (const auto& slab : slabs_)
    for (const auto& [offset, range] : slab->free) function(range.free_at, range.bytes);
  for (const Chunk* chunk : listed_)
    for (; chunk != nullptr; chunk = chunk->next)
      for (const Block* block = chunk->first; block != nullptr; block = block->next)
        function(block->free_at, block->bytes);
}

std::size_t Arena::open_ended_bytes() const {
  std::size_t sum = 0;
  for_each_free([&](Position free_at, std::size_t bytes) { sum += free_at.is_open_ended() ? bytes : 0; });
  return sum;
}

std::vector<Position> Arena::awaited() const {
  std::map<StreamState*, std::uint64_t> latest;
  for_each_free([&](Position free_at, std::size_t) {
    if (free_at.is_known_reached()) return;
    std::uint64_t& count = latest[free_at.stream];
    count = std::max(count, free_at.count);
  });
  std::vector<Position> positions;
  for (const auto& [stream, count] : latest) positions.push_back({stream, count});
  return positions;
}

// --- back to the driver

void Arena::trim() noexcept {
  const FreeGate::Pass pass(settings_.gate);
  if (!pass) return;
  std::unique_lock hold(lock_);
  const auto unused = take_unused(~std::size_t{0});
  hold.unlock();
  for (const auto& slab : unused) free_memory(*slab);
}

void Arena::trim_unneeded() noexcept {
  const FreeGate::Pass pass(settings_.gate);
  if (!pass) return;
  std::unique_lock hold(lock_);
  const auto unused = take_unused(least_free_ > kKept ? least_free_ - kKept : 0);
  least_free_ = facts_.slab_bytes - facts_.used_bytes;
  hold.unlock();
  for (const auto& slab : unused) free_memory(*slab);
}

// Whole slabs, the latest first, of `budget` bytes at most. Their memory goes when the lock is free again: the driver
// may wait for all that the device still does.
std::list<std::shared_ptr<Slab>> Arena::take_unused(std::size_t budget) noexcept {
  merge_neighbours();
  std::list<std::shared_ptr<Slab>> unused;
  for (auto at = slabs_.end(); at != slabs_.begin();) {
    const auto next = at--;
    Slab& slab = **at;
    const bool is_free =
        slab.used == 0 && slab.free.size() == 1 && slab.free.begin()->second.free_at.is_known_reached();
    if (!is_free || slab.is_reserved || slab.is_exported || slab.bytes > budget) continue;
    budget -= slab.bytes;
    forget_slab(slab);
    unused.splice(unused.end(), slabs_, at);
    at = next;
  }
  return unused;
}

void Arena::forget_slab(Slab& slab) noexcept {
  while (!slab.free.empty()) remove_free(slab, slab.free.begin());
  if (settings_.kind == Kind::device) regions_.remove(slab);
  facts_.slab_bytes -= slab.bytes;
}

void Arena::free_memory(const Slab& slab) noexcept {
  if (settings_.kind == Kind::device)
    driver_.free(settings_.device, slab.base);
  else
    driver_.free_pinned(slab.base);
}

}  // namespace kaon::gpu
