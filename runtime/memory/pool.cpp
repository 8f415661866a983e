// SPDX-License-Identifier: Apache-2.0
#include "kaon/runtime/memory/pool.hpp"

#include <algorithm>
#include <bit>
#include <new>
#include <string>
#include <utility>

#include "kaon/runtime/base/error.hpp"
#include "kaon/runtime/base/last_words.hpp"
#include "kaon/runtime/memory/push_chain.hpp"

namespace kaon::runtime {

namespace {

void* from_heap(std::size_t bytes) {
  void* memory = ::operator new(bytes, std::align_val_t{Pool::kGranule}, std::nothrow);
  if (memory == nullptr)
    throw OutOfMemory("out of memory (no block of " + std::to_string(bytes) + " bytes): " + std::string(kMemoryAdvice));
  return memory;
}
void to_heap(void* memory) noexcept { ::operator delete(memory, std::align_val_t{Pool::kGranule}); }

}  // namespace

Pool::~Pool() {
  take_returned();
  for (std::size_t c = kSmallClasses; c < free_.size(); ++c)
    while (free_[c] != nullptr) to_heap(std::exchange(free_[c], free_[c]->next));
  for (void* slab : slabs_) to_heap(slab);
}

std::size_t Pool::large_class_of(std::size_t bytes) {
  return kSmallClasses + static_cast<std::size_t>(std::bit_width((bytes - 1) >> 12));
}

void* Pool::allocate_large(std::size_t bytes) {
  if (!is_pooled(bytes)) return from_heap(bytes);
  const std::size_t size_class = large_class_of(bytes);
  const std::size_t block_bytes = std::size_t{4096} << (size_class - kSmallClasses);
  if (free_[size_class] == nullptr) take_returned();
  if (free_[size_class] == nullptr) return from_heap(block_bytes);
  kept_bytes_ -= block_bytes;
  return std::exchange(free_[size_class], free_[size_class]->next);
}

void Pool::release_large(void* memory, std::size_t bytes) noexcept {
  if (!is_pooled(bytes)) return to_heap(memory);
  keep(new (memory) Free{}, large_class_of(bytes));
}

void Pool::keep(Free* block, std::size_t size_class) noexcept {
  if (size_class >= kSmallClasses) {
    const std::size_t block_bytes = std::size_t{4096} << (size_class - kSmallClasses);
    if (kept_bytes_ + block_bytes > kMaxKept) return to_heap(block);
    kept_bytes_ += block_bytes;
  }
  block->next = free_[size_class];
  free_[size_class] = block;
}

void Pool::refill(std::size_t size_class) {
  if (take_returned() && free_[size_class] != nullptr) return;
  const std::size_t block_bytes = std::max<std::size_t>(size_class, 1) * kGranule;
  slabs_.reserve(slabs_.size() + 1);
  auto* slab = static_cast<std::byte*>(from_heap(kSlabBytes));
  slabs_.push_back(slab);
  // linked so that blocks are handed out in order of address
  for (std::size_t at = kSlabBytes / block_bytes; at-- > 0;)
    free_[size_class] = new (slab + at * block_bytes) Free{free_[size_class], size_class};
}

bool Pool::take_returned() {
  if (returned_.load(std::memory_order_relaxed) == nullptr) return false;
  // acquire: pairs with the release of push_chain, the links of the chain are ours to read
  Free* block = returned_.exchange(nullptr, std::memory_order_acquire);
  while (block != nullptr) {
    Free* next = block->next;
    keep(block, block->size_class);
    block = next;
  }
  return true;
}

void Pool::release_foreign(void* memory, std::size_t bytes, Pool& owner) noexcept {
  if (!is_pooled(bytes)) return to_heap(memory);
  auto* block = new (memory) Free{nullptr, is_small(bytes) ? class_of(bytes) : large_class_of(bytes)};
  const auto found = std::find_if(chains_.begin(), chains_.end(), [&](const Chain& c) { return c.owner == &owner; });
  Chain& chain = found != chains_.end() ? *found : chains_.emplace_back(Chain{&owner, nullptr, nullptr, 0});
  if (chain.last == nullptr) chain.last = block;
  block->next = chain.first;
  chain.first = block;
  if (++chain.length >= kChainLength || !is_small(bytes)) send_home(chain);
}

void Pool::send_chains_home() noexcept {
  for (Chain& chain : chains_)
    if (chain.length > 0) send_home(chain);
}

void Pool::send_home(Chain& chain) noexcept {
  push_chain(chain.owner->returned_, *chain.first, *chain.last);
  chain = {chain.owner, nullptr, nullptr, 0};
}

}  // namespace kaon::runtime
