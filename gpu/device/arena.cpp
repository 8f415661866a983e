// SPDX-License-Identifier: Apache-2.0
#include "kaon/gpu/device/arena.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace kaon::gpu {
namespace {

constexpr std::size_t kMaxLook = 4;  // free pieces that are asked whether they are ready, in a brief search

}  // namespace

Arena& Block::arena() const { return *chunk->slab->arena; }
Region& Block::region() const { return *chunk->slab; }

Arena::Arena(Driver& driver, RegionTable& regions, const Settings& settings)
    : driver_(driver), regions_(regions), settings_(settings) {}

Arena::~Arena() {
  for (const auto& slab : slabs_) {
    if (settings_.kind == Kind::device) regions_.remove(*slab);
    free_memory(*slab);
  }
}

Arena::Facts Arena::facts() const {
  const std::lock_guard hold(lock_);
  return facts_;
}

// --- blocks

Block* Arena::take(SizeClass size, const StreamState* user, Readiness readiness, bool may_grow) {
  const std::lock_guard hold(lock_);
  Block* block = nullptr;
  if (size.is_small())
    block = take_small(size, user, readiness, may_grow);
  else if (Chunk* chunk = take_chunk(size, user, readiness, may_grow))
    block = pop(*chunk);
  least_free_ = std::min(least_free_, facts_.slab_bytes - facts_.used_bytes);
  return block;
}

Block* Arena::take_small(SizeClass size, const StreamState* user, Readiness readiness, bool may_grow) {
  if (Block* block = take_listed(size, user, readiness, Search::brief)) return block;
  Chunk* chunk = take_chunk(size, user, readiness, may_grow);
  if (chunk == nullptr) return may_grow ? take_listed(size, user, readiness, Search::all) : nullptr;
  list(*chunk);
  return pop(*chunk);
}

// What is ready first.
Block* Arena::take_listed(SizeClass size, const StreamState* user, Readiness readiness, Search search) {
  for (const Readiness enough : {Readiness::ready, Readiness::any}) {
    if (enough > readiness) break;
    Chunk* chunk = listed_[size.number];
    for (std::size_t looked = 0; chunk != nullptr && (search == Search::all || looked < kMaxLook); ++looked) {
      if (Block* block = pop_served(*chunk, user, enough, search)) return block;
      chunk = chunk->next;
    }
  }
  return nullptr;
}

Block* Arena::pop_served(Chunk& chunk, const StreamState* user, Readiness readiness, Search search) {
  Block* before = nullptr;
  for (Block* block = chunk.first; block != nullptr; before = block, block = block->next) {
    if (serves(block->free_at, user, readiness)) return pop(chunk, before);
    if (search == Search::brief) break;
  }
  return nullptr;
}

// The block behind `before`; nullptr: the first.
Block* Arena::pop(Chunk& chunk, Block* before) {
  Block*& link = before != nullptr ? before->next : chunk.first;
  Block* block = std::exchange(link, link->next);
  if (--chunk.unused == 0) unlist(chunk);
  return block;
}

void Arena::give_back(Block& block) noexcept {
  const std::lock_guard hold(lock_);
  Chunk& chunk = *block.chunk;
  block.next = std::exchange(chunk.first, &block);
  ++chunk.unused;
  if (end_if_unused(chunk)) return;
  list(chunk);
}

Block* Arena::find(const Region& region, const void* pointer) {
  const auto* place = static_cast<const std::byte*>(pointer);
  const auto offset = static_cast<std::size_t>(place - region.base);
  const Chunk* chunk = static_cast<const Slab&>(region).table[offset / Slab::kGranule].load(std::memory_order_relaxed);
  if (chunk == nullptr) return nullptr;
  const BlockArray* array = chunk->array.load(std::memory_order_relaxed);
  const std::byte* data = chunk->data.load(std::memory_order_relaxed);
  const std::size_t bytes = chunk->block_bytes.load(std::memory_order_relaxed);
  if (array == nullptr || bytes == 0 || place < data) return nullptr;
  const auto number = static_cast<std::size_t>(place - data) / bytes;
  return number < array->capacity ? &array->blocks[number] : nullptr;
}

// --- chunks

Chunk* Arena::take_chunk(SizeClass size, const StreamState* user, Readiness readiness, bool may_grow) {
  const bool leaves = leaves_[size.number].load(std::memory_order_relaxed);
  if (Chunk* chunk = cut(size, user, Readiness::ready, leaves)) return chunk;
  if (merge_neighbours())
    if (Chunk* chunk = cut(size, user, Readiness::ready, leaves)) return chunk;
  if (may_grow && grow(size.chunk_bytes(), leaves) != nullptr) return cut(size, user, Readiness::ready, leaves);
  return cut(size, user, readiness, leaves, may_grow ? Search::all : Search::brief);
}

// The smallest range that will do; of a slab for what leaves, or for what stays, if there is one.
Chunk* Arena::cut(SizeClass size, const StreamState* user, Readiness readiness, bool leaves, Search search) {
  for (BySize* ranges : {&by_size_[leaves ? 1 : 0], &by_size_[leaves ? 0 : 1]}) {
    auto at = ranges->lower_bound({size.chunk_bytes(), nullptr, 0});
    for (std::size_t looked = 0; at != ranges->end() && (search == Search::all || looked < kMaxLook); ++looked, ++at) {
      const auto& [bytes, slab, offset] = *at;
      const auto range = slab->free.find(offset);
      const Position free_at = range->second.free_at;
      if (!serves(free_at, user, readiness)) continue;
      return &chunk_at(*slab, offset, size, free_at);
    }
  }
  return nullptr;
}

Chunk& Arena::chunk_at(Slab& slab, std::size_t offset, SizeClass size, Position free_at) {
  const auto range = slab.free.find(offset);
  const std::size_t left = range->second.bytes - size.chunk_bytes();
  remove_free(slab, range);
  if (left > 0) add_free(slab, offset + size.chunk_bytes(), {left, free_at});
  Chunk* chunk = nullptr;
  if (unused_chunks_.empty()) {
    chunk = &chunks_.emplace_back();
  } else {
    chunk = unused_chunks_.back();
    unused_chunks_.pop_back();
  }
  chunk->slab = &slab;
  chunk->bytes = size.chunk_bytes();
  chunk->count = size.is_small() ? size.chunk_bytes() / size.bytes : 1;
  BlockArray& array = array_of(chunk->count);
  std::byte* data = slab.base + offset;
  for (std::size_t i = chunk->count; i-- > 0;) {
    Block& block = array.blocks[i];
    block.data = data + i * size.bytes;
    block.bytes = size.bytes;
    block.chunk = chunk;
    block.free_at = free_at;
    block.landed_at = {};
    block.next = std::exchange(chunk->first, &block);
  }
  chunk->unused = chunk->count;
  chunk->array.store(&array, std::memory_order_relaxed);
  chunk->data.store(data, std::memory_order_relaxed);
  chunk->block_bytes.store(size.bytes, std::memory_order_relaxed);
  for (std::size_t at = offset; at < offset + chunk->bytes; at += Slab::kGranule)
    slab.table[at / Slab::kGranule].store(chunk, std::memory_order_relaxed);
  slab.used += chunk->bytes;
  facts_.used_bytes += chunk->bytes;
  return *chunk;
}

// Its memory is free when all its blocks are; not yet, when these were used on different streams that go on.
bool Arena::end_if_unused(Chunk& chunk) {
  if (chunk.unused < chunk.count) return false;
  std::optional<Position> free_at = chunk.first->free_at;
  for (const Block* block = chunk.first; block != nullptr && free_at; block = block->next)
    free_at = later_of(*free_at, block->free_at);
  if (!free_at) return false;
  end_chunk(chunk, *free_at);
  return true;
}

void Arena::end_chunk(Chunk& chunk, Position free_at) {
  unlist(chunk);
  Slab& slab = *chunk.slab;
  const auto offset = static_cast<std::size_t>(chunk.data.load(std::memory_order_relaxed) - slab.base);
  for (std::size_t at = offset; at < offset + chunk.bytes; at += Slab::kGranule)
    slab.table[at / Slab::kGranule].store(nullptr, std::memory_order_relaxed);
  BlockArray* array = chunk.array.load(std::memory_order_relaxed);
  unused_arrays_[array->capacity].push_back(array);
  slab.used -= chunk.bytes;
  facts_.used_bytes -= chunk.bytes;
  chunk.first = nullptr;
  unused_chunks_.push_back(&chunk);
  add_free(slab, offset, {chunk.bytes, free_at});
}

void Arena::list(Chunk& chunk) {
  if (chunk.is_listed) return;
  Chunk*& first = listed_[SizeClass::of(chunk.block_bytes.load(std::memory_order_relaxed)).number];
  chunk.previous = nullptr;
  chunk.next = first;
  if (first != nullptr) first->previous = &chunk;
  first = &chunk;
  chunk.is_listed = true;
}

void Arena::unlist(Chunk& chunk) {
  if (!std::exchange(chunk.is_listed, false)) return;
  Chunk*& first = listed_[SizeClass::of(chunk.block_bytes.load(std::memory_order_relaxed)).number];
  (chunk.previous != nullptr ? chunk.previous->next : first) = chunk.next;
  if (chunk.next != nullptr) chunk.next->previous = chunk.previous;
}

BlockArray& Arena::array_of(std::size_t count) {
  std::vector<BlockArray*>& unused = unused_arrays_[count];
  if (unused.empty()) return arrays_.emplace_back(count);
  BlockArray& array = *unused.back();
  unused.pop_back();
  return array;
}

}  // namespace kaon::gpu
