// SPDX-License-Identifier: Apache-2.0
#include "kaon/gpu/device/region.hpp"

#include <algorithm>

namespace kaon::gpu {

void RegionTable::add(Region& region) {
  const std::lock_guard hold(lock_);
  const List* old = list_.load(std::memory_order_relaxed);
  auto list = std::make_unique<List>(old != nullptr ? *old : List{});
  list->insert(
      std::upper_bound(list->begin(), list->end(), &region, [](auto* a, auto* b) { return a->base < b->base; }),
      &region);
  replace(std::move(list));
}

void RegionTable::remove(Region& region) {
  const std::lock_guard hold(lock_);
  const List* old = list_.load(std::memory_order_relaxed);
  auto list = std::make_unique<List>(old != nullptr ? *old : List{});
  std::erase(*list, &region);
  replace(std::move(list));
}

void RegionTable::retire(std::unique_ptr<Region> region) {
  remove(*region);
  const std::lock_guard hold(lock_);
  retired_.push_back(std::move(region));
}

void RegionTable::replace(std::unique_ptr<List> list) {
  list_.store(list.get(), std::memory_order_release);
  lists_.push_back(std::move(list));
}

Region* RegionTable::find(const void* pointer) const {
  const List* list = list_.load(std::memory_order_acquire);
  if (list == nullptr) return nullptr;
  const auto* byte = static_cast<const std::byte*>(pointer);
  auto above =
      std::upper_bound(list->begin(), list->end(), byte, [](auto* b, auto* region) { return b < region->base; });
  while (above != list->begin())  // memory of a slab may be registered too: the inner region is asked first
    if (Region* region = *--above; region->holds(pointer, 1)) return region;
  return nullptr;
}

}  // namespace kaon::gpu
